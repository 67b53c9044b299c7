package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// expect compares what a half has written with what the reference wrote.
func (w *world) expect(want []string) {
	w.t.Helper()
	if diff := cmp.Diff(want, gists(w.logs())); diff != "" {
		w.t.Error(diff)
	}
}

func (w *world) mustUnload() {
	w.t.Helper()
	if err := w.unload(); err != nil {
		w.t.Fatalf("unload: %v", err)
	}
}

// sample 01: CR-S6
func TestObjectForm(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "01-object-form", "host.js"))
	if diff := cmp.Diff([]string{"status"}, w.handlers); diff != "" {
		t.Error(diff)
	}
	bump := w.member("visits", "bump")
	if got, err := w.callBack(bump); err != nil || got != 1.0 {
		t.Errorf("bump gave %v, %v", got, err)
	}
	got, err := w.invoke("status", nil)
	if want := jsonvalue.Of("ready", true, "visits", 1.0); err != nil || !jsonvalue.Equal(want, got) {
		t.Errorf("status gave %v, %v", got, err)
	}
	w.expect(golden(t, "01-object-form", 0))
	w.mustUnload()
	w.expect([]string{"effect removed"})
	if len(w.provided) > 0 {
		t.Error("the service is still there")
	}
}

// member is a function of a service that the half provides.
func (w *world) member(service, name string) wire.Func {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.provided {
		if p.Name != service {
			continue
		}
		for _, m := range p.Value.(wire.Object).Members {
			if m.Name == name && m.Getter != nil {
				return *m.Getter
			}
			if m.Name == name {
				return m.Value.(wire.Func)
			}
		}
	}
	w.t.Fatalf("no %s.%s", service, name)
	return wire.Func{}
}

// callBack calls a function of the half and awaits what it gives.
func (w *world) callBack(f wire.Func, args ...any) (any, error) {
	return w.callIn(w.chain(), f, args...)
}

func (w *world) callIn(chain uint64, f wire.Func, args ...any) (any, error) {
	var v wire.Value
	err := w.peer.Call(w.ctx, chain, wire.VerbCall, wire.CallFunc{Func: f, Args: args}, &v)
	if p, ok := v.Value.(wire.Promise); ok {
		err = w.peer.Call(w.ctx, chain, wire.VerbAwait, wire.AwaitPromise{Promise: p}, &v)
	}
	return v.Value, err
}

func fault(err error) wire.Code {
	if f, ok := errors.AsType[*wire.Fault](err); ok {
		return f.Code
	}
	return ""
}

// sample 09
func TestApply(t *testing.T) {
	for _, c := range []struct {
		file, failure string
		loaded, ended []string
	}{
		{"host.js", "apply exploded", []string{"rolled back"}, nil},
		{"async.host.js", "async apply exploded", []string{"rolled back async"}, nil},
		{"effect.host.js", "core.invalid-effect", nil, nil},
		{"returns-disposer.host.js", "", []string{"up"}, []string{"returned disposer ran"}},
		{"generator.host.js", "", nil, []string{"second out", "first out"}},
		{"string.host.js", "just a string", nil, nil},
		{"proto-apply.host.js", "", []string{"prototype apply, this is instance: true"}, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			w := newWorld(t, sandbox.Config{})
			if _, err := w.start(sample(t, "09-apply-errors", c.file)); err != nil {
				t.Fatal(err)
			}
			err := w.load()
			if got := ""; err != nil {
				if got = gist(err.Error()); got != c.failure {
					t.Errorf("load: %v", err)
				}
			} else if c.failure != "" {
				t.Error("loaded")
			}
			if thrown, ok := errors.AsType[*wire.Thrown](err); ok && !thrown.Plain && !strings.Contains(thrown.Stack, thrown.Message) { // CR-W20
				t.Errorf("no stack: %+v", thrown)
			}
			w.expect(c.loaded)
			if err == nil {
				w.mustUnload()
			}
			w.expect(c.ended)
			if len(w.provided) > 0 {
				t.Error("a service was left behind")
			}
		})
	}
	t.Run("class.host.js", func(t *testing.T) { // CR-W27
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(sample(t, "09-apply-errors", "class.host.js"))
		if err == nil || !strings.Contains(err.Error(), "returned a class") {
			t.Errorf("start: %v", err)
		}
	})
}

