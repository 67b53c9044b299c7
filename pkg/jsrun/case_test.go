package jsrun_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// body makes a program of a case callable: mount() evaluates and applies it,
// handle(name) and dispose() do what a host would.
const body = `
const handlers = {}, disposers = []
const harness = {handle(name, f) { handlers[name] = f }}
const ctx = {
  effect(f) { disposers.push(f()) },
  interval(f, ms) { const t = setInterval(f, ms); disposers.push(() => clearInterval(t)) },
  timeout(f, ms) { const t = setTimeout(f, ms); disposers.push(() => clearTimeout(t)) },
}
async function load() {
%s
}
async function mount() {
  const plugin = await load()
  return typeof plugin === "function" ? plugin(ctx) : plugin.apply(ctx)
}
function handle(name) { return handlers[name]() }
function dispose() { for (const f of disposers.splice(0).reverse()) f() }
`

func compileCase(t *testing.T, path string) (*jsrun.Program, error) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata/cases", path))
	if err != nil {
		t.Fatal(err)
	}
	return jsrun.Compile(filepath.Base(path), strings.Replace(body, "%s", string(text), 1))
}

func startCase(t *testing.T, path string, config jsrun.Config) *jsrun.Run {
	t.Helper()
	p, err := compileCase(t, path)
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

// hostile are the programs that would end the process or never end, and what
// becomes of each: the class of what it throws, or the limit that ends its run;
// nothing for those that the engine does in a moment.
var hostile = map[string]string{
	"86-string-that-eats-all-memory/in/1.js": "RangeError",
	"86-string-that-eats-all-memory/in/2.js": "limit",
	"86-string-that-eats-all-memory/in/3.js": "limit",
	"86-string-that-eats-all-memory/in/4.js": "RangeError",
	"86-string-that-eats-all-memory/in/5.js": "RangeError",
	"86-string-that-eats-all-memory/in/6.js": "limit",
	"86-string-that-eats-all-memory/in/7.js": "RangeError",
	"86-string-that-eats-all-memory/in/8.js": "RangeError",
	"86-string-that-eats-all-memory/in/9.js": "RangeError",

	// Behind an await the stack that is full takes other microtasks with it, so
	// the run ends; else see TestStackIsAnErrorOfTheScript.
	"87-recursion-kills-the-process/in/1.js":  "limit",
	"87-recursion-kills-the-process/in/2.js":  "RangeError or limit", // by how fast the machine is
	"87-recursion-kills-the-process/in/3.js":  "refused",
	"87-recursion-kills-the-process/in/4.js":  "limit",
	"87-recursion-kills-the-process/in/5.js":  "limit",
	"87-recursion-kills-the-process/in/6.js":  "",
	"87-recursion-kills-the-process/in/7.js":  "limit",
	"87-recursion-kills-the-process/in/8.js":  "SyntaxError",
	"87-recursion-kills-the-process/in/9.js":  "SyntaxError",
	"87-recursion-kills-the-process/in/10.js": "RangeError or limit",

	"88-endless-microtasks/in/1.js": "limit",
	"88-endless-microtasks/in/2.js": "limit",
	"88-endless-microtasks/in/3.js": "limit",
	"88-endless-microtasks/in/4.js": "limit",
	"88-endless-microtasks/in/5.js": "deadline",
	"88-endless-microtasks/in/6.js": "limit",

	"90-regular-expression-without-end/in/1.js": "",
	"90-regular-expression-without-end/in/2.js": "", // no match, after the time for one
	"90-regular-expression-without-end/in/3.js": "",
	"90-regular-expression-without-end/in/4.js": "",
}

// TestHostilePrograms: each is over within a bounded time, and another run of
// the process still answers.
func TestHostilePrograms(t *testing.T) {
	witness := start(t, `function answer() { return 42 }`, jsrun.Config{})
	for path, want := range hostile {
		if testing.Short() && strings.Contains(want, "limit") {
			continue // those wait for it
		}
		t.Run(path, func(t *testing.T) {
			got := playHostile(t, path)
			if want != got && (got == "" || !strings.Contains(want, got)) {
				t.Errorf("outcome %q, want %q", got, want)
			}
			if got := call(t, witness, "answer"); got != 42.0 {
				t.Errorf("another run says %v", got)
			}
		})
	}
}

func playHostile(t *testing.T, path string) string {
	busy := time.Minute // for what ends by itself, on a machine that has much else to do
	if strings.Contains(hostile[path], "limit") {
		busy = 600 * time.Millisecond
	}
	p, err := compileCase(t, path)
	if err != nil {
		return "refused"
	}
	run, err := p.Start(t.Context(), jsrun.Config{Limits: jsrun.Limits{Busy: busy}})
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	defer run.Close()
	ctx := jsrun.WithPhase(t.Context(), "mount")
	if path == "88-endless-microtasks/in/5.js" { // a promise that nobody settles: only the caller's patience ends
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 100*time.Millisecond)
		defer cancel()
	}
	_, err = run.Call(ctx, "mount")
	switch path {
	case "88-endless-microtasks/in/4.js":
		_, err = run.Call(ctx, "handle", "spin")
	case "88-endless-microtasks/in/6.js":
		_, err = run.Call(ctx, "dispose")
	case "88-endless-microtasks/in/1.js", "88-endless-microtasks/in/2.js": // it has answered before it spins
		<-run.Done()
		err = run.Err()
	}
	return fate(t, run, err)
}

