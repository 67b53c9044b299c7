//go:build unix

package service

import (
	"io/fs"
	"strconv"
	"syscall"
)

// openNonblock keeps the opening of a named pipe from waiting for its other end.
const openNonblock = syscall.O_NONBLOCK

// identity tells apart files that have the same size and time: each replacement
// is a file of its own, and each change of one moves its ctime.
func identity(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return "-" + strconv.FormatUint(uint64(stat.Ino), 36) + "-" + strconv.FormatInt(changed(stat), 36)
}
