package proposal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/pkg/fault"
)

func fixture(t testing.TB, dir string) (files []proposal.File, status []byte) {
	t.Helper()
	root := filepath.Join("testdata/selfip-fixtures", dir, "workspace/self-improvement/proposals")
	names, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(root, n.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if n.Name() == "status.json" {
			status = data
		}
		files = append(files, proposal.File{Name: n.Name(), Data: data})
	}
	return files, status
}

func TestFixture01(t *testing.T) {
	files, status := fixture(t, "01-healthy-store")
	d, err := proposal.ParseDecisions(status)
	if err != nil {
		t.Fatal(err)
	}
	const id = "2026-09-10T09-00-00-000+08-00"
	want := []proposal.Proposal{{ID: id, File: "proposal-" + id + ".md", Summary: "Problem: the queue is read without a lock.", At: "2026-09-10T09:00:00.000+08:00"}}
	if diff := cmp.Diff(want, proposal.Pending(files, d)); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	if got := string(d.Format()); got != string(status) {
		t.Errorf("written again: got %q, want %q", got, status)
	}
	if one, _ := d.Get("2026-08-01T09-00-00-000+08-00"); one.Status() != proposal.Rejected || one.Field("note") != "no benefit" {
		t.Errorf("decision: got %+v, want rejected, no benefit", one)
	}
}

func TestFixture02(t *testing.T) {
	files, status := fixture(t, "02-bom-crlf")
	d, err := proposal.ParseDecisions(status)
	if got := proposal.Pending(files, d); err != nil || len(got) != 0 {
		t.Errorf("pending behind a byte order mark: got %v (%v), want none: x is rejected", got, err)
	}
	if got := proposal.Pending(files, nil); len(got) != 1 || got[0].Summary != "Problem: demo" {
		t.Errorf("pending without decisions: got %v, want x with the summary of its file", got)
	}
}

func TestFixture03(t *testing.T) {
	_, status := fixture(t, "03-malformed-lines")
	d, err := proposal.ParseDecisions(status)
	if fault.KindOf(err) != fault.Damaged || len(d) != 0 {
		t.Errorf("decisions of %q: got %v, %v, want none and a damaged file", status, d, err)
	}
}

func TestParseDecisionsNamesTheLine(t *testing.T) {
	_, err := proposal.ParseDecisions([]byte("{\n  \"a\": {},\n  \"b\": x\n}"))
	if got := err.Error(); !strings.HasPrefix(got, "proposal-decisions-damaged 3:") {
		t.Errorf("got %q, want the code and line 3", got)
	}
	for _, empty := range []string{"", " \n", "{}"} {
		if d, err := proposal.ParseDecisions([]byte(empty)); err != nil || len(d) != 0 {
			t.Errorf("decisions of %q: got %v, %v, want none", empty, d, err)
		}
	}
}

// TestCase108UnknownStatus: what a newer version decided is kept and is not
// asked about again.
func TestCase108UnknownStatus(t *testing.T) {
	in := "{\n  \"a\": {\n    \"status\": \"deferred\",\n    \"until\": [\n      1e2\n    ]\n  },\n  \"b\": 7,\n  \"c\": {}\n}\n"
	d, err := proposal.ParseDecisions([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range proposal.Pending([]proposal.File{{Name: "proposal-c.md"}, {Name: "proposal-a.md"}, {Name: "proposal-b.md"}, {Name: "plugin-a.js"}}, d) {
		got = append(got, p.ID)
	}
	if diff := cmp.Diff([]string{"b", "c"}, got); diff != "" {
		t.Errorf("pending (-want +got):\n%s", diff)
	}
	if out := string(d.Format()); out != in {
		t.Errorf("written again: got %q, want %q", out, in)
	}
	one, _ := d.Get("c")
	out := string(d.With(one.With("status", "accepted").With("note", "a<b & \"c\"")).Format())
	if !strings.Contains(out, `"note": "a<b & \"c\""`) || !strings.Contains(out, "1e2") || !strings.Contains(out, `"b": 7`) {
		t.Errorf("after a decision: got %s, want it in place and the rest kept", out)
	}
	if was, _ := d.Get("c"); was.Status() != proposal.Waiting {
		t.Error("With changed its receiver")
	}
}

func FuzzParseDecisions(f *testing.F) {
	_, status := fixture(f, "01-healthy-store")
	f.Add(status)
	f.Add([]byte(`{"a":{"status":"x"},"a":{},"":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := proposal.ParseDecisions(data)
		if err != nil {
			if d != nil {
				t.Errorf("%q: decisions %v beside the error %v", data, d, err)
			}
			return
		}
		out := d.Format()
		again, err := proposal.ParseDecisions(out)
		if err != nil || !slices.Equal(again.Format(), out) {
			t.Errorf("%q written as %q: read back %v (%v)", data, out, again, err)
		}
	})
}
