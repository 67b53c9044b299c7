package selfip_test

import (
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip"
)

const waitingRow = `{"id":"a","t":"2026-09-15T12:00:00.000+00:00","status":"waiting","op":"retro","by":"retro","line":"- [2026-09-15T12:00:00.000+00:00] (fact) a"}`

// TestCandidatesKeepWhatTheyDoNotKnow holds that lines and members of another
// version survive.
func TestCandidatesKeepWhatTheyDoNotKnow(t *testing.T) {
	in := "not json\n" + strings.Replace(waitingRow, `"op"`, `"later":{"x":1},"op"`, 1) + "\n{}\n"
	out, bad := selfip.ReformatCandidates([]byte(in))
	if string(out) != in || bad != 2 {
		t.Errorf("%q with %d bad lines, want %q with 2", out, bad, in)
	}
}

// TestCandidatesForgetOldDecisions holds that the list stays bounded and that
// what waits is never forgotten.
func TestCandidatesForgetOldDecisions(t *testing.T) {
	rejected := strings.Replace(waitingRow, "waiting", "rejected", 1) + "\n"
	out, _ := selfip.ReformatCandidates([]byte(waitingRow + "\n" + strings.Repeat(rejected, 2100)))
	if n := strings.Count(string(out), "rejected"); n != 2000 || !strings.HasPrefix(string(out), waitingRow) {
		t.Errorf("%d decisions are kept, want 2000 and what waits", n)
	}
}

func FuzzCandidates(f *testing.F) {
	f.Add([]byte(waitingRow + "\n"))
	f.Add([]byte("not json\n\n{\"id\":\"\"}\n[1]\n" + waitingRow))
	f.Fuzz(func(t *testing.T, in []byte) {
		once, bad := selfip.ReformatCandidates(in)
		twice, again := selfip.ReformatCandidates(once)
		if string(once) != string(twice) || bad != again {
			t.Errorf("%q becomes %q (%d bad), then %q (%d bad)", in, once, bad, twice, again)
		}
	})
}
