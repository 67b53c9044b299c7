package install

import (
	"strings"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Command returns the command string of an entry: the binary, "hook", the
// harness and the event (spec/harness-hooks.md 4.1.11). The path comes with
// forward slashes where it is one of Windows, and is quoted so that sh, and
// PowerShell where there is such a form, take it as one word.
func Command(binary string, h harness.Harness, event string) string {
	return Word(binary) + " hook " + string(h) + " " + event
}

// Word is the path of a program as the first word of a command line.
func Word(binary string) string { return quote(slashes(binary)) }

// slashes turns a Windows path, by its shape, to forward slashes: Git Bash eats
// backslashes.
func slashes(path string) string {
	if isWindows(path) {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return path
}

func isWindows(path string) bool {
	return strings.HasPrefix(path, `\\`) ||
		len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

func isAbsolute(path string) bool { return strings.HasPrefix(path, "/") || isWindows(path) }

// quote makes path one word. Double quotes hold everything but what sh or
// PowerShell reads inside them; single quotes hold everything but themselves.
// A path with both kinds of characters gets the form of sh.
func quote(path string) string {
	switch {
	case isPlain(path):
		return path
	case !strings.ContainsAny(path, "$`\"\\!“”„"):
		return `"` + path + `"`
	case !strings.ContainsAny(path, "'‘’‚‛"):
		return "'" + path + "'"
	}
	escapes := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
	return `"` + escapes.Replace(path) + `"`
}

// Binary returns the program that a command string calls, without its quotes.
func Binary(command string) string {
	if command == "" {
		return ""
	}
	quote, rest := command[0], command[1:]
	switch quote {
	case '\'':
		path, _, _ := strings.Cut(rest, "'")
		return path
	case '"':
		var path strings.Builder
		for i := 0; i < len(rest) && rest[i] != '"'; i++ {
			if rest[i] == '\\' && i+1 < len(rest) && strings.IndexByte("\\\"$`", rest[i+1]) >= 0 {
				i++
			}
			path.WriteByte(rest[i])
		}
		return path.String()
	}
	path, _, _ := strings.Cut(command, " ")
	return path
}

// isPlain reports whether no shell sees anything in path but letters.
func isPlain(path string) bool {
	for i := 0; i < len(path); i++ {
		c := path[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && strings.IndexByte("/._-+:@", c) < 0 {
			return false
		}
	}
	return path != ""
}

// isOurs is the owner test (spec/harness-hooks.md 4.1.1): whether command calls
// program for the harness h, from whatever path. It is the expression
// (^|[/\\"'])PROGRAM(\.exe)?["']?\s+hook\s+HARNESS\b.
func isOurs(command, program string, h harness.Harness) bool {
	for i := 0; ; i++ {
		n := strings.Index(command[i:], program)
		if n < 0 {
			return false
		}
		i += n
		if (i == 0 || strings.IndexByte(`/\"'`, command[i-1]) >= 0) && callsHook(command[i+len(program):], h) {
			return true
		}
	}
}

// callsHook reports whether rest, what stands after the program's name, goes on
// to call our hook.
func callsHook(rest string, h harness.Harness) bool {
	rest = strings.TrimPrefix(rest, ".exe")
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest = rest[1:]
	}
	for _, word := range [...]string{"hook", string(h)} {
		after := strings.TrimLeft(rest, "\t\n\f\r ")
		if len(after) == len(rest) || !strings.HasPrefix(after, word) {
			return false
		}
		rest = after[len(word):]
	}
	return rest == "" || !isWordByte(rest[0])
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// checkBinary refuses a path that would not work or could not be found again.
func checkBinary(binary, program string) *fault.Error {
	base := strings.TrimSuffix(slashes(binary)[strings.LastIndexByte(slashes(binary), '/')+1:], ".exe")
	switch {
	case !isAbsolute(binary):
		return fault.New(fault.Usage, codeRelative, binary)
	case strings.ContainsFunc(binary, isControl):
		return fault.New(fault.Refused, codeBinaryChars, binary)
	case base != program:
		return fault.New(fault.Refused, codeBinaryName, binary, program)
	}
	return nil
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }
