package block

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Library is one library as the block sees it.
type Library struct {
	Name string // "workspace" or "global", for explanations

	// The four partitions; nil is an empty one.
	Lessons, Facts, Resources, Methods Partition

	// Texts of consolidation, as they stand in their files. They have passed the
	// gate.
	Principles, Hypotheses string
}

// Partition is one partition file: the live entries by weight, and their lines
// on demand.
type Partition interface {
	// Items lists the live entries in file order.
	Items() []Item
	// Line returns the line of item i as it stands in the file, without blanks
	// at either end.
	Line(i int) string
}

// Shortlist is a Partition that lists only the entries which can be chosen at
// all, so that a block costs the same however large the library is, and counts
// the others.
type Shortlist interface {
	Partition
	// Rest counts the live entries that Items does not list.
	Rest() Rest
}

// Rest is how many entries there are beyond a short list.
type Rest struct {
	Hidden  int // live and not blocked
	Expired int // of these
	Blocked int
}

// Item is what the choice needs to know of an entry.
type Item struct {
	Cost    int // length of its line in UTF-16 units
	Weight  entry.Weight
	Trust   entry.Trust
	Expired bool
	Blocked bool // a detector fires on it: it must not be shown
}

// FromFile returns the partition of a file that has been read. blocked is asked
// once for each live entry; nil: nothing is blocked.
func FromFile(f entry.File, now time.Time, blocked func(entry.Entry) bool) Partition {
	p := filePartition{file: f}
	for i := range f.Lines {
		l := &f.Lines[i]
		if !l.OK || !l.Entry.Live() {
			continue
		}
		weight, expired := l.Entry.Weigh(now)
		p.lines = append(p.lines, i)
		p.items = append(p.items, Item{
			Cost: text.Len(l.Shown()), Weight: weight, Trust: l.Entry.Trust(), Expired: expired,
			Blocked: blocked != nil && blocked(l.Entry),
		})
	}
	return p
}

type filePartition struct {
	file  entry.File
	items []Item
	lines []int // of the items, in the file
}

func (p filePartition) Items() []Item     { return p.items }
func (p filePartition) Line(i int) string { return p.file.Lines[p.lines[i]].Shown() }
