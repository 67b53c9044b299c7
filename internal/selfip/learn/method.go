package learn

import (
	"fmt"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// run is a command that passed.
type run struct {
	cmd   command
	quote Quote
}

// addRun notes a command that passed; the same command again is one run.
func (e *Engine) addRun(c call, r transcript.Record) {
	e.last.passed = e.quote(r, c.cmd.show)
	for i := range e.runs {
		if e.runs[i].cmd.show == c.cmd.show {
			e.runs[i].quote = e.quote(r, passedLine(c, r))
			return
		}
	}
	e.runs = push(e.runs, run{cmd: c.cmd, quote: e.quote(r, passedLine(c, r))}, maxRuns)
}

// methods are the commands that the user asked for and that passed, and the
// sequences of commands that ended a failure.
func (e *Engine) methods(kept []statement) []Conclusion {
	var list []Conclusion
	for _, run := range e.runs {
		for _, s := range kept {
			if s.kind == entry.Preference && asksFor(s, run.cmd.show) {
				list = append(list, e.askedMethod(s, run))
				break
			}
		}
	}
	for _, l := range e.lessons {
		if l.isProcedure() {
			list = append(list, e.procedure(l))
		}
	}
	return list
}

// asksFor reports whether a rule asks for a command, rather than against it.
func asksFor(s statement, show string) bool {
	at := strings.Index(s.text, show)
	if len(strings.Fields(show)) < 2 && !strings.ContainsAny(show, "/.-") || at < 0 {
		return false
	}
	wanted := s.text
	if s.old != "" {
		if against := strings.Index(s.text, s.old); against >= 0 && at >= against {
			return false
		}
	}
	if end := at + len(show); end < len(wanted) && isWordByte(wanted[end]) {
		return false
	}
	return !s.forbids
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func (e *Engine) askedMethod(s statement, r run) Conclusion {
	w := e.words
	purpose := fmt.Sprintf(w.ToRun, s.text)
	switch r.cmd.family {
	case testing:
		purpose = w.ToTest
	case build:
		purpose = w.ToBuild
	case lint:
		purpose = w.ToLint
	case install:
		purpose = w.ToInstall
	}
	return Conclusion{
		Kind:       entry.Method,
		Text:       purpose + w.Arrow + "`" + r.cmd.show + "`" + w.Arrow + w.AskedFor,
		Importance: entry.DefaultImportance(entry.Method),
		Source:     "agent",
		Evidence:   []Quote{s.quote, r.quote},
	}
}

func (e *Engine) procedure(l lesson) Conclusion {
	w := e.words
	steps := make([]string, 0, len(l.ran)+1)
	for _, cmd := range append(l.ran[:len(l.ran):len(l.ran)], l.passed) {
		steps = append(steps, "`"+cmd+"`")
	}
	return Conclusion{
		Kind:       entry.Method,
		Text:       fmt.Sprintf(w.When, l.cmd, l.line) + w.Arrow + strings.Join(steps, w.Then) + w.Arrow + fmt.Sprintf(w.Passed, l.passed),
		Importance: entry.DefaultImportance(entry.Method),
		Source:     "tool",
		Evidence:   l.quotes,
	}
}
