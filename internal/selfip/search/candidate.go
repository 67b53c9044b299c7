package search

import "cmp"

// candidate is a document that shares a walked term with the query.
type candidate struct {
	weight float64
	key    uint64 // source and place in it: the order in which a scan meets it
	doc    int    // number in the index, or in the list of scanned documents
	stored bool   // doc is a number in the index
}

func keyOf(source, place int) uint64 { return uint64(uint32(source))<<32 | uint64(uint32(place)) }

// better orders candidates before their texts are known: heavier first, among
// equals the one that was written later.
func better(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.key, a.key))
}

// best keeps the n best of the candidates it is given: a heap with the worst of
// them on top.
type best struct {
	n    int
	heap []candidate
}

// wants reports whether a candidate of the given weight may be among the best.
func (b *best) wants(weight float64) bool {
	return len(b.heap) < b.n || weight >= b.heap[0].weight
}

func (b *best) add(c candidate) {
	if len(b.heap) < b.n {
		b.heap = append(b.heap, c)
		b.up(len(b.heap) - 1)
		return
	}
	if b.n > 0 && better(c, b.heap[0]) < 0 {
		b.heap[0] = c
		b.down(0)
	}
}

func (b *best) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if better(b.heap[parent], b.heap[i]) >= 0 {
			return
		}
		b.heap[parent], b.heap[i] = b.heap[i], b.heap[parent]
		i = parent
	}
}

func (b *best) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(b.heap) {
			return
		}
		if right := child + 1; right < len(b.heap) && better(b.heap[right], b.heap[child]) > 0 {
			child = right
		}
		if better(b.heap[i], b.heap[child]) >= 0 {
			return
		}
		b.heap[child], b.heap[i] = b.heap[i], b.heap[child]
		i = child
	}
}
