package sandbox

import (
	"context"
	"math"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// after calls f on the owner's goroutine when d has passed, as a chain of its own.
func (b *box) after(d time.Duration, f func()) (stop func()) {
	due := func() { b.desk.put(0, "a timer", func(*jsrun.VM) { f() }) }
	if b.clock != nil {
		return b.clock(d, due)
	}
	id := b.js.sure("setTimeout", b.function("", func([]jsrun.Value) (jsrun.Value, error) {
		due()
		return nil, nil
	}), b.vm.FromJSON(float64(d.Milliseconds())))
	return func() { b.js.sure("clearTimeout", id) }
}

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
		return l.timeout(fn, delay(ms))
	case "interval", "setInterval":
		return l.interval(fn, delay(ms))
	case "throttle":
		return l.throttle(fn, delay(ms), b.arg(args, 2).ToBoolean())
	}
	return l.debounce(fn, delay(ms))
}

// timerService is the service under the name of timer. The verbs of an old ctx
// fail as all others do.
func (l *life) timerService() jsrun.Value {
	if l.timer == nil {
		o := l.box.vm.New()
		for _, name := range []string{"timeout", "interval", "setTimeout", "setInterval", "throttle", "debounce"} {
			_ = o.Set(name, l.box.function(name, func(args []jsrun.Value) (jsrun.Value, error) { return l.timed(name, args) }))
		}
		l.timer = o
	}
	return l.timer
}

// timing is one timer: an effect whose disposer stops it.
type timing struct {
	life *life
	e    *fiber.Effect
	stop func()
	over bool
}

// newTiming registers a timer that nothing has started yet. disposed is called,
// on the owner's goroutine, when it is undone before it is over.
func (l *life) newTiming(label string, disposed func()) (*timing, error) {
	t := &timing{life: l, stop: func() {}}
	var err error
	t.e, err = l.root.Effect(l.box.onOwner(), label, func(context.Context) (fiber.Disposer, error) {
		return func(ctx context.Context) error {
			return l.box.on(ctx, l.chain.Load(), "a timer", func() error {
				if !t.over {
					t.end()
					disposed()
				}
				return nil
			})
		}, nil
	})
	if err != nil {
		return nil, l.box.exception(err)
	}
	return t, nil
}

// end stops the timer for good.
func (t *timing) end() {
	t.over = true
	t.stop()
}

// finish ends it and removes the effect.
func (t *timing) finish() {
	t.end()
	_, _ = t.e.Begin(t.life.box.onOwner())
}

// after starts the timer, or starts it anew.
func (t *timing) after(d time.Duration, f func()) {
	t.stop()
	live := true
	stop := t.life.box.after(d, func() {
		if live && !t.over {
			f()
		}
	})
	t.stop = func() {
		live = false
		stop()
	}
}

// run calls a function of the plugin; what it throws is told.
func (t *timing) run(fn jsrun.Value, args ...jsrun.Value) {
	b := t.life.box
	if _, err := b.vm.Apply(fn, nil, args...); err != nil {
		b.reportTimer(err)
	}
}

func (l *life) timeout(fn jsrun.Value, d time.Duration) (jsrun.Value, error) {
	t, err := l.newTiming("timeout", func() {})
	if err != nil {
		return nil, err
	}
	t.after(d, func() {
		t.finish()
		t.run(fn)
	})
	return l.quiet(t.e), nil
}

func (l *life) sleep(d time.Duration) (jsrun.Value, error) {
	p := l.box.js.promise()
	t, err := l.newTiming("timeout", func() { p.reject(l.box.disposed()) })
	if err != nil {
		return nil, err
	}
	t.after(d, func() {
		t.finish()
		p.resolve(l.box.js.undefined())
	})
	return p.value, nil
}

// disposed is what a wait for a timer fails with when its Fiber unloads.
func (b *box) disposed() jsrun.Value { return b.vm.NewError("Error", disposedText) }

func (l *life) interval(fn jsrun.Value, d time.Duration) (jsrun.Value, error) {
	t, err := l.newTiming("interval", func() {})
	if err != nil {
		return nil, err
	}
	t.every(d, func() { t.run(fn) })
	return l.quiet(t.e), nil
}

