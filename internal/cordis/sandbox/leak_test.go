package sandbox_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Nothing of a sandbox is left when it has ended, whatever it was doing.
func TestNothingIsLeft(t *testing.T) {
	run := func(t *testing.T, code string) {
		w := newWorld(t, sandbox.Config{})
		if _, err := w.start(code); err != nil {
			return
		}
		_ = w.load()
		go func() { _, _ = w.invoke("wait", nil) }()
		_, _ = w.invoke("go", nil)
	}
	before := runtime.NumGoroutine()
	for name, code := range map[string]string{
		"idle":         `return () => {}`,
		"timers":       `return { inject: ['timer'], apply(ctx) { ctx.interval(() => {}, 1); ctx.timeout(1e9); ctx.interval(1000).next() } }`,
		"hung effect":  `return ctx => { ctx.effect(() => new Promise(() => {})); ctx.effect(() => () => new Promise(() => {})) }`,
		"hung handler": `harness.handle('wait', () => new Promise(() => {})); return () => {}`,
		"broken":       `throw new Error('no')`,
		"listeners":    `return ctx => { ctx.on('x', () => {}); ctx.provide('s', { f() {} }) }`,
	} {
		t.Run(name, func(t *testing.T) { run(t, code) })
	}
	end := time.Now().Add(patient)
	for runtime.NumGoroutine() > before {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		runtime.Gosched()
	}
}

// What a host should not send does no harm.
func TestNonsenseFromTheHost(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	for _, c := range []struct {
		verb wire.Verb
		body any
		code wire.Code
	}{
		{"dance", wire.Empty{}, wire.CodeNoMethod},
		{wire.VerbLoad, wire.Empty{}, wire.CodeOther},
		{wire.VerbInvoke, wire.Empty{}, wire.CodeMalformed},
		{wire.VerbInvoke, wire.Invoke{Method: "x"}, wire.CodeNoMethod},
		{wire.VerbCall, wire.CallFunc{Func: wire.Func{Handle: wire.Handle{Home: "run-1", ID: 9}}}, wire.CodeNoMethod},
		{wire.VerbAwait, wire.AwaitPromise{Promise: wire.Promise{Handle: wire.Handle{Home: "run-1", ID: 9}}}, wire.CodeNoMethod},
		{wire.VerbExecute, wire.Execute{Tool: 4}, wire.CodeNoMethod},
	} {
		if err := w.ask(c.verb, c.body, &wire.Value{}); fault(err) != c.code {
			t.Errorf("%s: %v", c.verb, err)
		}
	}
	for _, verb := range []wire.Verb{wire.VerbBeginUnload, wire.VerbEndUnload} {
		if err := w.ask(verb, wire.Empty{}, &wire.Empty{}); err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if _, err := w.start(`return () => {}`); err != nil {
		t.Fatal(err)
	}
	if _, err := w.start(`return () => {}`); fault(err) != wire.CodeOther {
		t.Errorf("started twice: %v", err)
	}
}
