package replay

import "slices"

// Differences are where ours is meant to do otherwise than the reference, each
// with the item that says so. docs/conformance.md has a row for each item.
func Differences() (list []Difference) {
	for _, g := range slices.Concat(hostDifferences(), pageDifferences()) {
		for _, p := range g.places {
			list = append(list, Difference{g.sample, p.step, p.at, p.was, p.want, g.item, g.why})
		}
	}
	return list
}

// group is what one item changes in one sample.
type group struct {
	sample, item, why string
	places            []place
}

// place is one of its places, as in Difference.
type place struct {
	step          int
	at, was, want string
}
