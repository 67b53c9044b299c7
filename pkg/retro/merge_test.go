package retro_test

import (
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/retro"
)

func TestKey(t *testing.T) {
	for want, item := range map[string]retro.Item{
		"a.md":                                {File: "logs/a.md", Session: "s"},
		"b.md":                                {File: `logs\sub\b.md`},
		"c.md":                                {File: "c.md"},
		"s-1":                                 {Session: "s-1"},
		"s-2":                                 {File: "logs/", Session: "s-2"},
		`{"t":"x","errors":0,"toolErrors":0}`: {T: "x", Attempts: 3, Claim: "w", LastError: "e"},
	} {
		diff(t, "key", item.Key(), want)
	}
}

// A row without file and session is known by its text, which must not change
// when it is claimed, written and read again.
func TestKeyOfTextIsStable(t *testing.T) {
	q := parse(t, `{ "note" : {"a": 1} }`+"\n")
	want := q[0].Key()
	q, batch, _ := q.Claim(clock, "w1", lim, ready)
	q = parse(t, string(q.Format()))
	diff(t, "key of the batch", batch[0].Key(), want)
	diff(t, "key of the row", q[0].Key(), want)
	q, stale := q.Settle("w1", retro.Keys(batch))
	diff(t, "left, stale", len(q)+len(stale), 0)
}

func TestPath(t *testing.T) {
	for file, want := range map[string]string{
		"logs/session-a.md": "logs/session-a.md",
		`logs\partial-F.md`: "logs/partial-F.md",
		"./logs//a.md":      "logs/a.md",
		"logs/../logs/a.md": "logs/a.md",
		"":                  "",
		".":                 "",
		"../secret":         "",
		"logs/../../secret": "",
		"/etc/passwd":       "",
		`\\host\share\x`:    "",
		`C:\Users\x`:        "",
		"logs/a\x00.md":     "",
		"logs/\xff.md":      "",
	} {
		got, ok := retro.Item{File: file}.Path()
		if !ok {
			got = ""
		}
		if got != want || ok != (want != "") {
			t.Errorf("Path of %q: %q %v, want %q", file, got, ok, want)
		}
	}
}

func TestW49EqualKeysMerge(t *testing.T) {
	q := parse(t, `{"t":"2026-09-14T08:00:00.000+08:00","file":"logs/a.md","errors":1,"toolErrors":0,"attempts":1,"lastAttemptAt":5,"lastError":"old","p":1}
{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/b.md"}
`)
	again := parse(t, `{"t":"2026-09-13T23:30:00.000Z","file":"x\\a.md","errors":3,"toolErrors":1,"attempts":4,"lastAttemptAt":9,"lastError":"new","session":"s-1","p":2,"q":[1, 2]}`+"\n")[0]
	diff(t, "rows", lines(q.Add(again)), []string{
		`{"t":"2026-09-13T23:30:00.000Z","file":"logs/a.md","errors":3,"toolErrors":1,"attempts":4,"lastAttemptAt":9,"lastError":"new","p":1,"q":[1, 2],"session":"s-1","again":"2026-09-14T08:00:00.000+08:00"}`,
		`{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/b.md"}`,
	})
}

// 23:30Z is before 08:00+08:00 by instant, though not as text.
func TestOldestStampByInstant(t *testing.T) {
	a, b := one("logs/a.md"), one("logs/a.md")
	a.T, b.T = "2026-09-14T08:00:00.000+08:00", "2026-09-13T23:30:00.000Z"
	for _, q := range []retro.Queue{{a, b}, {b, a}} {
		diff(t, "t", retro.Queue{q[0]}.Add(q[1])[0].T, b.T)
	}
	b.T = "yesterday"
	diff(t, "unreadable", retro.Queue{a}.Add(b)[0].T, a.T)
}

