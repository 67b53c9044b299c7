package learn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

func readLines(t testing.TB, name string) []string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// frames returns the words that the engine itself writes in a language, longest
// first.
func frames(language string) []string {
	var list []string
	v := reflect.ValueOf(phrase.For(language).Learn)
	for i := range v.NumField() {
		for part := range strings.SplitSeq(v.Field(i).String(), "%s") {
			if part != "" {
				list = append(list, part)
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return append(list, " | ", ", ", "`")
}

func flat(s string) string { return strings.ReplaceAll(text.OneLine(s), root+"/", "") }

// unquoted returns the parts of a line that neither the engine wrote nor a
// record holds.
func unquoted(line string, frames []string, records string) (bad []string) {
	for _, f := range frames {
		line = strings.ReplaceAll(line, f, "\x00")
	}
	for part := range strings.SplitSeq(line, "\x00") {
		part = strings.TrimSuffix(strings.TrimSpace(part), "…")
		if !strings.Contains(records, part) && !isHostOf(part, records) {
			bad = append(bad, part)
		}
	}
	return bad
}

// isHostOf allows the host of an address in lower case.
func isHostOf(part, records string) bool {
	return strings.Contains(strings.ToLower(records), strings.ToLower(part))
}

type failer interface {
	Errorf(format string, args ...any)
}

// checkConclusions holds what is true of all conclusions.
func checkConclusions(t failer, language string, records []transcript.Record, c learn.Conclusions) {
	var all strings.Builder
	for _, r := range records {
		all.WriteString(flat(r.Text) + "\x01" + flat(r.Input) + "\x01" + strings.ReplaceAll(flat(r.Input), "./", "") + "\x01")
	}
	words := frames(language)
	for i, list := range [][]learn.Conclusion{c.Lessons, c.Facts, c.Resources, c.Methods} {
		if limit := []int{5, 6, 4, 2}[i]; len(list) > limit { // two of the lessons are complaints
			t.Errorf("list %d: got %d lines, want at most %d", i, len(list), limit)
		}
		for _, l := range list {
			switch {
			case l.Text == "" || l.Text != text.OneLine(l.Text):
				t.Errorf("text is not one line: %q", l.Text)
			case len(l.Evidence) == 0:
				t.Errorf("no evidence for %q", l.Text)
			case l.Importance < 1 || l.Importance > 9:
				t.Errorf("importance of %q: got %d", l.Text, l.Importance)
			}
			if bad := unquoted(l.Text, words, all.String()); len(bad) > 0 {
				t.Errorf("%q quotes what no record holds: %q", l.Text, bad)
			}
			for _, q := range l.Evidence {
				checkQuote(t, q, records)
			}
		}
	}
	if n := learn.Units(c.Handoff); n > learn.MaxHandoff {
		t.Errorf("hand-off: got %d units", n)
	}
}

func checkQuote(t failer, q learn.Quote, records []transcript.Record) {
	if q.Ordinal < 1 || q.Ordinal > len(records) {
		t.Errorf("evidence %+v: there are %d records", q, len(records))
		return
	}
	r := records[q.Ordinal-1]
	if r.Kind != q.Kind || !r.Time.Equal(q.Time) {
		t.Errorf("evidence %+v is not of record %+v", q, r)
	}
	excerpt := strings.TrimSuffix(flat(q.Excerpt), "…")
	for _, r := range records[:q.Ordinal] { // the words, or the call they answer
		if strings.Contains(flat(r.Text), excerpt) || strings.Contains(flat(r.Input), excerpt) {
			return
		}
	}
	t.Errorf("evidence %+v is in no record up to %+v", q, r)
}

// TestUnquoted holds that the check itself can fail.
func TestUnquoted(t *testing.T) {
	got := unquoted("`make test` failed: boom -> edited invented.go -> `make test` passed", frames("en"), "make test\x01boom")
	if want := []string{"invented.go"}; !slices.Equal(got, want) {
		t.Errorf("unquoted: got %q, want %q", got, want)
	}
}

func TestEveryLineQuotesItsEvidence(t *testing.T) {
	for _, language := range []string{"en", "zh-CN"} {
		for _, harness := range []string{"claude-code", "codex", "dsh"} {
			records := sample(t, harness)
			checkConclusions(t, language, records, engine(language, records).Conclude(nil))
		}
		for _, s := range sessions(t) {
			checkConclusions(t, language, s.records, engine(language, s.records).Conclude(nil))
		}
	}
}

// TestConclusionsProperty mixes the records of all hand-written sessions.
func TestConclusionsProperty(t *testing.T) {
	var pool []transcript.Record
	for _, s := range sessions(t) {
		pool = append(pool, s.records...)
	}
	for _, p := range readLines(t, "prompts.txt") {
		pool = append(pool, transcript.Record{Kind: transcript.Prompt, Text: p})
	}
	rapid.Check(t, func(t *rapid.T) {
		language := rapid.SampledFrom([]string{"en", "zh-CN"}).Draw(t, "language")
		records := rapid.SliceOfN(rapid.SampledFrom(pool), 30, 120).Draw(t, "records")
		c := engine(language, records).Conclude(nil)
		checkConclusions(t, language, records, c)
		if again := engine(language, records).Conclude(nil); show(again) != show(c) {
			t.Errorf("the same records give other conclusions")
		}
	})
}

// TestCase26BoundedMemory feeds 200,000 records with three corrections near the
// end: what is retained stays small, and the corrections are there.
func TestCase26BoundedMemory(t *testing.T) {
	e := learn.New("en", root)
	most := 0
	pool := sample(t, "claude-code")
	for i := range 60_000 {
		switch {
		case i == 50_000 || i == 55_000 || i == 59_900:
			e.Add(transcript.Record{Kind: transcript.Prompt, Text: fmt.Sprintf("correction %d: use trunk%d, not main", i, i)})
		case i%50 == 0:
			e.Add(transcript.Record{Kind: transcript.Prompt, Text: fmt.Sprintf("the staging%d port is %d and see https://a%d.example/x for the %d board", i, i, i, i)})
		case i%3 == 0:
			r := pool[i%len(pool)]
			r.ID = fmt.Sprint(r.ID, i%7)
			e.Add(r)
		case i%3 == 1:
			e.Add(transcript.Record{Kind: transcript.Call, ID: fmt.Sprint(i), Tool: "Bash", Input: fmt.Sprintf("./run-%d --flag %d", i, i)})
		default:
			e.Add(transcript.Record{Kind: transcript.Result, ID: fmt.Sprint(i - 1), Failed: i%2 == 0, Text: fmt.Sprintf("error: lorem result %d", i)})
		}
		if i%5000 == 0 {
			most = max(most, e.Retained())
		}
	}
	if most > 256<<10 {
		t.Errorf("retained: got %d bytes, want at most 256 KiB", most)
	}
	var got []string
	for _, l := range e.Conclude(nil).Facts {
		got = append(got, l.Text)
	}
	for _, n := range []int{50_000, 55_000, 59_900} {
		if want := fmt.Sprintf("use trunk%d, not main", n); !slices.Contains(got, want) {
			t.Errorf("facts: got %q, want %q among them", got, want)
		}
	}
}

// TestRetainsNoOutput holds that a quote does not keep the output alive that it
// was cut from.
func TestRetainsNoOutput(t *testing.T) {
	e := learn.New("en", "")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	filler := strings.Repeat("x y z\n", 40_000)
	for i := range 100 {
		id := fmt.Sprint(i)
		e.Add(transcript.Record{Kind: transcript.Prompt, Text: fmt.Sprintf("the stage%d port is %d.\n", i, i) + filler + "use a" + id + ", not b"})
		e.Add(transcript.Record{Kind: transcript.Call, ID: id, Tool: "Bash", Input: fmt.Sprintf("./tool%d up\n", i) + filler})
		e.Add(transcript.Record{Kind: transcript.Result, ID: id, Failed: i%2 == 0, Text: fmt.Sprintf("error: %d\n", i) + filler})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("heap: grew by %d bytes over 70 MB of records, want at most 8 MiB", grown)
	}
	runtime.KeepAlive(e)
}

func hostile() []string {
	return []string{
		strings.Repeat("http://a.", 20000), strings.Repeat("密钥：", 20000), strings.Repeat("eyJhbGciOi.eyJ", 14000),
		strings.Repeat("---", 66000), strings.Repeat("< ", 100000), strings.Repeat("key=", 50000), strings.Repeat("xoxb-", 40000),
		strings.Repeat("use a not ", 20000), strings.Repeat("不要用 ", 20000), strings.Repeat("是不是", 20000), strings.Repeat("`", 200000),
		strings.Repeat("<system-reminder>", 12000), strings.Repeat("error: ", 28000), strings.Repeat("&&", 100000), strings.Repeat("'\\", 100000),
		strings.Repeat("always a. ", 20000), strings.Repeat("a, ", 66000), strings.Repeat("\x00\xff", 100000), strings.Repeat("\n- ", 66000),
	}
}

// TestCase90HostileLines ends in a moment when the work grows with the input
// and runs into the test time-out when it grows with its square.
func TestCase90HostileLines(t *testing.T) {
	for _, line := range hostile() {
		e := learn.New("en", root)
		for _, kind := range []transcript.Kind{transcript.Prompt, transcript.Reply, transcript.Call, transcript.Result, transcript.Fault, transcript.Feedback} {
			e.Add(transcript.Record{Kind: kind, Tool: "Bash", Input: line, Text: line, Failed: true})
			e.Add(transcript.Record{Kind: kind, Tool: "Read", Input: line, Text: line})
		}
		if n := e.Retained(); n > 64<<10 {
			t.Errorf("%.20q...: retained %d bytes", line, n)
		}
		e.Conclude(nil)
	}
}

// TestCase22NUL holds that no NUL of a damaged log reaches a line.
func TestCase22NUL(t *testing.T) {
	c := engine("en", []transcript.Record{
		{Kind: transcript.Prompt, Text: "always\x00 use tabs\x00, not spaces"},
		{Kind: transcript.Reply, Text: "\x00ok\x00"},
	}).Conclude(nil)
	if s := show(c); strings.Contains(s, "\x00") || len(c.Facts) != 1 {
		t.Errorf("got %q, want one rule without NUL", s)
	}
}

func FuzzEngine(f *testing.F) {
	for _, s := range sessions(f) {
		var b strings.Builder
		for _, r := range s.records {
			b.WriteString(string(r.Kind) + "\x1f" + r.Tool + "\x1f" + r.Input + "\x1f" + r.Text + "\x1e")
		}
		f.Add(b.String(), true)
	}
	f.Fuzz(func(t *testing.T, s string, failed bool) {
		var records []transcript.Record
		for part := range strings.SplitSeq(s, "\x1e") {
			fields := append(strings.SplitN(part, "\x1f", 4), "", "", "")
			records = append(records, transcript.Record{
				Kind: transcript.Kind(fields[0]), Tool: fields[1], Input: fields[2], Text: fields[3],
				Failed: failed != (len(records)%3 == 0), Time: time.Unix(int64(len(records)), 0),
			})
		}
		for _, language := range []string{"en", "zh-CN"} {
			c := engine(language, records).Conclude(nil)
			for _, list := range [][]learn.Conclusion{c.Lessons, c.Facts, c.Resources, c.Methods} {
				for _, l := range list {
					if l.Text == "" || strings.ContainsAny(l.Text, "\n\x00") || len(l.Evidence) == 0 {
						t.Fatalf("conclusion %+v of %q", l, s)
					}
				}
			}
			if learn.Units(c.Handoff) > learn.MaxHandoff {
				t.Fatalf("hand-off of %d units", learn.Units(c.Handoff))
			}
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	records := sample(b, "claude-code")
	for b.Loop() {
		engine("en", records).Conclude(nil)
	}
}
