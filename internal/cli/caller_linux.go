package cli

import (
	"os"
	"strconv"
	"strings"
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
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	s := string(data)
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
