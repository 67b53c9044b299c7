package cli

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// namespace names the space that process numbers are of (pid_namespaces(7)): two
// containers count for themselves.
func namespace() string {
	link, err := os.Readlink("/proc/self/ns/pid") // pid:[4026531836]
	if err != nil {
		return ""
	}
	return strings.Trim(strings.TrimPrefix(link, "pid:"), "[]")
}

// processOf reads /proc/PID/stat (proc(5)): the name in parentheses, which may
// hold anything, then the state, the parent and, as field 22, the start time in
// clock ticks since boot.
func processOf(pid int) (process, bool) {
	s, ok := readProc("/proc/" + strconv.Itoa(pid) + "/stat")
	if !ok {
		return process{}, false
	}
	open, end := strings.IndexByte(s, '('), strings.LastIndexByte(s, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	fields := strings.Fields(s[end+1:])
	if len(fields) < 20 || fields[0] == "Z" {
		return process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	return process{name: s[open+1 : end], parent: parent, started: fields[19]}, err == nil
}

// readProc reads a short file that the system makes up, in as few calls as that
// takes: an os.File asks the poller about it first.
func readProc(name string) (string, bool) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", false
	}
	defer unix.Close(fd)
	var room [1024]byte
	n, err := unix.Read(fd, room[:])
	if err != nil {
		return "", false
	}
	return string(room[:n]), true
}
