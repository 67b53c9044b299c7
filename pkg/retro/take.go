package retro

import (
	"slices"
	"time"
)

// Take claims the row with the key for owner, whether it is due or not, and
// counts an attempt: a person asked for it. It is not ok when there is none, or
// when somebody works on it.
func (q Queue) Take(now time.Time, owner, key string, lim Limits) (next Queue, item Item, ok bool) {
	if owner == "" {
		panic("retro: a claim without an owner")
	}
	next, _ = q.freed(now, lim)
	i := slices.IndexFunc(next, func(i Item) bool { return i.Key() == key && i.Claim == "" })
	if i < 0 {
		return next, Item{}, false
	}
	next[i] = next[i].taken(owner, now)
	return next, next[i], true
}
