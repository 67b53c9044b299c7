package inject

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// separator stands between two parts.
const separator = "\n\n"

// Constants of the rescaling (spec/selfip.md 11.4). The original never scales
// below 600 units in all; here the budget is a promise, so there is no such
// floor.
const (
	scaleFactor = 0.92
	minScale    = 0.25
)

// Part is one part of the text. A part is rigid (Text) or elastic (Build).
type Part struct {
	Title    string                     // how the notice names it
	Priority float64                    // the lower, the earlier it stands and the longer it stays
	Text     string                     // of a rigid part; empty: nothing to show
	Build    func(scale float64) string // of an elastic part, at a share of its own quota
	// Shrink returns what it can say in at most room units without cutting an
	// entry, or "" when that is nothing. Nil: the part is shown whole or not at
	// all.
	Shrink func(room int) string
}

// Plan is what to fit into how much.
type Plan struct {
	Parts  []Part // in the order in which they are built
	Budget int    // units
	// Reset is called before each round of Build, so that what an earlier round
	// remembered does not count (W1). Nil: nothing to forget.
	Reset func()
	// Notice words the closing line that names what was left out. Nil: none.
	Notice func(titles []string) string
	// Missing are titles of parts that were left out beforehand; the notice names
	// them behind those left out here.
	Missing []string
}

// Result is the text and what became of each part.
type Result struct {
	Text    string   // never longer than the budget
	Used    int      // its length in units
	Shown   []string // the text of each part as it stands in Text, "" when it does not
	Dropped []string // titles of the parts that had something to show and are not in Text, then the missing ones
	Noticed bool     // Text names the dropped parts
}

// Fit lays the parts out by priority (spec/selfip.md 11.4). When all together
// are too long, the elastic ones are built again on a smaller scale. A part that
// still finds no room is shrunk, else left out, and the text closes with a line
// that names those left out; its room is set aside beforehand (W3).
func Fit(p Plan) Result {
	texts := p.build()
	order := p.order()
	r := p.place(order, texts, p.Budget)
	if len(r.Dropped) == 0 || p.Notice == nil {
		return r.join(order, "")
	}
	// The room that the notice takes can push out one part more, which makes it
	// longer; naming every part is the longest it gets.
	for _, titles := range [][]string{r.Dropped, nil, p.titles(order, texts)} {
		if titles == nil {
			titles = r.Dropped
		}
		next := p.place(order, texts, p.Budget-p.noticeLen(titles))
		if next.Used+p.noticeLen(next.Dropped) <= p.Budget {
			return next.join(order, p.Notice(next.Dropped))
		}
		r = next
	}
	// The line alone is longer than the budget: what fits is worth more.
	return p.place(order, texts, p.Budget).join(order, "")
}

// noticeLen returns the length of the notice with the separator before it.
func (p Plan) noticeLen(titles []string) int {
	return text.Len(p.Notice(titles)) + len(separator)
}

// titles returns the titles of all parts that have something to show, and of the
// missing ones.
func (p Plan) titles(order []int, texts []string) []string {
	var titles []string
	for _, i := range order {
		if texts[i] != "" {
			titles = append(titles, p.Parts[i].Title)
		}
	}
	return append(titles, p.Missing...)
}

// build returns the texts of the parts, scaled down if all are too long.
func (p Plan) build() []string {
	texts := p.round(1)
	rigid, elastic := 0, 0
	for i, t := range texts {
		switch {
		case t == "":
		case p.Parts[i].Build == nil:
			rigid += text.Len(t) + len(separator)
		default:
			elastic += text.Len(t) + len(separator)
		}
	}
	if elastic == 0 || rigid+elastic <= p.Budget {
		return texts
	}
	room := math.Floor(float64(p.Budget-rigid) * scaleFactor)
	return p.round(max(minScale, room/float64(elastic)))
}

func (p Plan) round(scale float64) []string {
	if p.Reset != nil {
		p.Reset()
	}
	texts := make([]string, len(p.Parts))
	for i, part := range p.Parts {
		if texts[i] = part.Text; part.Build != nil {
			texts[i] = part.Build(scale)
		}
	}
	return texts
}

// order returns the indices of the parts by priority.
func (p Plan) order() []int {
	order := make([]int, len(p.Parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(p.Parts[a].Priority, p.Parts[b].Priority)
	})
	return order
}

// place gives each part its room, the most important first.
func (p Plan) place(order []int, texts []string, room int) Result {
	r := Result{Shown: make([]string, len(texts))}
	for _, i := range order {
		if texts[i] == "" {
			continue
		}
		between := 0
		if r.Used > 0 {
			between = len(separator)
		}
		t, size := p.whole(i, texts[i], room-r.Used-between)
		if t == "" {
			r.Dropped = append(r.Dropped, p.Parts[i].Title)
			continue
		}
		r.Shown[i] = t
		r.Used += between + size
	}
	r.Dropped = append(r.Dropped, p.Missing...)
	return r
}

// whole returns the text of part i, shrunk if need be, and its length.
func (p Plan) whole(i int, t string, room int) (string, int) {
	size := text.Len(t)
	if size > room && room > 0 && p.Parts[i].Shrink != nil {
		t = p.Parts[i].Shrink(room)
		size = text.Len(t)
	}
	if size > room {
		return "", 0
	}
	return t, size
}

// join writes the text of what is shown, and the notice behind it.
func (r Result) join(order []int, notice string) Result {
	var parts []string
	for _, i := range order {
		if r.Shown[i] != "" {
			parts = append(parts, r.Shown[i])
		}
	}
	if notice != "" {
		parts = append(parts, notice)
		r.Noticed = true
	}
	r.Text = strings.Join(parts, separator)
	r.Used = text.Len(r.Text)
	return r
}
