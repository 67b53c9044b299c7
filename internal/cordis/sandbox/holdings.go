package sandbox

import (
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// holdings are the things of this half that others may hold, by number.
type holdings struct {
	limit  int
	last   uint64
	things map[uint64]held
	known  map[held]uint64
	loans  []uint64 // promises that may still be asked for, oldest first
}

// maxLoans bounds the promises that wait to be asked for: who has not come for the
// oldest by then does not come any more.
const maxLoans = 4096

// held is one of them: a function with its receiver, a promise, or an object.
type held struct{ thing, this *jsrun.Object }

func newHoldings(limit int) *holdings {
	return &holdings{limit: limit, things: map[uint64]held{}, known: map[held]uint64{}}
}

// hold gives the number of a thing; one thing has one number.
func (h *holdings) hold(thing held) (uint64, bool) {
	if id, ok := h.known[thing]; ok {
		return id, true
	}
	if len(h.things) >= h.limit {
		return 0, false
	}
	h.last++
	h.things[h.last], h.known[thing] = thing, h.last
	return h.last, true
}

// lend gives a promise a number that counts for one answer.
func (h *holdings) lend(promise *jsrun.Object) (uint64, bool) {
	if len(h.loans) >= maxLoans {
		h.drop(h.loans[0])
		h.loans = slices.Delete(h.loans, 0, 1)
	}
	if len(h.things) >= h.limit {
		return 0, false
	}
	h.last++
	h.things[h.last] = held{thing: promise}
	h.loans = append(h.loans, h.last)
	return h.last, true
}

// forget lets go of an object that nobody needs any more.
func (h *holdings) forget(v jsrun.Value) {
	o, _ := v.(*jsrun.Object)
	thing := held{thing: o}
	if id, ok := h.known[thing]; ok {
		delete(h.known, thing)
		delete(h.things, id)
	}
}

// drop takes a loan back.
func (h *holdings) drop(id uint64) { delete(h.things, id) }

// lend hands out a promise. Its rejection is from now on the matter of the one who
// has it.
func (b *box) lend(promise *jsrun.Object) (wire.Promise, error) {
	id, ok := b.holdings.lend(promise)
	if !ok {
		return wire.Promise{}, b.failure("RangeError", handlesText)
	}
	b.js.follow(promise, func(jsrun.Value) {}, func(error) {})
	return wire.Promise{Handle: wire.Handle{Home: wire.Home(b.source.RunID), ID: id}}, nil
}

// handle holds something under the name of this half.
func (b *box) handle(thing, this *jsrun.Object) (wire.Handle, error) {
	id, ok := b.holdings.hold(held{thing, this})
	if !ok {
		return wire.Handle{}, b.failure("RangeError", handlesText)
	}
	return wire.Handle{Home: wire.Home(b.source.RunID), ID: id}, nil
}
