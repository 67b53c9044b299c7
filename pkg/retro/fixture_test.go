package retro_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/retro"
)

// fixtureEvidence looks into the folder of fixture 07.
func fixtureEvidence(item retro.Item) retro.Evidence {
	name, ok := item.Path()
	if !ok {
		return retro.Missing
	}
	root := filepath.Join("testdata", "selfip-fixtures", "07-pending-queue", "workspace", "self-improvement")
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	switch {
	case err != nil:
		return retro.Missing
	case strings.Contains(string(data), "[[SELFIP-RETRO-DONE]]"):
		return retro.Done
	}
	return retro.Ready
}

func TestW49Fixture07Parse(t *testing.T) {
	q, bad := retro.Parse(fixture(t, "07-pending-queue"))
	diff(t, "keys", retro.Keys(q), []string{
		"session-A.md", "session-A.md", "session-B.md", "session-C.md", "session-D.md", "session-E.md",
		"partial-F.md", `{"note":"entry without a file"}`, "session-G.md",
	})
	diff(t, "bad", bad, []retro.BadLine{{Line: 8, Raw: "not json at all"}, {Line: 9, Raw: "42"}})
	diff(t, "side file", string(retro.FormatBad(bad, clock)),
		`{"at":"2026-09-15T12:00:00.000+00:00","line":8,"text":"not json at all"}`+"\n"+
			`{"at":"2026-09-15T12:00:00.000+00:00","line":9,"text":"42"}`+"\n")
}

func TestW49Fixture07Claim(t *testing.T) {
	q, _ := retro.Parse(fixture(t, "07-pending-queue"))
	before := string(q.Format())
	next, batch, report := q.Claim(clock, "w1", lim, fixtureEvidence)

	diff(t, "receiver", string(q.Format()), before)
	diff(t, "batch", retro.Keys(batch), []string{"session-A.md", "partial-F.md", "session-G.md"})
	diff(t, "done", retro.Keys(report.Done), []string{"session-D.md"})
	diff(t, "dead", lines(report.Dead), []string{
		`{"t":"2026-09-10T08:00:00.000+08:00","file":"logs/session-B.md","errors":1,"toolErrors":0,"attempts":5,"lastAttemptAt":1789300000000,"lastError":"timeout","deadAt":"2026-09-15T12:00:00.000+00:00","reason":"attempts"}`,
		`{"t":"2026-09-14T11:00:00.000+08:00","file":"logs/session-E.md","errors":1,"toolErrors":0,"deadAt":"2026-09-15T12:00:00.000+00:00","reason":"evidence-missing"}`,
		`{"note":"entry without a file","deadAt":"2026-09-15T12:00:00.000+00:00","reason":"evidence-missing"}`,
	})
	diff(t, "merged, waiting, due", []int{report.Merged, report.Waiting, report.Due}, []int{1, 1, 0})
	diff(t, "queue", lines(next), []string{
		`{"t":"2026-09-14T08:00:00.000+08:00","file":"logs/session-A.md","errors":2,"toolErrors":1,"attempts":1,"lastAttemptAt":1789473600000,"claim":"w1","claimedAt":1789473600000,"again":"2026-09-14T08:05:00.000+08:00"}`,
		`{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/session-C.md","errors":1,"toolErrors":0,"attempts":2,"lastAttemptAt":1789473000000,"lastError":"timeout"}`,
		`{"t":"2026-09-14T12:00:00.000+08:00","file":"logs\\partial-F.md","errors":-1,"toolErrors":-1,"recovered":true,"attempts":1,"lastAttemptAt":1789473600000,"claim":"w1","claimedAt":1789473600000}`,
		`{"t":"2026-09-14T13:00:00.000+08:00","file":"logs/session-G.md","errors":0,"toolErrors":3,"attempts":2,"lastAttemptAt":1789473600000,"lastError":"empty","extra":"kept","claim":"w1","claimedAt":1789473600000}`,
	})
}

func TestFixture07UsableAnswer(t *testing.T) {
	q, _ := retro.Parse(fixture(t, "07-pending-queue"))
	next, batch, _ := q.Claim(clock, "w1", lim, fixtureEvidence)
	next, stale := next.Settle("w1", retro.Keys(batch))
	diff(t, "stale", stale, []string(nil))
	diff(t, "queue", lines(next), []string{
		`{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/session-C.md","errors":1,"toolErrors":0,"attempts":2,"lastAttemptAt":1789473000000,"lastError":"timeout"}`,
	})
}

func TestFixture07FailingCall(t *testing.T) {
	q, _ := retro.Parse(fixture(t, "07-pending-queue"))
	next, batch, _ := q.Claim(clock, "w1", lim, fixtureEvidence)
	next, _ = next.Fail("w1", retro.Keys(batch[:1]), "HTTP 500\n"+strings.Repeat("é", 400))
	diff(t, "row", lines(next)[0],
		`{"t":"2026-09-14T08:00:00.000+08:00","file":"logs/session-A.md","errors":2,"toolErrors":1,"attempts":1,"lastAttemptAt":1789473600000,"lastError":"HTTP 500 `+strings.Repeat("é", 191)+`","again":"2026-09-14T08:05:00.000+08:00"}`)
}

