//go:build unix

package control

import (
	"os"
	"syscall"
)

// owner returns whose file it is.
func owner(info os.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}
