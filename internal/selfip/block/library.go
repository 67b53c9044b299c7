package block

import "github.com/dshkit/dshkit/internal/selfip/entry"

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
