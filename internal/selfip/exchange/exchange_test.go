package exchange_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/pkg/text"
)

var noNumber = cmpopts.IgnoreFields(exchange.Line{}, "Number")

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRuleFiles(t *testing.T) {
	for name, want := range map[string][]exchange.Line{
		"CLAUDE.md": {
			{Number: 3, Kind: entry.Fact, Text: "This project exports orders."},
			{Number: 7, Kind: entry.Method, Text: "Build with `make build`"},
			{Number: 8, Kind: entry.Method, Text: "Run one test: `go test ./internal/x -run TestY`"},
			{Number: 19, Kind: entry.Fact, Text: "Testing: always use -race the detector costs a second"},
			{Number: 22, Kind: entry.Fact, Text: "Testing: the database is on port 5433"},
			{Number: 26, Kind: entry.Preference, Text: "提交信息用英文"},
			{Number: 27, Kind: entry.Preference, Text: "never commit .env.test"},
			{Number: 33, Kind: entry.Fact, Text: "A paragraph of two rows that is one entry."},
		},
		"MEMORY.md": {
			{Number: 6, Kind: entry.Preference, Text: "The user wants short answers."},
			{Number: 8, Kind: entry.Preference, Text: "**How to apply:** two sentences at most"},
		},
		"facts.md": {
			{Number: 3, Kind: entry.Fact, Time: "2026-09-01T00:00:00.000+08:00", Text: "the port is 5433", Importance: 7, Source: "web"},
			{Number: 4, Kind: entry.Preference, Time: "2026-09-02T00:00:00.000+08:00", Text: "reply in English", Invalid: "2026-09-03T00:00:00.000+08:00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(want, exchange.ParseMarkdown(string(read(t, name)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// lines are entries as an export has them: one line each, no blanks at the ends.
var lines = rapid.Custom(func(t *rapid.T) exchange.Line {
	kinds := []entry.Kind{entry.Fact, entry.Preference, entry.Lesson, entry.Method, entry.Resource}
	said := rapid.StringOf(rapid.RuneFrom([]rune("ab1 -*#>[](){}:|`~\\<!错教训."))).
		Filter(func(s string) bool {
			return s != "" && s == strings.TrimSpace(s) && !strings.Contains(s, "<!-- withdrawn ")
		}).Draw(t, "text")
	line := exchange.Line{Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Text: said}
	if rapid.Bool().Draw(t, "withdrawn") {
		line.Invalid = "2026-09-03T00:00:00.000+08:00"
	}
	return line
})

func TestMarkdownRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOf(lines).Draw(t, "lines")
		got := exchange.ParseMarkdown(exchange.FormatMarkdown(in))
		var want []exchange.Line
		for _, kind := range []entry.Kind{entry.Fact, entry.Preference, entry.Lesson, entry.Method, entry.Resource} {
			for _, line := range in {
				if line.Kind == kind {
					want = append(want, line)
				}
			}
		}
		if diff := cmp.Diff(want, got, noNumber, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", exchange.FormatMarkdown(in), diff)
		}
	})
}

// TestInsert holds that nothing outside of our block changes, however often it
// is written, and that it goes without a trace but for a blank line before it.
func TestInsert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		newline := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "newline")
		rows := rapid.SliceOfN(rapid.SampledFrom([]string{"# Title", "- a rule", "", "text", "```"}), 2, 6).Draw(t, "rows")
		before := strings.Join(rows, newline)
		first := rapid.SliceOfN(lines, 1, 4).Draw(t, "first")
		second := rapid.SliceOfN(lines, 1, 4).Draw(t, "second")

		once := exchange.Insert([]byte(before), first)
		if !strings.HasPrefix(string(once), before) {
			t.Fatalf("%q is not the beginning of %q", before, once)
		}
		edited := string(once) + "below" + newline
		twice := exchange.Insert([]byte(edited), second)
		again := exchange.Insert([]byte(before), second)
		if want := string(again) + "below" + newline; string(twice) != want {
			t.Fatalf("got %q, want %q", twice, want)
		}
		if gone := string(exchange.Insert(once, nil)); strings.TrimRight(gone, "\r\n") != strings.TrimRight(before, "\r\n") {
			t.Fatalf("got %q, want %q", gone, before)
		}
	})
}

func TestInsertIntoTornBlock(t *testing.T) {
	old := "rules\n\n<!-- selfip:memory:begin -->\n\nno end\n"
	got := string(exchange.Insert([]byte(old), []exchange.Line{{Kind: entry.Fact, Text: "a fact"}}))
	if !strings.HasPrefix(got, old) {
		t.Errorf("a block without an end is not ours to replace: %q", got)
	}
}

