package service

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// maxThings bounds what one activation holds.
const maxThings = 16384

// held is what the activations hold of us.
type held struct {
	last atomic.Uint64 // handle that was numbered

	mu   sync.Mutex
	runs map[string]*run
}

// next is the number of a new handle.
func (h *held) next() uint64 { return h.last.Add(1) }

// run is what one activation holds.
type run struct {
	id     string
	ctx    context.Context
	cancel context.CancelCauseFunc
	things map[uint64]*thing
	order  []uint64
	closed bool

	programs []started // that shell.start gave handles to

	running, fetching slots
}

// thing is something that a handle names: a function, or a promise.
type thing struct {
	title string
	run   handler         // of a function
	done  <-chan struct{} // of a promise
	value func() any      // of a promise that is done
	end   func()          // lets go of what is behind it; may be called again
}

// run is that of an activation, made by its first call.
func (h *held) run(id string) *run {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.runs[id]
	if r == nil {
		ctx, cancel := context.WithCancelCause(context.Background())
		r = &run{id: id, ctx: ctx, cancel: cancel, things: map[uint64]*thing{}}
		h.runs[id] = r
	}
	return r
}

// add keeps a thing for an activation.
func (h *held) add(r *run, t *thing) (wire.Handle, error) {
	id := h.next()
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case r.closed:
		return wire.Handle{}, errReleased
	case len(r.things) >= maxThings:
		return wire.Handle{}, errTooMany
	}
	r.things[id] = t
	r.order = append(r.order, id)
	return wire.Handle{Home: wire.Host, ID: id}, nil
}

func (h *held) thing(runID string, id uint64) *thing {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.runs[runID]; r != nil {
		return r.things[id]
	}
	return nil
}

// drop lets go of a thing.
func (h *held) drop(runID string, id uint64) {
	h.mu.Lock()
	var t *thing
	if r := h.runs[runID]; r != nil {
		t = r.things[id]
		h.forget(r, id)
	}
	h.mu.Unlock()
	if t != nil && t.end != nil {
		t.end()
	}
}

// forget removes a thing without ending it. The order is tidied now and then.
func (h *held) forget(r *run, id uint64) {
	delete(r.things, id)
	if len(r.order) > 64 && len(r.order) > 2*len(r.things) {
		r.order = slices.DeleteFunc(r.order, func(id uint64) bool { return r.things[id] == nil })
	}
}

// release ends all things of an activation, the last first.
func (h *held) release(runID string) {
	h.mu.Lock()
	r := h.runs[runID]
	if r == nil {
		h.mu.Unlock()
		return
	}
	delete(h.runs, runID)
	r.closed = true
	var ends []func()
	for _, id := range slices.Backward(r.order) {
		if t := r.things[id]; t != nil && t.end != nil {
			ends = append(ends, t.end)
		}
	}
	h.mu.Unlock()
	r.cancel(errReleased)
	for _, end := range ends {
		end()
	}
}

func (h *held) close() {
	h.mu.Lock()
	var ids []string
	for id := range h.runs {
		ids = append(ids, id)
	}
	h.mu.Unlock()
	slices.Sort(ids)
	for _, id := range ids {
		h.release(id)
	}
}

// Limits of what an activation does at once, and of how many programs that have
// ended the handles still work.
const (
	maxRunning  = 32
	maxFetching = 32
	maxFinished = 64
)

// finished remembers a program, and forgets the handles of the one that ended
// longest ago when there are too many.
func (r *run) finished(s *Services, p *program, ids []uint64) {
	s.held.mu.Lock()
	r.programs = append(r.programs, started{p, ids})
	var old []uint64
	over := 0
	for _, q := range slices.Backward(r.programs) {
		if q.program.over() {
			if over++; over > maxFinished {
				old = append(old, q.ids...)
			}
		}
	}
	r.programs = slices.DeleteFunc(r.programs, func(q started) bool { return slices.Contains(old, q.ids[0]) })
	for _, id := range old {
		s.held.forget(r, id)
	}
	s.held.mu.Unlock()
}

// slots are how much of one kind an activation does at once.
type slots struct{ taken atomic.Int32 }

// take takes one, unless there are as many as may be.
func (s *slots) take(most int32) error {
	if s.taken.Add(1) > most {
		s.taken.Add(-1)
		return errTooMany
	}
	return nil
}

func (s *slots) give() { s.taken.Add(-1) }

// started is a program with its handles.
type started struct {
	program *program
	ids     []uint64
}
