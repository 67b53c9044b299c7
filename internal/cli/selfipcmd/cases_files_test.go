package selfipcmd_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

// TestCase14 holds that a row cut by a full disk costs neither its neighbours
// nor the row after it. The rows of the case are translated to the queue's own
// members.
func TestCase14TornTailIsKeptAside(t *testing.T) {
	b := newBox(t)
	b.layQueue("14-torn-tail-glues-next-entry", "s-101", "s-102")
	b.hook("claude-code", b.event("s-104", "UserPromptSubmit", "prompt", "use trunk, not main"))
	b.hook("claude-code", b.event("s-104", "SessionEnd", "reason", "other"))

	keys := b.queueKeys("list")
	if len(keys) != 3 || keys[0] != "s-101.md" || keys[1] != "s-102.md" {
		t.Fatalf("queue %q, want s-101.md, s-102.md and a new row", keys)
	}
	if q := b.queue("list"); q.Bad != 1 {
		t.Errorf("%d bad rows, want the torn one", q.Bad)
	}
	if _, store := b.status(); store.Queue == nil || store.Queue.Bad != 1 || store.Queue.Waiting != 3 {
		t.Errorf("status tells of the queue %+v, want 3 rows and 1 bad", store.Queue)
	}
	b.ok("queue", "drop", "s-101.md")
	if got := b.queueKeys("list"); len(got) != 2 || got[0] != "s-102.md" {
		t.Errorf("queue after the first row is done: %q, want s-102.md and the new row", got)
	}
	if bad := b.file("logs/pending-bad.md"); !strings.Contains(bad, "s-103") {
		t.Errorf("side file %q, want the torn row in it", bad)
	}
}

// layQueue writes the queue of a case in the members of ours, with evidence for
// the given keys.
func (b *box) layQueue(name string, keys ...string) {
	b.t.Helper()
	rows := caseFile(b.t, name, "in", "self-improvement", "logs", "pending.md")
	rows = strings.ReplaceAll(rows, `"evidence":`, `"file":`)
	rows = strings.ReplaceAll(rows, "- {", "{")
	lay(b.t, b.path("logs/pending.md"), rows)
	for _, key := range keys {
		lay(b.t, b.path("logs/"+key+".md"), "# Session "+key+" @ 2026-09-01T10:00:00+00:00\n")
	}
}

func (b *box) queue(which string) selfipcmd.QueueJSON {
	b.t.Helper()
	var q selfipcmd.QueueJSON
	b.json(&q, "queue", which)
	return q
}

func (b *box) queueKeys(which string) []string {
	b.t.Helper()
	keys := []string{}
	for _, row := range b.queue(which).Rows {
		keys = append(keys, row.Key)
	}
	return keys
}

func TestCase17ConfigBehindALink(t *testing.T) {
	b := newBox(t)
	dotfile := lay(t, b.ws+"/dot/selfip.json", `{"scope":"workspace"}`+"\n")
	if err := os.Symlink("../dot/selfip.json", b.path("config.json")); err != nil {
		t.Fatal(err)
	}
	b.ok("scope", "both")
	if target, err := os.Readlink(b.path("config.json")); err != nil || target != "../dot/selfip.json" {
		t.Errorf("config.json leads to %q (%v), want the link as it was", target, err)
	}
	if data, _ := os.ReadFile(dotfile); !strings.Contains(string(data), `"both"`) {
		t.Errorf("the file behind the link is %q, want the new scope in it", data)
	}

	dangling := newBox(t)
	if err := os.Mkdir(dangling.ws+"/dot", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../dot/none.json", dangling.path("config.json")); err != nil {
		t.Fatal(err)
	}
	dangling.ok("scope", "both")
	if data, err := os.ReadFile(dangling.ws + "/dot/none.json"); err != nil || !strings.Contains(string(data), `"both"`) {
		t.Errorf("the missing target is %q (%v), want it created", data, err)
	}

	locked := newBox(t)
	lay(t, locked.ws+"/dot/selfip.json", `{"scope":"workspace"}`+"\n")
	if err := os.Symlink("../dot/selfip.json", locked.path("config.json")); err != nil {
		t.Fatal(err)
	}
	locked.lock(locked.ws + "/dot")
	locked.refused(3, "scope", "both")
}

