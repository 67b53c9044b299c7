package replay

import (
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Mismatch is one place where ours is not what was recorded. Was and Got are JSON,
// "" where there is nothing.
type Mismatch struct {
	Step         int
	Label        string // of the step
	At, Was, Got string
}

// String is the mismatch as a line.
func (m Mismatch) String() string {
	line := fmt.Sprintf("step %d %s%s: ", m.Step, m.Label, m.At)
	switch {
	case m.Was == "" && m.Got == "":
		return line + "there is none"
	case m.Was == "":
		return line + "nothing was recorded, got " + m.Got
	}
	return line + "recorded " + m.Was + ", got " + or(m.Got, "nothing")
}

// Compare lists where ours is not what was recorded.
func Compare(want, got []Recorded) []Mismatch {
	c := comparison{}
	for i := range max(len(want), len(got)) {
		c.step = i
		switch {
		case i >= len(got):
			c.label = label(want[i])
			c.add("", "", "")
		case i >= len(want):
			c.label = label(got[i])
			c.add("", "", jsonvalue.Format(got[i].Result))
		default:
			c.label = label(want[i])
			c.differ("", want[i].Result, got[i].Result)
		}
	}
	return c.found
}

type comparison struct {
	step  int
	label string
	found []Mismatch
}

func (c *comparison) add(at, was, got string) {
	c.found = append(c.found, Mismatch{c.step, c.label, at, was, got})
}

func label(r Recorded) string {
	if r.Note == "" {
		return r.Step
	}
	return r.Step + " (" + r.Note + ")"
}

// differ compares without regard to the order of members.
func (c *comparison) differ(at string, want, got any) {
	if jsonvalue.Equal(want, got) {
		return
	}
	if w, ok := jsonvalue.Map(want); ok {
		if g, ok := jsonvalue.Map(got); ok {
			c.differMembers(at, w, g)
			return
		}
	}
	w, isArray := jsonvalue.Array(want)
	g, alsoArray := jsonvalue.Array(got)
	if isArray && alsoArray && len(w) == len(g) {
		for i := range w {
			c.differ(fmt.Sprintf("%s[%d]", at, i), w[i], g[i])
		}
		return
	}
	c.add(at, jsonvalue.Format(want), jsonvalue.Format(got))
}

func (c *comparison) differMembers(at string, want, got *jsonvalue.Object) {
	names := slices.Clone(want.Keys())
	for _, key := range got.Keys() {
		if !want.Has(key) {
			names = append(names, key)
		}
	}
	for _, key := range names {
		w, inWant := want.Get(key)
		g, inGot := got.Get(key)
		switch {
		case !inGot:
			c.add(at+"."+key, jsonvalue.Format(w), "")
		case !inWant:
			c.add(at+"."+key, "", jsonvalue.Format(g))
		default:
			c.differ(at+"."+key, w, g)
		}
	}
}
