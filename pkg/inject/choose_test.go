package inject_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/inject"
)

func TestChoose(t *testing.T) {
	for name, c := range map[string]struct {
		items        []inject.Item
		limit, quota int
		want         []int
		left         int
	}{
		"nothing":                 {nil, 40, 900, nil, 0},
		"all fit, list order":     {[]inject.Item{{10, 1, false}, {10, 3, false}, {10, 2, false}}, 40, 900, []int{0, 1, 2}, 0},
		"best by score":           {[]inject.Item{{10, 1, false}, {10, 3, false}, {10, 2, false}}, 2, 0, []int{1, 2}, 1},
		"later of equals":         {[]inject.Item{{10, 5, false}, {10, 5, false}, {10, 5, false}}, 40, 20, []int{1, 2}, 1},
		"too long is passed over": {[]inject.Item{{5, 1, false}, {50, 2, false}, {10, 3, false}}, 40, 20, []int{0, 2}, 1},
		"first whatever it costs": {[]inject.Item{{5, 1, false}, {500, 9, false}}, 40, 20, []int{1}, 1},
		"limit of none":           {[]inject.Item{{5, 1, false}}, 0, 20, nil, 1},
		"no quota":                {[]inject.Item{{500, 1, false}, {500, 9, false}}, 40, 0, []int{0, 1}, 0},
		"weak take half":          {[]inject.Item{{10, 2, false}, {10, 9, true}, {10, 9, true}, {10, 9, true}, {10, 9, true}}, 40, 40, []int{0, 2, 3, 4}, 1},
		"weak alone take all":     {[]inject.Item{{10, 9, true}, {10, 9, true}, {10, 9, true}}, 40, 30, []int{0, 1, 2}, 0},
		"weak take half of limit": {[]inject.Item{{1, 2, false}, {1, 2, false}, {1, 9, true}, {1, 9, true}, {1, 9, true}}, 4, 0, []int{0, 1, 3, 4}, 1},
	} {
		got, left := inject.Choose(c.items, c.limit, c.quota, nil)
		if diff := cmp.Diff(c.want, got); diff != "" || left != c.left {
			t.Errorf("%s: Choose(%v, %d, %d) left %d, want %d; chosen (-want +got):\n%s", name, c.items, c.limit, c.quota, left, c.left, diff)
		}
	}
}

func TestChooseSkips(t *testing.T) {
	items := []inject.Item{{10, 1, false}, {10, 2, false}, {10, 3, false}}
	var asked []int
	got, left := inject.Choose(items, 40, 20, func(i int) bool {
		asked = append(asked, i)
		return i == 2
	})
	if diff := cmp.Diff([]int{0, 1}, got); diff != "" || left != 0 {
		t.Errorf("left %d, want 0: a skipped one is neither; chosen (-want +got):\n%s", left, diff)
	}
	if diff := cmp.Diff([]int{2, 1, 0}, asked); diff != "" {
		t.Errorf("asked about (-want +got):\n%s", diff)
	}
}

// model is spec/selfip.md 10.2 word by word, without weak items.
func model(items []inject.Item, limit, quota int) []int {
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case items[a].Score > items[b].Score:
			return -1
		case items[a].Score < items[b].Score:
			return 1
		}
		return b - a
	})
	var chosen []int
	spent := 0
	for _, i := range order {
		if len(chosen) >= limit {
			break
		}
		if quota > 0 && len(chosen) > 0 && spent+items[i].Cost > quota {
			continue
		}
		chosen = append(chosen, i)
		spent += items[i].Cost
	}
	slices.Sort(chosen)
	return chosen
}

func drawItems(t *rapid.T, weak bool) []inject.Item {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) inject.Item {
		return inject.Item{
			Cost:  rapid.IntRange(1, 60).Draw(t, "cost"),
			Score: float64(rapid.IntRange(4, 35).Draw(t, "score")) / 2,
			Weak:  weak && rapid.Bool().Draw(t, "weak"),
		}
	}), 0, 60).Draw(t, "items")
}

func TestChooseIsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := drawItems(t, false)
		limit, quota := rapid.IntRange(0, 45).Draw(t, "limit"), rapid.IntRange(0, 400).Draw(t, "quota")
		want := model(items, limit, quota)
		got, left := inject.Choose(items, limit, quota, nil)
		if diff := cmp.Diff(want, got); diff != "" || left != len(items)-len(want) {
			t.Errorf("Choose(%v, %d, %d) left %d; chosen (-want +got):\n%s", items, limit, quota, left, diff)
		}
	})
}

// TestChooseKeepsWeakInCheck: an item that is not weak is left out only if those
// that are not weak, and half of the room, would have left it out too.
func TestChooseKeepsWeakInCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := drawItems(t, true)
		limit, quota := rapid.IntRange(1, 45).Draw(t, "limit"), rapid.IntRange(120, 400).Draw(t, "quota")
		chosen, left := inject.Choose(items, limit, quota, nil)
		spent, weak := 0, 0
		for _, i := range chosen {
			spent += items[i].Cost
			if items[i].Weak {
				weak += items[i].Cost
			}
		}
		if spent > quota || len(chosen) > limit || left != len(items)-len(chosen) {
			t.Fatalf("Choose(%v, %d, %d) = %v, %d: costs %d", items, limit, quota, chosen, left, spent)
		}
		waiting := slices.ContainsFunc(items, func(it inject.Item) bool { return !it.Weak && it.Cost+spent-weak <= quota/2 })
		for i, it := range items {
			if waiting && !it.Weak && !slices.Contains(chosen, i) && weak > quota/2 && len(chosen) < limit && spent-weak+it.Cost <= quota/2 {
				t.Errorf("Choose(%v, %d, %d) = %v: item %d waits while weak ones take %d", items, limit, quota, chosen, i, weak)
			}
		}
	})
}

func BenchmarkChoose5000(b *testing.B) {
	items := make([]inject.Item, 5000)
	for i := range items {
		items[i] = inject.Item{Cost: 80 + i*7%120, Score: float64(4+i*13%31) / 2, Weak: i%3 == 0}
	}
	b.ReportAllocs()
	for b.Loop() {
		inject.Choose(items, 40, 900, nil)
	}
}
