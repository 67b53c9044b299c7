package selfip_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/state"
)

// written makes a file that was written at a time.
func (r *room) written(name, content string, at time.Time) {
	r.t.Helper()
	r.write(name, content)
	if err := os.Chtimes(r.path(name), at, at); err != nil {
		r.t.Fatal(err)
	}
}

const (
	doneLog    = "# Session s @ 2026-05-01T00:00:00.000Z\n> [[SELFIP-FINALIZED]] @ x\n> [[SELFIP-RETRO-DONE]] @ x\n"
	waitingLog = "# Session s @ 2026-05-01T00:00:00.000Z\n> [[SELFIP-FINALIZED]] @ x\n"
)

// pruneScene is a library with old and young things of each kind, and the names
// of those that go after 90 days.
func (r *room) pruneScene() (gone, stay []string) {
	old, young := clock.AddDate(0, 0, -120), clock.AddDate(0, 0, -10)
	put := func(goes bool, name, content string, at time.Time) {
		r.written(name, content, at)
		if goes {
			gone = append(gone, name)
		} else {
			stay = append(stay, name)
		}
	}
	put(true, "logs/session-2026-05-01T00-00-00-000+00-00-aaaaaaaa.md", doneLog, young)
	put(false, "logs/session-2026-05-01T00-00-00-000+00-00-bbbbbbbb.md", waitingLog, old) // not learned from
	put(false, "logs/session-2026-05-01T00-00-00-000+00-00-cccccccc.md", doneLog, old)    // a row points at it
	put(false, "logs/session-2026-05-01T00-00-00-000+00-00-dddddddd.md", waitingLog, old) // a dead letter points at it
	put(false, "logs/session-2026-09-05T00-00-00-000+00-00-eeeeeeee.md", doneLog, old)
	put(true, "logs/partial-old.md", "# Session s @ 2026-05-01T00:00:00.000Z\n> [[SELFIP-RETRO-DONE]] @ x\n", old)
	put(false, "logs/partial-open.md", "# Session s @ 2026-05-01T00:00:00.000Z\n", old)
	put(false, "logs/partial-young.md", "> [[SELFIP-RETRO-DONE]] @ x\n", young)
	put(true, "memory/quarantine/2026-05-01T00-00-00-000+00-00-1.md", "x", young)
	put(false, "memory/quarantine/2026-09-01T00-00-00-000+00-00-1.md", "x", old)
	put(true, "memory/backup-2026-05-01T00-00-00-000+00-00-facts.md", "- x", young)
	put(true, "memory/backup-0-facts.md", "- x", old)
	put(false, "memory/backup-facts.md", "- x", young)
	put(true, "playbooks/replaced/deploy-2026-05-01T00-00-00-000+00-00.md", "x", old)
	put(false, "playbooks/replaced/2020-01-01-report-2026-09-05T00-00-00-000+00-00.md", "x", young)
	put(true, "run/heartbeat/claude-code.Stop", "", old)
	put(false, "run/heartbeat/codex.Stop", "", young)
	put(false, "memory/facts.md", "- [2020-01-01T00:00:00.000Z] (fact) an old entry {invalid:2020-02-01T00:00:00.000Z}", old)
	put(false, "memory/archive/facts-0001.md", "- [2020-01-01T00:00:00.000Z] (fact) an archived entry\n", old)
	put(false, "logs/handoff-latest.md", "# 会话交接 @ x\n\ny\n", old)
	put(false, "playbooks/x.md", "---\nslug: x\n---\n# x\n", old)
	r.write("logs/pending.md", `{"t":"2026-05-01T00:00:00.000Z","file":"logs/session-2026-05-01T00-00-00-000+00-00-cccccccc.md","errors":0,"toolErrors":0}`+"\n")
	r.write("logs/pending-dead.md", `{"t":"2026-05-01T00:00:00.000Z","file":"logs/session-2026-05-01T00-00-00-000+00-00-dddddddd.md","errors":0,"toolErrors":0,"deadAt":"2026-05-02T00:00:00.000Z"}`+"\n"+
		`{"t":"2026-05-01T00:00:00.000Z","file":"logs/session-gone.md","errors":0,"toolErrors":0,"deadAt":"2026-05-02T00:00:00.000Z"}`+"\n"+
		`{"t":"2026-09-01T00:00:00.000Z","file":"logs/session-gone2.md","errors":0,"toolErrors":0,"deadAt":"2026-09-02T00:00:00.000Z"}`+"\n")
	r.write("logs/compact.md", "- [2026-05-01T00:00:00.000Z] old\n- [2026-09-01T00:00:00.000Z] young\nby hand\n")
	r.write("run/failures.jsonl", `{"t":"2026-05-01T00:00:00.000Z","where":"worker","error":"old"}`+"\n"+`{"t":"2026-09-01T00:00:00.000Z","where":"worker","error":"young"}`+"\n")
	return gone, stay
}

