package retro

import (
	"slices"
	"time"
)

// buried is the row as it stands in the dead file. Everything that it said
// stays, and so does its evidence: it can be revived.
func (i Item) buried(now time.Time, why Reason) Item {
	i = i.released()
	i.DeadAt = now.Format(stampLayout)
	i.Reason = why
	return i
}

// revived is the row as a new one; what failed last is still told.
func (i Item) revived() Item {
	i = i.released()
	i.Attempts, i.LastAttemptAt, i.DueAt = 0, 0, 0
	i.DeadAt, i.Reason = "", ""
	return i
}

// Bury adds rows to the dead ones. A row that was dead before under the same
// key is one letter, not two.
func Bury(dead Queue, items []Item) Queue {
	dead = slices.Clone(dead)
	for _, item := range items {
		key := item.Key()
		n := slices.IndexFunc(dead, func(i Item) bool { return i.Key() == key })
		if n < 0 {
			dead = append(dead, item)
			continue
		}
		dead[n] = dead[n].join(item)
	}
	return dead
}

// Revive takes the dead row with this key out of the dead ones and returns it
// as a new row without attempts, for Add. The second result is false when there
// is none. Write the queue before the dead file; a row that is in both after a
// kill is revived once more and merges with itself.
func Revive(dead Queue, key string) (rest Queue, item Item, ok bool) {
	rest = make(Queue, 0, len(dead))
	for _, row := range dead {
		switch {
		case row.Key() != key:
			rest = append(rest, row)
		case ok:
			item = item.join(row.revived())
		default:
			item, ok = row.revived(), true
		}
	}
	return rest, item, ok
}
