package compact

import (
	"strconv"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// maxUses bounds a counter of uses.
const maxUses = 1_000_000

func itoa(n int) string { return strconv.Itoa(n) }

// later reports whether stamp a is a later instant than stamp b. One that cannot
// be read is earlier than any.
func later(a, b string) bool {
	at, ok := entry.ParseTime(a, time.UTC)
	if !ok {
		return false
	}
	bt, ok := entry.ParseTime(b, time.UTC)
	return !ok || at.After(bt)
}

// inherit returns a line that a model wrote with the metadata of what it stands
// for: the least trusted source, the highest importance, all uses, the latest
// stamp, the earliest confirmation. A line with words of the model's own is the
// model's.
func inherit(line entry.Entry, sources []entry.Entry, own bool, by string) entry.Entry {
	e := entry.Entry{Kind: line.Kind, Text: line.Text, Stamp: sources[0].Stamp}
	worst := sources[0]
	imp, uses, ttl, vfy := 0, 0, 0, sources[0].Get("vfy")
	for _, s := range sources {
		if s.Trust() > worst.Trust() {
			worst = s
		}
		imp, uses = max(imp, s.BaseImportance()), min(uses+s.Uses(), maxUses)
		if n, ok := s.Int("ttl"); ok && n > 0 && (ttl == 0 || n < ttl) {
			ttl = n
		}
		if v := s.Get("vfy"); later(vfy, v) {
			vfy = v
		}
		if later(s.Stamp, e.Stamp) {
			e.Stamp = s.Stamp
		}
	}
	src, origin := worst.Get("src"), worst.Get("origin")
	if own && worst.Trust() == entry.Trusted {
		src, origin = "", modelOrigin
	}
	e = e.With("src", src).With("origin", origin).With("imp", itoa(imp)).With("by", by)
	if uses > 0 {
		e = e.With("uses", itoa(uses))
	}
	if ttl > 0 {
		e = e.With("ttl", itoa(ttl))
	}
	return e.With("vfy", vfy)
}

// modelOrigin marks what no source vouches for: it counts as induced.
const modelOrigin = "sleep"
