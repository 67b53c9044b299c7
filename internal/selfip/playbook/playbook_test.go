package playbook_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/dshkit/dshkit/internal/selfip/playbook"
)

var clock = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

func load(t testing.TB, name string) playbook.Playbook {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return playbook.Parse(filepath.Base(name), data)
}

const fixtures = "selfip-fixtures/%s/workspace/self-improvement/playbooks/%s.md"

func TestFixture01(t *testing.T) {
	var all []playbook.Playbook
	for _, name := range []string{"one-shot", "release-check", "db-restore"} {
		all = append(all, load(t, fmt.Sprintf(fixtures, "01-healthy-store", name)))
	}
	var got []string
	for _, p := range playbook.Order(all, clock) {
		got = append(got, fmt.Sprintf("%s %d/%d %.3f due %v", p.Slug, p.Successes, p.Fails, p.Rate(), p.Due(clock)))
	}
	want := []string{
		"release-check 3/1 0.667 due false",
		"one-shot 1/0 0.667 due false",
		"db-restore 9/0 0.909 due true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if all[0].Name() != "one-shot" || !strings.HasPrefix(all[0].Body, "# one-shot\n\n1.") {
		t.Errorf("name %q, body %q, want one-shot and its steps", all[0].Name(), all[0].Body)
	}
}

func TestFixture02(t *testing.T) {
	for _, name := range []string{"crlf", "bom"} {
		p := load(t, fmt.Sprintf(fixtures, "02-bom-crlf", name))
		if p.Uses != 2 || p.Successes != 2 || p.Rate() != 0.75 || p.Due(clock) {
			t.Errorf("%s: got %+v, want uses 2, successes 2, rate 3/4, fresh", name, p)
		}
		got := string(p.Used(true, clock).Format())
		want := "---\nslug: " + name + "\nuses: 3\nsuccesses: 3\nfails: 0\nverified_at: 2026-09-15T12:00:00.000+00:00\n---\n# " + name + "\n\nstep one\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s after a success (-want +got):\n%s", name, diff)
		}
	}
}

func TestCase28(t *testing.T) {
	p := load(t, "cases/28-bom-before-front-matter/in/self-improvement/playbooks/deploy.md")
	if p.Slug == "" || p.Successes != 3 {
		t.Fatalf("got %+v, want a slug and 3 successes", p)
	}
	got := string(p.Used(true, clock).Format())
	if !strings.Contains(got, "successes: 4\n") || strings.ContainsAny(got, "\r\ufeff") {
		t.Errorf("after a success: got %q, want successes 4 and LF throughout", got)
	}
}

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want playbook.Playbook
	}{
		"no front matter": {"# x\nsteps\n", playbook.Playbook{Body: "# x\nsteps\n"}},
		"not closed":      {"---\nuses: 3\n", playbook.Playbook{Body: "---\nuses: 3\n"}},
		"empty block":     {"---\n---\nx", playbook.Playbook{Body: "x"}},
		"odd numbers":     {"---\nuses: 8.9\nfails: -2\nsuccesses: many\n---\nx", playbook.Playbook{Uses: 8, Fails: -2, Body: "x"}},
		"foreign keys":    {"---\nowner: me: you\nuses: 1\n: none\n---\n", playbook.Playbook{Uses: 1, Extra: []playbook.Pair{{Key: "owner", Value: "me: you"}}}},
	} {
		got := playbook.Parse("", []byte(c.in))
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUsed(t *testing.T) {
	p := playbook.Playbook{Uses: 9, Successes: 9, VerifiedAt: "2026-07-01"}
	if got := p.Used(false, clock); got.Uses != 10 || got.Fails != 1 || got.Successes != 9 || got.VerifiedAt != "2026-07-01" {
		t.Errorf("after a failure: got %+v, want it counted and not verified", got)
	}
}

func TestFirstUseNamesThePlaybook(t *testing.T) {
	p := playbook.Parse("发布.md", []byte("# Deploy\n\n1. make\n"))
	want := "---\nslug: 发布\nuses: 1\nsuccesses: 1\nfails: 0\nverified_at: 2026-09-15T12:00:00.000+00:00\n---\n# Deploy\n\n1. make\n"
	if diff := cmp.Diff(want, string(p.Used(true, clock).Format())); diff != "" {
		t.Errorf("written by hand, after a success (-want +got):\n%s", diff)
	}
}

func TestOrderTakesTheFirstThirtyByName(t *testing.T) {
	var all []playbook.Playbook
	for i := range 40 {
		all = append(all, playbook.Playbook{File: fmt.Sprintf("p%02d.md", 39-i), Uses: 39 - i})
	}
	got := playbook.Order(all, clock)
	if len(got) != 30 || got[0].File != "p00.md" {
		t.Errorf("got %d playbooks, first %q, want 30, first p00.md (never used: rate one half)", len(got), got[0].File)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"one-shot", "release-check", "db-restore"} {
		f.Add([]byte(load(f, fmt.Sprintf(fixtures, "01-healthy-store", name)).Format()))
	}
	f.Add([]byte("\ufeff---\r\nuses: 1\r\nx: y\r\n---\r\nbody"))
	f.Add([]byte("---\n---\n---"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := playbook.Parse("x.md", data)
		again := playbook.Parse("x.md", p.Format())
		if diff := cmp.Diff(p, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q read back differently (-want +got):\n%s", data, diff)
		}
	})
}
