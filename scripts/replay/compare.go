package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// compare lists where two answers differ: by their values if they differ there,
// else by the first line of text.
func compare(want, got []byte) []string {
	if string(want) == string(got) {
		return nil
	}
	a, errA := jsonvalue.Parse(want)
	b, errB := jsonvalue.Parse(got)
	if errA == nil && errB == nil {
		var out []string
		if walk("", a, b, &out); len(out) > 0 {
			return out
		}
	}
	return []string{firstLine(string(want), string(got))}
}

func firstLine(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(list []string) string {
		if i < len(list) {
			return fmt.Sprintf("%q", list[i])
		}
		return "the end"
	}
	return fmt.Sprintf("line %d: want %s, got %s", i+1, line(a), line(b))
}

// walk goes down as long as the two sides are of one kind.
func walk(path string, want, got any, out *[]string) {
	switch want := want.(type) {
	case *jsonvalue.Object:
		if got, ok := got.(*jsonvalue.Object); ok {
			members(path, want, got, out)
			return
		}
	case []any:
		if got, ok := got.([]any); ok {
			elements(path, want, got, out)
			return
		}
	}
	if a, b := jsonvalue.Format(want), jsonvalue.Format(got); a != b {
		*out = append(*out, fmt.Sprintf("%s: want %s, got %s", orAll(path), short(a), short(b)))
	}
}

func members(path string, want, got *jsonvalue.Object, out *[]string) {
	keys := slices.Concat(want.Keys(), got.Keys())
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		a, inWant := want.Get(key)
		b, inGot := got.Get(key)
		at := join(path, key)
		switch {
		case !inGot:
			*out = append(*out, fmt.Sprintf("%s: want %s, got nothing", at, short(jsonvalue.Format(a))))
		case !inWant:
			*out = append(*out, fmt.Sprintf("%s: want nothing, got %s", at, short(jsonvalue.Format(b))))
		default:
			walk(at, a, b, out)
		}
	}
}

func elements(path string, want, got []any, out *[]string) {
	for i := range max(len(want), len(got)) {
		at := join(path, fmt.Sprint(i))
		switch {
		case i >= len(got):
			*out = append(*out, fmt.Sprintf("%s: want %s, got nothing", at, short(jsonvalue.Format(want[i]))))
		case i >= len(want):
			*out = append(*out, fmt.Sprintf("%s: want nothing, got %s", at, short(jsonvalue.Format(got[i]))))
		default:
			walk(at, want[i], got[i], out)
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func orAll(path string) string {
	if path == "" {
		return "all"
	}
	return path
}

func short(s string) string {
	const most = 160
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
