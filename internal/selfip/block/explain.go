package block

import (
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Why says what became of an entry.
type Why string

// The answers.
const (
	WhyShown    Why = "shown"
	WhyBlocked  Why = "blocked"  // a detector fires on it
	WhyRepeated Why = "repeated" // another line that is shown says the same
	WhyQuota    Why = "quota"    // no room beside entries of higher weight
	WhyLimit    Why = "limit"    // its section has as many entries as it may
	WhyBudget   Why = "budget"   // its whole section found no room
)

// Explained is one live entry and what became of it.
type Explained struct {
	ID      string
	Kind    entry.Kind
	Library string
	Text    string
	Score   float64
	Parts   entry.Weight
	Expired bool
	Chosen  bool
	Why     Why
}

// account closes the books on a text.
func (m *memory) account(body string, notes []Note) Block {
	b := Block{Text: body, Chars: text.Len(body), Bytes: len(body), Dropped: m.dropped, Notes: notes}
	for _, l := range m.layouts {
		for i, s := range l.sections {
			if s == nil {
				continue
			}
			t := l.result.Shown[i]
			if body == "" {
				t = ""
			}
			s.account(&b, t)
		}
	}
	return b
}

// account adds the entries of a section whose text is t, empty when it is not
// shown.
func (s *section) account(b *Block, t string) {
	v := s.shown(t)
	b.Blocked += s.blocked
	b.Shown += len(v.shown)
	b.Hidden += s.hidden(v)
	rest := WhyQuota
	switch {
	case t == "":
		rest = WhyBudget
	case v.full:
		rest = WhyLimit
	}
	if !s.in.Explain {
		for _, i := range v.shown {
			b.Items = append(b.Items, s.explain(i, WhyShown))
		}
		return
	}
	why := make([]Why, len(s.items))
	for i, it := range s.items {
		if why[i] = rest; it.Blocked {
			why[i] = WhyBlocked
		}
	}
	for _, i := range v.repeated {
		why[i] = WhyRepeated
	}
	for _, i := range v.shown {
		why[i] = WhyShown
	}
	for i, w := range why {
		b.Items = append(b.Items, s.explain(i, w))
	}
}

func (s *section) explain(i int, why Why) Explained {
	it := s.items[i]
	e, _ := entry.ParseLine(s.part.Line(i))
	if e.Kind == "" {
		e.Kind = s.kind
	}
	return Explained{
		ID: e.ID(), Kind: e.Kind, Library: s.library, Text: e.Text, Score: it.Weight.Score(), Parts: it.Weight,
		Expired: it.Expired, Chosen: why == WhyShown, Why: why,
	}
}
