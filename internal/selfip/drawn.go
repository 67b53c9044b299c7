package selfip

import (
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/pkg/text"
)

// drawn is what a retrospective came to, before it is stored.
type drawn struct {
	kind    string // of the retrospective: error-retro, session-retro, manual-retro
	by      string // who drew it: a model as provider/model, or the built-in engine
	session string
	at      time.Time

	lines      []drawnLines
	books      []answer.Section
	overturned []answer.Overturned
	handoff    string
	proposal   string
	fallback   bool     // nothing in it could be recognised: lines is what looked like one
	unclear    string   // the whole answer, when not even that was found in it
	dropped    []string // sections that a cut left unusable
	left       []string // what was seen and not kept, and why

	again bool // a try before this one may have stored some of it
}

// drawnLines are the conclusions of one section.
type drawnLines struct {
	section string
	list    []learn.Conclusion
}

func (d drawn) count() (n int) {
	for _, l := range d.lines {
		n += len(l.list)
	}
	return n
}

// empty reports whether there is nothing to store.
func (d drawn) empty() bool {
	return d.count()+len(d.books)+len(d.overturned) == 0 && d.handoff == "" && d.proposal == "" && d.unclear == ""
}

// drawnByEngine is what the built-in engine concluded.
func drawnByEngine(c learn.Conclusions) drawn {
	return drawn{
		by: localEngine, handoff: c.Handoff, left: c.Left,
		lines: []drawnLines{
			{string(answer.Lessons), c.Lessons},
			{string(answer.Facts), c.Facts},
			{string(answer.Resources), c.Resources},
			{string(answer.Methods), c.Methods},
		},
	}
}

// lineSections are the sections whose lines become entries, with the kind of a
// line that names none.
var lineSections = [...]struct {
	key  answer.Key
	kind entry.Kind
}{
	{answer.Lessons, entry.Lesson},
	{answer.Facts, entry.Fact},
	{answer.Resources, entry.Resource},
	{answer.Methods, entry.Method},
}

// drawnFromAnswer takes a model's answer apart (spec/selfip.md 21.5). Of one that
// was cut only whole sections of low risk count (W28). One without a section that
// a retrospective knows is looked through for lines.
func drawnFromAnswer(said string, cut bool) drawn {
	a := answer.Parse(said, cut)
	if cut {
		a = a.Only(answer.Lessons, answer.Facts, answer.Resources, answer.Methods, answer.Handoff)
	}
	d := drawn{dropped: a.Dropped, handoff: a.Text(answer.Handoff), books: a.All(answer.Playbook), proposal: a.Text(answer.Proposal)}
	for _, s := range lineSections {
		entries, left := answer.Lines(a.Text(s.key), s.kind)
		d.left = append(d.left, left...)
		if len(entries) > 0 {
			d.lines = append(d.lines, drawnLines{string(s.key), conclusions(entries)})
		}
	}
	var left []string
	d.overturned, left = answer.OverturnedRows(a.Text(answer.Supersede))
	d.left = append(d.left, left...)
	if !cut && said != "" && !knowsRetro(a) {
		d.lookThrough(said)
	}
	return d
}

// knowsRetro reports whether an answer has a section that a retrospective knows.
func knowsRetro(a answer.Answer) bool {
	return slices.ContainsFunc(a.Sections, func(s answer.Section) bool {
		switch s.Key {
		case answer.Principles, answer.Hypotheses, answer.Prefetch, answer.FactsClean, answer.LessonsClean:
			return false
		}
		return true
	})
}

// fallbackLength bounds what is taken from an answer without sections, in UTF-16
// code units (spec/selfip.md 21.5).
const fallbackLength = 2000

// lookThrough takes the bullets of an answer that has no sections as lessons, up
// to a bound. What reads like data rather than a sentence is none.
func (d *drawn) lookThrough(said string) {
	d.fallback = true
	entries, _ := answer.Bullets(said, entry.Lesson)
	room := fallbackLength
	for i, e := range entries {
		if room -= text.Len(e.String()) + 1; room < 0 {
			entries = entries[:i]
			break
		}
	}
	if len(entries) == 0 {
		d.unclear = said
		return
	}
	d.lines = []drawnLines{{"fallback", conclusions(entries)}}
}

func conclusions(entries []entry.Entry) []learn.Conclusion {
	list := make([]learn.Conclusion, len(entries))
	for i, e := range entries {
		importance, _ := e.Int("imp")
		ttl, _ := e.Int("ttl")
		list[i] = learn.Conclusion{Kind: e.Kind, Text: e.Text, Importance: importance, Source: e.Get("src"), Stamp: e.Stamp, TTL: ttl}
	}
	return list
}
