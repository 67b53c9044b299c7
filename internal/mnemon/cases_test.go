package mnemon_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The field cases that name dsh-mnemon and no other program of ours that has them
// already, on a Source over a file of lines.

func caseFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// newStore is a workspace with the lines of memory and a Strategy that takes all.
func newStore(t *testing.T, memory string, config ...any) hostage {
	t.Helper()
	h := emptyHostage(t)
	plugin, err := os.ReadFile("testdata/store/store.mjs")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(h.Root, "plugins", "store.mjs"), string(plugin))
	write(t, filepath.Join(h.Root, ".mnemon", "data", "MEMORY.md"), memory)
	h.add("m", "store", append([]any{"path", "${workspace}/.mnemon/data/MEMORY.md"}, config...)...)
	h.add("s", "strategy")
	return h
}

func (h hostage) memory() string {
	data, err := os.ReadFile(filepath.Join(h.Root, ".mnemon", "data", "MEMORY.md"))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

func mustBegin(t *testing.T, w *mnemon.Workspace, o mnemon.BeginOptions) mnemon.Begun {
	t.Helper()
	turn, err := w.Begin(t.Context(), o)
	if err != nil {
		t.Fatal(all(err))
	}
	return turn
}

func add(t *testing.T, turn *mnemon.Turn, input ...any) (completion string, details *jsonvalue.Object) {
	t.Helper()
	receipt, err := turn.Action(t.Context(), "source:m/add", jsonvalue.Of(input...), true)
	if err != nil {
		t.Fatal(all(err))
	}
	completion, _ = receipt.Text("completion")
	details, _ = receipt.Map("details")
	return completion, details
}

// TestCase107: the first turn of a session finds what fits its text, and so does
// the next.
func TestCase107(t *testing.T) {
	h := newStore(t, caseFile(t, "107-first-turn-has-no-recall/in/MEMORY.md"))
	v, err := jsonvalue.Parse([]byte(caseFile(t, "107-first-turn-has-no-recall/in/turn.json")))
	if err != nil {
		t.Fatal(err)
	}
	asked, _ := jsonvalue.Map(v)
	session, _ := asked.Text("sessionId")
	input, _ := asked.Text("input")
	var seen []string
	for range 2 {
		turn := mustBegin(t, h.Workspace, mnemon.BeginOptions{Session: session})
		evidence, err := turn.Route(t.Context(), "source:m/search", jsonvalue.Of("query", input))
		if err != nil {
			t.Fatal(all(err))
		}
		items, _ := evidence.Array("items")
		if first, _ := jsonvalue.Map(items[0]); !strings.Contains(jsonvalue.Format(first), "release branch is called trunk") {
			t.Errorf("first: %s", jsonvalue.Format(first))
		}
		shown, _ := turn.View.Projection()[0].Text("text")
		seen = append(seen, shown+jsonvalue.Format(items))
	}
	if diff := cmp.Diff(seen[0], seen[1]); diff != "" {
		t.Errorf("the turns differ (-first +second):\n%s", diff)
	}
}

// TestCase12: of four turns that saw one revision one commits; the others are told
// and try again; a full memory stays as it is.
func TestCase12(t *testing.T) {
	h := newStore(t, caseFile(t, "12-four-sessions-one-memory/in/MEMORY.md"))
	names := []string{"one", "two", "three", "four"}
	turns := map[string]mnemon.Begun{}
	for _, name := range names {
		turns[name] = mustBegin(t, h.Workspace, mnemon.BeginOptions{ID: name, Session: name})
	}
	committed := 0
	for _, name := range names {
		completion, details := add(t, turns[name].Turn, "text", "from "+name)
		if completion == "committed" {
			committed++
			continue
		}
		if conflict, _ := details.Truth("conflict"); !conflict {
			t.Errorf("%s: %s", name, jsonvalue.Format(details))
		}
		if completion, _ := add(t, turns[name].Turn, "text", "from "+name, "retry", true); completion != "committed" {
			t.Errorf("%s again: %s", name, completion)
		}
	}
	if committed != 1 {
		t.Errorf("%d committed at first", committed)
	}
	for _, name := range names {
		if n := strings.Count(h.memory(), "- from "+name+"\n"); n != 1 {
			t.Errorf("%s is there %d times", name, n)
		}
	}
	last := mustBegin(t, h.Workspace, mnemon.BeginOptions{ID: "five"})
	entry := strings.Repeat("x", 3000)
	for range 5 {
		before := h.memory()
		completion, details := add(t, last.Turn, "text", entry, "retry", true)
		if completion == "committed" {
			continue
		}
		if text, _ := details.Text("text"); text != entry || h.memory() != before {
			t.Error("a full memory changed, or the text is lost")
		}
	}
	if n := strings.Count(h.memory(), "- "+entry+"\n"); n != 3 {
		t.Errorf("%d long entries are whole", n)
	}
}

// TestCase65: a directory that is late, then empty, then there, gives three
// different outcomes, and the entry is not lost.
func TestCase65(t *testing.T) {
	v, err := jsonvalue.Parse([]byte(caseFile(t, "65-archive-fails-and-text-is-lost/in/answers.json")))
	if err != nil {
		t.Fatal(err)
	}
	h := newStore(t, "# Working memory\n", "answers", v)
	h.patience("3000") // less than the slow one takes
	entry := strings.TrimSpace(caseFile(t, "65-archive-fails-and-text-is-lost/in/entry.txt"))
	write(t, filepath.Join(h.Root, ".mnemon", "data", "MEMORY.md.count"), "0")
	var outcomes []string
	for range 3 {
		turn := mustBegin(t, h.Workspace, mnemon.BeginOptions{})
		outcome := ""
		for _, d := range turn.View.Diagnostics() {
			outcome, _ = d.Text("code")
		}
		receipt, err := turn.Action(t.Context(), "source:m/add", jsonvalue.Of("text", entry), true)
		if completion, _ := receipt.Text("completion"); err == nil {
			outcome += " " + completion
		} else {
			outcome += " " + string(kindOf(err))
		}
		outcomes = append(outcomes, outcome)
		// Each operation asks for no facts, but the next turn does.
	}
	want := []string{"source-facts-timeout " + string(fault.NotFound), " " + string(fault.NotFound), " committed"}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := strings.Count(h.memory(), entry); n != 1 {
		t.Errorf("the entry is there %d times", n)
	}
}

// TestCase10: there is no server; two processes on one folder, one by another
// name of it, take turns, and nothing that was acknowledged is lost.
func TestCase10(t *testing.T) {
	if !strings.Contains(caseFile(t, "10-two-servers-one-folder/steps.sh"), "ln -sfn real") {
		t.Fatal("not the steps that are played here")
	}
	h := newStore(t, "# Working memory\n")
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(h.Root, alias); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(alias) // as the commands resolve it
	if err != nil {
		t.Fatal(err)
	}
	other := h.Options
	other.Root = real
	mustBegin(t, h.Workspace, mnemon.BeginOptions{ID: "shared"})
	var wait sync.WaitGroup
	for i, w := range []*mnemon.Workspace{h.Workspace, mnemon.Open(other)} {
		wait.Go(func() {
			for n := range 4 {
				turn, err := w.Turn("shared")
				if err != nil {
					t.Error(err)
					return
				}
				text := string(rune('a'+i)) + string(rune('0'+n))
				receipt, err := turn.Action(t.Context(), "source:m/add", jsonvalue.Of("text", text, "retry", true), true)
				if completion, _ := receipt.Text("completion"); err != nil || completion != "committed" {
					t.Errorf("%s: %s, %v", text, completion, err)
				}
			}
		})
	}
	wait.Wait()
	for _, text := range []string{"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"} {
		if n := strings.Count(h.memory(), "- "+text+"\n"); n != 1 {
			t.Errorf("%s is there %d times", text, n)
		}
	}
}
