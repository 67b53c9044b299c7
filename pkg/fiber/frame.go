package fiber

import (
	"context"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// frame says in whose code a ctx is: an Apply, a setup or a disposer that runs.
type frame struct {
	up     *frame
	fiber  *Fiber
	effect *Effect // whose setup or disposer it is, nil in an Apply
	turn   *turn   // nil on the goroutine of a caller
	once   sync.Once
	begun  chan struct{} // closed when the code has returned or waits
	ended  atomic.Bool
}

type frameKey struct{}

// framed is a ctx with a frame. Effects within effects put frame upon frame, each
// on the same ctx: what looks for another value does not go through all of them.
type framed struct {
	context.Context
	frame *frame
}

// Value is the frame, or what the ctx below has.
func (c *framed) Value(key any) any {
	if key == (frameKey{}) {
		return c.frame
	}
	return c.Context.Value(key)
}

// enter puts a frame on top of those that ctx has.
func (f *Fiber) enter(ctx context.Context, e *Effect, t *turn) (context.Context, *frame) {
	up, _ := ctx.Value(frameKey{}).(*frame)
	fr := &frame{up: up, fiber: f, effect: e, turn: t, begun: make(chan struct{})}
	if c, ok := ctx.(*framed); ok {
		ctx = c.Context
	}
	return &framed{ctx, fr}, fr
}

// begin says that the code no longer holds up others.
func (fr *frame) begin() {
	fr.once.Do(func() {
		if fr.turn != nil {
			fr.turn.pass()
		}
		close(fr.begun)
	})
}

// leave says that the code has ended: who still holds its ctx is not in it.
func (fr *frame) leave() {
	fr.ended.Store(true)
	fr.begin()
}

// frames are the live frames of ctx, innermost first.
func frames(ctx context.Context) []*frame {
	var live []*frame
	fr, _ := ctx.Value(frameKey{}).(*frame)
	for ; fr != nil; fr = fr.up {
		if !fr.ended.Load() {
			live = append(live, fr)
		}
	}
	return live
}

// yield passes the turns of the code that ctx is in: it is going to wait.
func yield(ctx context.Context) {
	for _, fr := range frames(ctx) {
		fr.begin()
	}
}

// protect runs plugin code and turns a panic into an error.
func protect(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}
