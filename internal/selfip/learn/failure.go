package learn

import (
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/transcript"
)

// failure is a failed call that nothing has resolved yet.
type failure struct {
	cmd    command
	tool   string // of a tool that is no shell
	line   string // the decisive line
	last   int    // ordinal of its last occurrence
	closed int    // ordinal at which another error took its place, or 0
	time   time.Time
	quote  Quote
}

// missing is a file that was not where it was looked for.
type missing struct {
	path  string
	quote Quote
}

// changeKind is what happened.
type changeKind int

const (
	said   changeKind = iota // a person said something
	edited                   // a file was written
	ran                      // a command passed that does more than look
)

// change is one thing that happened between a failure and its end.
type change struct {
	kind  changeKind
	text  string // the words, the path, the command
	firm  bool   // of said: a statement or a correction, no request
	n     int
	quote Quote
}

// failed takes a failed call.
func (e *Engine) failed(c call, r transcript.Record) {
	switch {
	case len(c.paths) > 0 && c.tool != edit && isAbsent(r.Text):
		e.missing = push(e.missing, missing{c.paths[0], e.quote(r, firstAbsent(r.Text))}, maxMissing)
	case c.tool == shell && !c.cmd.probe && c.cmd.program != "":
		e.addFailure(c, r)
		e.addressesOfError(r)
	case c.tool == otherTool && c.name != "" && !isLooking(c.name):
		line := decisive(r.Text)
		e.failures = push(e.failures, failure{tool: c.name, line: keep(line, maxLine), last: e.n, time: r.Time}, maxFailures)
	}
}

// isLooking reports whether a tool only looks for something, which may not be
// there.
func isLooking(tool string) bool {
	tool = strings.ToLower(tool)
	for _, part := range [...]string{"grep", "glob", "search", "find", "list", "ls", "todo", "task", "plan", "recall"} {
		if strings.Contains(tool, part) {
			return true
		}
	}
	return false
}

// addFailure notes a failed command. The same error again moves the failure
// on; another error in its place shows that what was done meanwhile helped.
func (e *Engine) addFailure(c call, r transcript.Record) {
	said := decisive(r.Text)
	line := keep(e.shorten(said), maxLine)
	f := failure{cmd: c.cmd, line: line, last: e.n, time: r.Time, quote: e.quote(r, said)}
	win := e.shorten(window(r.Text))
	for i := range e.failures {
		old := &e.failures[i]
		if old.tool != "" || old.closed > 0 || !related(c.cmd, old.cmd) {
			continue
		}
		if old.line != "" && strings.Contains(win, strings.TrimSuffix(old.line, "…")) {
			old.last, old.time = e.n, r.Time
			if old.line == line {
				return
			}
		} else if c.cmd.covers(old.cmd, old.line) {
			old.closed = e.n
		}
	}
	e.failures = push(e.failures, f, maxFailures)
}

// isAbsent reports whether a message says that a file is not there.
func isAbsent(out string) bool { return firstAbsent(out) != "" }

func firstAbsent(out string) string {
	for line := range strings.SplitSeq(out[:min(len(out), outputHead)], "\n") {
		low := strings.ToLower(line)
		for _, mark := range [...]string{"does not exist", "no such file", "not found", "enoent", "cannot find the file", "不存在", "找不到"} {
			if strings.Contains(low, mark) {
				return strings.TrimSpace(line)
			}
		}
	}
	return ""
}

// worked takes a call that went well.
func (e *Engine) worked(c call, r transcript.Record) {
	switch c.tool {
	case edit:
		for _, p := range c.paths {
			e.found(p, true, r)
			e.changes = push(e.changes, change{kind: edited, text: p, n: e.n, quote: e.quote(r, sayingLine(r.Text))}, maxChanges)
		}
	case read:
		for _, p := range c.paths {
			e.found(p, false, r)
		}
	case shell:
		e.ranWell(c, r)
	case fetch:
		e.fetched(c, r)
	default:
		e.forgetTool(c.name)
	}
}

// ranWell takes a command that passed: it may end failures, and it may be what
// ends one later.
func (e *Engine) ranWell(c call, r transcript.Record) {
	for _, p := range c.paths {
		e.found(p, false, r)
	}
	if c.cmd.probe || c.cmd.program == "" {
		return
	}
	open := e.failures[:0]
	for _, f := range e.failures {
		if f.tool == "" && c.cmd.covers(f.cmd, f.line) {
			e.resolve(f, c, r)
			continue
		}
		open = append(open, f)
	}
	clear(e.failures[len(open):])
	e.failures = open
	e.addRun(c, r)
	e.changes = push(e.changes, change{kind: ran, text: c.cmd.show, n: e.n, quote: e.quote(r, sayingLine(r.Text))}, maxChanges)
}

// forgetTool drops the open failures of a tool that works again.
func (e *Engine) forgetTool(name string) {
	open := e.failures[:0]
	for _, f := range e.failures {
		if f.tool == "" || f.tool != name {
			open = append(open, f)
		}
	}
	clear(e.failures[len(open):])
	e.failures = open
}

// isSetup reports whether a command changes the machine or a service.
func (c command) isSetup() bool {
	if c.family == install {
		return true
	}
	for _, w := range strings.Fields(c.sub + " " + c.program) {
		switch w {
		case "up", "start", "restart", "migrate", "pull", "chmod", "chown", "mkdir", "createdb", "seed", "init", "generate", "login",
			"ssh-add", "systemctl", "service", "kill", "rm", "ln", "corepack", "nvm", "rebase", "fetch", "db":
			return true
		}
	}
	return false
}

// found notes that a file was read, or written, at p: a file of that name that
// was missing elsewhere is there. A file that was written where it was missing
// was never elsewhere.
func (e *Engine) found(p string, written bool, r transcript.Record) {
	rest := e.missing[:0]
	for _, m := range e.missing {
		if path.Base(m.path) != path.Base(p) {
			rest = append(rest, m)
			continue
		}
		elsewhere := !written && !isGeneric(path.Base(p)) && !strings.HasSuffix("/"+p, "/"+m.path) && !strings.HasSuffix("/"+m.path, "/"+p)
		if elsewhere {
			q := e.quote(r, sayingLine(r.Text))
			q.Excerpt = p
			e.lessons = push(e.lessons, lesson{absent: m.path, found: p, quotes: []Quote{m.quote, q}, n: e.n, weight: weightPlace}, maxLessons)
		}
	}
	clear(e.missing[len(rest):])
	e.missing = rest
}
