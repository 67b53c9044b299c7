package contract

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// class is what kind of line a record gives. The order is that in which lines
// are kept when there is not room for all.
type class int

const (
	feedback class = iota
	prompt
	failure
	remedy // what worked soon after a failure
	reply
	success
	classes
)

// kept is how many lines of a class are held, and the share of the text that they
// have before what is left over goes to the others, in UTF-16 code units.
var kept = [classes]struct{ lines, share int }{
	feedback: {20, 1500},
	prompt:   {60, 3000},
	failure:  {40, 2500},
	remedy:   {40, 1500},
	reply:    {40, 1500},
	success:  {30, 500},
}

// Figures of the texts (spec/selfip.md 21.2), UTF-16 code units where they are no
// counts.
const (
	maxRecord   = 10000
	lastErrors  = 15
	lastTalk    = 12
	lastFails   = 8
	maxPrompt   = 600
	maxReply    = 300
	maxOutput   = 300
	maxInput    = 200
	maxFeedback = 500
	soon        = 6  // results after a failure that may be its remedy
	maxOpen     = 64 // calls that wait for their result
)

// Record gathers what happened in a session, in constant memory: of each class
// the last lines. The zero Record is one of a session in which nothing happened.
type Record struct {
	lists     [classes][]line
	delegated []string
	open      []transcript.Record // calls without a result

	n           int // records so far
	told        int // that are told of with others: calls, with their results
	calls       int // results
	failedCalls int
	faults      int // of all kinds
	since       int // the last failed call
}

// line is one record as the model sees it.
type line struct {
	n     int // of the record
	time  time.Time
	who   func(phrase.Retro) string
	said  string
	class class
}

// Add takes a record in.
func (r *Record) Add(rec transcript.Record) {
	r.n++
	switch rec.Kind {
	case transcript.Prompt:
		r.keep(prompt, rec, func(p phrase.Retro) string { return p.User + ": " }, text.Ellipsize(text.OneLine(rec.Text), maxPrompt))
	case transcript.Feedback:
		r.keep(feedback, rec, func(p phrase.Retro) string { return p.Feedback + ": " }, judgement(rec))
	case transcript.Reply:
		r.keep(reply, rec, func(p phrase.Retro) string { return p.Agent + ": " }, text.Ellipsize(text.OneLine(rec.Text), maxReply))
	case transcript.Fault:
		r.faults++
		r.keep(failure, rec, func(p phrase.Retro) string { return p.Fault + ": " }, text.Ellipsize(text.OneLine(rec.Text), maxOutput))
	case transcript.Call:
		r.told++
		r.open = append(r.open[max(0, len(r.open)+1-maxOpen):], rec)
	case transcript.Result:
		r.result(rec)
	}
}

// Empty reports whether nothing was taken in.
func (r *Record) Empty() bool { return r.n == 0 }

// Delegated takes in how a delegated session ended.
func (r *Record) Delegated(who, reason string) {
	r.delegated = append(r.delegated, who+" -> "+reason)
	r.delegated = r.delegated[max(0, len(r.delegated)-lastFails):]
}

func (r *Record) result(rec transcript.Record) {
	r.calls++
	if call, ok := r.take(rec.ID); ok {
		rec.Input, rec.Tool = cmp.Or(rec.Input, call.Input), cmp.Or(rec.Tool, call.Tool)
	}
	call := []any{rec.Tool, text.Ellipsize(text.OneLine(rec.Input), maxInput)}
	said := text.Ellipsize(text.OneLine(rec.Text), maxOutput)
	of := success
	switch {
	case rec.Failed:
		r.failedCalls++
		r.faults++
		r.since = r.n
		of = failure
	case r.since > 0 && r.n-r.since <= soon:
		of = remedy
	}
	r.keep(of, rec, func(p phrase.Retro) string {
		form := p.Worked
		if rec.Failed {
			form = p.Failed
		}
		what := rec.Tool
		if call[1] != "" {
			what = fmt.Sprintf(p.Call, call...)
		}
		return fmt.Sprintf(form, what, "")
	}, said)
}

// take finds the call that a result is of.
func (r *Record) take(id string) (transcript.Record, bool) {
	i := slices.IndexFunc(r.open, func(c transcript.Record) bool { return id != "" && c.ID == id })
	if i < 0 {
		return transcript.Record{}, false
	}
	call := r.open[i]
	r.open = slices.Delete(r.open, i, i+1)
	return call, true
}

func (r *Record) keep(of class, rec transcript.Record, who func(phrase.Retro) string, said string) {
	if said == "" && rec.Kind != transcript.Result {
		return
	}
	list := append(r.lists[of], line{n: r.n, time: rec.Time, who: who, said: said, class: of})
	if over := len(list) - kept[of].lines; over > 0 {
		list = slices.Delete(list, 0, over)
	}
	r.lists[of] = list
}

func (l line) show(p phrase.Retro) string {
	s := l.who(p) + l.said
	if !l.time.IsZero() {
		s = "[" + l.time.Format("2006-01-02T15:04Z07:00") + "] " + s
	}
	return s
}

// said returns the last lines of a class.
func (r *Record) said(of class, p phrase.Retro) []string {
	var out []string
	for _, l := range r.lists[of] {
		out = append(out, l.show(p))
	}
	return out[max(0, len(out)-lastErrors):]
}

// lines returns the record within a budget, in the order in which it happened,
// without what has a part of its own. Every class has its share, newest first;
// what one leaves over goes to the others. How many lines were left out is told.
func (r *Record) lines(budget int, p phrase.Retro) []string {
	c := choice{words: p, taken: map[int]string{}}
	rest := budget
	for of := prompt; of < classes; of++ {
		rest -= c.take(r.lists[of], min(rest, kept[of].share))
	}
	for of := prompt; of < classes; of++ {
		rest -= c.take(r.lists[of], rest)
	}
	var out []string
	if left := r.n - len(r.lists[feedback]) - len(c.taken) - r.told; left > 0 {
		out = append(out, fmt.Sprintf(p.LeftOut, left))
	}
	for _, n := range slices.Sorted(maps.Keys(c.taken)) {
		out = append(out, c.taken[n])
	}
	return out
}

// choice is the lines that were chosen, by the number of their record.
type choice struct {
	words phrase.Retro
	taken map[int]string
}

// take chooses the newest lines that fit, and returns what they take.
func (c *choice) take(list []line, budget int) (used int) {
	for _, l := range slices.Backward(list) {
		if c.taken[l.n] != "" {
			continue
		}
		s := l.show(c.words)
		if used+text.Len(s)+1 > budget {
			break
		}
		used += text.Len(s) + 1
		c.taken[l.n] = s
	}
	return used
}

// talk returns the last lines of the conversation.
func (r *Record) talk(n int, p phrase.Retro) []string {
	list := slices.Concat(r.lists[prompt], r.lists[reply])
	slices.SortFunc(list, func(a, b line) int { return cmp.Compare(a.n, b.n) })
	var out []string
	for _, l := range list[max(0, len(list)-n):] {
		out = append(out, l.show(p))
	}
	return out
}

// maxJudged bounds the reply that feedback is about, in UTF-16 code units.
const maxJudged = 300

// judgement is feedback on one line: what the user thinks, and the reply it is
// about when that is known; a plus says that they liked it.
func judgement(rec transcript.Record) string {
	said := text.Ellipsize(text.OneLine(rec.Text), maxFeedback)
	if rec.Good {
		said = "(+) " + said
	}
	if about := text.OneLine(rec.Input); about != "" {
		said += " <- " + text.Ellipsize(about, maxJudged)
	}
	return said
}
