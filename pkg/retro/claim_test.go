package retro_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/retro"
)

func ready(retro.Item) retro.Evidence { return retro.Ready }

func TestAU31TwoStartsOneRow(t *testing.T) {
	q := retro.Queue{one("logs/session-a.md")}
	q, first, _ := q.Claim(clock, "w1", lim, ready)
	q, second, report := q.Claim(clock, "w2", lim, ready)
	diff(t, "batches", []int{len(first), len(second)}, []int{1, 0})
	diff(t, "held by others", report.Claimed, 1)
	diff(t, "owner", q[0].Claim, "w1")
}

func TestAU32SecondStartSeesNewRow(t *testing.T) {
	q, batch, _ := retro.Queue{}.Claim(clock, "w1", lim, ready)
	diff(t, "empty queue", len(batch), 0)
	diff(t, "empty file", len(q.Format()), 0)
	_, batch, _ = q.Add(one("logs/session-a.md")).Claim(clock, "w2", lim, ready)
	diff(t, "second start", retro.Keys(batch), []string{"session-a.md"})
}

// CO14 to CO16: the row stays, with one attempt and the error. AU16 and AU44 are
// the same for an aborted call.
func TestFailureKeepsRow(t *testing.T) {
	for _, id := range []string{"CO14-CO16 429", "AU16 aborted", "AU44 finish aborted"} {
		t.Run(id, func(t *testing.T) {
			q, batch, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim, ready)
			q, stale := q.Fail("w1", retro.Keys(batch), id)
			diff(t, "stale", stale, []string(nil))
			want := `"attempts":1,"lastAttemptAt":1789473600000,"lastError":"` + id + `"}`
			if got := string(q.Format()); !strings.HasSuffix(got, want+"\n") {
				t.Errorf("queue %s, want a row that ends in %s", got, want)
			}
		})
	}
}

func TestCO18SettledQueueIsEmptyFile(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim, ready)
	q, stale := q.Settle("w1", retro.Keys(batch))
	diff(t, "stale", stale, []string(nil))
	diff(t, "file", string(q.Format()), "")
}

func TestDoneAndDeadLeave(t *testing.T) {
	dead := one("logs/session-dead.md")
	dead.Attempts = 5
	q := retro.Queue{one("logs/session-done.md"), dead, one("logs/partial-live.md")}
	look := func(i retro.Item) retro.Evidence {
		if i.Key() == "session-done.md" {
			return retro.Done
		}
		return retro.Ready
	}
	next, _, report := q.Claim(clock, "w1", lim, look)
	t.Run("CO21", func(t *testing.T) { diff(t, "done", retro.Keys(report.Done), []string{"session-done.md"}) })
	t.Run("CO22", func(t *testing.T) { diff(t, "queue", retro.Keys(next), []string{"partial-live.md"}) })
	t.Run("CO23", func(t *testing.T) {
		letters := retro.Bury(nil, report.Dead)
		diff(t, "dead file", retro.Keys(letters), []string{"session-dead.md"})
		diff(t, "reason", letters[0].Reason, retro.Exhausted)
		diff(t, "deadAt", letters[0].DeadAt, "2026-09-15T12:00:00.000+00:00")
	})
	t.Run("CO24", func(t *testing.T) { diff(t, "dead", len(report.Dead), 1) })
}

// W5: what failed while it was applied is a failure, and the row stays.
func TestW5ErrorWhileApplyingKeepsRow(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/session-a.md"), one("logs/session-b.md")}.Claim(clock, "w1", lim, ready)
	q, _ = q.Settle("w1", retro.Keys(batch[:1]))
	q, _ = q.Fail("w1", retro.Keys(batch[1:]), "memory is read-only")
	diff(t, "queue", retro.Keys(q), []string{"session-b.md"})
	diff(t, "error", q[0].LastError, "memory is read-only")
}

func TestTriesAndBackoff(t *testing.T) {
	q, now, sent := retro.Queue{one("logs/session-a.md")}, clock, 0
	var dead []retro.Item
	for minute := range 6 * 60 {
		owner := fmt.Sprint("w", minute)
		next, batch, report := q.Claim(now, owner, lim, ready)
		sent += len(batch)
		dead = append(dead, report.Dead...)
		q, _ = next.Fail(owner, retro.Keys(batch), "timeout")
		now = now.Add(time.Minute)
	}
	diff(t, "tries", sent, 5)
	diff(t, "waiting", len(q), 0)
	diff(t, "dead with attempts", dead[0].Attempts, 5)
	diff(t, "died at the sixth look", dead[0].DeadAt, clock.Add(4*30*time.Minute+time.Minute).Format("2006-01-02T15:04:05.000-07:00"))
}

