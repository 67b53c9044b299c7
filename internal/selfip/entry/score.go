package entry

import "time"

// cappedImportance is the most that an entry which nobody has verified, or
// which is out of date, can weigh (spec/selfip.md 10.1).
const cappedImportance = 5

// MaxCountedUses bounds what being found often can add to a score.
const MaxCountedUses = 5

const day = 24 * time.Hour

// Trust is how far an entry can be believed, by who wrote it and not by what it
// claims of itself (spec/selfip.md 9).
type Trust int

// The levels of trust, lowest last.
const (
	Trusted  Trust = iota // the user, a command, the agent's own tool
	Induced               // drawn from sessions by retro or sleep, not verified
	External              // from a page, a document or a tool's output
)

// Trust returns the level of the entry.
func (e Entry) Trust() Trust {
	src, origin := e.Get("src"), e.Get("origin")
	switch {
	case src == "web" || src == "tool" || src == "doc":
		return External
	case src == "user" || origin == "command":
		return Trusted
	case origin == "retro" || origin == "sleep":
		return Induced
	}
	return Trusted
}

// DefaultImportance is the weight of an entry that names none.
func DefaultImportance(k Kind) int {
	switch k {
	case Preference:
		return 8
	case Lesson:
		return 7
	case Method:
		return 6
	}
	return 5
}

// BaseImportance returns the weight that the entry names, or that of its kind,
// 1 to 10, before any cap.
func (e Entry) BaseImportance() int {
	n, ok := e.Int("imp")
	if !ok {
		n = DefaultImportance(e.Kind)
	}
	return min(max(n, 1), 10)
}

// Importance returns the weight of the entry at now, 1 to 10, capped while it
// is unverified or out of date.
func (e Entry) Importance(now time.Time) int {
	return capped(e.BaseImportance(), e.doubtful(now))
}

func (e Entry) doubtful(now time.Time) bool { return e.Trust() != Trusted || e.Expired(now) }

func capped(importance int, doubtful bool) int {
	if doubtful {
		return min(importance, cappedImportance)
	}
	return importance
}

// Score returns the weight of the entry in the choice of what to inject at now
// (spec/selfip.md 10.1).
func (e Entry) Score(now time.Time) float64 {
	stamp, ok := e.Time(now.Location())
	return ScoreOf(e.BaseImportance(), e.doubtful(now), e.Uses(), Recency(stamp, ok, now))
}

// ScoreOf adds up the parts of a score: importance, capped when the entry is
// doubtful, plus 1 to 5 for recency, plus half a point for each of the first
// five uses. Range 2 to 17.5.
func ScoreOf(importance int, doubtful bool, uses, recency int) float64 {
	return float64(capped(importance, doubtful)+recency) + 0.5*float64(min(uses, MaxCountedUses))
}

// Recency is 5 for the last day, 4 for the last week, 3 for 30 days, 2 for half
// a year, else 1. A stamp in the future counts as new, one that could not be
// read (known false) as old.
func Recency(stamp time.Time, known bool, now time.Time) int {
	if !known {
		return 1
	}
	return recency(now.Sub(stamp), day)
}

// RecencyOf is Recency of a stamp that is so many milliseconds old.
func RecencyOf(age int64) int { return recency(age, day.Milliseconds()) }

func recency[T ~int64](age, day T) int {
	switch {
	case age < day:
		return 5
	case age < 7*day:
		return 4
	case age < 30*day:
		return 3
	case age < 180*day:
		return 2
	}
	return 1
}

// Expired reports whether the review period of the entry has passed.
func (e Entry) Expired(now time.Time) bool {
	t, ok := e.Expiry(now.Location())
	return ok && now.After(t)
}

// Expiry returns the last instant at which the entry still counts as verified:
// ttl times 24 hours after it was last verified, or after its stamp when that is
// not known (spec/selfip.md 17.2). Without a positive ttl it never expires.
func (e Entry) Expiry(loc *time.Location) (time.Time, bool) {
	ttl, ok := e.Int("ttl")
	if !ok || ttl <= 0 || ttl > maxTTL {
		return time.Time{}, false
	}
	base, ok := ParseTime(e.Get("vfy"), loc)
	if !ok {
		base, ok = e.Time(loc)
	}
	return base.Add(time.Duration(ttl) * day), ok
}

// maxTTL, in days, is the longest review period that a duration can hold.
const maxTTL = 100_000
