package install_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/harness/install"
)

func TestDiff(t *testing.T) {
	numbers := func(from, to int, change map[int]string) []byte {
		var b strings.Builder
		for i := from; i <= to; i++ {
			if text, ok := change[i]; ok {
				b.WriteString(text)
				continue
			}
			fmt.Fprintf(&b, "%d\n", i)
		}
		return []byte(b.String())
	}
	cases := []struct {
		id            string
		before, after []byte
		want          string
	}{
		{"equal", []byte("a\n"), []byte("a\n"), ""},
		{"both-absent", nil, nil, ""},
		{"created", nil, []byte("a\nb\n"), "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"removed", []byte("a\n"), nil, "--- f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
		{"no-newline", []byte("a\nb"), []byte("a\nb\n"), "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		{
			"one-hunk", numbers(1, 9, nil), numbers(1, 9, map[int]string{5: "five\n"}),
			"--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
		},
		{
			"two-hunks", numbers(1, 20, nil), numbers(1, 20, map[int]string{3: "", 18: "18\nnew\n"}),
			"--- f\n+++ f\n@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n@@ -16,5 +15,6 @@\n 16\n 17\n 18\n+new\n 19\n 20\n",
		},
	}
	for _, c := range cases {
		t.Run(c.id, func(t *testing.T) {
			if diff := cmp.Diff(c.want, install.Diff(c.before, c.after, "f")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestDiffIsAPatch applies what Diff says and gets the other text.
func TestDiffIsAPatch(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "{\n", "}\n", "\n", "x\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		before := strings.Join(rapid.SliceOfN(line, 0, 25).Draw(t, "before"), "")
		after := strings.Join(rapid.SliceOfN(line, 0, 25).Draw(t, "after"), "")
		if got := patched(before, install.Diff([]byte(before), []byte(after), "f")); got != after {
			t.Fatalf("%q became %q, want %q", before, got, after)
		}
	})
}

// patched applies a unified diff by its line numbers.
func patched(before, diff string) string {
	lines := strings.SplitAfter(before, "\n")
	var out strings.Builder
	at := 0
	for _, l := range strings.SplitAfter(diff, "\n") {
		switch {
		case strings.HasPrefix(l, "--- f"), strings.HasPrefix(l, "+++ f"), l == "":
		case strings.HasPrefix(l, "@@"):
			var first, count int
			if _, err := fmt.Sscanf(l, "@@ -%d,%d", &first, &count); err != nil {
				return err.Error()
			}
			if count == 0 {
				first++
			}
			for ; at < first-1; at++ {
				out.WriteString(lines[at])
			}
		case l[0] == '-':
			at++
		case l[0] == '+':
			out.WriteString(l[1:])
		default:
			out.WriteString(l[1:])
			at++
		}
	}
	return out.String() + strings.Join(lines[at:], "")
}

func TestDiffOfLargeTexts(t *testing.T) {
	before := strings.Repeat("a\n", 4000)
	after := strings.Repeat("b\n", 4000)
	got := install.Diff([]byte(before), []byte(after), "f")
	if strings.Count(got, "\n-a") != 4000 || strings.Count(got, "\n+b") != 4000 {
		t.Errorf("%d bytes of diff", len(got))
	}
}