// TestW40Prune: what is old and was learned from goes, with a report; entries,
// and what can still be learned from, stay.
func TestW40Prune(t *testing.T) {
	r := newRoom(t)
	gone, stay := r.pruneScene()
	m := r.own()
	m.Settings.KeepDays = 90
	got, err := m.Prune(t.Context(), selfip.PruneOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range gone {
		if _, err := os.Stat(r.path(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, name := range stay {
		if _, err := os.Stat(r.path(name)); err != nil {
			t.Errorf("%s went", name)
		}
	}
	counts := map[selfip.Prunable]int{}
	for _, p := range got {
		counts[p.What] = len(p.Names) + p.Rows
	}
	want := map[selfip.Prunable]int{
		selfip.PruneLogs: 1, selfip.PruneSnapshots: 1, selfip.PruneQuarantine: 1, selfip.PruneBackups: 3, selfip.PruneDead: 1,
		selfip.PruneRows: 1, selfip.PruneFailures: 1, selfip.PruneHeartbeats: 1,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	same(t, "compact.md", r.read("logs/compact.md"), "- [2026-09-01T00:00:00.000Z] young\nby hand\n")
	has(t, "dead letters", r.read("logs/pending-dead.md"), "dddddddd", "gone2")
	hasNot(t, "dead letters", r.read("logs/pending-dead.md"), "session-gone.md")
	has(t, "prune.md", r.read("logs/prune.md"), "- [2026-09-15T12:00:00.000+00:00] backups 3, dead 1, failures 1, heartbeats 1, logs 1, quarantine 1, rows 1, snapshots 1; ")
	if got, err := m.Prune(t.Context(), selfip.PruneOptions{}); err != nil || len(got) != 0 {
		t.Errorf("again: %+v, %v, want nothing", got, err)
	}
}

// TestPruneDue: a worker prunes once a day, and never when the user says so.
func TestPruneDue(t *testing.T) {
	r := newRoom(t)
	r.pruneScene()
	m := r.own()
	r.tool(m, fact("构建用 make"))
	if m.PruneDue() {
		t.Error("due without an age in the settings")
	}
	if got, err := m.Prune(t.Context(), selfip.PruneOptions{Due: true}); err != nil || len(got) > 0 {
		t.Errorf("without an age: %+v, %v", got, err)
	}
	m.Settings.KeepDays = 90
	if !m.PruneDue() {
		t.Error("not due the first time")
	}
	out, err := m.Tend(t.Context())
	if err != nil || len(out.Pruned) != 8 {
		t.Errorf("tend: %+v, %v, want eight kinds", out, err)
	}
	if m.PruneDue() {
		t.Error("due again at once")
	}
	r.now = r.now.Add(25 * time.Hour)
	if !m.PruneDue() {
		t.Error("not due after a day")
	}
	st, err := m.Workspace.State()
	if err != nil || st.Int(state.PrunedAt) != clock.UnixMilli() {
		t.Errorf("prunedAt: %d, %v", st.Int(state.PrunedAt), err)
	}
}

func TestPruneDryRun(t *testing.T) {
	r := newRoom(t)
	r.pruneScene()
	before := treeOf(t, r.dir)
	m := r.own()
	m.Workspace = selfip.OpenLibrary(selfip.WorkspaceLabel, r.dir, time.Second, true)
	got, err := m.Prune(t.Context(), selfip.PruneOptions{Days: 90})
	if err != nil || len(got) != 8 {
		t.Errorf("got %+v, %v, want eight kinds", got, err)
	}
	if diff := cmp.Diff(before, treeOf(t, r.dir)); diff != "" {
		t.Errorf("a dry run changed files (-before +after):\n%s", diff)
	}
}

// TestJournalSegments: a long journal goes on in a new file, and is read as one.
func TestJournalSegments(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	first := r.tool(m, fact("the first of all"))
	journal := r.read("logs/journal.jsonl")
	var b strings.Builder
	b.WriteString(journal)
	for i := range 5000 {
		fmt.Fprintf(&b, `{"id":"x%d","t":"2026-09-15T12:00:00.000Z","op":"remember","by":"tool","changes":[{"file":"memory/facts.md","entry":"e%d","after":"%s"}]}`+"\n", i, i, strings.Repeat("y", 800))
	}
	r.write("logs/journal.jsonl", b.String())
	if _, err := m.Prune(t.Context(), selfip.PruneOptions{Days: 90}); err != nil {
		t.Fatal(err)
	}
	same(t, "segment", r.read("logs/journal-0001.jsonl"), b.String())
	same(t, "journal", r.read("logs/journal.jsonl"), "")
	r.tool(m, fact("the second"))
	rows, bad, err := m.Log()
	if err != nil || bad != 0 || len(rows) != 5002 {
		t.Fatalf("%d rows, %d bad, %v, want 5002", len(rows), bad, err)
	}
	if _, err := m.Undo(t.Context(), first.Change, selfip.Author{Origin: "command"}); err != nil {
		t.Errorf("undo of a change in a segment: %v", err)
	}
	r.write("logs/journal.jsonl", b.String()) // as a kill between the two writes leaves it
	if rows, _, _ := m.Log(); len(rows) != 5001 {
		t.Errorf("%d rows, want each once", len(rows))
	}
}
