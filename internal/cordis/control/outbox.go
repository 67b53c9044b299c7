package control

import (
	"errors"
	"sync"
)

// errFull says that a message did not fit.
var errFull = errors.New("full")

// outbox is what waits to be read by the other side, in order. An answer waits
// for room; an event does not, for it comes from the host itself.
type outbox struct {
	mu    sync.Mutex
	moved sync.Cond
	lines [][]byte
	bytes int
	last  bool // nothing is added any more; what is there is still sent
}

func newOutbox() *outbox {
	o := &outbox{}
	o.moved.L = &o.mu
	return o
}

func (o *outbox) fits(line []byte) bool {
	return len(o.lines) < maxQueue && (o.bytes+len(line) <= maxQueueBytes || len(o.lines) == 0)
}

// put adds a line. It waits for room when patient, else fails with errFull. It
// reports false when the other side is gone.
func (o *outbox) put(line []byte, patient bool) (open bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for patient && !o.last && !o.fits(line) {
		o.moved.Wait()
	}
	switch {
	case o.last:
		return false, nil
	case !o.fits(line):
		return true, errFull
	}
	o.lines = append(o.lines, line)
	o.bytes += len(line)
	o.moved.Broadcast()
	return true, nil
}

// end takes no more lines after a last one, if there is one; alone, it takes the
// place of all that wait.
func (o *outbox) end(last []byte, alone bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last {
		return
	}
	if alone {
		o.lines, o.bytes = nil, 0
	}
	if last != nil {
		o.lines = append(o.lines, last)
		o.bytes += len(last)
	}
	o.last = true
	o.moved.Broadcast()
}

// next waits for a line; ok is false when none will come.
func (o *outbox) next() (line []byte, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.lines) == 0 && !o.last {
		o.moved.Wait()
	}
	if len(o.lines) == 0 {
		return nil, false
	}
	line = o.lines[0]
	o.lines[0] = nil
	o.lines = o.lines[1:]
	o.bytes -= len(line)
	o.moved.Broadcast()
	return line, true
}

// drop throws away what waits: nobody reads it.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines, o.bytes, o.last = nil, 0, true
	o.moved.Broadcast()
}
