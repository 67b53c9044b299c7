package jsonvalue

import (
	"cmp"
	"slices"
	"strconv"
)

// Index returns the number that a key is as an index of an array, and whether it
// is one: ECMAScript gives such members before all others, by number.
func Index(key string) (uint32, bool) {
	if key == "" || len(key) > 10 || !isDigit(key[0]) || key[0] == '0' && len(key) > 1 {
		return 0, false
	}
	n, err := strconv.ParseUint(key, 10, 32)
	if err != nil || n == 1<<32-1 {
		return 0, false
	}
	return uint32(n), true
}

// inOrder returns the object with its members in ECMAScript's order: itself if
// they are, as they nearly always are.
func (o *Object) inOrder() *Object {
	if !slices.ContainsFunc(o.keys, func(key string) bool { _, ok := Index(key); return ok }) {
		return o
	}
	order := make([]int, len(o.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compareIndexes(o.keys[i], o.keys[j]) })
	sorted := sized(len(o.keys))
	for _, i := range order {
		sorted.Set(o.keys[i], o.values[i])
	}
	return sorted
}

// compareIndexes puts indexes before other keys, by number.
func compareIndexes(a, b string) int {
	i, left := Index(a)
	j, right := Index(b)
	switch {
	case left && right:
		return cmp.Compare(i, j)
	case left:
		return -1
	case right:
		return 1
	}
	return 0
}