func TestCase68RateLimitIsNoStorm(t *testing.T) {
	q, _ := retro.Parse(sketch(t, "68-rate-limit-becomes-a-storm"))
	now, calls := clock, 0
	run := func(owner string) {
		next, batch, _ := q.Claim(now, owner, lim, ready)
		q = next
		if len(batch) == 0 {
			return
		}
		calls++ // the first row is sent, the answer is 429: everything else is put off
		q, _ = q.Fail(owner, retro.Keys(batch[:1]), "429 Too Many Requests")
		q, _ = q.Postpone(owner, retro.Keys(q[1:]), now, lim.Backoff, lim)
	}
	for n := range 10 {
		run(fmt.Sprint("w", n))
		now = now.Add(100 * time.Millisecond)
	}
	diff(t, "calls within a second", calls, 1)
	var attempts []int
	for _, item := range q {
		attempts = append(attempts, item.Attempts)
	}
	diff(t, "attempts", attempts, []int{1, 0, 0, 0, 0})
	now = now.Add(31 * time.Minute)
	run("later")
	diff(t, "calls after 31 minutes", calls, 2)
}

func TestPostponeEndsAndIsBounded(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim, ready)
	q, _ = q.Postpone("w1", retro.Keys(batch), clock, 1000*time.Hour, lim)
	diff(t, "attempts", q[0].Attempts, 0)
	diff(t, "after 23 h", q[0].Standing(clock.Add(23*time.Hour), lim), retro.Waiting)
	diff(t, "after 24 h", q[0].Standing(clock.Add(24*time.Hour), lim), retro.Due)

	sooner, _ := q.Postpone("w2", retro.Keys(q), clock, time.Minute, lim)
	diff(t, "a shorter wait does not shorten", sooner[0].DueAt, q[0].DueAt)

	q, _, _ = q.Claim(clock.Add(25*time.Hour), "w3", lim, ready)
	_, stale := q.Postpone("w4", []string{"session-a.md", "gone.md"}, clock, time.Minute, lim)
	diff(t, "stale", stale, []string{"session-a.md", "gone.md"})
	q, _ = q.Postpone("w3", retro.Keys(q), clock.Add(25*time.Hour), -time.Hour, lim)
	diff(t, "no wait", q[0].Standing(clock.Add(25*time.Hour), lim), retro.Due)
}

func TestCase69DeadLetterIsWholeAndRevivesOnce(t *testing.T) {
	q, _ := retro.Parse(sketch(t, "69-dead-letter-throws-the-text-away"))
	now := clock
	var dead retro.Queue
	for n := range 6 {
		owner := fmt.Sprint("w", n)
		next, batch, report := q.Claim(now, owner, lim, ready)
		dead = retro.Bury(dead, report.Dead)
		q, _ = next.Fail(owner, retro.Keys(batch), "529 overloaded")
		now = now.Add(31 * time.Minute)
	}
	diff(t, "dead", lines(dead), []string{
		`{"file":"logs/s-7.md","attempts":5,"lastAttemptAt":1789481040000,"lastError":"529 overloaded","deadAt":"2026-09-15T14:35:00.000+00:00","reason":"attempts"}`,
	})

	dead, item, ok := retro.Revive(dead, "s-7.md")
	diff(t, "revived", ok, true)
	diff(t, "dead file", string(dead.Format()), "")
	q = q.Add(item)
	diff(t, "queue", lines(q), []string{`{"file":"logs/s-7.md","attempts":0,"lastError":"529 overloaded"}`})
	if _, _, ok := retro.Revive(dead, "s-7.md"); ok {
		t.Error("revived a second time, want once")
	}
	q, batch, _ := q.Claim(now, "w9", lim, ready)
	q, _ = q.Settle("w9", retro.Keys(batch))
	diff(t, "after a good run", len(q), 0)
}

func TestReviveJoinsLettersOfTwoRuns(t *testing.T) {
	dead := parse(t, `{"t":"2026-09-02T00:00:00Z","file":"logs/a.md","attempts":5,"deadAt":"2026-09-03T00:00:00Z"}

{"t":"2026-09-01T00:00:00Z","file":"logs/a.md","attempts":5,"x":1}

{"file":"logs/b.md"}
`)
	rest, item, ok := retro.Revive(dead, "a.md")
	diff(t, "ok", ok, true)
	diff(t, "rest", lines(rest), []string{`{"file":"logs/b.md"}`})
	diff(t, "item", lines(retro.Queue{item}), []string{`{"t":"2026-09-01T00:00:00Z","file":"logs/a.md","x":1,"again":"2026-09-02T00:00:00Z"}`})
}

