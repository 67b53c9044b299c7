// Package retro is the queue of sessions that wait for their retrospective, as
// a value: add, claim, settle, fail, bury (spec/selfip.md 3.4 and 23).
//
// It opens no file and reads no clock. Whoever keeps the file runs each method
// inside one locked update: parse the present bytes, apply the method, write
// what Format gives. Slow work happens between two updates. Claim marks the
// rows and counts the attempt, then the work runs without the lock, then
// Settle, Fail or Postpone changes just the rows that are still claimed by the
// same owner: anything may have been added meanwhile.
//
// Promised, for any interleaving of processes that follow this: no row is lost
// (waiting + done + dead = added), no row is worked on by two owners whose
// claims are alive, a worker that is killed costs its rows one attempt and
// nothing else. Not promised: that a row is worked on only once. A worker that
// outlives its claim may do a row's work a second time; the mark in the
// evidence tells it apart.
package retro

import (
	"io/fs"
	"path"
	"strings"
	"time"
)

// Item is one session that waits. It is a plain value; the zero Item with a
// file is a new row. A row that was read keeps the bytes it came from, and with
// them every field that this version does not know.
type Item struct {
	T             string // when it was queued, a stamp
	File          string // evidence, relative to the library, as written; Path is the safe form
	Errors        int    // recorded errors of all kinds; -1 for a recovered snapshot
	ToolErrors    int    // failed tool calls; -1 for a recovered snapshot
	Recovered     bool   // queued by recovery, not by the end of its session
	Attempts      int    // attempts begun since it was queued, the present one included
	LastAttemptAt int64  // start of the last attempt, milliseconds since 1970; 0 for none
	LastError     string // why the last attempt failed, 200 units at most
	DeadAt        string // when it was buried, a stamp; only in the dead file
	Reason        Reason // why it was buried

	// The originals do not know the fields below and keep them.

	Session    string // full session id
	Harness    string // whose session it was
	Transcript string // where the harness keeps the full record; untrusted like File
	DueAt      int64  // not before, milliseconds since 1970; 0 for at once
	Claim      string // token of the owner who works on it; empty for nobody
	ClaimedAt  int64  // since when, milliseconds since 1970
	Renewed    bool   // queued once more while it was claimed
	Again      string // when it was queued last, if more than once; a stamp

	source string // the line it was read from; empty for a new row
}

// Reason says why a row was buried. The words are stable: they stand in files.
type Reason string

// The reasons.
const (
	Exhausted       Reason = "attempts"         // it was tried as often as the limits allow
	EvidenceMissing Reason = "evidence-missing" // what it points at is not there
)

// stampLayout is how the files write an instant (spec/selfip.md 5).
const stampLayout = "2006-01-02T15:04:05.000-07:00"

// Key returns the identity of the row: the base name of its file, else its
// session id, else its JSON text without the fields that change while it waits.
func (i Item) Key() string {
	switch base := i.base(); {
	case base != "":
		return base
	case i.Session != "":
		return i.Session
	}
	return i.identity()
}

// Keys returns the keys of items, in their order.
func Keys(items []Item) []string {
	keys := make([]string, len(items))
	for n, item := range items {
		keys[n] = item.Key()
	}
	return keys
}

// base is the last segment of File; both separators count.
func (i Item) base() string {
	return i.File[strings.LastIndexAny(i.File, `/\`)+1:]
}

// identity is the row as it was first queued, in one spelling.
func (i Item) identity() string {
	if i.source == "" {
		return i.fresh(isSettled)
	}
	return i.edited(decodeRow(i.source), isSettled)
}

// isSettled reports whether a field stays the same while its row waits.
func isSettled(key string) bool {
	switch key {
	case "attempts", "lastAttemptAt", "lastError", "deadAt", "reason", "dueAt", "claim", "claimedAt", "renewed", "again":
		return false
	}
	return true
}

// Path returns File with slashes, relative to the library. The second result is
// false when the file is not named, or lies outside the library: a queue can
// come with a cloned repository, so nobody should open what it names unchecked.
func (i Item) Path() (string, bool) {
	name := strings.ReplaceAll(i.File, `\`, "/")
	if name == "" || strings.ContainsAny(name, ":\x00") || path.IsAbs(name) {
		return "", false
	}
	name = path.Clean(name)
	return name, name != "." && fs.ValidPath(name)
}

// The name of a file tells whether it is the log of a session that ended or the
// snapshot of one that may still run (spec/selfip.md 2).
const (
	logPrefix      = "session-"
	snapshotPrefix = "partial-"
	fileSuffix     = ".md"
)

func (i Item) isLog() bool      { return strings.HasPrefix(i.base(), logPrefix) }
func (i Item) isSnapshot() bool { return strings.HasPrefix(i.base(), snapshotPrefix) }

// session is the full id of the session, or "" when nothing tells it. The name
// of a log holds eight characters of the id, which two sessions can share.
func (i Item) session() string {
	if i.Session != "" || !i.isSnapshot() {
		return i.Session
	}
	return strings.TrimSuffix(strings.TrimPrefix(i.base(), snapshotPrefix), fileSuffix)
}

// lastQueued is when the row was queued last. A log takes the place of what was
// queued before it, so the first time would not do.
func (i Item) lastQueued() string { return first(i.Again, i.T) }

// later reports whether stamp a names a later instant than b. Stamps have
// different zones, so they are never compared as text; one that cannot be read
// is not later than any other.
func later(a, b string) bool {
	at, errA := time.Parse(time.RFC3339, a)
	bt, errB := time.Parse(time.RFC3339, b)
	return errA == nil && errB == nil && at.After(bt)
}