// An entry that holds a mark of ours does not end the block, and a begin without
// an end in the user's own words stays when a block of ours comes after it.
func TestInsertKnowsItsMarks(t *testing.T) {
	const begin, end = "<!-- selfip:memory:begin -->", "<!-- selfip:memory:end -->"
	lines := []exchange.Line{{Kind: entry.Fact, Text: "a " + end + " b"}, {Kind: entry.Fact, Text: "a " + begin + " b"}}
	for name, old := range map[string]string{
		"empty":   "",
		"rules":   "rules\n",
		"CRLF":    "rules\r\n",
		"torn":    "rules\n\n" + begin + "\n\nno end\n",
		"in text": "the marks are " + begin + " and " + end + ".\n",
		"swapped": end + "\n" + begin + "\nrules\n",
		"no end":  "rules",
	} {
		t.Run(name, func(t *testing.T) {
			once := exchange.Insert([]byte(old), lines)
			if !strings.HasPrefix(string(once), old) {
				t.Errorf("%q is not the beginning of %q", old, once)
			}
			if twice := exchange.Insert(once, lines); string(twice) != string(once) {
				t.Errorf("a second time: got %q, want %q", twice, once)
			}
			if gone := string(exchange.Insert(once, nil)); strings.TrimRight(gone, "\r\n") != strings.TrimRight(old, "\r\n") {
				t.Errorf("without lines: got %q, want %q", gone, old)
			}
		})
	}
}

func TestStores(t *testing.T) {
	for _, row := range []struct {
		store, file, project string
		want                 []exchange.Line
	}{
		{"claude-mem", "claude-mem.json", "orders", []exchange.Line{
			{
				ID: "claude-mem-1", Number: 1, Time: "2026-09-01T10:00:00.000+00:00", Kind: entry.Lesson, Source: "tool",
				Text: "Month overflow: month 13 came from adding without carry; time.AddDate carries",
			},
			{ID: "claude-mem-3", Number: 3, Time: "2026-09-02T10:00:00.000+00:00", Kind: entry.Fact, Source: "tool", Text: "Export uses port 5433"},
		}},
		{"engram", "engram.json", "", []exchange.Line{
			{ID: "engram-7", Number: 1, Time: "2026-09-01T10:00:00.000+00:00", Kind: entry.Preference, Source: "tool", Text: "Reply language: English"},
			{ID: "engram-9", Number: 3, Time: "2026-09-03T10:00:00.000+00:00", Kind: entry.Fact, Source: "tool", Text: "订单库: 端口是 5433"},
		}},
	} {
		t.Run(row.store, func(t *testing.T) {
			got, _, err := exchange.ReadStore(store(t, row.store), row.file, read(t, row.file), row.project)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestProjects(t *testing.T) {
	_, got, err := exchange.ReadStore(store(t, "claude-mem"), "x", read(t, "claude-mem.json"), "nothing like it")
	want := []exchange.Project{{Name: "orders", Entries: 2}, {Name: "elsewhere", Entries: 1}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestStoreRefusals(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		"[]":                               "",
		"<html>":                           "no-store x",
		`{"entries":[]}`:                   "no-store x",
		`[1`:                               "no-store x",
		`[{"id":1,"title":"ok"},"string"]`: "bad-row x 2: not-an-object",
	} {
		_, _, err := exchange.ReadStore(exchange.Stores[0], "x", []byte(in), "")
		got := ""
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func store(t *testing.T, name string) exchange.Store {
	t.Helper()
	for _, s := range exchange.Stores {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no store %q", name)
	return exchange.Store{}
}

func FuzzParseMarkdown(f *testing.F) {
	for _, name := range []string{"CLAUDE.md", "MEMORY.md", "facts.md"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, line := range exchange.ParseMarkdown(s) {
			if strings.TrimSpace(line.Text) == "" || line.Number < 1 {
				t.Fatalf("%q: %+v", s, line)
			}
			if _, ok := entry.ParseKind(string(line.Kind)); !ok {
				t.Fatalf("%q: kind %q", s, line.Kind)
			}
			if text.Len(line.Text) > 2*text.Len(s)+2 {
				t.Fatalf("%q grew to %q", s, line.Text)
			}
		}
	})
}

func FuzzReadStore(f *testing.F) {
	for _, name := range []string{"claude-mem.json", "engram.json"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, _, err := exchange.ReadStore(exchange.Stores[0], "x", data, "")
		if err != nil && lines != nil {
			t.Fatal("lines and an error")
		}
		for _, line := range lines {
			if line.Text == "" || text.Len(line.Text) > 601 || strings.Contains(line.Text, "\n") {
				t.Fatalf("%q", line.Text)
			}
		}
	})
}
