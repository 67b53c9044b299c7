package compose

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The reads of a composition, and what comes before them.
const (
	createPhase  = "create"
	factsPhase   = "facts"
	projectPhase = "project"
)

// outage is a read that failed or was too slow. Its sentence is fixed: what the
// Source said may hold paths and secrets.
type outage struct{ diagnostic diagnostic }

func (o *outage) Error() string { return o.diagnostic.message }

func newOutage(key, phase string, slow bool) *outage {
	suffix, word := "failed", "failed"
	if slow {
		suffix, word = "timeout", "timed out"
	}
	return &outage{diagnostic{
		code:    fmt.Sprintf("source-%s-%s", phase, suffix),
		message: fmt.Sprintf("Memory Source %s %s() %s", key, phase, word),
		key:     key,
	}}
}

// reading is a bounded read under way. What came of it is kept from the moment it
// comes: whoever waits for several has one after the other.
type reading struct {
	ctx    context.Context
	cancel context.CancelFunc
	result chan Answer
	failed *outage
	said   error       // by the Source, once there is a result
	tell   func(error) // what the Source said; nil: nobody asks
}

// startRead starts a read that ends by itself after limit. start is not called
// when ctx has ended.
func startRead(ctx context.Context, key, phase string, limit time.Duration, tell func(error), start func(context.Context) <-chan Answer) *reading {
	r := &reading{failed: newOutage(key, phase, false), tell: tell, result: make(chan Answer, 1)}
	r.ctx, r.cancel = context.WithTimeoutCause(ctx, limit, newOutage(key, phase, true))
	var answer <-chan Answer
	if ctx.Err() == nil {
		answer = start(r.ctx)
	}
	go func() {
		r.result <- r.outcome(answer)
		r.cancel()
	}()
	return r
}

// outcome is the answer, an outage, or why the caller stopped the read. The last
// is never an outage. An answer that comes later is dropped.
func (r *reading) outcome(answer <-chan Answer) Answer {
	select {
	case <-r.ctx.Done():
		return Answer{Err: context.Cause(r.ctx)}
	case a, ok := <-answer:
		if r.ctx.Err() != nil {
			return Answer{Err: context.Cause(r.ctx)}
		}
		if !ok || a.Err != nil {
			r.said = a.Err
			return Answer{Err: r.failed}
		}
		return a
	}
}

func (r *reading) wait() (any, error) {
	a := <-r.result
	if r.tell != nil && r.said != nil {
		r.tell(r.said)
	}
	return a.Value, a.Err
}

// telling is how a Host hears what a Source of the generation said.
func (g *generation) telling(key, phase string) func(error) {
	if g.outage == nil {
		return nil
	}
	return func(err error) { g.outage(key, phase, err) }
}

// async calls plugin code on a goroutine of its own, which lasts as long as the
// plugin does. A panic becomes an error: nobody else could catch it there.
func async(f func() (any, error)) <-chan Answer {
	c := make(chan Answer, 1)
	go func() {
		a := Answer{Err: errors.New("plugin ended its goroutine")}
		defer func() {
			if p := recover(); p != nil {
				a = Answer{Err: fmt.Errorf("plugin panicked: %v", p)}
			}
			c <- a
		}()
		v, err := f()
		a = Answer{v, err}
	}()
	return c
}

// bounded calls plugin code that is meant to be quick, on this goroutine. Code
// that returns after its limit, or after the caller's ctx ended, is not heard.
func bounded[T any](ctx context.Context, limit time.Duration, tooLate error, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tooLate)
	defer cancel()
	v, err := f(ctx)
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	return v, err
}

// patient waits for plugin code that the caller may stop. The plugin gets grace
// to end in its own way; after that it is left alone.
func patient(ctx context.Context, grace time.Duration, answer <-chan Answer) (any, error) {
	select {
	case a := <-answer:
		return a.Value, a.Err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-answer:
		return a.Value, a.Err
	case <-timer.C:
		return nil, context.Cause(ctx)
	}
}
