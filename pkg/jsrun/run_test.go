package jsrun_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// start runs src in a fresh runtime that the test closes.
func start(t *testing.T, src string, config jsrun.Config) *jsrun.Run {
	t.Helper()
	p, err := jsrun.Compile("test.js", src)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	run, err := p.Start(t.Context(), config)
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() { _ = run.Close() })
	return run
}

func call(t *testing.T, run *jsrun.Run, name string, args ...any) any {
	t.Helper()
	out, err := run.Call(t.Context(), name, args...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

var values = cmp.AllowUnexported(jsonvalue.Object{})

func TestCall(t *testing.T) {
	run := start(t, `
		function plain(a, b) { return {sum: a + b, list: [a, , b], none: null} }
		async function later(x) { await null; return x }
		function thenable() { return {then(ok) { ok("from a thenable") }} }
		function fails() { throw Object.assign(new TypeError("no"), {code: "E_NO"}) }
		async function rejects() { await null; throw "a text" }
	`, jsrun.Config{})
	want := jsonvalue.Of("sum", 3.0, "list", []any{1.0, jsonvalue.Hole{}, 2.0}, "none", nil)
	if diff := cmp.Diff(any(want), call(t, run, "plain", 1.0, 2.0), values); diff != "" {
		t.Errorf("plain (-want +got):\n%s", diff)
	}
	if got := call(t, run, "later", "x"); got != "x" {
		t.Errorf("later = %v", got)
	}
	if got := call(t, run, "thenable"); got != "from a thenable" {
		t.Errorf("thenable = %v", got)
	}
	_, err := run.Call(t.Context(), "fails")
	var thrown *jsrun.Error
	if !errors.As(err, &thrown) || thrown.Name != "TypeError" || thrown.Message != "no" || thrown.Code != "E_NO" || thrown.Stack == "" {
		t.Errorf("fails = %#v", err)
	}
	_, err = run.Call(t.Context(), "rejects")
	if !errors.As(err, &thrown) || thrown.Message != "a text" {
		t.Errorf("rejects = %#v", err)
	}
}

func TestErrorsKeepTheirIdentity(t *testing.T) {
	run := start(t, `function rethrow(f) { f() } function throws(x) { throw x }`, jsrun.Config{})
	reason := errors.New("from Go")
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		f := vm.Func("f", func(jsrun.Value, []jsrun.Value) (jsrun.Value, error) { return nil, fmt.Errorf("wrapped: %w", reason) })
		global := vm.Runtime().GlobalObject()
		_, err := vm.Apply(global.Get("rethrow"), nil, f)
		if !errors.Is(err, reason) || err.Error() != "wrapped: from Go" {
			t.Errorf("through a script: %v", err)
		}
		thrown := vm.New()
		_, err = vm.Apply(global.Get("throws"), nil, thrown)
		g := vm.Func("g", func(jsrun.Value, []jsrun.Value) (jsrun.Value, error) { return nil, fmt.Errorf("around: %w", err) })
		_, err = vm.Apply(global.Get("rethrow"), nil, g)
		if v, ok := vm.Thrown(err); !ok || v != thrown {
			t.Errorf("through Go: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBusy(t *testing.T) {
	for name, src := range map[string]string{
		"loop":       `function f() { for (;;); }`,
		"microtasks": `function f() { const g = () => Promise.resolve().then(g); return g() }`,
		"awaits":     `async function f() { for (;;) await null }`,
	} {
		t.Run(name, func(t *testing.T) {
			run := start(t, src, jsrun.Config{Limits: jsrun.Limits{Busy: 500 * time.Millisecond}})
			_, err := run.Call(jsrun.WithPhase(t.Context(), "test:"+name), "f")
			var limit *jsrun.LimitError
			if !errors.Is(err, jsrun.ErrLimit) || !errors.As(err, &limit) || limit.Phase != "test:"+name || limit.Limit != "busy" {
				t.Fatalf("err = %v", err)
			}
			<-run.Done()
			if !errors.Is(run.Err(), jsrun.ErrLimit) {
				t.Errorf("Err = %v", run.Err())
			}
		})
	}
}

func TestAwaitLeaves(t *testing.T) {
	run := start(t, `let release; const held = new Promise((r) => { release = r }); function hold() { return held } function go() { release(1) }`, jsrun.Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	late := false
	out := run.Begin(ctx, func(vm *jsrun.VM) (jsrun.Value, error) {
		return vm.Apply(vm.Runtime().Get("hold"), nil)
	}, func(*jsrun.VM, jsrun.Value) error { late = true; return nil })
	cancel(reason)
	if err := <-out; err != reason {
		t.Errorf("err = %v, want %v", err, reason)
	}
	call(t, run, "go")
	if late {
		t.Error("the late value was not dropped")
	}
}

func TestSignals(t *testing.T) {
	run := start(t, `
		function listen(signal) { return new Promise((_, no) => { if (signal.aborted) no(signal.reason); signal.onabort = () => no(signal.reason) }) }
		const c = new AbortController(); const why = {why: 1}
		function signal() { return c.signal } function abort() { c.abort(why) }
	`, jsrun.Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("enough")
	out := run.Begin(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
		return vm.Apply(vm.Runtime().Get("listen"), nil, vm.Signal(ctx))
	}, nil)
	cancel(reason)
	if err := <-out; !errors.Is(err, reason) {
		t.Errorf("a signal that aborts: %v", err)
	}
	var follows context.Context
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		signal, err := vm.Apply(vm.Runtime().Get("signal"), nil)
		follows, _ = vm.Abortable(context.Background(), signal)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	call(t, run, "abort")
	<-follows.Done()
	err = run.Do(t.Context(), func(vm *jsrun.VM) error {
		v, ok := vm.Thrown(context.Cause(follows))
		if !ok || v != vm.Runtime().Get("why") {
			why, _ := vm.ToJSON(v)
			t.Errorf("cause = %v (%v)", context.Cause(follows), why)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