func TestKilledWorker(t *testing.T) {
	q, _, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim, ready)
	for name, test := range map[string]struct {
		after    time.Duration
		standing retro.Standing
	}{
		"claim alive":      {9 * time.Minute, retro.Claimed},
		"claim void":       {10 * time.Minute, retro.Waiting},
		"pause over":       {30 * time.Minute, retro.Due},
		"clock set back":   {-time.Second, retro.Claimed},
		"clock set far ba": {-time.Hour, retro.Due},
	} {
		t.Run(name, func(t *testing.T) { diff(t, "standing", q[0].Standing(clock.Add(test.after), lim), test.standing) })
	}

	now := clock.Add(10 * time.Minute)
	freed, batch, report := q.Claim(now, "w2", lim, ready)
	diff(t, "batch", len(batch), 0)
	diff(t, "voided, waiting", []int{report.Voided, report.Waiting}, []int{1, 1})
	diff(t, "attempt counts", freed[0].Attempts, 1)
	diff(t, "error", freed[0].LastError, "claim expired")
	diff(t, "owner", freed[0].Claim, "")
}

func TestOwnerWhoOutlivesItsClaim(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "slow", lim, ready)
	keys := retro.Keys(batch)
	q, second, _ := q.Claim(clock.Add(time.Hour), "fast", lim, ready)
	diff(t, "taken over", len(second), 1)

	after, stale := q.Settle("slow", keys)
	diff(t, "settle of the slow one", stale, keys)
	diff(t, "row", after[0].Claim, "fast")
	after, stale = q.Fail("slow", keys, "late")
	diff(t, "fail of the slow one", stale, keys)
	diff(t, "no error", after[0].LastError, "claim expired")

	after, stale = q.Settle("fast", keys)
	diff(t, "settle of the fast one", len(stale)+len(after), 0)
}

// The idea of case 02 for the queue: what is added during slow work is there
// afterwards.
func TestCase02RowsAddedMeanwhileStay(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim, ready)
	q = q.Add(one("logs/session-b.md"))
	q, _ = q.Settle("w1", retro.Keys(batch))
	diff(t, "queue", retro.Keys(q), []string{"session-b.md"})
}

// A hook that was killed and one that ran twice queue the same log again.
func TestCase73EndedTwiceIsOneRow(t *testing.T) {
	q := retro.Queue{}.Add(one("logs/session-a.md")).Add(one("logs/session-a.md"))
	diff(t, "rows", lines(q), []string{`{"t":"2026-09-15T09:00:00.000+08:00","file":"logs/session-a.md","errors":1,"toolErrors":0}`})
}

// The session failed again while its row was worked on: the new evidence is not
// in what the worker read.
func TestRenewedRowSurvivesSettle(t *testing.T) {
	q, batch, _ := retro.Queue{one("logs/partial-a.md")}.Claim(clock, "w1", lim, ready)
	again := one("logs/partial-a.md")
	again.Errors = 4
	for name, added := range map[string]retro.Queue{
		"by Add":                  q.Add(again),
		"by an original's append": append(q[:1:1], again),
	} {
		t.Run(name, func(t *testing.T) {
			next, stale := added.Settle("w1", retro.Keys(batch))
			diff(t, "stale", stale, []string(nil))
			diff(t, "rows", len(next), 1)
			diff(t, "standing", next[0].Standing(clock, lim), retro.Due)
			diff(t, "errors", next[0].Errors, 4)
			diff(t, "renewed", next[0].Renewed, false)
		})
	}
}

func TestUnreadableEvidenceStays(t *testing.T) {
	q, batch, report := retro.Queue{one("logs/session-a.md")}.Claim(clock, "w1", lim,
		func(retro.Item) retro.Evidence { return retro.Unreadable })
	diff(t, "batch, dead, waiting, rows", []int{len(batch), len(report.Dead), report.Waiting, len(q)}, []int{0, 0, 1, 1})
	diff(t, "attempts", q[0].Attempts, 0)
}

func TestBatchIsBounded(t *testing.T) {
	var q retro.Queue
	for n := range 5 {
		q = q.Add(one(fmt.Sprintf("logs/session-%d.md", n)))
	}
	_, batch, report := q.Claim(clock, "w1", lim, ready)
	diff(t, "batch", retro.Keys(batch), []string{"session-0.md", "session-1.md", "session-2.md"})
	diff(t, "due", report.Due, 2)
}

func TestClaimWithoutOwnerPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Claim without an owner: no panic")
		}
	}()
	retro.Queue{}.Claim(clock, "", lim, nil)
}

