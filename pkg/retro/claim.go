package retro

import (
	"slices"
	"time"
)

// Evidence is what the caller found where an item points.
type Evidence string

// The findings.
const (
	Ready      Evidence = "ready"      // it is there and was not worked on
	Done       Evidence = "done"       // it carries the mark of a finished retrospective
	Missing    Evidence = "missing"    // it is not there
	Unreadable Evidence = "unreadable" // nothing can be told now; the row stays as it is
)

// Report is what a claim did with the rows it did not take.
type Report struct {
	Done    []Item // left the queue, their evidence is done
	Dead    []Item // left the queue for the dead file
	Merged  int    // rows that went into another row
	Voided  int    // claims of owners that were killed
	Waiting int    // rows that stay, pausing or with evidence that cannot be read
	Claimed int    // rows that others work on
	Due     int    // rows that stay for the next batch
}

// Claim takes the first due rows for owner, at most a batch, and counts an
// attempt for each. Every claim needs a token of its own, never used before.
//
// On the way it merges equal rows, frees those whose owner was killed (the
// attempt stays counted), lets go of those whose evidence is done and buries
// those that were tried too often or whose evidence is missing. look tells what
// is known of the evidence; it runs under the caller's lock, so it should
// answer from what was read before. A nil look finds everything ready. Rows
// that are claimed are not looked at.
//
// Write the dead rows before the queue: killed between the two, a row is in
// both files and not in neither.
func (q Queue) Claim(now time.Time, owner string, lim Limits, look func(Item) Evidence) (next Queue, batch []Item, report Report) {
	if owner == "" {
		panic("retro: a claim without an owner")
	}
	q, report.Voided = q.freed(now, lim)
	q, report.Merged = q.merged()
	next = make(Queue, 0, len(q))
	for _, item := range q {
		standing, found := item.Standing(now, lim), Ready
		if standing != Claimed && look != nil {
			found = look(item)
		}
		switch {
		case standing == Claimed:
			report.Claimed++
		case found == Done:
			report.Done = append(report.Done, item)
			continue
		case found == Missing:
			report.Dead = append(report.Dead, item.buried(now, EvidenceMissing))
			continue
		case standing == Spent:
			report.Dead = append(report.Dead, item.buried(now, Exhausted))
			continue
		case standing == Waiting || found == Unreadable:
			report.Waiting++
		case len(batch) >= lim.Batch:
			report.Due++
		default:
			item = item.taken(owner, now)
			batch = append(batch, item)
		}
		next = append(next, item)
	}
	return next, batch, report
}

// taken is the row in the hands of owner.
func (i Item) taken(owner string, now time.Time) Item {
	i.Attempts++
	i.LastAttemptAt = now.UnixMilli()
	i.Claim, i.ClaimedAt = owner, now.UnixMilli()
	i.Renewed = false
	i.DueAt = 0
	return i
}

// claimExpired is the error of an attempt whose owner was killed.
const claimExpired = "claim expired"

// freed takes the rows out of the hands of owners who were killed, and counts
// them. The attempt counts too, so that a row which kills its workers dies in the
// end.
func (q Queue) freed(now time.Time, lim Limits) (Queue, int) {
	n := 0
	next := slices.Clone(q)
	for i, item := range next {
		if item.Claim != "" && !item.claimed(now, lim) {
			next[i] = item.released()
			next[i].LastError = claimExpired
			n++
		}
	}
	return next, n
}

// killed is the error of an attempt whose owner is known to be gone.
const killed = "worker killed"

// Abandon takes the rows out of the hands of owners that are known to be gone,
// and counts them. They need not wait for their claim to run out, nor pause: it
// was not they that failed. The attempt counts, so that a row which kills its
// workers dies in the end.
func (q Queue) Abandon(gone func(owner string) bool) (Queue, int) {
	n := 0
	next := slices.Clone(q)
	for i, item := range next {
		if item.Claim != "" && gone(item.Claim) {
			next[i] = item.released()
			next[i].LastAttemptAt, next[i].LastError = 0, killed
			n++
		}
	}
	return next, n
}

// released is the row in nobody's hands.
func (i Item) released() Item {
	i.Claim, i.ClaimedAt, i.Renewed = "", 0, false
	return i
}
