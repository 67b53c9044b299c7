package sandbox

import (
	"runtime"
	"slices"
	"weak"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// exportSignal follows a signal as long as others hold it, and tells when it is
// aborted.
func (b *box) exportSignal(o *jsrun.Object) (any, error) {
	h, lease, err := b.handle(o, nil)
	if err != nil {
		return nil, err
	}
	aborted, err := b.vm.Get(o, "aborted")
	if err != nil {
		return nil, err
	}
	if !aborted.ToBoolean() && b.holdings.follow(h.ID) {
		err = b.followSignal(o, h)
	}
	return wire.Signal{Handle: h, Aborted: aborted.ToBoolean(), Lease: lease}, err
}

func (b *box) followSignal(signal *jsrun.Object, h wire.Handle) error {
	heard := b.function("abort", func([]jsrun.Value) (jsrun.Value, error) {
		reason, err := b.vm.Get(signal, "reason")
		if err != nil {
			return nil, err
		}
		b.tell(wire.VerbAbort, wire.Abort{Signal: h, Reason: b.vm.Throw(reason).Message})
		return nil, nil
	})
	change := func(verb string) error {
		f, err := b.vm.Get(signal, verb)
		if err != nil {
			return err
		}
		_, err = b.vm.Apply(f, signal, b.vm.FromJSON("abort"), heard)
		return err
	}
	b.holdings.onEnd(h.ID, func() {
		b.desk.put(0, "a signal", func(*jsrun.VM) { _ = change("removeEventListener") })
	})
	return change("addEventListener")
}

// borrowed is a signal that lives elsewhere. It lasts as long as the script has it
// or listens to it.
type borrowed struct {
	here  weak.Pointer[jsrun.Object]
	heard jsrun.Value // the same, while somebody listens
}

// minSwept is how many signals may be borrowed before those are looked for that
// are gone.
const minSwept = 64

// importSignal is a signal that lives elsewhere, or of this half.
func (b *box) importSignal(s wire.Signal) jsrun.Value {
	if own, ok := b.own(s.Handle); ok {
		return own.thing
	}
	one := &borrowed{}
	lease := s.Lease
	signal := b.js.sure("signal", b.function("listening", func(args []jsrun.Value) (jsrun.Value, error) {
		one.heard = nil
		if o := one.here.Value(); o != nil && b.arg(args, 0).ToBoolean() {
			one.heard = o
			b.hear(one)
		}
		runtime.KeepAlive(lease) // the signal has it
		return nil, nil
	}))
	o, ok := signal.(*jsrun.Object)
	if !ok {
		return signal
	}
	if s.Aborted {
		b.abort(o, "")
		return o
	}
	one.here = weak.Make(o)
	b.sweepSignals()
	b.signals[s.Handle] = append(b.signals[s.Handle], one)
	b.borrowed++
	return o
}

// maxHeard bounds the signals that are kept for those who listen to them and have
// nothing else of them. When there are twice as many the oldest go unheard.
const maxHeard = 4096

func (b *box) hear(one *borrowed) {
	if b.heard = append(b.heard, one); len(b.heard) <= 2*maxHeard { // not a look at all for each one
		return
	}
	b.heard = slices.DeleteFunc(b.heard, func(one *borrowed) bool { return one.heard == nil })
	if over := len(b.heard) - maxHeard; over > 0 {
		for _, old := range b.heard[:over] {
			old.heard = nil
		}
		b.heard = slices.Delete(b.heard, 0, over)
	}
}

// sweepSignals forgets those that are gone, when there are twice as many as after
// the last time.
func (b *box) sweepSignals() {
	if b.borrowed < max(minSwept, 2*b.swept) {
		return
	}
	b.borrowed = 0
	for h, list := range b.signals {
		alive := list[:0]
		for _, one := range list {
			if one.here.Value() != nil {
				alive = append(alive, one)
			}
		}
		if b.signals[h] = alive; len(alive) == 0 {
			delete(b.signals, h)
		}
		b.borrowed += len(alive)
	}
	b.swept = b.borrowed
}

// abort aborts a signal of this sandbox's making.
func (b *box) abort(signal *jsrun.Object, reason string) {
	if reason == "" {
		reason = "This operation was aborted"
	}
	if _, err := b.js.call("abort", signal, b.vm.NewError("AbortError", reason)); err != nil {
		b.report(wire.Report{Kind: failureListener}, err)
	}
}

// signal makes a signal and what aborts it.
func (b *box) signal() (signal jsrun.Value, abort func(reason string)) {
	signal = b.js.sure("signal")
	return signal, func(reason string) {
		if o, ok := signal.(*jsrun.Object); ok {
			b.abort(o, reason)
		}
	}
}

// aborted is told by the one who holds a signal.
func (b *box) aborted(a wire.Abort) {
	list := b.signals[a.Signal]
	delete(b.signals, a.Signal)
	b.borrowed -= len(list)
	for _, one := range list {
		if o := one.here.Value(); o != nil {
			b.abort(o, a.Reason)
		}
	}
}
