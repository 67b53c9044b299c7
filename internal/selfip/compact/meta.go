package compact

import (
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
)

func itoa(n int) string { return strconv.Itoa(n) }

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
		imp, uses = max(imp, s.BaseImportance()), min(uses+s.Uses(), gate.MaxUses)
		if n, ok := s.Int("ttl"); ok && n > 0 && (ttl == 0 || n < ttl) {
			ttl = n
		}
		if v := s.Get("vfy"); entry.Later(vfy, v) {
			vfy = v
		}
		if entry.Later(s.Stamp, e.Stamp) {
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
