package learn

import (
	"fmt"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// maxHandoff is the most that a hand-off holds, in UTF-16 units
// (spec/selfip.md 21.5).
const maxHandoff = 700

// maxOpen is how many open errors a hand-off names.
const maxOpen = 3

// lastThings is where a session stands.
type lastThings struct {
	prompt, reply, passed, fault, feedback Quote

	disliked    bool // the feedback is a complaint
	explainedAt int  // ordinal of the last reply that was read for explanations
}

// feedback takes a judgement of a person: words like those of a prompt, a line of
// the hand-off, which praise does not take from a complaint, and of a complaint a
// lesson.
func (e *Engine) feedback(r transcript.Record) {
	line := firstLine(r.Text)
	if line == "" || isSecretLine(line) {
		return
	}
	if !r.Good || !e.last.disliked {
		e.last.feedback, e.last.disliked = e.quote(r, line), !r.Good
	}
	e.listen(r, r.Text)
	if !r.Good {
		e.complain(r, line)
	}
}

// handoff writes down where the session stands: the last request, the last
// state, the open errors, each with its time so that nobody takes an old one
// for news (W31).
func (e *Engine) handoff() string {
	w := e.words
	var lines []string
	add := func(format string, at time.Time, words ...any) {
		lines = append(lines, fmt.Sprintf(format, append([]any{clock(at)}, words...)...))
	}
	if q := e.last.prompt; q.Excerpt != "" { // empty when no line of it may be kept
		add(w.Request, q.Time, keep(q.Excerpt, 160))
	}
	if q := e.last.fault; q.Excerpt != "" {
		add(w.Fault, q.Time, keep(q.Excerpt, 120))
	}
	if q := e.last.feedback; q.Excerpt != "" {
		add(w.Judged, q.Time, keep(q.Excerpt, 100))
	}
	if q := e.last.passed; q.Excerpt != "" {
		add(w.Worked, q.Time, keep(q.Excerpt, 80))
	}
	for _, f := range e.openFailures() {
		if f.tool != "" {
			add(w.OpenTool, f.time, f.tool, keep(f.line, 80))
		} else {
			add(w.OpenCall, f.time, keep(f.cmd.show, 80), keep(f.line, 100))
		}
	}
	if q := e.last.reply; q.Excerpt != "" && !isSecretLine(q.Excerpt) {
		add(w.Reply, q.Time, keep(q.Excerpt, 120))
	}
	return fit(lines, maxHandoff)
}

// openFailures returns the failures that stand, newest first.
func (e *Engine) openFailures() []failure {
	var open []failure
	for i := len(e.failures) - 1; i >= 0 && len(open) < maxOpen; i-- {
		if f := e.failures[i]; f.closed == 0 && f.line != "" {
			open = append(open, f)
		}
	}
	return open
}

// fit joins as many whole lines as n units hold.
func fit(lines []string, n int) string {
	var b strings.Builder
	for _, line := range lines {
		if n -= text.Len(line) + 1; n < -1 {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String()
}

// clock writes a time to the minute with its offset, or a dash for none.
func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format("2006-01-02T15:04Z07:00")
}

// prompt takes a person's words.
func (e *Engine) prompt(r transcript.Record) {
	words := humanWords(r.Text)
	if words == "" {
		return
	}
	var open []string
	for line := range strings.SplitSeq(words, "\n") {
		if len(open) < 20 && len(line) <= maxOutLine && !isSecretLine(line) {
			open = append(open, line)
		}
	}
	e.last.prompt = e.quote(r, strings.Join(open, "\n"))
	e.userAddresses(r, words)
	e.listen(r, words)
}
