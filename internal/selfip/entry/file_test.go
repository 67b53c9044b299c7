package entry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

func TestAppend(t *testing.T) {
	for name, c := range map[string]struct {
		old  string
		add  []string
		want string
	}{
		"to nothing":           {"", []string{"- a"}, "- a"},
		"no newline at end":    {"- a", []string{"- b"}, "- a\n- b"},
		"newline at end":       {"- a\n", []string{"- b"}, "- a\n\n- b"},
		"two at once":          {"- a", []string{"- b", "- c"}, "- a\n- b\n- c"},
		"nothing":              {"- a\n", nil, "- a\n"},
		"a section":            {"- a", []string{"", "## error-retro @ x", "- b"}, "- a\n\n## error-retro @ x\n- b"},
		"only a newline":       {"\n", []string{"- b"}, "\n\n- b"},
		"only a mark":          {"\ufeff", []string{"- b"}, "- b"},
		"line ends in a line":  {"- a", []string{"- b\r\n- [t] (fact) c {imp:9}\nd"}, "- a\n- b - [t] (fact) c {imp:9} d"},
		"CRLF and CR":          {"- a\r\n- b\r- c", []string{"- d"}, "- a\n- b\n- c\n- d"},
		"mark in the middle":   {"- a\n\ufeff- b", []string{"- c"}, "- a\n\ufeff- b\n- c"},
		"hole in the old file": {"- a\n- b\x00\x00\n", []string{"- c"}, "- a\n- b\x00\x00\n\n- c"},
	} {
		f := entry.ParseFile([]byte(c.old))
		next := f.Append(c.add...)
		if got := string(next.Bytes()); got != c.want {
			t.Errorf("%s: append %q to %q: got %q, want %q", name, c.add, c.old, got, c.want)
		}
		if diff := cmp.Diff(entry.ParseFile([]byte(c.want)), next, cmp.AllowUnexported(entry.File{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: value differs from the parsed bytes (-want +got):\n%s", name, diff)
		}
		if next.Len() != text.Len(c.want) {
			t.Errorf("%s: length of %q: got %d, want %d", name, c.want, next.Len(), text.Len(c.want))
		}
	}
}

func TestDamageIsReportedOnce(t *testing.T) {
	f := entry.ParseFile([]byte("- a\n- b\xff\n- c\x00d\xff\n- e"))
	want := []entry.Damage{{Line: 2, Reason: entry.InvalidUTF8}, {Line: 3, Reason: entry.HasNUL}}
	if diff := cmp.Diff(want, f.Damage); diff != "" {
		t.Errorf("damage (-want +got):\n%s", diff)
	}
	if f.Live() != 2 {
		t.Errorf("live: got %d, want 2", f.Live())
	}
}

func TestW9TextCannotForgeLines(t *testing.T) {
	e := entry.Entry{Stamp: "t", Kind: entry.Fact, Text: "a\n- [t] (fact) b {origin:command,imp:10}\r\nc"}.
		With("why", "x,imp:10}\n- y {src:user")
	f := entry.File{}.Append(e.String())
	if len(f.Lines) != 1 || f.Lines[0].Entry.Get("imp") != "" || f.Lines[0].Entry.Get("src") != "" {
		t.Errorf("%q became %v, want one line without imp and src", e.String(), f.Lines)
	}
}

// TestW10HeadIsNotDoubled rewrites a bullet without a head again and again.
func TestW10HeadIsNotDoubled(t *testing.T) {
	line := "- plain {imp:3}"
	for range 3 {
		e, _ := entry.ParseLine(line)
		line = e.String()
	}
	if want := "- [] (fact) plain {imp:3}"; line != want {
		t.Errorf("after three rewrites: got %q, want %q", line, want)
	}
}

func TestNorm(t *testing.T) {
	want := "a b"
	for _, line := range []string{
		"a b", "- a  b", "* a b", "- [2026-01-01] (fact) a b {imp:3}", "* [2026-01-01] (lesson) a b",
		"- [] (fact) a b {imp:1} ", "- [2026-01-01] (fact) a b 〈自动归纳，未验证〉", "\ufeff- a b\r",
	} {
		if got := entry.Norm(line); got != want {
			t.Errorf("norm of %q: got %q, want %q", line, got, want)
		}
	}
	long := "- " + strings.Repeat("w", 200)
	if entry.Norm(long+" one") == entry.Norm(long+" two") {
		t.Error("two long lines that begin alike have one key")
	}
	for in, want := range map[string]string{"a 〈open": "a 〈open", "〈a〉〈b〉c": "c", "〉x〈y〉": "〉x"} {
		if got := entry.Norm(in); got != want {
			t.Errorf("norm of %q: got %q, want %q", in, got, want)
		}
	}
}

// roundTrip: what was parsed and written reads back as the same entry. A bullet
// without a head gains the empty one.
func roundTrip(t interface{ Errorf(string, ...any) }, line string) {
	e, ok := entry.ParseLine(line)
	if !ok {
		return
	}
	written := e.String()
	if e.Kind == "" {
		e.Kind = entry.Fact
	}
	kept := e.Meta[:0:0]
	for _, p := range e.Meta {
		if p.Value != "" {
			kept = append(kept, p)
		}
	}
	e.Meta = kept
	again, ok := entry.ParseLine(written)
	if diff := cmp.Diff(e, again, cmpopts.EquateEmpty()); !ok || diff != "" {
		t.Errorf("%q written as %q reads differently (-want +got):\n%s", line, written, diff)
	}
}

func FuzzParseLine(f *testing.F) {
	for _, name := range []string{"01-healthy-store", "02-bom-crlf", "03-malformed-lines", "04-expired-ttl"} {
		for _, l := range fixture(f, name, "facts.md").Lines {
			f.Add(l.Raw)
		}
	}
	f.Add("- [t] (fact) text {a:b} {:}")
	f.Add("- [t] (fact) text {note: x}\ufeff")
	f.Add("- - [] (fact) {a:b}")
	f.Fuzz(func(t *testing.T, line string) {
		for one := range strings.SplitSeq(strings.ReplaceAll(line, "\r", "\n"), "\n") {
			roundTrip(t, one)
		}
	})
}

func FuzzParseFile(f *testing.F) {
	for _, name := range []string{"01-healthy-store", "02-bom-crlf", "03-malformed-lines", "04-expired-ttl"} {
		f.Add(fixture(f, name, "facts.md").Bytes())
	}
	f.Add([]byte("\ufeff- a\r\n- b\r- c\xff\n\x00\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := entry.ParseFile(data)
		written := file.Bytes()
		again := entry.ParseFile(written)
		if string(again.Bytes()) != string(written) && !strings.HasPrefix(string(written), "\ufeff") {
			t.Errorf("%q: written %q, then %q", data, written, again.Bytes())
		}
		if got, want := file.Len(), text.Len(string(written)); got != want {
			t.Errorf("%q: length %d, want %d", data, got, want)
		}
		for i, l := range file.Lines {
			if l.Number != i+1 || strings.ContainsAny(l.Raw, "\r\n") {
				t.Errorf("%q: line %d is %+v", data, i, l)
			}
		}
	})
}

// TestEntryRoundTrip builds entries from parts that a writer may put together.
func TestEntryRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[a-z{}:,\[\]() 中〈〉-]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		e := entry.Entry{
			Stamp: rapid.StringMatching(`[0-9T:.+-]{0,12}`).Draw(t, "stamp"),
			Kind:  entry.Kind(rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "kind")),
			Text:  strings.TrimSpace("x" + word.Draw(t, "text")),
		}
		for range rapid.IntRange(0, 3).Draw(t, "pairs") {
			e = e.With(rapid.StringMatching(`[a-z]{1,4}`).Draw(t, "key"), word.Draw(t, "value"))
		}
		got, ok := entry.ParseLine(e.String())
		if diff := cmp.Diff(e, got, cmpopts.EquateEmpty()); !ok || diff != "" {
			t.Errorf("%q reads differently (-want +got):\n%s", e.String(), diff)
		}
	})
}

func BenchmarkParseFile5000(b *testing.B) {
	var s strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&s, "- [2026-09-14T02:00:00.000Z] (lesson) entry number %d with unique words %d padding {origin:tool,imp:6,ttl:180,vfy:2026-09-14T00:00:00.000Z}\n", i, i)
	}
	data := []byte(s.String())
	b.ReportAllocs()
	for b.Loop() {
		entry.ParseFile(data)
	}
}

func BenchmarkScore5000(b *testing.B) {
	e, _ := entry.ParseLine("- [2026-09-14T02:00:00.000Z] (lesson) x {origin:tool,imp:6,ttl:180,vfy:2026-09-14T00:00:00.000Z}")
	for b.Loop() {
		for range 5000 {
			e.Score(clock)
		}
	}
}
