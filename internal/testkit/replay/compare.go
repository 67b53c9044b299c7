package replay

import (
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Compare lists where ours is not what was recorded, a line each.
func Compare(want, got []Recorded) []string {
	var lines []string
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			lines = append(lines, fmt.Sprintf("step %d %s: there is none", i, label(want[i])))
		case i >= len(want):
			lines = append(lines, fmt.Sprintf("step %d %s: nothing was recorded, got %s", i, label(got[i]), jsonvalue.Format(got[i].Result)))
		default:
			differ(fmt.Sprintf("step %d %s", i, label(want[i])), want[i].Result, got[i].Result, &lines)
		}
	}
	return lines
}

func label(r Recorded) string {
	if r.Note == "" {
		return r.Step
	}
	return r.Step + " (" + r.Note + ")"
}

// differ compares without regard to the order of members.
func differ(path string, want, got any, lines *[]string) {
	if jsonvalue.Equal(want, got) {
		return
	}
	if w, ok := jsonvalue.Map(want); ok {
		if g, ok := jsonvalue.Map(got); ok {
			differMembers(path, w, g, lines)
			return
		}
	}
	w, isArray := jsonvalue.Array(want)
	g, alsoArray := jsonvalue.Array(got)
	if isArray && alsoArray && len(w) == len(g) {
		for i := range w {
			differ(fmt.Sprintf("%s[%d]", path, i), w[i], g[i], lines)
		}
		return
	}
	*lines = append(*lines, fmt.Sprintf("%s: recorded %s, got %s", path, jsonvalue.Format(want), jsonvalue.Format(got)))
}

func differMembers(path string, want, got *jsonvalue.Object, lines *[]string) {
	names := slices.Clone(want.Keys())
	for _, key := range got.Keys() {
		if !want.Has(key) {
			names = append(names, key)
		}
	}
	for _, key := range names {
		w, inWant := want.Get(key)
		g, inGot := got.Get(key)
		at := path + "." + key
		switch {
		case !inGot:
			*lines = append(*lines, fmt.Sprintf("%s: recorded %s, got nothing", at, jsonvalue.Format(w)))
		case !inWant:
			*lines = append(*lines, fmt.Sprintf("%s: nothing was recorded, got %s", at, jsonvalue.Format(g)))
		default:
			differ(at, w, g, lines)
		}
	}
}
