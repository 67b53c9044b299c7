package merge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/merge"
)

const (
	monday  = "2026-09-07T10:00:00.000+08:00"
	tuesday = "2026-09-08T10:00:00.000+08:00"
	sunday  = "2026-09-13T10:00:00.000+08:00"
)

func TestMerge(t *testing.T) {
	port := "- [" + monday + "] (fact) the port is 5433 {imp:5,uses:1}\n"
	for _, row := range []struct{ name, base, ours, theirs, want string }{
		{
			"both add", port,
			port + "- [] (fact) ours\n", port + "- [] (fact) theirs\n",
			port + "- [] (fact) ours\n- [] (fact) theirs\n",
		},
		{
			"both add the same", port,
			port + "- [" + monday + "] (fact) New port\n", port + "- [" + sunday + "] (fact) new  port {imp:9}\n",
			port + "- [" + sunday + "] (fact) New port {imp:9}\n",
		},
		{
			"they withdraw, we find", port,
			strings.Replace(port, "uses:1", "uses:4", 1), strings.Replace(port, "}", ",invalid:"+tuesday+",why:user@"+tuesday+"}", 1),
			strings.Replace(port, "uses:1}", "uses:4,invalid:"+tuesday+",why:user@"+tuesday+"}", 1),
		},
		{
			"both withdraw: the first counts", port,
			strings.Replace(port, "}", ",invalid:"+sunday+",why:user@"+sunday+"}", 1), strings.Replace(port, "}", ",invalid:"+tuesday+",why:superseded@"+tuesday+"}", 1),
			strings.Replace(port, "}", ",invalid:"+tuesday+",why:superseded@"+tuesday+"}", 1),
		},
		{
			"they bring back", strings.Replace(port, "}", ",invalid:"+monday+",why:user@"+monday+"}", 1),
			strings.Replace(port, "}", ",invalid:"+monday+",why:user@"+monday+"}", 1), port, port,
		},
		{
			"uses add up", port,
			strings.Replace(port, "uses:1", "uses:3", 1), strings.Replace(port, "uses:1", "uses:6", 1), strings.Replace(port, "uses:1", "uses:8", 1),
		},
		{"they remove what we left", port + "- [] (fact) old\n", port + "- [] (fact) old {uses:2}\n", port, port},
		{
			"they remove what we withdrew", port + "- [] (fact) old\n",
			port + "- [] (fact) old {invalid:" + sunday + "}\n", port, port + "- [] (fact) old {invalid:" + sunday + "}\n",
		},
		{"we remove what they left", port + "- [] (fact) old\n", port, port + "- [] (fact) old\n", port},
		{
			"withdrawn and stored again", port,
			strings.Replace(port, "}", ",invalid:"+tuesday+"}", 1) + port, port,
			strings.Replace(port, "}", ",invalid:"+tuesday+"}", 1) + port,
		},
		{
			"sections of a retro", "\n## session-retro @ " + monday + "\n- [] (fact) one\n",
			"\n## session-retro @ " + monday + "\n- [] (fact) one\n\n## session-retro @ " + tuesday + "\n- [] (fact) two",
			"\n## session-retro @ " + monday + "\n- [] (fact) one\n\n## session-retro @ " + sunday + "\n- [] (fact) three",
			"\n## session-retro @ " + monday + "\n- [] (fact) one\n\n## session-retro @ " + tuesday + "\n- [] (fact) two\n\n## session-retro @ " + sunday + "\n- [] (fact) three",
		},
		{
			"free text with one heading", "# 沉淀原则 @ " + monday + "\n- a\n",
			"# 沉淀原则 @ " + tuesday + "\n- a\n- b\n", "# 沉淀原则 @ " + sunday + "\n- a\n- c\n",
			"# 沉淀原则 @ " + sunday + "\n- a\n- b\n- c\n",
		},
		{"no base", "", "- [] (fact) a", "- [] (fact) b", "- [] (fact) a\n- [] (fact) b"},
		{"we have nothing", "", "", "- [] (fact) b\n", "- [] (fact) b\n"},
		{"line ends and mark", "", "\ufeff- [] (fact) a\r\n", "- [] (fact) a\n", "- [] (fact) a\n"},
		{"prose", "prose\n", "prose\nours\n", "their prose\n", "ours\ntheir prose\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, _ := merge.Merge([]byte(row.base), []byte(row.ours), []byte(row.theirs))
			if diff := cmp.Diff(row.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReport(t *testing.T) {
	base := "- [] (fact) a\n- [] (fact) b\n- [] (fact) c\n"
	ours := "- [] (fact) a {imp:8}\n- [] (fact) b\n- [] (fact) c\n"
	theirs := "- [] (fact) a {invalid:" + sunday + "}\n- [] (fact) c\n- [] (fact) d\n"
	_, got := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
	if want := (merge.Report{Entries: 3, Added: 1, Withdrawn: 1, Removed: 1, Joined: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// file is a memory file with few texts, so that sides meet.
var file = rapid.Custom(func(t *rapid.T) string {
	var b strings.Builder
	for i := range 5 {
		if !rapid.Bool().Draw(t, "there") {
			continue
		}
		e := entry.Entry{Stamp: rapid.SampledFrom([]string{monday, tuesday, sunday}).Draw(t, "stamp"), Kind: entry.Fact, Text: fmt.Sprint("text ", i)}
		e = e.With("imp", rapid.SampledFrom([]string{"", "3", "9"}).Draw(t, "imp"))
		e = e.With("uses", rapid.SampledFrom([]string{"", "1", "7"}).Draw(t, "uses"))
		e = e.With("invalid", rapid.SampledFrom([]string{"", "", monday, sunday}).Draw(t, "invalid"))
		b.WriteString(e.String() + "\n")
	}
	return b.String()
})

func entries(s string) map[string]entry.Entry {
	out := map[string]entry.Entry{}
	for line := range strings.Lines(s) {
		if e, ok := entry.ParseLine(line); ok {
			out[e.Text] = e
		}
	}
	return out
}

// TestMergeKeeps holds that no entry and no withdrawal is lost, whatever the
// sides did.
func TestMergeKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := file.Draw(t, "base"), file.Draw(t, "ours"), file.Draw(t, "theirs")
		merged, _ := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
		got, b, o, th := entries(string(merged)), entries(base), entries(ours), entries(theirs)
		for text := range joined(b, o, th) {
			was, inBase := b[text]
			our, inOurs := o[text]
			their, inTheirs := th[text]
			e, there := got[text]
			untouched := func(e entry.Entry) bool { return e.With("uses", "").String() == was.With("uses", "").String() }
			wanted := inOurs && inTheirs || !inBase && (inOurs || inTheirs) || inOurs && !untouched(our) || inTheirs && !untouched(their)
			if there != wanted {
				t.Fatalf("%q: there %v, want %v\n%s", text, there, wanted, merged)
			}
			newlyWithdrawn := func(e entry.Entry, in bool) bool { return in && !e.Live() && was.Live() }
			if there && (newlyWithdrawn(our, inOurs) || newlyWithdrawn(their, inTheirs)) && e.Live() {
				t.Fatalf("%q: its withdrawal is lost\n%s", text, merged)
			}
		}
	})
}

// TestMergeEitherWay holds that both sides come to the same entries.
func TestMergeEitherWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours, theirs := file.Draw(t, "base"), file.Draw(t, "ours"), file.Draw(t, "theirs")
		one, _ := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
		two, _ := merge.Merge([]byte(base), []byte(theirs), []byte(ours))
		if diff := cmp.Diff(sorted(one), sorted(two)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestMergeOfOne holds that a side which changed nothing changes nothing.
func TestMergeOfOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, ours := file.Draw(t, "base"), file.Draw(t, "ours")
		if got, _ := merge.Merge([]byte(base), []byte(ours), []byte(base)); string(got) != ours {
			t.Fatalf("got %q, want %q", got, ours)
		}
		got, _ := merge.Merge([]byte(base), []byte(base), []byte(ours))
		if diff := cmp.Diff(sorted([]byte(ours)), sorted(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// sorted lists the entries of a file without regard to their order and that of
// their metadata.
func sorted(data []byte) []string {
	var out []string
	for line := range strings.Lines(string(data)) {
		e, ok := entry.ParseLine(line)
		if !ok {
			continue
		}
		slices.SortFunc(e.Meta, func(a, b entry.Pair) int { return strings.Compare(a.Key, b.Key) })
		out = append(out, e.String())
	}
	slices.Sort(out)
	return out
}

func joined(sets ...map[string]entry.Entry) map[string]bool {
	out := map[string]bool{}
	for _, s := range sets {
		for text := range s {
			out[text] = true
		}
	}
	return out
}

func FuzzMerge(f *testing.F) {
	f.Add("- a\n", "- a\n- b\n", "# x @ "+monday+"\n- a {invalid:x}\n")
	f.Add("", "\ufeff- [] (fact) a\r\n", "- [] (fact) a {uses:-9}\n- [] (fact) a\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		got, _ := merge.Merge([]byte(base), []byte(ours), []byte(theirs))
		for _, mark := range []string{"<<<<<<<", ">>>>>>>"} {
			if strings.Contains(string(got), mark) && !strings.Contains(ours+theirs, mark) {
				t.Fatalf("a conflict mark in %q", got)
			}
		}
		again, _ := merge.Merge(got, got, got)
		if string(again) != string(got) {
			t.Fatalf("%q merged with itself is %q", got, again)
		}
	})
}
