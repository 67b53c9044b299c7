package merge

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// join makes one entry of two versions. A part that only one side changed is that
// side's. Where both did: the later stamp and confirmation, the higher
// importance, the sum of the new uses, the shorter review period, the earlier
// withdrawal, else ours. What either withdrew is withdrawn: to bring back what
// somebody else has just found wrong takes a person.
func join(base, ours, theirs entry.Entry) entry.Entry {
	out := ours
	out.Stamp = three(base.Stamp, ours.Stamp, theirs.Stamp, later)
	out.Text = three(base.Text, ours.Text, theirs.Text, first)
	for _, key := range keysOf(ours, theirs) {
		b, o, t := base.Get(key), ours.Get(key), theirs.Get(key)
		switch key {
		case "invalid", "why":
			continue
		case "uses":
			out = out.With(key, three(b, o, t, sum(b)))
		default:
			out = out.With(key, three(b, o, t, rules[key]))
		}
	}
	return withdraw(out, base, ours, theirs)
}

// rules say which of two new values counts.
var rules = map[string]func(a, b string) string{
	"vfy": later,
	"imp": func(a, b string) string { return byNumber(a, b, func(x, y int) bool { return x >= y }) },
	"ttl": func(a, b string) string { return byNumber(a, b, func(x, y int) bool { return x <= y }) },
}

// withdraw gives the entry the withdrawal of the side that has the say, with its
// reason.
func withdraw(out, base, ours, theirs entry.Entry) entry.Entry {
	from := ours
	if theirsCounts(base.Get("invalid"), ours.Get("invalid"), theirs.Get("invalid")) {
		from = theirs
	}
	return out.With("invalid", from.Get("invalid")).With("why", from.Get("why"))
}

func theirsCounts(base, ours, theirs string) bool {
	switch {
	case ours == theirs || theirs == base:
		return false
	case ours == base || ours == "":
		return true
	}
	return theirs != "" && later(ours, theirs) == ours
}

// keysOf lists the keys of both, ours first.
func keysOf(ours, theirs entry.Entry) []string {
	var keys []string
	for _, p := range ours.Meta {
		keys = append(keys, p.Key)
	}
	for _, p := range theirs.Meta {
		if ours.Get(p.Key) == "" {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// three chooses between two versions of a value: the one that changed, or what
// rule says when both did; without a rule ours.
func three(base, ours, theirs string, rule func(a, b string) string) string {
	switch {
	case ours == theirs || theirs == base:
		return ours
	case ours == base:
		return theirs
	case rule == nil:
		return first(ours, theirs)
	}
	return rule(ours, theirs)
}

// first is ours, unless only they have a value.
func first(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// later is the stamp of the later instant; one that cannot be read is earlier
// than any.
func later(a, b string) string {
	at, aok := entry.ParseTime(a, time.UTC)
	bt, bok := entry.ParseTime(b, time.UTC)
	switch {
	case !bok:
		return first(a, b)
	case !aok || bt.After(at):
		return b
	case at.Equal(bt) && strings.Compare(b, a) < 0:
		return b // the same whichever side is ours
	}
	return a
}

// byNumber is the number that before prefers.
func byNumber(a, b string, before func(x, y int) bool) string {
	x, xok := entry.ParseInt(a)
	y, yok := entry.ParseInt(b)
	if !yok || xok && before(x, y) {
		return first(a, b)
	}
	return b
}

// sum adds what both sides have counted since.
func sum(base string) func(ours, theirs string) string {
	return func(ours, theirs string) string {
		b, _ := entry.ParseInt(base)
		o, _ := entry.ParseInt(ours)
		t, _ := entry.ParseInt(theirs)
		return strconv.Itoa(max(b+max(o-b, 0)+max(t-b, 0), 0))
	}
}

// laterHeading is the heading of the later stamp.
func laterHeading(our, their line) line {
	_, a, aok := strings.Cut(our.raw, " @ ")
	_, b, bok := strings.Cut(their.raw, " @ ")
	if a, b = strings.TrimSpace(a), strings.TrimSpace(b); aok && bok && a != b && later(a, b) == b {
		return their
	}
	return our
}
