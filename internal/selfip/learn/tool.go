package learn

import (
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/transcript"
)

// toolClass is what a tool does, as far as learning is concerned.
type toolClass int

const (
	otherTool toolClass = iota
	shell
	edit
	read
	fetch
)

// Names of tools in lower case without separators, as harnesses give them.
var (
	shellNames = []string{
		"bash", "shell", "exec", "execcommand", "runshellcommand", "runterminalcmd", "runterminalcommand", "runinterminal", "terminal",
		"executecommand", "executebash", "localshell", "localshellcall", "powershell", "sh", "runcommand", "developershell", "command",
		"unifiedexec", "executepwsh", "runcommands",
	}
	editNames = []string{
		"edit", "write", "multiedit", "notebookedit", "applypatch", "applydiff", "strreplace", "strreplaceeditor", "strreplacebasededittool",
		"createfile", "replace", "replaceinfile", "writefile", "writetofile", "editfile", "searchreplace", "patch", "fswrite", "texteditor",
		"inserteditintofile", "replacestringinfile", "developertexteditor", "developeredit", "developerwrite", "editor", "writecode", "smartrelace", "fileedit", "filewrite",
	}
	readNames = []string{
		"read", "readfile", "view", "viewfile", "openfile", "open", "cat", "fsread", "readtextfile", "fileread", "readmanyfiles", "readfiles",
	}
	fetchNames = []string{"webfetch", "fetch", "fetchurl", "readurl", "openurl", "browsernavigate", "httpget", "fetchwebpage", "urlfetch"}
)

func classOf(tool string) toolClass {
	name := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(tool))
	for _, class := range [...]struct {
		names []string
		class toolClass
	}{{shellNames, shell}, {editNames, edit}, {readNames, read}, {fetchNames, fetch}} {
		for _, known := range class.names {
			if name == known {
				return class.class
			}
		}
	}
	return otherTool
}

// call is a tool call that waits for its result.
type call struct {
	id, name string
	tool     toolClass
	own      bool     // a call of this program: what it prints is known already
	input    string   // of other tools and fetches
	paths    []string // files of an edit or a read
	cmd      command  // of a shell
	n        int
	time     time.Time
}

// maxPaths is how many files of one call are looked at.
const maxPaths = 8

func (e *Engine) newCall(r transcript.Record) call {
	c := call{id: strings.Clone(r.ID), name: keep(r.Tool, 60), tool: classOf(r.Tool), n: e.n, time: r.Time}
	switch c.tool {
	case shell:
		c.cmd = parseCommand(r.Input)
		for _, p := range c.cmd.reads() {
			c.paths = append(c.paths, e.short(p))
		}
	case edit, read:
		for line := range strings.SplitSeq(r.Input, "\n") {
			if line = strings.TrimSpace(line); line != "" && len(c.paths) < maxPaths && len(line) < 400 {
				c.paths = append(c.paths, keep(e.short(line), maxPath))
			}
		}
	default:
		c.input = keep(firstLine(r.Input), 240)
	}
	c.own = c.cmd.program == "selfip" || strings.Contains(strings.ToLower(r.Tool), "selfip")
	return c
}

// takeCall returns the call that a result answers. A result without a known id
// answers the newest call, or stands for itself when it says what was asked.
func (e *Engine) takeCall(r transcript.Record) call {
	for i := len(e.calls) - 1; i >= 0; i-- {
		if c := e.calls[i]; c.id == r.ID {
			e.calls = append(e.calls[:i], e.calls[i+1:]...)
			return c
		}
	}
	return e.newCall(r)
}

// isGeneric reports whether many folders hold a file of that name, so that
// finding one says nothing of another.
func isGeneric(base string) bool {
	stem := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	switch stem {
	case "index", "main", "mod", "lib", "__init__", "readme", "makefile", "dockerfile", "package", "config", "types", "utils",
		"util", "setup", "cargo", "go", "tsconfig", "doc", "test", "app", "license", "changelog", "conftest", "settings", "":
		return true
	}
	return false
}

// deniedMarks say that a person or a rule stopped a call: it did not fail.
var deniedMarks = []string{
	"user doesn't want to proceed", "tool use was rejected", "request interrupted by user", "user rejected", "rejected by user",
	"denied by user", "user denied", "interrupted by user", "cancelled by user", "canceled by user", "requires approval",
	"requested permissions to", "blocked by hook", "hook blocked", "aborted by user", "用户拒绝", "用户取消",
}

func isDenied(output string) bool {
	head := strings.ToLower(output[:min(len(output), 400)])
	for _, mark := range deniedMarks {
		if strings.Contains(head, mark) {
			return true
		}
	}
	return false
}
