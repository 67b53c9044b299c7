package retro_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/retro"
	"pgregory.net/rapid"
)

// world is a library with a queue file, a dead file and evidence, and the
// workers that are busy with it.
type world struct {
	now           time.Time
	waiting, dead []byte

	version  map[string]int       // how often evidence of a key was queued
	finished map[string]int       // up to which of them was worked on
	marked   map[string]int       // for which of them the evidence carries the mark
	added    map[string]time.Time // when it was queued last
	missing  map[string]bool      // evidence that somebody removed
	workers  []worker
	serial   int
}

// worker is one run: what it claimed, and at which version.
type worker struct {
	owner string
	keys  []string
	saw   map[string]int
	began time.Time
}

func newWorld() *world {
	return &world{
		now: clock, version: map[string]int{}, finished: map[string]int{}, marked: map[string]int{},
		missing: map[string]bool{}, added: map[string]time.Time{},
	}
}

// update is one locked read, change and write of the queue file.
func (w *world) update(t *rapid.T, f func(retro.Queue) retro.Queue) {
	q, bad := retro.Parse(w.waiting)
	if len(bad) > 0 {
		t.Fatalf("queue %q: bad lines %v", w.waiting, bad)
	}
	w.waiting = f(q).Format()
}

var universe = []string{"session-a.md", "session-b.md", "partial-c.md", "session-d.md", "partial-s.md", "session-1-s.md"}

// The last two are the snapshot and the log of one session.
const snapshotOfS, logOfS = "partial-s.md", "session-1-s.md"

func (w *world) add(t *rapid.T) {
	key := rapid.SampledFrom(universe).Draw(t, "key")
	item := retro.Item{T: w.now.Format(time.RFC3339Nano), File: "logs/" + key}
	if key == logOfS {
		item.Session = "s"
	}
	w.version[key]++
	w.added[key] = w.now
	delete(w.missing, key)
	if rapid.Bool().Draw(t, "by an original") { // appends without a look
		w.waiting = append(w.waiting, retro.Queue{item}.Format()...)
		return
	}
	w.update(t, func(q retro.Queue) retro.Queue { return q.Add(item) })
}

func (w *world) look(item retro.Item) retro.Evidence {
	switch key := item.Key(); {
	case w.missing[key]:
		return retro.Missing
	case w.marked[key] == w.version[key]:
		return retro.Done
	}
	return retro.Ready
}

func (w *world) claim(t *rapid.T) {
	w.serial++
	me := worker{owner: fmt.Sprint("w", w.serial), saw: map[string]int{}, began: w.now}
	w.update(t, func(q retro.Queue) retro.Queue {
		next, batch, report := q.Claim(w.now, me.owner, lim, w.look)
		for _, item := range batch {
			key := item.Key()
			me.keys = append(me.keys, key)
			me.saw[key] = w.version[key]
			w.noOtherHolds(t, key)
			if item.Attempts > lim.MaxAttempts {
				t.Fatalf("%s: attempt %d, want %d at most", key, item.Attempts, lim.MaxAttempts)
			}
		}
		dead, _ := retro.Parse(w.dead)
		w.dead = retro.Bury(dead, report.Dead).Format()
		return next
	})
	w.workers = append(w.workers, me)
}

// noOtherHolds fails when a worker whose claim is alive has the key.
func (w *world) noOtherHolds(t *rapid.T, key string) {
	for _, other := range w.workers {
		for _, k := range other.keys {
			if k == key && w.now.Sub(other.began) < lim.ClaimTTL {
				t.Fatalf("%s is claimed twice: %s holds it since %v, now %v", key, other.owner, other.began, w.now)
			}
		}
	}
}

// leave takes one worker out of the world.
func (w *world) leave(t *rapid.T) worker {
	if len(w.workers) == 0 {
		t.Skip("nobody works")
	}
	n := rapid.IntRange(0, len(w.workers)-1).Draw(t, "worker")
	me := w.workers[n]
	w.workers = append(w.workers[:n:n], w.workers[n+1:]...)
	return me
}

