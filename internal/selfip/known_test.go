package selfip_test

import (
	"strings"
	"testing"
)

// TestKilledBeforeItsJournalRow: a try that was killed after it had stored its
// lines and before it had told the journal is done again. The line stands once,
// and the journal tells of it and of what it was drawn from.
func TestKilledBeforeItsJournalRow(t *testing.T) {
	r := newRoom(t)
	m := r.own()
	r.hear(m, "s1", mended()...)
	r.end(m, "s1")
	before := map[string]string{}
	for _, folder := range []string{"logs", "run/sessions"} {
		for _, name := range r.list(folder) {
			before[folder+"/"+name] = r.read(folder + "/" + name)
		}
	}
	r.learn(m)
	if n := strings.Count(r.read("memory/lessons.md"), "npm test` 失败"); n != 1 {
		t.Fatalf("%d lessons, want 1", n)
	}

	r.write("logs/journal.jsonl", "") // of all that was written, the lines alone were
	for name, content := range before {
		r.write(name, content)
	}
	r.learn(m)
	if lessons := r.read("memory/lessons.md"); strings.Count(lessons, "npm test` 失败") != 1 {
		t.Errorf("the lesson does not stand once:\n%s", lessons)
	}
	has(t, "journal", r.read("logs/journal.jsonl"), "npm test` 失败", `"op":"retro"`, `"evidence":[`)

	r.hear(m, "s2", mended()...)
	r.end(m, "s2")
	rows := strings.Count(r.read("logs/journal.jsonl"), "\n")
	r.learn(m)
	if got := strings.Count(r.read("logs/journal.jsonl"), "\n"); got != rows {
		t.Errorf("another session that says what is known has %d rows, want none", got-rows)
	}
}
