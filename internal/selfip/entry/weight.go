package entry

import "time"

// Weight is a score in its parts, for those who explain it.
type Weight struct {
	Importance int     // 1 to 10, capped at 5 while untrusted or out of date
	Recency    int     // 1 to 5
	Uses       float64 // half a point for each of the first five uses
}

// Score returns the sum of the parts, 2 to 17.5.
func (w Weight) Score() float64 { return float64(w.Importance+w.Recency) + w.Uses }

// WeightOf returns the parts of what ScoreOf adds up.
func WeightOf(importance int, doubtful bool, uses, recency int) Weight {
	return Weight{
		Importance: capped(importance, doubtful),
		Recency:    recency,
		Uses:       0.5 * float64(min(uses, MaxCountedUses)),
	}
}

// Weigh returns the weight of the entry at now, and whether it is out of date
// then.
func (e Entry) Weigh(now time.Time) (w Weight, expired bool) {
	stamp, ok := e.Time(now.Location())
	expired = e.Expired(now)
	return WeightOf(e.BaseImportance(), e.Trust() != Trusted || expired, e.Uses(), Recency(stamp, ok, now)), expired
}