func (w *world) settle(t *rapid.T) {
	me := w.leave(t)
	killed := rapid.Bool().Draw(t, "killed before settle")
	for _, key := range me.keys {
		w.finished[key] = max(w.finished[key], me.saw[key])
		if me.saw[key] == w.version[key] { // the evidence is as it was read
			w.marked[key] = me.saw[key]
		}
	}
	if killed {
		return
	}
	w.update(t, func(q retro.Queue) retro.Queue { q, _ = q.Settle(me.owner, me.keys); return q })
}

func (w *world) fail(t *rapid.T) {
	me := w.leave(t)
	w.update(t, func(q retro.Queue) retro.Queue { q, _ = q.Fail(me.owner, me.keys, "boom"); return q })
}

func (w *world) postpone(t *rapid.T) {
	me := w.leave(t)
	wait := time.Duration(rapid.IntRange(0, 60).Draw(t, "minutes")) * time.Minute
	w.update(t, func(q retro.Queue) retro.Queue {
		q, _ = q.Postpone(me.owner, me.keys, w.now, wait, lim)
		return q
	})
}

func (w *world) kill(t *rapid.T) { w.leave(t) }

func (w *world) tick(t *rapid.T) {
	w.now = w.now.Add(time.Duration(rapid.IntRange(1, 40).Draw(t, "minutes")) * time.Minute)
}

func (w *world) lose(t *rapid.T) {
	w.missing[rapid.SampledFrom(universe).Draw(t, "key")] = true
}

// retry revives a dead letter; a kill between the two files leaves it in both.
func (w *world) retry(t *rapid.T) {
	dead, _ := retro.Parse(w.dead)
	if len(dead) == 0 {
		t.Skip("nobody is dead")
	}
	rest, item, ok := retro.Revive(dead, rapid.SampledFrom(retro.Keys(dead)).Draw(t, "key"))
	if !ok || item.Attempts != 0 || item.DeadAt != "" {
		t.Fatalf("Revive: %+v %v, want a new row", item, ok)
	}
	delete(w.missing, item.Key())
	w.update(t, func(q retro.Queue) retro.Queue { return q.Add(item) })
	if !rapid.Bool().Draw(t, "killed between the files") {
		w.dead = rest.Format()
	}
}

// check: what was queued and not worked on is waiting or dead.
func (w *world) check(t *rapid.T) {
	waiting, _ := retro.Parse(w.waiting)
	dead, _ := retro.Parse(w.dead)
	there := map[string]bool{}
	for _, key := range append(retro.Keys(waiting), retro.Keys(dead)...) {
		there[key] = true
	}
	for _, key := range universe {
		if key == snapshotOfS && !w.added[logOfS].Before(w.added[key]) {
			continue // its log speaks for it
		}
		if w.finished[key] < w.version[key] && !there[key] {
			t.Fatalf("%s is lost: queued %d times, worked on up to %d\nqueue:\n%s\ndead:\n%s",
				key, w.version[key], w.finished[key], w.waiting, w.dead)
		}
	}
	letters := map[string]bool{}
	for _, key := range retro.Keys(dead) {
		if letters[key] {
			t.Fatalf("%s is dead twice:\n%s", key, w.dead)
		}
		letters[key] = true
	}
}

// Waiting + done + dead = added, whatever several workers do to the same file.
func TestConservation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld()
		t.Repeat(map[string]func(*rapid.T){
			"add": w.add, "claim": w.claim, "settle": w.settle, "fail": w.fail, "postpone": w.postpone,
			"kill": w.kill, "tick": w.tick, "lose": w.lose, "retry": w.retry,
			"": w.check,
		})
		w.drain(t)
	})
}

// drain: once nothing is added any more and the model works, everything that is
// left is worked on or dead in bounded time.
func (w *world) drain(t *rapid.T) {
	for n := 0; n < 40; n++ {
		w.now = w.now.Add(24 * time.Hour)
		w.claim(t)
		me := w.workers[len(w.workers)-1]
		w.workers = w.workers[:len(w.workers)-1]
		for _, key := range me.keys {
			w.finished[key], w.marked[key] = me.saw[key], me.saw[key]
		}
		w.update(t, func(q retro.Queue) retro.Queue { q, _ = q.Settle(me.owner, me.keys); return q })
	}
	w.check(t)
	if len(w.waiting) > 0 {
		t.Fatalf("after 40 good days still waiting:\n%s", w.waiting)
	}
}
