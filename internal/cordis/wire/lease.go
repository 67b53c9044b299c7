package wire

import (
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"
)

// Lease stands for the use of what a Handle names. As long as a Lease can be
// reached, in this process or as a value that has crossed to another one, the
// thing is kept at its home. Nobody gives it back: the garbage collector finds
// that it is used no more.
type Lease struct {
	_ *Lease // so that it has a place of its own in memory
}

// NewLease makes a Lease. ended is called, on any goroutine, when nothing holds
// the Lease any more; it must not block. What ended refers to is kept until then,
// so it refers weakly to whatever may hold the Lease, or another one that leads
// back: else all of that is kept for ever.
func NewLease(ended func()) *Lease {
	l := &Lease{}
	runtime.AddCleanup(l, func(ended func()) { ended() }, ended)
	return l
}

// Equal is true: how a value is held is no part of it.
func (l *Lease) Equal(*Lease) bool { return true }

// lent is a handle of a frame, with what keeps it here.
type lent struct {
	handle Handle
	lease  *Lease
}

// Release gives back what has crossed so often as it says.
type Release struct{ Returned []Returned }

// Returned is one thing that is given back.
type Returned struct {
	Handle Handle
	Times  uint64
}

// loans are what the other side has of this one, or by way of it.
type loans struct {
	mu sync.Mutex
	by map[Handle]*loan
}

type loan struct {
	times uint64
	lease *Lease
}

// lend counts what a frame takes along.
func (l *loans) lend(list []lent) {
	if len(list) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range list {
		known := l.by[one.handle]
		if known == nil {
			known = &loan{}
			l.by[one.handle] = known
		}
		known.times++
		known.lease = one.lease
	}
}

// returned takes back.
func (l *loans) returned(list []Returned) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range list {
		known := l.by[r.Handle]
		if known == nil {
			continue
		}
		if known.times -= min(known.times, r.Times); known.times == 0 {
			delete(l.by, r.Handle)
			thrift.note()
		}
	}
}

// clear lets go of everything.
func (l *loans) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.by)
}

func (l *loans) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.by)
}

// receipts are what this side has of the other one. What is used no more is given
// back, a batch at a time.
type receipts struct {
	send func(Release)

	mu     sync.Mutex
	by     map[Handle]*receipt
	due    []Returned
	timer  *time.Timer // set: a batch is being collected
	closed bool
}

type receipt struct {
	lease weak.Pointer[Lease]
	times uint64
}

// batchTime is how long what is given back waits for more of it.
const batchTime = 5 * time.Millisecond

// take makes the leases of a frame that has arrived.
func (r *receipts) take(list []Handle) map[Handle]*Lease {
	if len(list) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make(map[Handle]*Lease, len(list))
	for _, h := range list {
		out[h] = r.one(h)
	}
	return out
}

func (r *receipts) one(h Handle) *Lease {
	if known := r.by[h]; known != nil {
		if l := known.lease.Value(); l != nil {
			known.times++
			return l
		}
	}
	fresh := &receipt{times: 1}
	self := weak.Make(r) // what came is held behind the very Peer that it came to
	l := NewLease(func() {
		if r := self.Value(); r != nil {
			r.ended(h, fresh)
		}
	})
	fresh.lease = weak.Make(l)
	r.by[h] = fresh
	thrift.note()
	return l
}

// ended gives back what nothing holds any more.
func (r *receipts) ended(h Handle, old *receipt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by[h] == old { // else it has come anew meanwhile
		delete(r.by, h)
	}
	if r.closed {
		return
	}
	r.due = append(r.due, Returned{h, old.times})
	if r.timer == nil {
		r.timer = time.AfterFunc(batchTime, r.flush)
	}
}

func (r *receipts) flush() {
	r.mu.Lock()
	due := r.due
	r.due, r.timer = nil, nil
	r.mu.Unlock()
	for batch := range slices.Chunk(due, 4096) {
		r.send(Release{batch})
	}
}

func (r *receipts) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed, r.due = true, nil
	if r.timer != nil {
		r.timer.Stop()
	}
	clear(r.by)
}

// thrift runs the garbage collector when many things have come and gone since it
// last ran: a heap that is small to this process may hold what is dear to another.
var thrift collector

// patience is how many things may have come or gone till then.
const patience = 1024

type collector struct {
	mu    sync.Mutex
	noted int
	busy  bool
}

func (c *collector) note() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted++; c.noted < patience || c.busy {
		return
	}
	c.noted, c.busy = 0, true
	go c.collect()
}

func (c *collector) collect() {
	runtime.GC()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = false
}
