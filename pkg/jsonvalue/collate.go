package jsonvalue

import (
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// collators are kept for use again: one must not serve two comparisons at once.
var collators = sync.Pool{New: func() any { return collate.New(language.Und) }}

// CompareKeys compares two texts as String.prototype.localeCompare does under the
// root order of ICU: negative, zero or positive. Different texts may compare
// alike, so a sort by it must be stable.
func CompareKeys(a, b string) int {
	if a == b {
		return 0
	}
	c := collators.Get().(*collate.Collator)
	defer collators.Put(c)
	return c.CompareString(a, b)
}
