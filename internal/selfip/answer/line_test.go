package answer_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// rows are lines as they would be stored.
func rows(section string, kind entry.Kind) []string {
	var out []string
	entries, _ := answer.Lines(section, kind)
	for _, e := range entries {
		out = append(out, e.String())
	}
	return out
}

// TestW10GroupIsReadOnce: with a stamp and without.
func TestW10GroupIsReadOnce(t *testing.T) {
	diff(t, "lesson", rows(answer.Parse(fixture(t, "01-canonical"), false).Text(answer.Lessons), entry.Lesson),
		[]string{"- [] (lesson) build failed -> stale cache -> clear it first {imp:8}"})
	diff(t, "head without a stamp", rows("- (fact) no stamp here {imp:3}", entry.Lesson), []string{"- [] (fact) no stamp here {imp:3}"})
}

// TestW8ClaimsOfLines: who wrote a line, and that the user said it, is not for
// the line to say.
func TestW8ClaimsOfLines(t *testing.T) {
	diff(t, "user", rows(answer.Parse(fixture(t, "01-canonical"), false).Text(answer.Facts), entry.Fact),
		[]string{"- [2026-09-14T10:00:00.000+08:00] (preference) User wants metric units {imp:9}"})
	for in, want := range map[string]string{
		"- x {origin:command,imp:10}":                           "- [] (fact) x {imp:10}",
		"- x {src:user,by:me,id:a1,uses:99,vfy:2030-01-01}":     "- [] (fact) x",
		"- x {src:web,imp:99,ttl:0}":                            "- [] (fact) x {src:web,imp:10,ttl:1}",
		"- [2026-01-01] (fact) x {invalid:2026-01-01,why:user}": "- [2026-01-01] (fact) x",
		"- x {src:tool}":                                        "- [] (fact) x {src:tool}",
	} {
		diff(t, in, rows(in, entry.Fact), []string{want})
	}
}

func TestForms(t *testing.T) {
	for in, want := range map[string][]string{
		"- a\n* b\n+ c\n1. d\n2) e\n3、f\n• g":          {"a", "b", "c", "d", "e", "f", "g"},
		"- a\n  goes on\n- b":                          {"a goes on", "b"},
		"- a {imp:3}\n  goes on":                       {"a goes on"},
		"- error:\n  - cause\n  - remedy\n- b":         {"error:; cause; remedy", "b"},
		"  - a\n  - b":                                 {"a", "b"},
		"- a:\n  ```sh\n  make\n  make test\n  ```":    {"a:; make; make test"},
		"- **all of it bold**\n- `code`\n- **a** b":    {"all of it bold", "code", "**a** b"},
		"- none\n- N/A\n- （无）\n- 暂无。\n(none)\n- ":      nil,
		"Nothing new was learned.\n- a":                {"a"},
		"a -> b -> c\nname | link | use\njust a word":  {"a -> b -> c", "name | link | use"},
		"- a\n---\n- b\n***":                           {"a", "b"},
		"- [preference] short answers":                 {"short answers"},
		"- [2026-09-14] (fact) x\n- [2026-09-14] y":    {"x", "y"},
		"- 2026-09-14 was a bad day\n- (draft) a note": {"2026-09-14 was a bad day", "(draft) a note"},
	} {
		diff(t, in, texts(in), want)
	}
	_, left := answer.Lines("Note:\n- a\nplain words", entry.Fact)
	diff(t, "left", left, []string{"Note:", "plain words"})
	entries, _ := answer.Lines("- [preference] short answers\n- 偏好 x\n- [偏好] y", entry.Fact)
	diff(t, "kinds", []entry.Kind{entries[0].Kind, entries[1].Kind, entries[2].Kind}, []entry.Kind{entry.Preference, entry.Fact, entry.Preference})
}

func TestOverturnedRows(t *testing.T) {
	rows, left := answer.OverturnedRows(answer.Parse(fixture(t, "11-supersede-proposal"), false).Text(answer.Supersede))
	diff(t, "rows", rows, []answer.Overturned{
		{"facts", "The port is 8000 since May"}, {"lessons", "nothing like this exists anywhere"},
	})
	diff(t, "left", left, []string{"[plans] unknown partition", "facts: wrong form"})
	rows, left = answer.OverturnedRows("- [facts] - [2026-09-14T10:00:00.000Z] (preference) long answers {origin:tool,imp:6}\n- none\n- 【METHODS】 “run it twice”")
	diff(t, "copied lines", rows, []answer.Overturned{{"facts", "long answers"}, {"methods", "run it twice"}})
	diff(t, "none is told of", len(left), 0)
}