// sample 10: CR-S9, CR-S10, CR-S14
func TestEvaluation(t *testing.T) {
	for file, want := range map[string]string{
		"host.js": "boom while evaluating", "string.host.js": "plain string", "null.host.js": "null", "reject.host.js": "late rejection",
		"number.host.js": "host.not-a-plugin", "noreturn.host.js": "host.no-return", "empty-object.host.js": "host.not-a-plugin",
		"apply-not-fn.host.js": "host.not-a-plugin", "await-ok.host.js": "", "thenable.host.js": "",
	} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(sample(t, "10-eval-errors", file))
		got := ""
		if err != nil {
			got = gist(err.Error())
		}
		if got != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	// CR-S13, CR-S14: a SyntaxError of the evaluation is reported as the gate does.
	for _, code := range []string{sample(t, "10-eval-errors", "user-syntax-error.host.js"), `throw new SyntaxError('made by hand')`, `await null; new Function('made by hand(')`} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.start(code)
		thrown, ok := errors.AsType[*wire.Thrown](err)
		if !ok || thrown.Name != "SyntaxError" || !strings.HasPrefix(thrown.Message, "code.host does not parse\n") || strings.Contains(code, "new SyntaxError") && !strings.Contains(thrown.Message, "made by hand") {
			t.Errorf("%s: %+v", code, err)
		}
	}
	w := newWorld(t, sandbox.Config{})
	if _, err := w.start(sample(t, "10-eval-errors", "escape.host.js")); err == nil {
		t.Error("the wrapper can be left") // CR-W19
	}
}

// sample 11: CR-S8
func TestEvaluationIsBound(t *testing.T) {
	for _, file := range []string{"host.js", "caught.host.js"} {
		w := newWorld(t, sandbox.Config{})
		_, err := w.startBound(sample(t, "11-infinite-loop", file), 80*time.Millisecond)
		if err == nil || gist(err.Error()) != "host.vm-timeout(80ms)" {
			t.Errorf("%s: %v", file, err)
		}
		<-w.peer.Done()
	}
}

// probe is the service of the reference's recording.
func (w *world) probe() {
	leak := w.function("leak", func(context.Context, []any) (any, error) { return wire.Context{}, nil })
	leakLater := w.function("leakLater", func(context.Context, []any) (any, error) { return wire.Context{}, nil })
	leakLater.Async = true
	echo := w.function("echo", func(_ context.Context, args []any) (any, error) { return args[0], nil })
	later := echo
	later.Async = true
	boom := w.function("boom", func(context.Context, []any) (any, error) {
		return nil, &wire.Thrown{Name: "Error", Message: "probe exploded"}
	})
	w.services["probe"] = wire.Object{Members: []wire.Member{
		{Name: "plain", Value: 7.0},
		{Name: "echo", Value: echo},
		{Name: "later", Value: later},
		{Name: "leak", Value: leak},
		{Name: "leakLater", Value: leakLater},
		{Name: "self", Value: wire.Context{}},
		{Name: "boom", Value: boom},
	}}
	w.services["systemPrompt"] = wire.Object{}
}

// sample 13: CR-X1, CR-X3, CR-X4, CR-X6, CR-X7, CR-X8, CR-X9, CR-W18
func TestFacade(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.probe()
	w.services["dynamicCordisRunner"], w.services["cordisInspect"] = wire.Object{}, wire.Object{} // if somebody provides them
	w.run(sample(t, "13-undeclared-service", "host.js"))
	want := golden(t, "13-undeclared-service", 0)
	for i, line := range want { // the runner's own services are out of reach
		if strings.HasPrefix(line, "dynamic runner") || strings.HasPrefix(line, "inspect registry") {
			want[i] = strings.Replace(line, "object", "undefined", 1)
		}
	}
	w.expect(want)
	if len(w.reports) < 25 || w.reports[0].Kind != "guard" || w.reports[0].Guard != "undeclared" {
		t.Errorf("%d reports, the first %+v", len(w.reports), w.reports[0])
	}
	if !slices.ContainsFunc(w.reports, func(r wire.Report) bool { return r.Guard == "context-return" && r.Stack != "" }) {
		t.Error("no report of a Context that was given")
	}
}

