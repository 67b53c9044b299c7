package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Weights of lessons: which ones are written down first.
const (
	weightPlace     = 2
	weightBehaviour = 2
	weightEnviron   = 3
	weightUser      = 4
)

// maxEdits is how many edited files still let one say what helped.
const maxEdits = 3

// lesson is a failure with what ended it.
type lesson struct {
	cmd, line     string   // what failed, and the line that says how
	absent, found string   // or: a file that was elsewhere
	said          string   // what the user said meanwhile about it
	edits         []string // files that were edited meanwhile
	ran           []string // commands that were run meanwhile
	explained     string   // how the agent explained it
	passed        string   // what worked in the end
	class         errorClass
	weight        int
	n             int // ordinal of its end
	quotes        []Quote
}

// resolve turns a failure that c ended into a lesson, if there is one.
func (e *Engine) resolve(f failure, c call, r transcript.Record) {
	l := lesson{cmd: f.cmd.show, line: f.line, passed: c.cmd.show, n: e.n, quotes: []Quote{f.quote}, class: classifyError(f.line)}
	end := e.n
	if f.closed > 0 {
		end = f.closed
	}
	e.gather(&l, f, c, end)
	l.quotes = append(l.quotes, e.quote(r, passedLine(c, r)))
	switch {
	case l.line == "":
		e.left[leftEveryday]++
	case l.said == "" && len(l.edits) == 0 && len(l.ran) == 0 && l.cmd == l.passed:
		e.left[leftTransient]++
	case l.said == "" && (l.class == everyday || len(l.edits) > maxEdits):
		e.left[leftEveryday]++
	default:
		l.weight = l.baseWeight()
		e.lessons = push(e.lessons, l, maxLessons)
	}
}

// passedLine is the evidence of a success: the command where it said nothing.
func passedLine(c call, r transcript.Record) string {
	if line := sayingLine(r.Text); line != "" {
		return line
	}
	return c.cmd.show
}

func (l lesson) baseWeight() int {
	switch {
	case l.said != "":
		return weightUser
	case l.class == environment:
		return weightEnviron
	}
	return weightBehaviour
}

// gather collects what happened between the last time a failure was seen and
// its end: edits, commands, words of the user about it.
func (e *Engine) gather(l *lesson, f failure, c call, end int) {
	var done, heard []change
	for _, ch := range e.changes {
		switch {
		case ch.n <= f.last || ch.n > end:
		case ch.kind == said:
			heard = append(heard, ch)
		case ch.kind == edited && !slices.Contains(l.edits, ch.text):
			l.edits = append(l.edits, ch.text)
			done = append(done, ch)
		case ch.kind == ran && !slices.Contains(l.ran, ch.text) && ch.text != c.cmd.show && helps(ch.text, f):
			l.ran = append(l.ran, ch.text)
			done = append(done, ch)
		}
	}
	if len(l.edits) > 0 || f.cmd.show != c.cmd.show {
		l.ran = slices.DeleteFunc(l.ran, func(s string) bool { return !parseCommand(s).isSetup() })
	}
	l.ran = l.ran[max(0, len(l.ran)-3):]
	if ch, ok := mostAbout(heard, f, l.ran); ok {
		l.said = ch.text
		l.quotes = append(l.quotes, ch.quote)
	}
	for _, ch := range done[:min(len(done), 3)] {
		l.quotes = append(l.quotes, ch.quote)
	}
}

// helps reports whether a command can be what ended a failure: another run of
// the tests is not.
func helps(show string, f failure) bool {
	c := parseCommand(show)
	return c.family == "" || c.family == install || c.family == build && f.cmd.family != build
}

// mostAbout returns what the user said that is most about a failure: a statement
// that shares words with the error or the command, or a request that names what
// was then run.
func mostAbout(heard []change, f failure, ran []string) (best change, ok bool) {
	problem, ways := marksOf(f.line+" "+f.cmd.show), marksOf(strings.Join(ran, " "))
	most := 0
	for _, ch := range heard {
		about := ways
		if ch.firm {
			about = problem
		}
		if n := shared(about, marksOf(ch.text)); n > 0 && n >= most {
			most, best, ok = n, ch, true
		}
	}
	return best, ok
}

// reply takes the agent's words: they may explain what was mended just now.
func (e *Engine) reply(r transcript.Record) {
	line := firstLine(r.Text)
	if line == "" {
		return
	}
	e.last.reply = e.quote(r, line)
	e.last.fault = Quote{}
	e.explain(r)
}

// text writes a lesson down, or returns "" when it says too little.
func (l lesson) text(e *Engine) string {
	w := e.words
	if l.absent != "" {
		return fmt.Sprintf(w.Absent, l.absent) + w.Arrow + fmt.Sprintf(w.Found, l.found)
	}
	var changed []string
	if l.said != "" {
		changed = append(changed, fmt.Sprintf(w.UserSaid, l.said))
	}
	if len(l.edits) > 0 {
		changed = append(changed, fmt.Sprintf(w.Edited, strings.Join(l.edits, ", ")))
	}
	for _, cmd := range l.ran {
		changed = append(changed, fmt.Sprintf(w.Ran, cmd))
	}
	if l.explained != "" {
		changed = append(changed, fmt.Sprintf(w.Reported, l.explained))
	}
	parts := []string{fmt.Sprintf(w.Failed, l.cmd, l.line)}
	if len(changed) > 0 {
		parts = append(parts, strings.Join(changed, w.And))
	}
	return strings.Join(append(parts, fmt.Sprintf(w.Passed, l.passed)), w.Arrow)
}

// tells reports whether someone would write the lesson down: the user was part
// of it, or the machine was, or it is clear which change helped.
func (l lesson) tells() bool {
	return l.absent != "" || l.said != "" || l.class == environment || l.explained != "" || len(l.edits) == 1 ||
		len(l.edits) == 0
}

// isProcedure reports whether a failure was ended by a sequence of commands and
// nothing else, which is a method rather than a lesson.
func (l lesson) isProcedure() bool {
	return l.said == "" && len(l.edits) == 0 && len(l.ran) > 1
}

func (l lesson) conclusion(e *Engine) Conclusion {
	importance := entry.DefaultImportance(entry.Lesson)
	switch {
	case l.said != "":
		importance = 8
	case l.absent != "":
		importance = 5
	case l.class == behaviour:
		importance = 6
	}
	return Conclusion{Kind: entry.Lesson, Text: l.text(e), Importance: importance, Source: "tool", Evidence: l.quotes}
}
