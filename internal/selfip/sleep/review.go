package sleep

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Overdue is an entry whose review period has passed.
type Overdue struct {
	Item int // its place
	Days int // since then
}

// maxReview is how many entries one review lists (spec/selfip.md 17.4).
const maxReview = 15

// Review lists the entries that are due for review, the longest overdue first,
// and how many there are beyond the list.
func (m *Material) Review() (list []Overdue, more int) {
	for i, it := range m.Items {
		if it.Expired(m.now) {
			list = append(list, Overdue{i, overdue(it.Entry, m.now)})
		}
	}
	slices.SortStableFunc(list, func(a, b Overdue) int { return cmp.Compare(b.Days, a.Days) })
	more = max(len(list)-maxReview, 0)
	return list[:len(list)-more], more
}

// overdue is the rounded age of an entry in days, less its review period.
func overdue(e entry.Entry, now time.Time) int {
	end, ok := e.Expiry(now.Location())
	if !ok {
		return 0
	}
	return int(math.Round(now.Sub(end).Hours() / 24))
}
