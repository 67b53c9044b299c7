package jsrun

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// unicodeText holds the properties; scripts/unicodeprops says how it is made
// and what a line is.
//
//go:embed unicode.txt
var unicodeText string

// runes are ranges of code points, both ends included, in order.
type runes [][2]rune

// propertyLines finds the line of a property by each of its names.
var propertyLines = sync.OnceValue(func() map[string]string {
	lines := map[string]string{}
	for line := range strings.Lines(unicodeText) {
		names, ranges, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		kind, list, ok := strings.Cut(names, "=")
		if ok {
			kind += "="
		} else {
			kind, list = "", names
		}
		for name := range strings.SplitSeq(list, "|") {
			if _, ok := lines[kind+name]; !ok {
				lines[kind+name] = ranges
			}
		}
	}
	return lines
})

// property is the set of code points that \p{expr} names.
func property(expr string) (runes, error) {
	kind, value, ok := strings.Cut(expr, "=")
	lines := propertyLines()
	var line string
	found := false
	if !ok {
		// A lone value is a general category or a binary property.
		if line, found = lines["gc="+expr]; !found {
			line, found = lines[expr]
		}
	} else {
		switch kind {
		case "gc", "General_Category":
			line, found = lines["gc="+value]
		case "sc", "Script":
			line, found = lines["sc="+value]
		case "scx", "Script_Extensions":
			if line, found = lines["scx="+value]; !found {
				line, found = lines["sc="+value]
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("invalid property name {%s}", expr)
	}
	return readRanges(line), nil
}

func readRanges(line string) runes {
	var out runes
	end := rune(0)
	for field := range strings.FieldsSeq(line) {
		gap, more, _ := strings.Cut(field, "-")
		n, _ := strconv.ParseInt(gap, 36, 32)
		length, _ := strconv.ParseInt("0"+more, 36, 32)
		first := end + rune(n)
		end = first + rune(length) + 1
		out = append(out, [2]rune{first, end - 1})
	}
	return out
}

// others are the code points that are not in the set.
func (s runes) others() runes {
	var out runes
	next := rune(0)
	for _, r := range s {
		if r[0] > next {
			out = append(out, [2]rune{next, r[0] - 1})
		}
		next = r[1] + 1
	}
	if next <= lastRune {
		out = append(out, [2]rune{next, lastRune})
	}
	return out
}

const lastRune = 0x10FFFF

// class is what stands between the brackets of a class.
func (s runes) class() string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u{%X}`, r[0])
		if r[1] > r[0] {
			fmt.Fprintf(&b, `-\u{%X}`, r[1])
		}
	}
	return b.String()
}
