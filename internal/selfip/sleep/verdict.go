package sleep

import (
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/similar"
	"github.com/dshkit/dshkit/pkg/text"
)

// Verdict is what the lines of a model's answer mean for the items that it was
// shown.
type Verdict struct {
	Kept     []int     // places of items that the answer repeats
	Rewrites []Rewrite // lines that stand for items
	Refused  []Refusal // lines that nothing may be made of
	Left     []int     // items that the answer left out though no line of it stands for them: they stay
}

// Rewrite is a line that says what some items say.
type Rewrite struct {
	Line entry.Entry
	Of   []int // places, ascending, never empty
}

// Refusal is a line of an answer that is not taken over.
type Refusal struct {
	Line entry.Entry
	Why  Why
}

// Why says why a line is refused.
type Why string

// The reasons.
const (
	Invented Why = "invented" // it says something that nothing shown bears
	Reversed Why = "reversed" // it denies what the entries say, or says what they deny
	Reworded Why = "reworded" // it words anew what the user has said
)

// What a line must hold of an entry to stand for it, beside all its numbers and
// names and what bounds it: a share of its marks, in hundredths, and of these so
// many at least. And what share of the line's own marks must be from the entries
// that it stands for.
const (
	minCovered = 45
	minShared  = 2 // fewer when the entry has fewer
	minFounded = 60
)

// Judge weighs the lines of an answer against the items of one partition that the
// model was shown. What the user has said is never reworded: it is kept when the
// answer repeats it, else it is left.
func (m *Material) Judge(shown []int, said []entry.Entry) Verdict {
	var v Verdict
	open := slices.Clone(shown)
	known := m.names(shown)
	var reworded []entry.Entry
	for _, line := range said {
		if places := m.saying(open, line); len(places) > 0 {
			v.Kept = append(v.Kept, places...)
			open = without(open, places)
			continue
		}
		switch {
		case slices.ContainsFunc(v.Kept, func(i int) bool { return m.Says(i, line) }): // twice
		case namesOther(line, known):
			v.Refused = append(v.Refused, Refusal{line, Invented})
		default:
			reworded = append(reworded, line)
		}
	}
	forms := make([]similar.Form, len(reworded))
	for n, line := range reworded {
		forms[n] = similar.FormOf(line.Text)
	}
	of := m.assign(open, forms)
	for n, line := range reworded {
		if why := m.refuse(open, of[n], forms[n]); why != "" {
			v.Refused = append(v.Refused, Refusal{line, why})
			continue
		}
		v.Rewrites = append(v.Rewrites, Rewrite{line, of[n]})
		open = without(open, of[n])
	}
	v.Left = open
	slices.Sort(v.Kept)
	return v
}

// names are the numbers, names and paths of items.
func (m *Material) names(places []int) map[string]bool {
	known := map[string]bool{}
	for _, i := range places {
		for _, name := range m.forms[i].Names() {
			known[name] = true
		}
	}
	return known
}

// namesOther reports whether a line has a name that is not known.
func namesOther(line entry.Entry, known map[string]bool) bool {
	return slices.ContainsFunc(similar.FormOf(line.Text).Names(), func(name string) bool { return !known[name] })
}

func without(list, gone []int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(i int) bool { return slices.Contains(gone, i) })
}

// saying returns the items that say the same as a line. Of several that do, the
// answer means all.
func (m *Material) saying(places []int, line entry.Entry) (out []int) {
	for _, i := range places {
		if m.Says(i, line) {
			out = append(out, i)
		}
	}
	return out
}

// Says reports whether a line of an answer repeats an item.
func (m *Material) Says(i int, line entry.Entry) bool {
	key := similar.FormOf(line.Text).Key()
	return text.Fold(m.Items[i].Text) == text.Fold(line.Text) || key != "" && key == m.forms[i].Key()
}

// assign gives each item that was left out to the line that covers it best.
func (m *Material) assign(open []int, lines []similar.Form) [][]int {
	of := make([][]int, len(lines))
	marks := make([][]string, len(lines))
	for n, f := range lines {
		marks[n] = f.Marks()
	}
	for _, i := range open {
		best, most := -1, 0
		for n, f := range lines {
			shared := similar.Shared(m.marks[i], marks[n])
			if shared > most && m.covers(i, f, shared) {
				best, most = n, shared
			}
		}
		if best >= 0 {
			of[best] = append(of[best], i)
		}
	}
	return of
}

// covers reports whether a line that shares so many marks with an item may stand
// for it.
func (m *Material) covers(i int, line similar.Form, shared int) bool {
	return m.Items[i].Get("src") != "user" && m.holds(i, line, shared)
}

// isPart reports whether all of a list stand in another.
func isPart(list, other []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(other, s) })
}

// holds reports whether a line says what an item says, as far as can be told.
func (m *Material) holds(i int, line similar.Form, shared int) bool {
	return shared >= min(minShared, len(m.marks[i])) &&
		100*shared >= minCovered*len(m.marks[i]) && len(m.forms[i].Lost(line)) == 0 && isPart(m.forms[i].Bounds(), line.Bounds())
}

// refuse tells why nothing may be made of a line that stands for these items, ""
// when it may.
func (m *Material) refuse(open, of []int, line similar.Form) Why {
	own := line.Marks()
	if len(of) == 0 {
		if slices.ContainsFunc(open, func(i int) bool { return m.holds(i, line, similar.Shared(m.marks[i], own)) }) {
			return Reworded
		}
		return Invented
	}
	marks := map[string]bool{}
	denies := false
	for _, i := range of {
		for _, mark := range m.marks[i] {
			marks[mark] = true
		}
		denies = denies || m.forms[i].Denies()
	}
	var bounds []string
	for _, i := range of {
		bounds = append(bounds, m.forms[i].Bounds()...)
	}
	founded := 0
	for _, mark := range own {
		if marks[mark] {
			founded++
		}
	}
	switch {
	case 100*founded < minFounded*len(own), !isPart(line.Bounds(), bounds):
		return Invented
	case denies != line.Denies():
		return Reversed
	}
	return ""
}

// Support counts the items that bear a line, and names the best of them: those
// that hold most of what it is about.
func (m *Material) Support(line string) (n int, evidence []string) {
	marks := similar.FormOf(line).Marks()
	var bearing []int
	for i := range m.Items {
		if shared := similar.Shared(marks, m.marks[i]); shared > 0 && 2*shared >= len(marks) {
			bearing = append(bearing, i)
		}
	}
	slices.SortStableFunc(bearing, func(a, b int) int {
		return similar.Shared(marks, m.marks[b]) - similar.Shared(marks, m.marks[a])
	})
	for _, i := range bearing[:min(len(bearing), maxEvidence)] {
		evidence = append(evidence, m.Items[i].ID())
	}
	return len(bearing), evidence
}