func TestOneRowPerSession(t *testing.T) {
	snapshot := retro.Item{T: "2026-09-15T09:00:00.000+08:00", File: "logs/partial-0123456789.md", Errors: -1, ToolErrors: -1, Recovered: true, Attempts: 4}
	log := retro.Item{T: "2026-09-15T10:00:00.000+08:00", File: "logs/session-2026-09-15T10-00-00-000+08-00-01234567.md", Errors: 2, Session: "0123456789"}
	other := retro.Item{T: "2026-09-15T09:30:00.000+08:00", File: "logs/session-2026-09-15T09-30-00-000+08-00-01234567.md", Errors: 1}

	t.Run("a log takes the place of the snapshot", func(t *testing.T) {
		q := retro.Queue{snapshot, other}.Add(log)
		diff(t, "keys", retro.Keys(q), retro.Keys([]retro.Item{log, other}))
		diff(t, "attempts", q[0].Attempts, 0)
	})
	t.Run("in any order", func(t *testing.T) {
		q := retro.Queue{other, log}.Add(snapshot)
		diff(t, "keys", retro.Keys(q), retro.Keys([]retro.Item{other, log}))
	})
	t.Run("eight equal characters are not the same session", func(t *testing.T) {
		q := retro.Queue{snapshot}.Add(other)
		diff(t, "rows", len(q), 2)
	})
	t.Run("a resumed session has a snapshot after its log", func(t *testing.T) {
		resumed := snapshot
		resumed.T = "2026-09-15T11:00:00.000+08:00"
		q := retro.Queue{log}.Add(resumed)
		diff(t, "rows", len(q), 2)
	})
	t.Run("a snapshot on either side of the log", func(t *testing.T) {
		resumed := snapshot
		resumed.T = "2026-09-15T11:00:00.000+08:00"
		q, _, _ := retro.Queue{snapshot, log, resumed}.Claim(clock, "w1", lim, nil)
		diff(t, "keys", retro.Keys(q), retro.Keys([]retro.Item{log, resumed}))
	})
	t.Run("a snapshot that somebody works on", func(t *testing.T) {
		q, batch, _ := retro.Queue{snapshot}.Claim(clock, "w1", lim, nil)
		q = q.Add(log)
		diff(t, "keys", retro.Keys(q), retro.Keys([]retro.Item{snapshot, log}))
		failed, _ := q.Fail("w1", retro.Keys(batch), "boom")
		failed, _, _ = failed.Claim(clock, "w2", lim, nil)
		diff(t, "after a failure", retro.Keys(failed), retro.Keys([]retro.Item{log}))
		void, _, _ := q.Claim(clock.Add(time.Hour), "w2", lim, nil)
		diff(t, "after a kill", retro.Keys(void), retro.Keys([]retro.Item{log}))
	})
	t.Run("two logs are two pieces of evidence", func(t *testing.T) {
		second := log
		second.File = "logs/session-2026-09-15T12-00-00-000+08-00-01234567.md"
		diff(t, "rows", len(retro.Queue{log}.Add(second)), 2)
	})
}

func TestReceiverStays(t *testing.T) {
	q := make(retro.Queue, 2, 8)
	q[0] = retro.Item{T: "2026-09-15T09:00:00.000+08:00", File: "logs/partial-x.md"}
	q[1] = retro.Item{T: "2026-09-15T10:00:00.000+08:00", File: "logs/session-y.md", Session: "x"}
	before := string(q.Format())
	a := q.Add(one("logs/a.md"))
	b := q.Add(one("logs/b.md"))
	claimed, batch, _ := a.Claim(clock, "w1", lim, nil)
	keys := retro.Keys(batch)
	claimed.Settle("w1", keys)
	claimed.Fail("w1", keys, "x")
	claimed.Postpone("w1", keys, clock, 0, lim)
	claimed.Drop(keys)
	diff(t, "receiver", string(q.Format()), before)
	diff(t, "a", a[len(a)-1].Key(), "a.md")
	diff(t, "b", b[len(b)-1].Key(), "b.md")
	diff(t, "claimed", claimed[0].Claim, "w1")
}
