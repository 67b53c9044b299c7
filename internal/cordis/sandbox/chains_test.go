package sandbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// A call out of the half blocks its loop, which meanwhile admits what belongs to
// the same chain, and nothing else.
func TestOnlyTheSameChainIsAdmitted(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	inside, other := make(chan uint64), make(chan struct{})
	slow := w.function("slow", func(ctx context.Context, args []any) (any, error) {
		chain := ctx.Value(chainKey{}).(uint64)
		if v, err := w.callIn(chain, args[0].(wire.Func), 1.0); err != nil || v != 2.0 {
			t.Errorf("nested: %v, %v", v, err)
		}
		inside <- chain
		<-other
		return "done", nil
	})
	w.services["slow"] = wire.Object{Members: []wire.Member{{Name: "call", Value: slow}}}
	w.run(`const log = x => console.log(x)
		harness.handle('outer', () => { const v = ctx0.get('slow').call(n => { log('nested ' + n); return n + 1 }); log('after ' + v); return v })
		harness.handle('other', () => { log('other'); return null })
		let ctx0
		return ctx => { ctx0 = ctx }`)
	answers := make(chan any, 2)
	go func() { v, err := w.invoke("outer", nil); answers <- v; answers <- err }()
	<-inside
	ended := make(chan error, 1)
	go func() { _, err := w.invoke("other", nil); ended <- err }()
	select {
	case err := <-ended:
		t.Fatalf("another chain was admitted: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(other)
	if v, err := <-answers, <-answers; v != "done" || err != nil {
		t.Errorf("outer: %v, %v", v, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	w.expect([]string{"nested 1", "after done", "other"})
}

// An asynchronous listener of a waterfall that comes while its half is blocked cannot
// be waited for, as the half would wait for itself: it gives its promise, as in the
// reference, and calls its next when the loop is free.
func TestAsyncWaterfallWhileBlocked(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	given := make(chan any, 1)
	w.services["fall"] = w.function("fall", func(ctx context.Context, _ []any) (any, error) {
		w.mu.Lock()
		w.nexts[99] = func() (any, error) { return 40.0, nil }
		w.mu.Unlock()
		var v wire.Value
		fire := wire.Fire{Listener: w.heard("x")[0].ID, Args: []any{2.0}, Next: 99}
		err := w.peer.Call(w.ctx, ctx.Value(chainKey{}).(uint64), wire.VerbFire, fire, &v)
		given <- v.Value
		return "fallen", err
	})
	w.run(`return ctx => { ctx.on('x', async (v, next) => { await null; return v + next() })
		harness.handle('go', () => ctx.get('fall')()) }`)
	if got, err := w.invoke("go", nil); err != nil || got != "fallen" {
		t.Fatalf("%v, %v", got, err)
	}
	p, ok := (<-given).(wire.Promise)
	if !ok {
		t.Fatal("no promise")
	}
	var v wire.Value
	if err := w.ask(wire.VerbAwait, wire.AwaitPromise{Promise: p}, &v); err != nil || v.Value != 42.0 {
		t.Errorf("%v, %v", v.Value, err)
	}
}

// A chain follows awaits, and a timer begins one of its own.
func TestChainsFollowAwaits(t *testing.T) {
	w, advance := timed(t)
	var chains []uint64
	note := w.function("note", func(ctx context.Context, _ []any) (any, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		chains = append(chains, ctx.Value(chainKey{}).(uint64))
		return nil, nil
	})
	w.services["note"] = note
	w.run(`harness.handle('go', async () => { note(); await null; note(); await ctx0.timeout(1); note(); return null })
		let ctx0, note
		return { inject: ['timer'], apply(ctx) { ctx0 = ctx; note = ctx.get('note'); ctx.timeout(() => note(), 5) } }`)
	chain := w.chain()
	done := make(chan error, 1)
	go func() {
		done <- w.peer.Call(w.ctx, chain, wire.VerbInvoke, wire.Invoke{Method: "go"}, &wire.Value{})
	}()
	for len(done) == 0 && w.ctx.Err() == nil {
		advance(1)
	}
	advance(10)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	slices.Sort(chains)
	own := slices.DeleteFunc(slices.Clone(chains), func(c uint64) bool { return c == chain })
	if len(chains) != 4 || len(own) != 1 || own[0]%2 != 0 {
		t.Errorf("%v, want %d three times and one of the half's own", chains, chain)
	}
}

func TestSlowServiceIsGivenUp(t *testing.T) {
	w := newWorld(t, sandbox.Config{Limits: sandbox.Limits{Sync: 30 * time.Millisecond}})
	never := w.function("never", func(ctx context.Context, _ []any) (any, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	w.services["never"] = never
	w.run(`harness.handle('wait', () => { try { ctx0.get('never')() } catch (e) { return e.code + ': ' + e.message } }); let ctx0; return ctx => { ctx0 = ctx }`)
	got, err := w.invoke("wait", nil)
	if text, _ := got.(string); err != nil || !strings.HasPrefix(text, "limit: the call took longer than 30ms") {
		t.Errorf("%v, %v", got, err)
	}
}

// CR-W4: every entry is watched, not only the evaluation.
func TestEveryEntryIsWatched(t *testing.T) {
	for phase, code := range map[string]string{
		"apply":      `return () => { for (;;) {} }`,
		"a handler":  `harness.handle('x', () => { for (;;) {} }); return () => {}`,
		"a listener": `return ctx => { ctx.on('x', () => { for (;;) {} }) }`,
		"a timer":    `return { inject: ['timer'], apply(ctx) { ctx.timeout(() => { for (;;) {} }, 1) } }`,
		"a disposer": `return ctx => { ctx.effect(() => () => { for (;;) {} }) }`,
		"a service":  `return ctx => { ctx.provide('s', { f() { for (;;) {} } }) }`,
	} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sandbox.Config{Limits: sandbox.Limits{Busy: 500 * time.Millisecond}})
			if _, err := w.start(code); err != nil {
				t.Fatal(err)
			}
			go func() {
				_ = w.load()
				_, _ = w.invoke("x", nil)
				_ = w.emit("x")
				if phase == "a service" {
					_, _ = w.callBack(w.member("s", "f"))
				}
				if phase == "a disposer" {
					_ = w.unload()
				}
			}()
			<-w.peer.Done()
			// A disposer is called within the unload.
			want := wire.Limit{Limit: "busy", Phase: phase, Bound: "500ms"}
			if phase == "a disposer" {
				want.Phase = "unload"
			}
			if diff := cmp.Diff([]wire.Limit{want}, w.limits); diff != "" {
				t.Error(diff)
			}
			if err := <-w.done; err == nil {
				t.Error("the sandbox ended without an error")
			}
			w.done <- nil
		})
	}
}

func TestEndWhileBlocked(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	called := make(chan struct{})
	never := w.function("never", func(ctx context.Context, _ []any) (any, error) {
		close(called)
		<-ctx.Done()
		return nil, errors.New("gone")
	})
	w.services["never"] = never
	w.run(`harness.handle('wait', () => ctx0.get('never')()); let ctx0; return ctx => { ctx0 = ctx; ctx.effect(() => () => console.log('too late')) }`)
	go func() { _, _ = w.invoke("wait", nil) }()
	<-called
	_ = w.peer.Close()
	if err := <-w.done; err != nil {
		t.Error(err)
	}
	w.done <- nil
}
