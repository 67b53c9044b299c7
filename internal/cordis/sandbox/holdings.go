package sandbox

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// holdings are the things of this half that others may hold, by number. What
// nobody holds any more goes by itself. Any goroutine may use them.
type holdings struct {
	limit int
	freed chan struct{} // a token: there may be room

	mu     sync.Mutex
	last   uint64
	things map[uint64]*holding
	known  map[held]uint64
	loans  []uint64 // promises, oldest first; some may be let go already
	lent   int      // those that may still be asked for
	full   bool     // waiting for room was in vain, and nothing went since
}

// maxLoans bounds the promises that wait to be asked for: who has not come for the
// oldest by then does not come any more.
const maxLoans = 4096

// held is one of them: a function with its receiver, a promise, or an object.
type held struct{ thing, this *jsrun.Object }

// holding is a thing with the lease that others have of it; one of a promise has
// none.
type holding struct {
	held
	lease weak.Pointer[wire.Lease]
	undo  func() // when it goes
	heard bool   // a signal that is followed
}

func newHoldings(limit int) *holdings {
	return &holdings{limit: limit, freed: make(chan struct{}, 1), things: map[uint64]*holding{}, known: map[held]uint64{}}
}

// hold gives the number of a thing; one thing has one number, as long as it is
// held.
func (h *holdings) hold(thing held) (id uint64, lease *wire.Lease, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	id, ok = h.known[thing]
	if !ok {
		if len(h.things) >= h.limit {
			return 0, nil, false
		}
		h.last++
		id = h.last
		h.things[id], h.known[thing] = &holding{held: thing}, id
	}
	return id, h.lease(id), true
}

// lease is the present lease of a thing, or a new one.
func (h *holdings) lease(id uint64) *wire.Lease {
	one := h.things[id]
	if l := one.lease.Value(); l != nil {
		return l
	}
	self, home := new(weak.Pointer[wire.Lease]), weak.Make(h) // halves may hold things of each other
	l := wire.NewLease(func() {
		if h := home.Value(); h != nil {
			h.ended(id, self)
		}
	})
	*self = weak.Make(l)
	one.lease = *self
	return l
}

// ended lets go of a thing, unless it has been lent anew.
func (h *holdings) ended(id uint64, lease *weak.Pointer[wire.Lease]) {
	h.mu.Lock()
	one := h.things[id]
	if one == nil || one.lease != *lease {
		h.mu.Unlock()
		return
	}
	delete(h.known, one.held)
	delete(h.things, id)
	h.full = false
	h.mu.Unlock()
	if one.undo != nil {
		one.undo()
	}
	ring(h.freed)
}

// room waits a little until things go that nobody holds, and says whether there is
// room then.
func (h *holdings) room(vm *jsrun.VM) bool {
	const times = 20
	for i := range times {
		h.mu.Lock()
		room, full := len(h.things) < h.limit, h.full
		h.full = !room && i == times-1
		h.mu.Unlock()
		if room || full {
			return room
		}
		runtime.GC()
		select {
		case <-h.freed:
		case <-time.After(nap):
			vm.Rest(nap)
		}
	}
	return false
}

// onEnd sets what is done when a thing goes.
func (h *holdings) onEnd(id uint64, undo func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if one := h.things[id]; one != nil {
		one.undo = undo
	}
}

// follow says whether a signal is to be followed: the first one who asks does.
func (h *holdings) follow(id uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.things[id]
	if one == nil || one.heard {
		return false
	}
	one.heard = true
	return true
}

// find gives the thing of a number.
func (h *holdings) find(id uint64) (held, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one := h.things[id]
	if one == nil {
		return held{}, false
	}
	return one.held, true
}

// lend gives a promise a number that counts for one answer.
func (h *holdings) lend(promise *jsrun.Object) (uint64, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.lent >= maxLoans {
		h.letGo(h.loans[0])
		h.loans = h.loans[1:]
	}
	if len(h.loans) >= 2*maxLoans { // at least half of them are let go
		h.loans = slices.DeleteFunc(h.loans, func(id uint64) bool { return h.things[id] == nil })
	}
	if len(h.things) >= h.limit {
		return 0, false
	}
	h.last++
	h.things[h.last] = &holding{held: held{thing: promise}}
	h.loans = append(h.loans, h.last)
	h.lent++
	return h.last, true
}

// letGo ends a loan, if it lasts. The lock is held.
func (h *holdings) letGo(id uint64) {
	one := h.things[id]
	if one == nil || h.known[one.held] == id { // the latter is no loan
		return
	}
	delete(h.things, id)
	h.lent--
}

// forget lets go of an object that nobody needs any more.
func (h *holdings) forget(v jsrun.Value) {
	o, _ := v.(*jsrun.Object)
	h.mu.Lock()
	defer h.mu.Unlock()
	thing := held{thing: o}
	if id, ok := h.known[thing]; ok {
		delete(h.known, thing)
		delete(h.things, id)
	}
}

// drop takes a loan back.
func (h *holdings) drop(id uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.letGo(id)
}

// lend hands out a promise. Its rejection is from now on the matter of the one who
// has it.
func (b *box) lend(promise *jsrun.Object) (wire.Promise, error) {
	id, ok := b.holdings.lend(promise)
	if !ok && b.holdings.room(b.vm) {
		id, ok = b.holdings.lend(promise)
	}
	if !ok {
		return wire.Promise{}, b.failure("RangeError", handlesText)
	}
	b.js.follow(promise, func(jsrun.Value) {}, func(error) {})
	return wire.Promise{Handle: b.named(id)}, nil
}

// handle holds something under the name of this half, as long as the lease is
// held.
func (b *box) handle(thing, this *jsrun.Object) (wire.Handle, *wire.Lease, error) {
	id, lease, ok := b.holdings.hold(held{thing, this})
	if !ok && b.holdings.room(b.vm) {
		id, lease, ok = b.holdings.hold(held{thing, this})
	}
	if !ok {
		return wire.Handle{}, nil, b.failure("RangeError", handlesText)
	}
	return b.named(id), lease, nil
}

func (b *box) named(id uint64) wire.Handle {
	return wire.Handle{Home: wire.Home(b.source.RunID), ID: id}
}
