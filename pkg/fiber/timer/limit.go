package timer

import (
	"context"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
)

// Limited is a function that is called less often than it is asked to be: what
// Throttle and Debounce give. T is what a call passes on.
type Limited[T any] struct {
	*fiber.Effect

	call func(T)
}

// Call asks for a call.
func (l *Limited[T]) Call(arg T) { l.call(arg) }

// Throttle calls f at once when d has passed since it was last called, and else
// once at that time, with the latest argument; with noTrailing not at all.
// Disposed of, it makes calls at once only.
func Throttle[T any](ctx context.Context, t *Timers, c *fiber.Context, d time.Duration, noTrailing bool, f func(T)) (*Limited[T], error) {
	r := &throttle[T]{alarm: t.alarm(), clock: t.clock, d: d, noTrailing: noTrailing, f: f}
	e, err := r.alarm.effect(ctx, c, "throttle", r.disarm)
	if err != nil {
		return nil, err
	}
	return &Limited[T]{e, r.call}, nil
}

type throttle[T any] struct {
	clock      Scheduler
	d          time.Duration
	noTrailing bool
	f          func(T)
	alarm      *alarm

	mu     sync.Mutex
	called bool
	last   time.Time
	armed  bool
	latest T
}

func (r *throttle[T]) call(arg T) {
	r.mu.Lock()
	now := r.clock.Now()
	if !r.armed && (!r.called || now.Sub(r.last) >= r.d) {
		r.called, r.last = true, now
		r.mu.Unlock()
		r.f(arg)
		return
	}
	r.latest = arg
	arm := !r.armed && !r.noTrailing && !r.alarm.over()
	r.armed = r.armed || arm
	rest := r.d - now.Sub(r.last)
	r.mu.Unlock()
	if arm {
		r.alarm.set(rest, r.trail)
	}
}

func (r *throttle[T]) trail() {
	r.mu.Lock()
	r.armed, r.last = false, r.clock.Now()
	arg := r.latest
	r.mu.Unlock()
	r.f(arg)
}

// disarm forgets the trailing call, so that it does not stand for a call at once.
func (r *throttle[T]) disarm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = false
}

// over says whether the alarm has ended for good.
func (a *alarm) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

// Debounce calls f once, with the last argument, when d has passed without a call.
// Disposed of, it ignores calls.
func Debounce[T any](ctx context.Context, t *Timers, c *fiber.Context, d time.Duration, f func(T)) (*Limited[T], error) {
	a := t.alarm()
	e, err := a.effect(ctx, c, "debounce", nil)
	if err != nil {
		return nil, err
	}
	return &Limited[T]{e, func(arg T) { a.set(d, func() { f(arg) }) }}, nil
}
