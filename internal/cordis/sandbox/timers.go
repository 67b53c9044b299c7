package sandbox

import (
	"math"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/fiber/timer"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// longest is what Node's timers take.
const longest = math.MaxInt32 * time.Millisecond

// delay reads milliseconds: a timer takes at least one.
func delay(v jsrun.Value) time.Duration {
	ms, ok := asNumber(v)
	switch {
	case !ok || !(ms >= 1):
		return time.Millisecond
	case ms > float64(longest.Milliseconds()):
		return longest
	}
	return time.Duration(ms) * time.Millisecond
}

// timed is a timer verb of ctx (9).
func (l *life) timed(name string, args []jsrun.Value) (jsrun.Value, error) {
	b := l.box
	if b.timers.Live() >= b.limits.Timers {
		return nil, b.failure("RangeError", tooManyTimersText(b.limits.Timers))
	}
	fn, ms := b.arg(args, 0), b.arg(args, 1)
	if !b.vm.IsFunc(fn) {
		switch name {
		case "timeout":
			return l.sleep(delay(fn))
		case "interval":
			return l.ticks(delay(fn))
		}
		return nil, b.failure("TypeError", wantsFunctionText(name))
	}
	switch name {
	case "timeout", "setTimeout":
		return l.timer(b.timers.Timeout(b.onOwner(), l.root, delay(ms), func() { b.tick(fn) }))
	case "interval", "setInterval":
		return l.timer(b.timers.Interval(b.onOwner(), l.root, delay(ms), func() { b.tick(fn) }))
	case "throttle":
		return l.limited(fn, func(f func([]jsrun.Value)) (*timer.Limited[[]jsrun.Value], error) {
			return timer.Throttle(b.onOwner(), b.timers, l.root, delay(ms), b.arg(args, 2).ToBoolean(), f)
		})
	}
	return l.limited(fn, func(f func([]jsrun.Value)) (*timer.Limited[[]jsrun.Value], error) {
		return timer.Debounce(b.onOwner(), b.timers, l.root, delay(ms), f)
	})
}

// timerService is the service under the name of timer. The verbs of an old ctx
// fail as all others do.
func (l *life) timerService() jsrun.Value {
	if l.service == nil {
		o := l.box.vm.New()
		for _, name := range timerVerbs() {
			_ = o.Set(name, l.box.function(name, func(args []jsrun.Value) (jsrun.Value, error) { return l.timed(name, args) }))
		}
		l.service = o
	}
	return l.service
}

// timer is a timer as plugin code has it: what disposes of it.
func (l *life) timer(e *fiber.Effect, err error) (jsrun.Value, error) {
	if err != nil {
		return nil, l.box.exception(err)
	}
	return l.disposeOf(e), nil
}

// tick calls a function of the plugin; what it throws is told.
func (b *box) tick(fn jsrun.Value, args ...jsrun.Value) {
	if _, err := b.vm.Apply(fn, nil, args...); err != nil {
		b.reportTimer(err)
	}
}

// soon does f on the owner's goroutine, in the chain that asked: the timers may
// tell the end on a goroutine of the tree.
func (b *box) soon(f func()) func() {
	chain := chainOf(b.vm)
	return func() { b.desk.put(chain, "a timer", func(*jsrun.VM) { f() }) }
}

func (l *life) sleep(d time.Duration) (jsrun.Value, error) {
	b := l.box
	p := b.js.promise()
	var failed error
	settle := b.soon(func() {
		if failed != nil {
			p.reject(b.raise(failed))
			return
		}
		p.resolve(b.js.undefined())
	})
	err := b.timers.After(b.onOwner(), l.root, d, func(err error) {
		failed = err
		settle()
	})
	if err != nil {
		return nil, b.exception(err)
	}
	return p.value, nil
}

// ticks is the async iterator of an interval.
func (l *life) ticks(d time.Duration) (jsrun.Value, error) {
	b := l.box
	ticks, err := b.timers.Ticks(b.onOwner(), l.root, d)
	if err != nil {
		return nil, b.exception(err)
	}
	next := b.function("next", func([]jsrun.Value) (jsrun.Value, error) { return b.nextTick(ticks), nil })
	end := b.function("return", func(args []jsrun.Value) (jsrun.Value, error) {
		ticks.Return()
		return b.js.call("ended", b.arg(args, 0))
	})
	fail := b.function("throw", func(args []jsrun.Value) (jsrun.Value, error) {
		ticks.Throw(b.vm.Throw(b.arg(args, 0)))
		return b.js.call("ended", b.js.undefined())
	})
	return b.js.sure("asyncIterate", next, end, fail), nil
}

// nextTick is a promise of the next result.
func (b *box) nextTick(ticks *timer.Ticks) jsrun.Value {
	p := b.js.promise()
	var over bool
	var failed error
	settle := b.soon(func() {
		if failed != nil {
			p.reject(b.raise(failed))
			return
		}
		o := b.vm.New()
		_ = o.Set("value", b.js.undefined())
		_ = o.Set("done", over)
		p.resolve(o)
	})
	ticks.Next(func(done bool, err error) {
		over, failed = done, err
		settle()
	})
	return p.value
}

// limited is a function that is called less often than it is asked to be, with
// the member dispose. What a call at once throws reaches the caller.
func (l *life) limited(fn jsrun.Value, make func(func([]jsrun.Value)) (*timer.Limited[[]jsrun.Value], error)) (jsrun.Value, error) {
	b := l.box
	var asking *error // of the call under way
	inner, err := make(func(args []jsrun.Value) {
		if asking == nil {
			b.tick(fn, args...)
			return
		}
		_, *asking = b.vm.Apply(fn, nil, args...)
	})
	if err != nil {
		return nil, b.exception(err)
	}
	outer := b.function("call", func(args []jsrun.Value) (_ jsrun.Value, err error) {
		before := asking
		asking = &err
		defer func() { asking = before }()
		inner.Call(args)
		return nil, err
	})
	b.js.sure("put", outer, b.vm.FromJSON("dispose"), l.disposeOf(inner.Effect))
	return outer, nil
}
