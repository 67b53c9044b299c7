package sleep

import "github.com/dshkit/dshkit/pkg/text"

// Slice is the places of items that one question to a model shows, in the order
// of the files.
type Slice []int

// lineRoom is what the line of an item takes beside its text.
const lineRoom = 30

// Slices cuts a library into what a model is shown: first the end of each
// partition, where what is new stands, then, from where the sleep before stopped,
// the parts before, a slice a question, most of them at most. size bounds each
// partition in a slice, in UTF-16 units. from names, by partition, the item
// that the sleep before showed last of all; next is the same for the next sleep.
// When the beginning of a partition has been shown, it starts at the end again.
func (m *Material) Slices(from map[int]string, size, most int) (slices []Slice, next map[int]string) {
	parts := m.partitions()
	next = map[int]string{}
	var first Slice
	ends := make([]int, len(parts)) // what stands before has not been shown
	for p, places := range parts {
		begin := m.back(places, len(places), size)
		first = append(first, places[begin:]...)
		if ends[p] = begin; m.resume(places, begin, from[p]) > 0 {
			ends[p] = m.resume(places, begin, from[p])
		}
	}
	if len(first) > 0 {
		slices = append(slices, first)
	}
	for len(slices) < most {
		var s Slice
		for p, places := range parts {
			begin := m.back(places, ends[p], size)
			s = append(s, places[begin:ends[p]]...)
			ends[p] = begin
		}
		if len(s) == 0 {
			break
		}
		slices = append(slices, s)
	}
	for p, places := range parts {
		if ends[p] > 0 {
			next[p] = m.Items[places[ends[p]]].ID()
		}
	}
	return slices, next
}

// back returns how far back from end a part of size goes, one item at least.
func (m *Material) back(places []int, end, size int) int {
	begin := end
	for begin > 0 {
		size -= text.Len(m.Items[places[begin-1]].Text) + lineRoom
		if size < 0 && begin < end {
			break
		}
		begin--
	}
	return begin
}

// resume returns where the item with an id stands before end, 0 when it does
// not, or when nothing is left before it.
func (m *Material) resume(places []int, end int, id string) int {
	if id == "" {
		return 0
	}
	for n, i := range places[:end] {
		if m.Items[i].ID() == id {
			return n
		}
	}
	return 0
}