// CR-X2
func TestEscapeFromFacade(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	if _, err := w.start(sample(t, "13-undeclared-service", "escape.host.js")); err != nil {
		t.Fatal(err)
	}
	if err := w.load(); err == nil || gist(err.Error()) != "guard.withheld(root)" {
		t.Errorf("load: %v", err)
	}
	if len(w.tools) > 0 {
		t.Error("a tool was smuggled in")
	}
}

// sample 14: CR-S3, CR-S6, CR-S7
func TestGlobals(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "14-node-globals", "host.js"))
	want, got := golden(t, "14-node-globals", 0), gistsOf(w)
	for i, line := range want {
		want[i] = strings.Replace(line, `{"a":1}`, "{ a: 1 }", 1)
	}
	var theirs map[string]string
	if err := json.Unmarshal([]byte(want[0]), &theirs); err != nil {
		t.Fatal(err)
	}
	// What the engine does not have is no part of the comparison.
	for name, kind := range theirs {
		if !strings.Contains(got[0], name+": '"+kind+"'") && name != "Intl" && name != "WebAssembly" {
			t.Errorf("%s is not a %s", name, kind)
		}
	}
	for i, level := range map[int]string{12: "warn", 13: "info", 14: "debug"} {
		if i < len(want) && !strings.HasPrefix(got[i-1], level+": ") {
			t.Errorf("line %d: %s", i, got[i-1])
		}
	}
	strip := func(lines []string) (out []string) {
		for _, line := range lines[1:] {
			for _, level := range []string{"warn: ", "info: ", "debug: "} {
				line = strings.TrimPrefix(line, level)
			}
			out = append(out, line)
		}
		return out
	}
	if diff := cmp.Diff(strip(want), strip(got)); diff != "" {
		t.Error(diff)
	}
}

// gistsOf are all lines; the first one may have several.
func gistsOf(w *world) []string {
	lines := w.logs()
	return append([]string{lines[0]}, gists(lines[1:])...)
}

// sample 15: CR-K21, CR-K23, CR-N7
func TestEvents(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "15-events", "host.js"))
	for _, args := range [][]any{{1.0, "two"}, {}} {
		if err := w.emit("demo/ping", args...); err != nil {
			t.Fatal(err)
		}
	}
	w.expect(golden(t, "15-events", 0))
	if got, err := w.waterfall("demo/sum", 40.0, 2.0); err != nil || got != 42.0 {
		t.Errorf("sum gave %v, %v", got, err)
	}
	if got, err := w.waterfall("demo/veto", "built-in"); err != nil || got != "stopped here" {
		t.Errorf("veto gave %v, %v", got, err)
	}
	if err := w.emit("tools/change"); err != nil {
		t.Error(err)
	}
	if err := w.emit("demo/bad"); err == nil || err.Error() != "listener failed" {
		t.Errorf("bad: %v", err)
	}
	if err := w.emit("demo/async-bad"); err != nil { // CR-W17
		t.Errorf("async-bad: %v", err)
	}
	w.until("the failure of the async listener", func() bool { return len(w.reports) == 1 })
	if r := w.reports[0]; r.Kind != "listener" || r.Message != "async listener failed" || r.Stack == "" {
		t.Errorf("%+v", r)
	}
	if _, err := w.invoke("late-on", nil); err != nil {
		t.Error(err)
	}
	if err := w.emit("demo/late"); err != nil {
		t.Error(err)
	}
	w.expect(golden(t, "15-events", 1))
	w.mustUnload()
	if len(w.listeners) > 0 {
		t.Errorf("left behind: %+v", w.listeners)
	}
}

// sample 16: CR-K2, CR-K16, CR-K17
func TestEffectOrder(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "16-effects-order", "host.js"))
	w.expect(golden(t, "16-effects-order", 0))
	if _, err := w.invoke("nested", nil); err != nil {
		t.Fatal(err)
	}
	w.mustUnload()
	w.expect(golden(t, "16-effects-order", 1))
	if len(w.reports) != 1 || w.reports[0].Kind != "disposer" || w.reports[0].Message != "disposer failed" { // CR-K15
		t.Errorf("%+v", w.reports)
	}
}
