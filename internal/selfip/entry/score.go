package entry

import "time"

// cappedImportance is the most that an entry which nobody has verified, or
// which is out of date, can weigh (spec/selfip.md 10.1).
const cappedImportance = 5

// maxCountedUses bounds what being found often can add to a score.
const maxCountedUses = 5

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

// Importance returns the weight of the entry at now, 1 to 10: its own or that
// of its kind, capped while it is unverified or out of date.
func (e Entry) Importance(now time.Time) int {
	n, ok := e.Int("imp")
	if !ok {
		n = DefaultImportance(e.Kind)
	}
	n = min(max(n, 1), 10)
	if e.Trust() != Trusted || e.Expired(now) {
		n = min(n, cappedImportance)
	}
	return n
}

// Score returns the weight of the entry in the choice of what to inject at now:
// importance, plus 1 to 5 for recency, plus half a point for each of the first
// five uses (spec/selfip.md 10.1). Range 2 to 17.5.
func (e Entry) Score(now time.Time) float64 {
	return float64(e.Importance(now)+e.recency(now)) + 0.5*float64(min(e.Uses(), maxCountedUses))
}

// recency is 5 for the last day, 4 for the last week, 3 for 30 days, 2 for half
// a year, else 1. A stamp in the future counts as new, an unreadable one as old.
func (e Entry) recency(now time.Time) int {
	t, ok := e.Time(now.Location())
	if !ok {
		return 1
	}
	switch age := now.Sub(t); {
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

// Expired reports whether the review period of the entry has passed: more than
// ttl times 24 hours since it was last verified, or since its stamp when that
// is not known (spec/selfip.md 17.2). Without a positive ttl it never is.
func (e Entry) Expired(now time.Time) bool {
	ttl, ok := e.Int("ttl")
	if !ok || ttl <= 0 || ttl > maxTTL {
		return false
	}
	base, ok := ParseTime(e.Get("vfy"), now.Location())
	if !ok {
		base, ok = e.Time(now.Location())
	}
	return ok && now.Sub(base) > time.Duration(ttl)*day
}

// maxTTL, in days, is the longest review period that a duration can hold.
const maxTTL = 100_000