// The batch of the original on the same rows, with every evidence in place: rows
// 1 and 2 are one.
func TestFixture07Due(t *testing.T) {
	q, _ := retro.Parse(fixture(t, "07-pending-queue"))
	var due []string
	for _, item := range q {
		if item.Standing(clock, lim) == retro.Due {
			due = append(due, item.Key())
		}
	}
	diff(t, "due", due, []string{
		"session-A.md", "session-A.md", "session-D.md", "session-E.md", "partial-F.md",
		`{"note":"entry without a file"}`, "session-G.md",
	})
}

func TestFixture02ByteOrderMarkAndCRLF(t *testing.T) {
	q, bad := retro.Parse(fixture(t, "02-bom-crlf"))
	diff(t, "bad", bad, []retro.BadLine(nil))
	diff(t, "rows", lines(q), []string{
		`{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/session-a.md","errors":1,"toolErrors":0}`,
		`{"t":"2026-09-14T09:00:00.000+08:00","file":"logs/session-b.md","errors":0,"toolErrors":2}`,
	})
}

func TestW49Fixture03MalformedRows(t *testing.T) {
	q, bad := retro.Parse(fixture(t, "03-malformed-lines"))
	diff(t, "rows", lines(q), []string{`{"file":"logs/session-x.md"}`})
	diff(t, "bad", bad, []retro.BadLine{
		{Line: 1, Raw: "not json"},
		{Line: 2, Raw: "42"},
		{Line: 3, Raw: `"text"`},
		{Line: 4, Raw: "null"},
		{Line: 5, Raw: "[1,2]"},
		{Line: 8, Raw: `{"t":"broken"`},
	})
}

func TestCase14TornTailStaysAside(t *testing.T) {
	q, bad := retro.Parse(sketch(t, "14-torn-tail-glues-next-entry"))
	diff(t, "bad", bad, []retro.BadLine{{Line: 3, Raw: `{"file":"logs/s-1`, Torn: true}})
	before := lines(q)
	diff(t, "rows", len(before), 2)

	q = q.Add(one("logs/s-104.md"))
	again, bad := retro.Parse(q.Format())
	diff(t, "bad after a rewrite", bad, []retro.BadLine(nil))
	diff(t, "rows after a rewrite", lines(again)[:2], before)
	diff(t, "new row", again[2].File, "logs/s-104.md")

	again, batch, _ := again.Claim(clock, "w1", lim, nil)
	again, _ = again.Settle("w1", retro.Keys(batch[:1]))
	diff(t, "first done", retro.Keys(again), []string{"s-102.md", "s-104.md"})
}

func TestCase108UnknownFieldsSurvive(t *testing.T) {
	q, _ := retro.Parse(sketch(t, "108-file-from-a-newer-version"))
	diff(t, "untouched", lines(q), []string{`{"file":"logs/s-1.md","attempts":0,"priority":"high"}`})
	q, batch, _ := q.Claim(clock, "w1", lim, nil)
	q, _ = q.Fail("w1", retro.Keys(batch), "429")
	diff(t, "after a failure", lines(q), []string{
		`{"file":"logs/s-1.md","attempts":1,"priority":"high","lastAttemptAt":1789473600000,"lastError":"429"}`,
	})
}

func TestCase85FutureTimesDoNotWait(t *testing.T) {
	future := clock.Add(90 * 24 * time.Hour).UnixMilli()
	for name, item := range map[string]retro.Item{
		"last attempt": {File: "logs/a.md", Attempts: 1, LastAttemptAt: future},
		"due":          {File: "logs/a.md", DueAt: future},
		"claim":        {File: "logs/a.md", Attempts: 1, Claim: "w0", ClaimedAt: future},
	} {
		t.Run(name, func(t *testing.T) {
			q, batch, _ := retro.Queue{item}.Claim(clock, "w1", lim, nil)
			if len(batch) != 1 {
				t.Fatalf("%+v is not due at %v: %s", item, clock, q.Format())
			}
			q, _ = q.Postpone("w1", retro.Keys(batch), clock, time.Minute, lim)
			if got := q[0].Standing(clock, lim); got != retro.Waiting {
				t.Errorf("postponed by a minute: %s, want waiting", got)
			}
		})
	}
	t.Run("postponed while unclaimed", func(t *testing.T) {
		q, _ := retro.Queue{{File: "logs/a.md", DueAt: future}}.Postpone("w1", []string{"a.md"}, clock, time.Minute, lim)
		diff(t, "due", q[0].DueAt, clock.Add(time.Minute).UnixMilli())
	})
}
