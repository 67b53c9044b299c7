package half

import (
	"context"
	"iter"
	"runtime"
	"slices"
	"weak"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// maxSignals is how many signals of halves are followed at a time. One that is
// not followed still says whether it had been aborted when it crossed.
const maxSignals = 4096

// follower hears when a signal is aborted.
type follower struct {
	half  *attached // nil: it is of the host
	lease weak.Pointer[wire.Lease]
	hear  func(reason string)
}

// Watch calls aborted, once, when a signal that a half handed in is aborted.
func (c *Circle) Watch(s wire.Signal, aborted func()) (stop func()) {
	f := &follower{hear: func(string) { aborted() }}
	c.follow(s, f)
	return func() {
		c.unfollow(s.Handle, f)
		runtime.KeepAlive(s.Lease)
	}
}

// subscribe passes the abort of a signal on to a half.
func (c *Circle) subscribe(s wire.Signal, h *attached) {
	if s.Home == wire.Home(h.source.RunID) || s.Aborted {
		return
	}
	tell := wire.Abort{Signal: s.Handle}
	f := &follower{half: h, lease: weak.Make(s.Lease), hear: func(reason string) {
		tell.Reason = reason
		_ = h.peer.Tell(context.Background(), wire.VerbAbort, tell)
	}}
	if c.follow(s, f) && s.Lease != nil { // until nobody has it any more
		runtime.AddCleanup(s.Lease, func(known weak.Pointer[follower]) {
			if f := known.Value(); f != nil { // else the half is gone, which f would have kept
				c.unfollow(tell.Signal, f)
			}
		}, weak.Make(f))
	}
}

// follow says whether f is a new follower.
func (c *Circle) follow(s wire.Signal, f *follower) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.signals[s.Handle]
	if all == nil && len(c.signals) >= maxSignals {
		return false
	}
	same := func(o *follower) bool { return o.half == f.half && o.lease == f.lease }
	if f.half != nil && slices.ContainsFunc(all, same) {
		return false
	}
	c.signals[s.Handle] = append(all, f)
	return true
}

func (c *Circle) unfollow(s wire.Handle, f *follower) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(s, func(o *follower) bool { return o != f })
}

// keep leaves those followers that it says.
func (c *Circle) keep(s wire.Handle, wanted func(*follower) bool) {
	left := slices.DeleteFunc(c.signals[s], func(o *follower) bool { return !wanted(o) })
	if len(left) == 0 {
		delete(c.signals, s)
		return
	}
	c.signals[s] = left
}

// abort hears from a half that one of its signals has been aborted.
func (c *Circle) abort(h *attached, a wire.Abort) {
	if a.Signal.Home != wire.Home(h.source.RunID) {
		return // not its own
	}
	c.mu.Lock()
	all := c.signals[a.Signal]
	delete(c.signals, a.Signal)
	c.mu.Unlock()
	for _, f := range all {
		go f.hear(a.Reason) // the link of h must not wait for that of another
	}
}

// drop forgets a half that is gone, its signals and what it followed.
func (c *Circle) drop(h *attached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, h)
	for s := range c.signals {
		if s.Home == wire.Home(h.source.RunID) {
			delete(c.signals, s)
			continue
		}
		c.keep(s, func(f *follower) bool { return f.half != h })
	}
}

// signalsIn finds the signals in values that cross.
func signalsIn(values []any) iter.Seq[wire.Signal] {
	return func(yield func(wire.Signal) bool) {
		for _, v := range values {
			if !eachSignal(v, yield) {
				return
			}
		}
	}
}

func eachSignal(v any, yield func(wire.Signal) bool) bool {
	switch v := v.(type) {
	case wire.Signal:
		return yield(v)
	case []any:
		for _, item := range v {
			if !eachSignal(item, yield) {
				return false
			}
		}
	case *jsonvalue.Object:
		for _, member := range v.All() {
			if !eachSignal(member, yield) {
				return false
			}
		}
	case wire.Object:
		for _, m := range v.Members {
			if !eachSignal(m.Value, yield) {
				return false
			}
		}
	}
	return true
}
