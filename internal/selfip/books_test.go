package selfip_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/scope"
)

// titles are those of case 35, one without any character among them.
func titles(t *testing.T) []string {
	t.Helper()
	list := strings.Split(strings.TrimSuffix(readFile(t, "testdata/cases/35-titles-without-latin-letters/titles.txt"), "\n"), "\n")
	if len(list) != 12 {
		t.Fatalf("%d titles, want 12", len(list))
	}
	return list
}

// bodyOf is what the playbook of the n-th title says. Many begin with the same line.
func bodyOf(n int) string { return fmt.Sprintf("1. 先构建\n2. step of title %d.", n) }

// bookOf is the file that holds the text of the n-th title.
func (r *room) bookOf(n int) string {
	r.t.Helper()
	found := ""
	for _, name := range r.list("playbooks") {
		if strings.HasSuffix(name, ".md") && strings.Contains(r.read("playbooks/"+name), fmt.Sprintf("title %d.\n", n)) {
			if found != "" {
				r.t.Errorf("title %d has the files %s and %s", n, found, name)
			}
			found = name
		}
	}
	return found
}

// books are the files of playbooks.
func (r *room) books() []string {
	return slices.DeleteFunc(r.list("playbooks"), func(name string) bool { return !strings.HasSuffix(name, ".md") })
}

// TestCase35Playbooks: titles in any script, and in none, each have a file of their
// own, whose name is the same the next time.
func TestCase35Playbooks(t *testing.T) {
	var whole strings.Builder
	for n, title := range titles(t) {
		fmt.Fprintf(&whole, "## PLAYBOOK:%s\n%s\n", title, bodyOf(n))
	}
	check := func(t *testing.T, r *room) {
		t.Helper()
		seen := map[string]bool{}
		for n, title := range titles(t) {
			if strings.TrimSpace(title) == "" {
				continue // no heading (PT30): its text is told with what stands before
			}
			name := r.bookOf(n)
			if name == "" || seen[name] || strings.HasPrefix(name, ".") || len(name) > 120 || strings.ContainsAny(name, `/\ `) {
				t.Errorf("title %q has the file %q", title, name)
			}
			seen[name] = true
		}
		same(t, "outside of the folder", len(r.list("..")), 1)
	}
	t.Run("one answer", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		answers(m, whole.String())
		r.retro(m, "s1")
		check(t, r)
		before := r.books()
		r.now = r.now.Add(time.Hour)
		r.retro(m, "s2")
		same(t, "names the next time", strings.Join(r.books(), "\n"), strings.Join(before, "\n"))
		same(t, "texts replaced", len(r.list("playbooks/replaced")), 0)
	})
	t.Run("one at a time", func(t *testing.T) {
		r := newRoom(t)
		m := r.open(scope.Workspace)
		for round := range 2 {
			for n, title := range titles(t)[:11] { // "Deploy" is "deploy" once more: it is the same playbook (W18)
				answers(m, fmt.Sprintf("## PLAYBOOK:%s\n%s\n", title, bodyOf(n)))
				r.now = r.now.Add(time.Hour)
				r.retro(m, fmt.Sprintf("s%d-%d", round, n))
				if strings.TrimSpace(title) != "" && r.bookOf(n) == "" {
					t.Errorf("round %d: title %q has no file", round, title)
				}
			}
			same(t, "files", len(r.books()) <= 11, true)
		}
		same(t, "texts replaced", len(r.list("playbooks/replaced")), 0)
	})
	t.Run("long", func(t *testing.T) {
		r := newRoom(t)
		m := r.own()
		answers(m, "## PLAYBOOK:"+strings.Repeat("回滚发布", 30)+"\n"+bodyOf(1)+"\n## PLAYBOOK:"+strings.Repeat("回滚发布", 31)+"\n"+bodyOf(2)+"\n")
		r.retro(m, "s1")
		for n := 1; n <= 2; n++ {
			if name := r.bookOf(n); name == "" || len(name) > 120 {
				t.Errorf("title %d has the file %q of %d bytes", n, name, len(name))
			}
		}
	})
}

// TestCase35Proposals: their names are not made of their titles.
func TestCase35Proposals(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	ids := map[string]bool{}
	for n, title := range titles(t) {
		answers(m, fmt.Sprintf("## PROPOSAL\n%s\n问题 %d：重试从不停止\n", title, n))
		ran := r.retro(m, fmt.Sprintf("s%d", n)) // all at one instant
		if title == "Deploy" {                   // decided as "deploy": it is not made again, and that is told
			has(t, "left", strings.Join(ran.Learned[0].Left, "\n"), title)
			continue
		}
		id := ran.Learned[0].Proposal
		text := r.read("proposals/proposal-" + id + ".md")
		if id == "" || ids[id] || strings.Trim(id, "0123456789-+TZ") != "" || !strings.Contains(text, fmt.Sprintf("问题 %d：", n)) {
			t.Errorf("title %q has the id %q and the text %q", title, id, text)
		}
		ids[id] = true
		if _, err := m.Decide(t.Context(), id, true, "", person); err != nil {
			t.Fatal(err)
		}
	}
	same(t, "files", len(r.list("proposals")), len(ids)+1)
}
