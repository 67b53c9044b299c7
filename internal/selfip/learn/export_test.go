package learn

import "github.com/dshkit/dshkit/pkg/text"

// Retained returns how many bytes of text the engine holds on to.
func (e *Engine) Retained() int {
	n := 0
	quotes := func(list ...Quote) {
		for _, q := range list {
			n += len(q.Excerpt)
		}
	}
	commands := func(c command) {
		n += len(c.show) + len(c.program) + len(c.sub) + len(c.filter)
		for _, t := range c.targets {
			n += len(t)
		}
	}
	for _, c := range e.calls {
		n += len(c.id) + len(c.name) + len(c.input)
		for _, p := range c.paths {
			n += len(p)
		}
		commands(c.cmd)
	}
	for _, f := range e.failures {
		n += len(f.line) + len(f.tool)
		commands(f.cmd)
		quotes(f.quote)
	}
	for _, m := range e.missing {
		n += len(m.path)
		quotes(m.quote)
	}
	for _, c := range e.changes {
		n += len(c.text)
		quotes(c.quote)
	}
	for _, l := range e.lessons {
		n += len(l.cmd) + len(l.line) + len(l.said) + len(l.explained) + len(l.passed) + len(l.absent) + len(l.found)
		for _, s := range append(l.edits, l.ran...) {
			n += len(s)
		}
		quotes(l.quotes...)
	}
	for _, s := range e.statements {
		n += len(s.text) + len(s.subject) + len(s.value) + len(s.old)
		quotes(s.quote)
	}
	for _, a := range e.addresses {
		n += len(a.link.URL) + len(a.link.Key) + len(a.name) + len(a.use)
		quotes(a.quote)
	}
	for _, r := range e.runs {
		commands(r.cmd)
		quotes(r.quote)
	}
	quotes(e.last.prompt, e.last.reply, e.last.passed, e.last.fault, e.last.feedback)
	return n
}

// Decisive is the line of an output that says what went wrong.
func Decisive(out string) string { return decisive(out) }

// MaxHandoff is the most that a hand-off holds.
const MaxHandoff = maxHandoff

// Units is the length in which limits are given.
func Units(s string) int { return text.Len(s) }