func TestDrop(t *testing.T) {
	q := retro.Queue{one("logs/a.md"), one("logs/b.md"), one("logs/c.md")}
	next, dropped := q.Drop([]string{"c.md", "a.md", "x.md"})
	diff(t, "left", retro.Keys(next), []string{"b.md"})
	diff(t, "dropped", retro.Keys(dropped), []string{"a.md", "c.md"})
}

func TestW44ErrorIsPutOffNotDropped(t *testing.T) {
	l := retro.DefaultErrorLimits()
	for name, test := range map[string]struct {
		last time.Duration // before now
		done int
		wait time.Duration
		ok   bool
	}{
		"first":          {0, 0, 6 * time.Second, true},
		"within 60 s":    {20 * time.Second, 1, 40 * time.Second, true},
		"after 60 s":     {61 * time.Second, 2, 6 * time.Second, true},
		"fourth":         {time.Hour, 3, 6 * time.Second, false},
		"case85 skewed":  {-90 * 24 * time.Hour, 1, 6 * time.Second, true},
		"barely started": {58 * time.Second, 1, 6 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			due, ok := l.Due(clock, clock.Add(-test.last), test.done)
			diff(t, "wait", due.Sub(clock), test.wait)
			diff(t, "ok", ok, test.ok)
		})
	}
}

// Later errors neither restart nor extend the timer (spec/selfip.md 21.1).
func TestW44TimerOfTheFirstErrorStays(t *testing.T) {
	first, second := one("logs/partial-a.md"), one("logs/partial-a.md")
	first.DueAt = clock.Add(6 * time.Second).UnixMilli()
	second.DueAt = clock.Add(12 * time.Second).UnixMilli()
	q := retro.Queue{}.Add(first).Add(second)
	diff(t, "rows", len(q), 1)
	diff(t, "at 5 s", q[0].Standing(clock.Add(5*time.Second), lim), retro.Waiting)
	diff(t, "at 6 s", q[0].Standing(clock.Add(6*time.Second), lim), retro.Due)
}

// A claim whose owner is known to be gone is void at once and pauses for
// nothing; every one costs an attempt, so that the row dies in the end.
func TestAbandonedClaimIsDueAtOnce(t *testing.T) {
	q := retro.Queue{one("logs/session-a.md"), one("logs/session-b.md")}
	single := lim
	single.Batch = 1
	q, _, _ = q.Claim(clock, "dead", single, ready)
	q, _, _ = q.Claim(clock, "living", single, ready)
	for attempt := 1; attempt < lim.MaxAttempts; attempt++ {
		var n int
		q, n = q.Abandon(func(owner string) bool { return owner == "dead" })
		diff(t, "abandoned", n, 1)
		diff(t, "error", q[0].LastError, "worker killed")
		var batch []retro.Item
		q, batch, _ = q.Claim(clock, "dead", lim, ready)
		diff(t, "taken again", retro.Keys(batch), []string{"session-a.md"})
		diff(t, "attempts", batch[0].Attempts, attempt+1)
	}
	q, _ = q.Abandon(func(owner string) bool { return owner == "dead" })
	q, batch, report := q.Claim(clock, "next", lim, ready)
	diff(t, "tried too often", len(batch), 0)
	diff(t, "dead letters", retro.Keys(report.Dead), []string{"session-a.md"})
	diff(t, "still in the hands of", q[0].Claim, "living")
}

// TestTake: a person's row is claimed whether it is due or not, unless somebody
// works on it.
func TestTake(t *testing.T) {
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	q := retro.Queue{
		{File: "logs/session-a.md", Attempts: 2, LastAttemptAt: now.UnixMilli(), DueAt: now.Add(time.Hour).UnixMilli()},
		{File: "logs/session-b.md", Claim: "w1", ClaimedAt: now.UnixMilli()},
		{File: "logs/session-c.md", Claim: "w2", ClaimedAt: now.Add(-time.Hour).UnixMilli()},
	}
	for key, want := range map[string]bool{"session-a.md": true, "session-b.md": false, "session-c.md": true, "session-d.md": false} {
		next, item, ok := q.Take(now, "w9", key, retro.DefaultLimits())
		if ok != want || ok && (item.Claim != "w9" || item.DueAt != 0 || len(next) != 3) {
			t.Errorf("%s: taken %v (%+v), want %v", key, ok, item, want)
		}
		if key == "session-a.md" && item.Attempts != 3 {
			t.Errorf("attempts %d, want 3", item.Attempts)
		}
		if q[0].Claim != "" || q[1].Claim != "w1" {
			t.Errorf("the receiver was changed: %+v", q)
		}
	}
}
