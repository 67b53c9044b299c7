package sleep

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// State is how far a hypothesis has come.
type State string

// The states.
const (
	Open      State = "open"
	Confirmed State = "confirmed"
	Refuted   State = "refuted"
)

// Hypothesis is something worth checking.
type Hypothesis struct {
	ID       string
	State    State
	Text     string
	By       string   // local, provider/model; "" when a person or the original wrote it
	Evidence []string // ids of entries; of a contradiction the newer, then the older
	At       string   // when it was decided
	Note     string   // why
}

// hypothesis reads a point as a hypothesis. A state that is not known counts as
// open.
func hypothesis(p Point) Hypothesis {
	h := Hypothesis{
		ID: p.ID(), State: State(p.Get("state")), Text: p.Text, By: p.Get("by"), At: p.Get("at"), Note: p.Get("note"),
	}
	if h.State != Confirmed && h.State != Refuted {
		h.State = Open
	}
	if ev := p.Get("ev"); ev != "" {
		h.Evidence = strings.Split(ev, "+")
	}
	return h
}

// point writes a hypothesis as a point.
func (h Hypothesis) point() Point {
	return Point{Text: h.Text}.With("id", h.ID).With("state", string(h.State)).With("by", h.By).With("ev", strings.Join(h.Evidence, "+"))
}

// Hypotheses returns the hypotheses of a sheet, those of others too.
func (s Sheet) Hypotheses() []Hypothesis {
	var out []Hypothesis
	for _, p := range s.Points() {
		out = append(out, hypothesis(p))
	}
	return out
}

// Bounds of the sheet of hypotheses.
const (
	maxOpen   = 8  // of ours; more wait until one of them is decided
	maxClosed = 60 // of ours; the oldest are forgotten
)

// AddHypotheses returns the sheet with those that it does not know, in any state:
// what was decided is not asked again. left counts those for which there was no
// room.
func (s Sheet) AddHypotheses(list []Hypothesis) (next Sheet, left int) {
	known := map[string]bool{}
	open := 0
	for _, p := range s.Points() {
		known[p.ID()], known[text.Fold(p.Text)] = true, true
		if p.Ours() && hypothesis(p).State == Open {
			open++
		}
	}
	lines := s.Lines()
	for _, h := range list {
		switch {
		case known[h.ID] || known[text.Fold(h.Text)]:
			continue
		case open >= maxOpen:
			left++
			continue
		}
		open++
		known[h.ID], known[text.Fold(h.Text)] = true, true
		lines = append(lines, h.point().Line())
	}
	s.lines = lines
	return s, left
}

// Settle takes out the open hypotheses of ours for which settled is true:
// entries that contradicted each other and do so no more.
func (s Sheet) Settle(settled func(Hypothesis) bool) Sheet {
	closed := 0
	for _, p := range s.Points() {
		if p.Ours() && hypothesis(p).State != Open {
			closed++
		}
	}
	var lines []string
	for _, line := range s.lines {
		p, ok := ParsePoint(line)
		h := hypothesis(p)
		switch {
		case !ok || !p.Ours():
		case h.State != Open && closed > maxClosed:
			closed--
			continue
		case h.State == Open && settled(h):
			continue
		}
		lines = append(lines, line)
	}
	s.lines = lines
	return s
}

// Decide returns the sheet in which the hypothesis with an id has a state. It is
// not ok when there is none.
func (s Sheet) Decide(id string, state State, note, stamp string) (next Sheet, was Hypothesis, ok bool) {
	lines := s.Lines()
	for i, line := range lines {
		p, isPoint := ParsePoint(line)
		if !isPoint || !strings.EqualFold(p.ID(), id) {
			continue
		}
		was = hypothesis(p)
		lines[i] = p.With("id", was.ID).With("state", string(state)).With("at", stamp).With("note", note).Line()
		return s.WithLines(lines, stamp), was, true
	}
	return s, Hypothesis{}, false
}