// lock makes a folder read-only until the test ends.
func (b *box) lock(dir string) {
	b.t.Helper()
	if err := os.Chmod(dir, 0o555); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
}

func TestCase21ReadOnlyStore(t *testing.T) {
	b := caseBox(t, "21-read-only-store")
	lay(t, b.home+"/.dsh/self-improvement/self-improvement/memory/facts.md", "")
	for _, dir := range []string{b.path("memory"), b.path("."), b.ws} {
		b.lock(dir)
	}
	const known = "the invoice service rounds half to even"
	if got := b.found("invoice"); !slices.Equal(got, []string{known}) {
		t.Errorf("search finds %q, want the one fact", got)
	}
	if got := b.ok("inject"); !strings.Contains(got, known) {
		t.Errorf("inject gives %q, want the fact in it", got)
	}
	if _, store := b.status(); store.Live != 1 {
		t.Errorf("status counts %d entries, want 1", store.Live)
	}
	r := b.refused(3, "remember", "lesson: never seen")
	if !strings.Contains(r.err, "read-only") {
		t.Errorf("stderr %q, want it to say that the store is read-only", r.err)
	}
	if got := b.hook("claude-code", b.event("s1", "SessionStart", "source", "startup")); !strings.Contains(got, known) {
		t.Errorf("the start hook gives %q, want the fact in it", got)
	}

	var got selfipcmd.RememberJSON // scope global: the global library is tried first
	b.vars["SELFIP_SCOPE"] = "global"
	b.json(&got, "remember", "lesson: kept for all")
	if got.Scope != "global" || got.Detail != "" {
		t.Errorf("scope global stored in %q (%s), want global", got.Scope, got.Detail)
	}
}

// TestCase21GlobalFallsBack holds the documented fallback the other way round:
// a global library that cannot be written gives way to the workspace.
func TestCase21GlobalFallsBack(t *testing.T) {
	b := newBox(t)
	global := b.home + "/.dsh/self-improvement/self-improvement"
	lay(t, global+"/memory/facts.md", "")
	b.lock(global)
	b.vars["SELFIP_SCOPE"] = "global"
	var got selfipcmd.RememberJSON
	b.json(&got, "remember", "fact: kept near")
	if got.Scope != "workspace" || !strings.Contains(got.Detail, "store-read-only") {
		t.Errorf("stored in %q, detail %q; want workspace and the reason", got.Scope, got.Detail)
	}
}

func TestCase25CutInsideACodePoint(t *testing.T) {
	b := caseBox(t, "25-cut-inside-a-code-point")
	_, torn, _ := strings.Cut(b.file("memory/lessons.md"), "\n")
	torn = strings.TrimSuffix(torn, "\n") + "\n"
	b.ok("remember", "lesson: 发布前先看监控")
	for _, row := range [][2]string{{"备份", "先备份再迁移"}, {"监控", "发布前先看监控"}} {
		if got := b.found(row[0]); !slices.Contains(got, row[1]) {
			t.Errorf("search %q finds %q, want %q", row[0], got, row[1])
		}
	}
	after := b.file("memory/lessons.md")
	if !strings.Contains(after, torn) || strings.Contains(after, "\uFFFD") {
		t.Errorf("file %q, want the damaged line as it was and no U+FFFD", after)
	}
	if _, store := b.status(); len(store.Damage) != 1 {
		t.Errorf("damage %q, want the line told once", store.Damage)
	}
	r := b.run("inject")
	if strings.Count(r.err, "line 2") != 1 || !utf8.ValidString(r.out) || strings.Contains(r.out, "缓存") {
		t.Errorf("inject: stderr %q, stdout %q; want one warning of line 2, and that line not shown", r.err, r.out)
	}
	b.ok("forget", "发布前先看监控") // a rewrite of the file
	if after := b.file("memory/lessons.md"); !strings.Contains(after, torn) || strings.Contains(after, "\uFFFD") {
		t.Errorf("file after a rewrite %q, want the damaged line as it was", after)
	}
}

