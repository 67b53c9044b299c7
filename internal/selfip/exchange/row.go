package exchange

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// isHeading reports whether a row without its blanks is a heading.
func isHeading(row string) bool {
	level := len(row) - len(strings.TrimLeft(row, "#"))
	return level >= 1 && level <= 6 && strings.HasPrefix(row[level:], " ")
}

// bulletOf returns the text of a bullet or a numbered point, "" for any other
// row.
func bulletOf(row string) string {
	row = strings.TrimSpace(row)
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(row, mark); ok {
			return dropBox(strings.TrimSpace(rest))
		}
	}
	digits := len(row) - len(strings.TrimLeft(row, "0123456789"))
	if digits == 0 || digits > 3 {
		return ""
	}
	for _, mark := range []string{". ", ") "} {
		if rest, ok := strings.CutPrefix(row[digits:], mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// dropBox takes the box of a task off a bullet.
func dropBox(s string) string {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if rest, ok := strings.CutPrefix(s, box); ok {
			return rest
		}
	}
	return s
}

// isIndented reports whether a row hangs below the one above.
func isIndented(row string) bool { return strings.HasPrefix(row, "  ") || strings.HasPrefix(row, "\t") }

// isRule reports a line across the page.
func isRule(row string) bool {
	return len(row) >= 3 && (strings.Trim(row, "- ") == "" || strings.Trim(row, "* ") == "" || strings.Trim(row, "= ") == "")
}

// fenceOf returns the marks that open a code block, "" for any other row.
func fenceOf(row string) string {
	for _, mark := range []byte{'`', '~'} {
		if n := len(row) - len(strings.TrimLeft(row, string(mark))); n >= 3 {
			return row[:n]
		}
	}
	return ""
}

// frontMatter reads the block in front of a note of an agent's own memory, of
// which the type says the kind and the description is an entry. It returns how
// many rows it has.
func (r *reader) frontMatter(rows []string) int {
	if len(rows) == 0 || strings.TrimSpace(rows[0]) != "---" {
		return 0
	}
	for i, row := range rows[1:] {
		if strings.TrimSpace(row) == "---" {
			return i + 2
		}
		key, value, _ := strings.Cut(row, ":")
		if value = strings.Trim(strings.TrimSpace(value), `"'`); strings.TrimSpace(key) == "type" {
			r.base = typeKind(value)
		}
	}
	return 0 // no end: it was a line across the page
}

// typeKind is the kind of what another tool calls by a type.
func typeKind(name string) entry.Kind {
	switch text.Fold(name) {
	case "user", "feedback", "preference":
		return entry.Preference
	case "reference", "resource":
		return entry.Resource
	case "bugfix", "bug", "error", "lesson", "gotcha", "problem-solution":
		return entry.Lesson
	case "pattern", "how-it-works", "how-to", "method", "workflow":
		return entry.Method
	}
	return entry.Fact
}