func fate(t *testing.T, run *jsrun.Run, err error) string {
	t.Helper()
	var thrown *jsrun.Error
	switch {
	case errors.Is(err, jsrun.ErrLimit):
		if !errors.Is(run.Err(), jsrun.ErrLimit) || !strings.HasSuffix(err.Error(), " in mount") {
			t.Errorf("the run says %v, the call %v", run.Err(), err)
		}
		return "limit"
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	case errors.As(err, &thrown):
		return thrown.Name
	case err != nil:
		return err.Error()
	}
	return ""
}

// An asynchronous function whose stack runs over takes the run with it, and says
// so; a synchronous one does not, see TestStackIsAnErrorOfTheScript.
func TestStackOfAnAsyncFunction(t *testing.T) {
	run := start(t, `const over = () => over() + 1; const f = async () => over(); const g = async () => { await 1; over() }; const ok = () => 1`, jsrun.Config{})
	for _, name := range []string{"f", "ok", "ok"} {
		v, err := run.Call(t.Context(), name)
		var thrown *jsrun.Error
		if over := errors.Is(err, jsrun.ErrLimit) || errors.As(err, &thrown) && thrown.Name == "RangeError"; !over {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
	if err := run.Err(); err == nil || !strings.Contains(err.Error(), "stack") {
		t.Errorf("the run says %v", err)
	}
}

// TestTimersEndWithTheirRun is case 93: nothing ticks after Close, and many
// runs leave nothing behind.
func TestTimersEndWithTheirRun(t *testing.T) {
	const path = "93-timer-after-stop/in/tick.js"
	ticked := make(chan struct{}, 1)
	var closed, late atomic.Bool
	config := jsrun.Config{Globals: []jsrun.Global{{Name: "told", Make: func(vm *jsrun.VM) (jsrun.Value, error) {
		return vm.Func("told", func(jsrun.Value, []jsrun.Value) (jsrun.Value, error) {
			if closed.Load() {
				late.Store(true)
			}
			select {
			case ticked <- struct{}{}:
			default:
			}
			return nil, nil
		}), nil
	}}}}
	run := start(t, `setInterval(told, 1); const again = () => { told(); setTimeout(again, 1) }; again()`, config)
	<-ticked
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	closed.Store(true)
	before := goroutines(t, 0)
	p, err := compileCase(t, path)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		run, err := p.Start(t.Context(), jsrun.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Call(t.Context(), "mount"); err != nil {
			t.Fatal(err)
		}
		if err := run.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := goroutines(t, before); after > before {
		t.Errorf("%d goroutines before 200 runs, %d after", before, after)
	}
	if late.Load() {
		t.Error("a timer went off after Close")
	}
}

// goroutines counts them, and waits a while for them to be at most limit.
func goroutines(t *testing.T, limit int) int {
	t.Helper()
	deadline := time.After(5 * time.Second)
	for {
		n := runtime.NumGoroutine()
		if n <= limit || limit == 0 {
			return n
		}
		select {
		case <-deadline:
			return n
		case <-time.After(time.Millisecond):
		}
	}
}

// TestValuesThatAreNotJSON (MN10) is case 95.
func TestValuesThatAreNotJSON(t *testing.T) {
	run := startCase(t, "95-values-that-are-not-json/in/host.js", jsrun.Config{})
	call(t, run, "mount")
	foreign := func(kind jsonvalue.Kind, text string) any { return jsonvalue.Foreign{Kind: kind, Text: text} }
	for name, want := range map[string]any{
		"circular": jsonvalue.Of("self", foreign(jsonvalue.Cycle, "[object Object]")),
		"big":      foreign(jsonvalue.BigInt, "10"),
		"fn":       foreign(jsonvalue.Function, "() => 1"),
		"sym":      foreign(jsonvalue.Symbol, "Symbol(s)"),
		"undef":    foreign(jsonvalue.Undefined, "undefined"),
		"inf":      math.Inf(1),
		"neg0":     math.Copysign(0, -1),
		"date":     foreign(jsonvalue.Exotic, "Thu Jan 01 1970 00:00:00 GMT+0000 (UTC)"),
		"map":      foreign(jsonvalue.Exotic, "[object Map]"),
		"set":      foreign(jsonvalue.Exotic, "[object Set]"),
		"buf":      foreign(jsonvalue.Exotic, "1,2"),
		"lone":     "\xed\xa0\xbd",
		"huge":     9007199254740994.0,
		"err":      foreign(jsonvalue.Exotic, "Error: boom"),
		"sparse":   []any{jsonvalue.Hole{}, 1.0},
		"nul":      nil,
	} {
		got := call(t, run, "handle", name)
		if diff := cmp.Diff(want, got, values, cmp.Comparer(sameNumber)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got, _ := call(t, run, "handle", "nan").(float64); !math.IsNaN(got) {
		t.Errorf("nan = %v", got)
	}
	levels := 0
	inner := call(t, run, "handle", "deep")
	for list, ok := inner.([]any); ok; list, ok = inner.([]any) {
		levels, inner = levels+1, list[0]
	}
	if f, ok := inner.(jsonvalue.Foreign); !ok || f.Kind != jsonvalue.Deep || levels != 60 {
		t.Errorf("deep: %d levels, then %.40v", levels, inner)
	}
}

func sameNumber(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// TestManyCallers is case 96: a hundred goroutines on one run.
func TestManyCallers(t *testing.T) {
	run := startCase(t, "96-two-calls-at-once/in/host.js", jsrun.Config{})
	call(t, run, "mount")
	const callers, each = 100, 10
	var wait sync.WaitGroup
	seen := make([]atomic.Int32, callers*each+1)
	for range callers {
		wait.Go(func() {
			for range each {
				n, err := run.Call(context.Background(), "handle", "bump")
				if err != nil {
					t.Errorf("bump: %v", err)
					return
				}
				seen[int(n.(float64))].Add(1)
			}
			pair, err := run.Call(context.Background(), "handle", "slow")
			if list, ok := pair.([]any); err != nil || !ok || list[0].(float64) > list[1].(float64) {
				t.Errorf("slow: %v, %v", pair, err)
			}
		})
	}
	wait.Wait()
	for n := 1; n < len(seen); n++ {
		if times := seen[n].Load(); times != 1 {
			t.Errorf("%d was answered %d times", n, times)
		}
	}
}

// TestRejectedPromises is case 104.
func TestRejectedPromises(t *testing.T) {
	for file, want := range map[string]string{"1.js": "in apply", "2.js": "in timer", "3.js": "after answer", "4.js": ""} {
		t.Run(file, func(t *testing.T) {
			reported := make(chan string, 1)
			run := startCase(t, "104-rejected-promise-nobody-catches/in/"+file, jsrun.Config{
				Unhandled: func(e *jsrun.Error) { reported <- e.Phase + ": " + e.Message },
			})
			ctx := jsrun.WithPhase(t.Context(), "mount")
			if _, err := run.Call(ctx, "mount"); err != nil {
				t.Fatal(err)
			}
			if file == "3.js" {
				if got, err := run.Call(ctx, "handle", "x"); err != nil || got != 1.0 {
					t.Fatalf("x = %v, %v", got, err)
				}
			}
			if want != "" {
				if got := <-reported; got != "mount: "+want {
					t.Errorf("reported %q", got)
				}
				return
			}
			for range 3 { // turns of the queue in which it would be reported
				if err := run.Do(t.Context(), func(*jsrun.VM) error { return nil }); err != nil {
					t.Fatal(err)
				}
			}
			select {
			case got := <-reported:
				t.Errorf("reported %q", got)
			default:
			}
		})
	}
}

// TestNoEscape is case 91: nothing of the host is found by way of constructors,
// and two runs share no object. The programs run in the order of their numbers,
// as the fourth changes what the fifth looks at.
func TestNoEscape(t *testing.T) {
	console := jsrun.Global{Name: "console", Make: func(vm *jsrun.VM) (jsrun.Value, error) {
		o := vm.New()
		return o, o.Set("log", vm.Func("log", func(jsrun.Value, []jsrun.Value) (jsrun.Value, error) { return nil, nil }))
	}}
	for _, n := range []string{"1", "2", "3", "4", "5", "6"} {
		t.Run(n, func(t *testing.T) {
			run := startCase(t, "91-escape-through-constructors/in/"+n+".js", jsrun.Config{Globals: []jsrun.Global{console}})
			call(t, run, "mount")
			want := any("nothing")
			switch n {
			case "4":
				want = "set"
			case "6":
				want = ownNames(t, run)
			}
			if got := call(t, run, "handle", "report"); got != want {
				t.Errorf("report = %v, want %v", got, want)
			}
		})
	}
}

// ownNames is the list of globals as the host sees it.
func ownNames(t *testing.T, run *jsrun.Run) (names string) {
	t.Helper()
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		names = strings.Join(vm.Globals(), " ")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []string{"process", "require", "module", "fetch", "Deno"} {
		if strings.Contains(" "+names+" ", " "+foreign+" ") {
			t.Errorf("%s is there", foreign)
		}
	}
	return names
}
