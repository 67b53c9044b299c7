package retro

import "time"

// Limits are the figures that the queue works by.
type Limits struct {
	MaxAttempts int           // a row that was tried so often is buried
	Batch       int           // rows a claim takes
	Backoff     time.Duration // pause after an attempt
	ClaimTTL    time.Duration // a claim this old is void: its owner was killed
	MaxWait     time.Duration // no row is postponed further than this
}

// DefaultLimits returns the limits of the originals (spec/selfip.md 8) and ours
// for what they lack: a claim lives ten minutes, a wait is at most a day.
func DefaultLimits() Limits {
	return Limits{
		MaxAttempts: 5,
		Batch:       3,
		Backoff:     30 * time.Minute,
		ClaimTTL:    10 * time.Minute,
		MaxWait:     24 * time.Hour,
	}
}

// Standing is what can be done with a row at an instant.
type Standing string

// The standings.
const (
	Due     Standing = "due"     // the next claim may take it
	Waiting Standing = "waiting" // its pause is not over
	Claimed Standing = "claimed" // somebody works on it
	Spent   Standing = "spent"   // the next claim buries it
)

// Standing returns what can be done with the row at now. A time in the future
// that cannot be meant comes from a clock that was set back, and nothing waits
// for it.
func (i Item) Standing(now time.Time, lim Limits) Standing {
	switch {
	case i.claimed(now, lim):
		return Claimed
	case i.Attempts >= lim.MaxAttempts:
		return Spent
	case i.waits(now, lim):
		return Waiting
	}
	return Due
}

// claimed reports whether the claim on the row is alive. A claim from the near
// future is: clocks are set back by a second every day.
func (i Item) claimed(now time.Time, lim Limits) bool {
	age := now.Sub(time.UnixMilli(i.ClaimedAt)).Abs()
	return i.Claim != "" && age < lim.ClaimTTL
}

// waits reports whether the row pauses after an attempt or was postponed.
func (i Item) waits(now time.Time, lim Limits) bool {
	since := now.Sub(time.UnixMilli(i.LastAttemptAt))
	until := time.UnixMilli(i.DueAt).Sub(now)
	return since >= 0 && since < lim.Backoff || until > 0 && until <= lim.MaxWait
}

// ErrorLimits are the figures by which an error asks for a retrospective of its
// session while the session still runs.
type ErrorLimits struct {
	Delay      time.Duration // between the first error and the retrospective
	Interval   time.Duration // between two of them in a session
	MaxSession int           // how many a session gets
}

// DefaultErrorLimits returns the limits of the originals (spec/selfip.md 21.1).
func DefaultErrorLimits() ErrorLimits {
	return ErrorLimits{Delay: 6 * time.Second, Interval: time.Minute, MaxSession: 3}
}

// Due returns when the retrospective of an error that happens at now may start,
// for the DueAt of its item. The session has had done of them, the last one
// begun at last. An error too soon after it is put off, not dropped. The second
// result is false when the session has had all it gets.
func (l ErrorLimits) Due(now, last time.Time, done int) (time.Time, bool) {
	due := now.Add(l.Delay)
	if next := last.Add(l.Interval); done > 0 && !last.After(now) && next.After(due) {
		due = next
	}
	return due, done < l.MaxSession
}