func TestCase28ConfigWithAByteOrderMark(t *testing.T) {
	b := caseBox(t, "28-bom-before-front-matter")
	var got selfipcmd.ScopeJSON
	b.json(&got, "scope")
	if got.Scope != "both" {
		t.Errorf("scope %q, want both, as the file says", got.Scope)
	}
	b.ok("scope", "workspace")
	if b.json(&got, "scope"); got.Scope != "workspace" {
		t.Errorf("scope %q after it was set, want workspace", got.Scope)
	}
}

func TestCase29CarriageReturns(t *testing.T) {
	b := caseBox(t, "29-crlf-memory-file")
	want := []string{"cache lives in six nodes", "api path is /v2", "release day is Wednesday"}
	if diff := cmp.Diff(want, b.entries()); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	block := b.ok("inject")
	if strings.Contains(block, "\r") || strings.Contains(block, "/v1") || !strings.Contains(block, "/v2") {
		t.Errorf("inject %q, want no CR and no withdrawn entry", block)
	}
	b.found("cache nodes")
	if got := b.file("memory/facts.md"); !strings.Contains(got, "uses:4") {
		t.Errorf("file %q, want uses:4 after a hit", got)
	}
	b.ok("forget", "release day is Wednesday")
	b.ok("remember", "fact: the queue is drained at night")
	got := b.file("memory/facts.md")
	if strings.Contains(got, "\r") {
		t.Errorf("file %q, want one kind of line ends", got)
	}
	want = []string{"cache lives in six nodes", "api path is /v2", "the queue is drained at night"}
	if diff := cmp.Diff(want, b.entries()); diff != "" {
		t.Errorf("entries after changes (-want +got):\n%s", diff)
	}
}

// TestCase29AppendKeepsOneKindOfLineEnd looks at a change that only adds.
func TestCase29AppendKeepsOneKindOfLineEnd(t *testing.T) {
	b := caseBox(t, "29-crlf-memory-file")
	b.ok("remember", "fact: the queue is drained at night")
	got := b.file("memory/facts.md")
	if crlf := strings.Count(got, "\r"); crlf != 0 && crlf != strings.Count(got, "\n") {
		t.Errorf("file %q has %d CR and %d LF, want one kind of line ends", got, crlf, strings.Count(got, "\n"))
	}
	if n := len(b.entries()); n != 4 {
		t.Errorf("%d entries, want 4", n)
	}
}

func TestCase108FromANewerVersion(t *testing.T) {
	b := caseBox(t, "108-file-from-a-newer-version")
	lay(t, b.path("proposals/proposal-a.md"), "# Proposal a\n\nlater\n")
	b.layQueue("108-file-from-a-newer-version", "s-1")
	state := b.file("logs/state.json")

	b.ok("forget", "has an extra attribute")
	b.ok("restore", "has an extra attribute")
	facts := b.file("memory/facts.md")
	for _, want := range []string{"colour:blue", "conf:0.7", "(insight) kind from the future"} {
		if !strings.Contains(facts, want) {
			t.Errorf("facts.md %q, want %q kept", facts, want)
		}
	}
	if got := b.ok("memory"); !strings.Contains(got, "insight") {
		t.Errorf("memory shows %q, want the unknown kind under its own name", got)
	}
	var ran selfipcmd.RanJSON
	b.json(&ran, "queue", "run")
	if b.file("logs/state.json") != state {
		t.Errorf("state.json is %q, want it left alone", b.file("logs/state.json"))
	}
	r := b.run("doctor")
	if !strings.Contains(r.out, "99") {
		t.Errorf("doctor says %q, want it to tell of version 99", r.out)
	}
}

// TestCase108UnknownFieldOfARow holds that a row keeps what we do not know
// through a failed attempt.
func TestCase108UnknownFieldOfARow(t *testing.T) {
	b := newBox(t)
	b.layQueue("108-file-from-a-newer-version")
	if err := os.MkdirAll(b.path("logs/s-1.md"), 0o755); err != nil { // evidence that cannot be read
		t.Fatal(err)
	}
	b.run("queue", "run")
	if got := b.file("logs/pending.md") + b.file("logs/pending-dead.md"); !strings.Contains(got, `"priority":"high"`) {
		t.Errorf("queue %q, want the unknown member kept", got)
	}
}
