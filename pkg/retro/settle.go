package retro

import (
	"slices"
	"time"

	"github.com/dshkit/dshkit/pkg/text"
)

// Settle lets go of the rows with these keys that owner still holds: their
// retrospective was applied and is on disk. A row that was renewed meanwhile
// stays as a new one. stale are the keys that owner does not hold any more: the
// row is gone, or another has it because the claim was too old.
//
// Mark the evidence as done first, and only if it still reads as it did when
// the work began. Killed between the two, the next claim lets the row go.
func (q Queue) Settle(owner string, keys []string) (next Queue, stale []string) {
	return q.held(owner, keys, func(i Item) (Item, bool) {
		renewed := i.Renewed
		i = i.revived()
		i.T, i.Again, i.LastError = i.lastQueued(), "", ""
		return i, renewed
	})
}

// Fail gives back the rows with these keys that owner still holds. The attempt
// that the claim counted stays counted, the pause runs from its start
// (spec/selfip.md 23.2), and message says why, cut to one line of 200 units.
// Redact it before. stale is as in Settle.
func (q Queue) Fail(owner string, keys []string, message string) (next Queue, stale []string) {
	message = oneLine(message)
	return q.held(owner, keys, func(i Item) (Item, bool) {
		i = i.released()
		i.LastError = message
		return i, true
	})
}

// Postpone gives back the rows with these keys that were never sent, and puts
// them off for wait, a day at most: the model said 429, the budget is spent, the
// user pressed the interrupt key. Their attempt does not count. It also puts off
// rows that nobody holds, but for those that wait longer already; a key that
// another owner holds is stale.
func (q Queue) Postpone(owner string, keys []string, now time.Time, wait time.Duration, lim Limits) (next Queue, stale []string) {
	latest := now.Add(lim.MaxWait).UnixMilli()
	due := min(now.Add(max(wait, 0)).UnixMilli(), latest)
	next = slices.Clone(q)
	for _, key := range keys {
		n := slices.IndexFunc(next, func(i Item) bool { return i.Key() == key })
		if n < 0 || next[n].Claim != "" && next[n].Claim != owner {
			stale = append(stale, key)
			continue
		}
		if next[n].DueAt > latest { // from a clock that was set back
			next[n].DueAt = 0
		}
		next[n] = next[n].postponed(due)
	}
	return next, stale
}

// postponed is the row given back without an attempt, not before due.
func (i Item) postponed(due int64) Item {
	if i.Claim != "" {
		i = i.released()
		i.Attempts = max(i.Attempts-1, 0)
		i.LastAttemptAt = 0 // the pause after the one before was over
	}
	i.DueAt = max(i.DueAt, due)
	return i
}

// held applies change to the rows with these keys that owner holds, and drops
// those for which it says false.
func (q Queue) held(owner string, keys []string, change func(Item) (Item, bool)) (next Queue, stale []string) {
	open := make(map[string]bool, len(keys))
	for _, key := range keys {
		open[key] = true
	}
	next = make(Queue, 0, len(q))
	for _, item := range q {
		stays := true
		if key := item.Key(); item.Claim == owner && open[key] {
			item, stays = change(item)
			delete(open, key)
		}
		if stays {
			next = append(next, item)
		}
	}
	for _, key := range keys { // not from the map: the order is the caller's
		if open[key] {
			stale = append(stale, key)
		}
	}
	return next, stale
}

// Figures of lastError. A message is cut roughly before it is cut exactly: a
// model can answer megabytes.
const (
	maxError      = 200
	maxErrorBytes = 8 * 1024
)

func oneLine(message string) string {
	return text.Head(text.OneLine(message[:min(len(message), maxErrorBytes)]), maxError)
}