// every calls f again and again. The next time is set before the call.
func (t *timing) every(d time.Duration, f func()) {
	t.after(d, func() {
		t.every(d, f)
		f()
	})
}

// ticks is the async iterator of an interval. A tick that nobody waits for is
// dropped.
func (l *life) ticks(d time.Duration) (jsrun.Value, error) {
	b := l.box
	var waiting []promise
	release := func(f func(p promise)) {
		list := waiting
		waiting = nil
		for _, p := range list {
			f(p)
		}
	}
	failed := false
	t, err := l.newTiming("interval", func() {
		failed = true
		release(func(p promise) { p.reject(b.disposed()) })
	})
	if err != nil {
		return nil, err
	}
	t.every(d, func() { release(func(p promise) { p.resolve(b.step(b.js.undefined(), false)) }) })
	next := b.function("next", func([]jsrun.Value) (jsrun.Value, error) {
		p := b.js.promise()
		switch {
		case failed:
			p.reject(b.disposed())
		case t.over:
			p.resolve(b.step(b.js.undefined(), true))
		default:
			waiting = append(waiting, p)
		}
		return p.value, nil
	})
	end := b.function("return", func(args []jsrun.Value) (jsrun.Value, error) {
		t.finish()
		release(func(p promise) { p.resolve(b.step(b.js.undefined(), true)) })
		return b.js.call("ended", b.arg(args, 0))
	})
	fail := b.function("throw", func(args []jsrun.Value) (jsrun.Value, error) {
		t.finish()
		release(func(p promise) { p.reject(b.arg(args, 0)) })
		return b.js.call("ended", b.js.undefined())
	})
	return b.js.sure("asyncIterate", next, end, fail), nil
}

// step is the result of an iterator.
func (b *box) step(value jsrun.Value, done bool) jsrun.Value {
	o := b.vm.New()
	_ = o.Set("value", value)
	_ = o.Set("done", done)
	return o
}

// throttle calls at once, then at most once in d; of the calls that came too
// early the last one counts, at the end.
func (l *life) throttle(fn jsrun.Value, d time.Duration, noTrailing bool) (jsrun.Value, error) {
	t, err := l.newTiming("throttle", func() {})
	if err != nil {
		return nil, err
	}
	closed := false
	var latest []jsrun.Value
	pending := false
	var shut func()
	shut = func() {
		closed = true
		open := func() {
			closed = false
			if pending {
				pending = false
				shut()
				t.run(fn, latest...)
			}
		}
		if t.over {
			l.box.after(d, open)
			return
		}
		t.after(d, open)
	}
	call := func(args []jsrun.Value) (jsrun.Value, error) {
		if closed {
			if !noTrailing && !t.over {
				latest, pending = args, true
			}
			return nil, nil
		}
		shut()
		_, err := l.box.vm.Apply(fn, nil, args...)
		return nil, err
	}
	return t.withDispose(call, func() {
		if pending = false; closed {
			l.box.after(d, func() { closed = false })
		}
	}), nil
}

// debounce calls once when there were no calls for d, with the last arguments.
func (l *life) debounce(fn jsrun.Value, d time.Duration) (jsrun.Value, error) {
	t, err := l.newTiming("debounce", func() {})
	if err != nil {
		return nil, err
	}
	call := func(args []jsrun.Value) (jsrun.Value, error) {
		if !t.over {
			t.after(d, func() { t.run(fn, args...) })
		}
		return nil, nil
	}
	return t.withDispose(call, func() {}), nil
}

// withDispose is a function with the member dispose.
func (t *timing) withDispose(call func([]jsrun.Value) (jsrun.Value, error), disposed func()) jsrun.Value {
	b := t.life.box
	fn := b.function("call", call)
	b.js.sure("put", fn, b.vm.FromJSON("dispose"), b.function("dispose", func([]jsrun.Value) (jsrun.Value, error) {
		if !t.over {
			t.finish()
			disposed()
		}
		return nil, nil
	}))
	return fn
}
