// Package compact decides what becomes of the entries of a partition when it is
// compacted (spec/selfip.md 20): which stay, which say what another says, and
// which are said by a line that a model wrote in their place. It never trusts an
// answer: an entry leaves only when what it says is still found, and an answer
// that loses too much is rejected as a whole. It is pure.
package compact

import (
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/similar"
)

// Fate is what becomes of an entry.
type Fate int

// The fates. But for Keep, Into of the same place says what stands for it.
const (
	Keep   Fate = iota // it stays as it is
	Twin               // it leaves: the entry at Into says the same
	Merged             // it is withdrawn: the line at Into says what it says
	Let                // it moves to the archive: said again and again, and not in the answer
)

// Plan is what becomes of entries, by their places.
type Plan struct {
	Fates   []Fate
	Into    []int
	Lines   []Line // to be written
	Missing []int  // entries that the answer does not hold; they stay
	Low     []int  // entries that leave and are hardly found in the answer (spec/selfip.md 20.5)
	Refused int    // lines of the answer that were not taken
}

// Line is a line to be written, with the entries that it stands for. One that
// stands for none is the model's own.
type Line struct {
	Entry   entry.Entry
	Sources []int
}

// Local is the plan of the built-in engine: of entries that say the same, one
// stays.
func Local(entries []entry.Entry) Plan {
	p := Plan{Fates: make([]Fate, len(entries)), Into: make([]int, len(entries))}
	for _, g := range similar.Groups(entries) {
		for _, i := range g.Others {
			p.Fates[i], p.Into[i] = Twin, g.Keeper
		}
	}
	return p
}

// Absorb returns the keeper with what the metadata of an entry that says the
// same adds to it: the higher importance, the better source, all uses, the later
// stamp and confirmation, the shorter review period.
func Absorb(keeper, other entry.Entry) entry.Entry {
	if n := other.BaseImportance(); n > keeper.BaseImportance() {
		keeper = keeper.With("imp", itoa(n))
	}
	if n := other.Uses(); n > 0 {
		keeper = keeper.With("uses", itoa(min(keeper.Uses()+n, gate.MaxUses)))
	}
	if similar.Footing(other) < similar.Footing(keeper) {
		keeper = keeper.With("src", other.Get("src")).With("origin", other.Get("origin"))
	}
	if v := other.Get("vfy"); entry.Later(v, keeper.Get("vfy")) {
		keeper = keeper.With("vfy", v)
	}
	if n, ok := other.Int("ttl"); ok && n > 0 {
		if own, known := keeper.Int("ttl"); !known || n < own {
			keeper = keeper.With("ttl", itoa(n))
		}
	}
	if entry.Later(other.Stamp, keeper.Stamp) {
		keeper.Stamp = other.Stamp
	}
	return keeper
}
