package script_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// What a plugin may do wrong stands in testdata/plugins/hostile.txtar. Each is
// tried in an assembly of two Sources that are well, with a realm for each
// plugin; what came of it is compared with testdata/hostile.golden, a line for
// each place and act. The assembly is the same throughout: what one act left
// behind would show in the next.

var (
	tight       = jsrun.Limits{Busy: 250 * time.Millisecond, Heap: 64 << 20}
	sourceLimit = 1500.0 // milliseconds
)

// tolerable is when a bounded thing must be over on a machine that is busy.
const tolerable = 20 * time.Second

// arena is the assembly.
type arena struct {
	*bench
	hostile *script.Loader
	whole   bool // it has a Strategy
}

func newArena(t *testing.T, healthy ...script.Entry) *arena {
	t.Helper()
	a := &arena{bench: newBench(t, unpack(t, "hostile"), compose.Settings{SourceTimeoutMs: &sourceLimit}, noLimits)}
	a.spoilt = true
	a.hostile = newLoader(t, tight)
	for _, e := range healthy {
		if _, err := a.tryMount(a.realm(), e); err != nil {
			t.Fatal(err)
		}
		a.whole = a.whole || e.Specifier == "./strategy.mjs"
	}
	return a
}

func source(id string, config ...any) script.Entry {
	return script.Entry{ID: id, Specifier: "./source.mjs", Config: jsonvalue.Of("text", "I am "+id+".").With(config...)}
}

func strategy(config ...any) script.Entry {
	return script.Entry{ID: "s", Specifier: "./strategy.mjs", Config: jsonvalue.Of(config...)}
}

// within fails the test when f takes unreasonably long.
func (a *arena) within(what string, f func()) {
	a.t.Helper()
	began := time.Now()
	f()
	if d := time.Since(began); d > tolerable {
		a.t.Errorf("%s took %v", what, d)
	}
}

// guest is a plugin mounted for one act.
type guest struct {
	realm *script.Realm
	root  *fiber.Context
	err   error // why it did not start
}

// opened is a realm for a guest. What opens it is our own, which the tight limit
// stops too when the machine is busy.
func (a *arena) opened() *script.Realm {
	a.t.Helper()
	for try := 0; ; try++ {
		realm, err := a.hostile.Open(a.t.Context(), a.dir)
		if err == nil {
			return realm
		}
		if try == 20 || !errors.Is(err, jsrun.ErrLimit) {
			a.t.Fatal(err)
		}
	}
}

func (a *arena) invite(e script.Entry) *guest {
	a.t.Helper()
	g := &guest{realm: a.opened(), root: fiber.New(fiber.Config{})}
	for name, service := range map[string]any{"mnemonMemory": a.core, "loader": a.hostile} {
		if _, err := g.root.Provide(name, service); err != nil {
			a.t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(a.t.Context(), 5*time.Second)
	defer cancel()
	f, err := g.realm.Mount(ctx, g.root, e)
	if err == nil {
		err = f.Await(ctx)
	}
	g.err = err
	return g
}

// leave unmounts the guest as a product does: a plugin that does not stop is not
// waited for longer than that.
func (a *arena) leave(g *guest) {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	_ = g.root.Fiber().Dispose(ctx)
	_ = g.realm.Close()
	idle, stop := context.WithTimeout(context.Background(), tolerable)
	defer stop()
	if err := a.core.Idle(idle); err != nil {
		a.t.Errorf("the Core is not idle: %v", err)
	}
}

// turn composes a View and returns what became of the guest in it.
func (a *arena) turn(guest string) (*compose.View, string) {
	a.t.Helper()
	var view *compose.View
	var err error
	a.within("composing", func() { view, err = a.compose() })
	if err != nil {
		return nil, "refused: " + brief(err)
	}
	var shown []string
	for _, f := range view.Projection() {
		text, _ := f.Text("text")
		shown = append(shown, text)
	}
	for _, text := range []string{"I am a.", "I am b."} {
		if !slices.Contains(shown, text) {
			a.t.Errorf("%q is not in the View: %q", text, shown)
		}
	}
	outcome := "absent"
	if slices.Contains(shown, "I am "+guest+".") {
		outcome = "served"
	}
	list, _ := view.Raw().Array("diagnostics")
	for _, d := range list {
		o, _ := jsonvalue.Map(d)
		code, _ := o.Text("code")
		key, _ := o.Text("contributionInstanceKey")
		outcome = code + " " + key
	}
	return view, outcome
}

// brief is an error on one line of a table, without what differs from run to
// run or by the speed of the machine.
func brief(err error) string {
	var limit *jsrun.LimitError
	switch {
	case errors.As(err, &limit):
		return "limit in " + limit.Phase
	case errors.Is(err, context.DeadlineExceeded):
		return "deadline"
	}
	var coded *compose.Error
	text, _, _ := strings.Cut(err.Error(), "\n")
	if len(text) > 160 {
		text = text[:160] + "..."
	}
	if errors.As(err, &coded) {
		text = coded.Code + ": " + text
	}
	return text
}

// attempt tries one act in one place and returns what came of it.
func (a *arena) attempt(place, act string) string {
	a.t.Helper()
	e := source("bad", "where", place, "act", act)
	switch place {
	case "contribute":
		e.Specifier = "./extension.mjs"
	case "compose", "createTurn", "policy":
		e.Specifier = "./strategy.mjs"
	}
	var g *guest
	a.within("mounting", func() { g = a.invite(e) })
	var outcome string
	if g.err != nil {
		outcome = "not mounted: " + brief(g.err) + "; "
	}
	view, now := a.turn("bad")
	outcome += now
	if operation := a.operation(place); operation != nil && view != nil {
		outcome += "; " + operation(view)
	}
	if _, again := a.turn("bad"); again != now {
		outcome += "; then " + again
	}
	if why := a.reason(); why != "" {
		outcome += "; " + why
	}
	a.within("unmounting", func() { a.leave(g) })
	return outcome
}

// reason is why the assembly as it is cannot serve.
func (a *arena) reason() string {
	evaluation, _ := a.core.Inspect().Map("evaluation")
	if state, _ := evaluation.Text("state"); state == "ready" {
		return ""
	}
	list, _ := evaluation.Array("diagnostics")
	var out []string
	for _, d := range list {
		o, _ := jsonvalue.Map(d)
		code, _ := o.Text("code")
		message, _ := o.Text("message")
		out = append(out, code+": "+strings.ReplaceAll(message, tight.Busy.String(), "TIME"))
	}
	return strings.Join(out, ", ")
}

// operation is what is asked of the View for acts that a View alone does not
// meet.
func (a *arena) operation(place string) func(*compose.View) string {
	switch place {
	case "query", "createTurn", "policy":
		return a.read
	case "mutate":
		return a.write
	case "manage":
		return a.manage
	}
	return nil
}

// impatient is a caller who does not wait for ever.
func (a *arena) impatient(f func(ctx context.Context, lease *compose.Lease) (any, error)) string {
	a.t.Helper()
	lease, err := a.core.Acquire("")
	if err != nil {
		return brief(err)
	}
	defer lease.Release()
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Second)
	defer cancel()
	var v any
	a.within("an operation", func() { v, err = f(ctx, lease) })
	if err != nil {
		return brief(err)
	}
	o, _ := jsonvalue.Map(v)
	text := jsonvalue.Format(o.Without("viewId"))
	if len(text) > 200 {
		text = text[:200] + "..."
	}
	return text
}

func (a *arena) read(view *compose.View) string {
	key := "source:bad"
	if view.StrategyInstanceKey() == "strategy:bad" {
		key = "source:a"
	}
	execution := compose.NewExecution(compose.DefaultBudget)
	return a.impatient(func(ctx context.Context, lease *compose.Lease) (any, error) {
		return lease.Route(ctx, view, execution, key+"/read", jsonvalue.Of("q", 1.0), true)
	})
}

func (a *arena) write(view *compose.View) string {
	yes := func(context.Context, *jsonvalue.Object) (bool, error) { return true, nil }
	return a.impatient(func(ctx context.Context, lease *compose.Lease) (any, error) {
		return lease.Action(ctx, view, "source:bad/write", jsonvalue.Of(), yes, true)
	})
}

func (a *arena) manage(*compose.View) string {
	return a.impatient(func(ctx context.Context, lease *compose.Lease) (any, error) {
		return lease.Manage(ctx, jsonvalue.Of("scope", jsonvalue.Of("storage", "custom"), "sourceInstanceKey", "source:bad",
			"mode", "read", "operation", "list", "input", nil, "confirmed", false), true)
	})
}

// TestHostile holds what becomes of each act, that the others serve in the same
// turn or that the refusal says why, that they serve again when the plugin is
// gone, and that nothing is left behind.
func TestHostile(t *testing.T) {
	path := filepath.Join("testdata", "hostile.golden")
	golden, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, heap := ours(), live()
	var got string
	t.Run("acts", func(t *testing.T) { got = playAll(t, string(golden)) })
	if os.Getenv("RECORD") == "1" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(golden), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	noneLeft(t, before)
	nothingHeld(t, heap)
}

// playAll plays the acts of the table and returns it with what came of each.
// With -short it plays one in thirty-six.
func playAll(t *testing.T, table string) string {
	t.Helper()
	healthy := newArena(t, source("a"), source("b"), strategy())
	bare := newArena(t, source("a"), source("b")) // the Strategy is the guest
	var got strings.Builder
	number := 0
	for line := range strings.Lines(table) {
		what, want, _ := strings.Cut(strings.TrimSpace(line), ":")
		place, act, ok := strings.Cut(what, " ")
		if number++; !ok || testing.Short() && number%36 != 0 {
			got.WriteString(line)
			continue
		}
		arena := healthy
		if slices.Contains([]string{"compose", "createTurn", "policy"}, place) {
			arena = bare
		}
		fmt.Fprintf(&got, "%s: %s\n", what, arena.play(place, act, strings.TrimSpace(want)))
	}
	return got.String()
}

// play tries an act, again if the outcome is not the expected one: a busy machine
// stops honest code too. Afterwards all is as before.
func (a *arena) play(place, act, want string) string {
	a.t.Helper()
	outcome := a.attempt(place, act)
	for try := 0; try < 2 && want != "" && outcome != want; try++ {
		outcome = a.attempt(place, act)
	}
	if !a.whole {
		g := a.invite(strategy())
		defer a.leave(g)
	}
	if _, now := a.turn(""); now != "absent" {
		a.t.Errorf("after %s %s: %s", place, act, now)
	}
	return outcome
}

// nothingHeld waits until the heap is about as large as before.
func nothingHeld(t *testing.T, before uint64) {
	t.Helper()
	deadline := time.Now().Add(tolerable)
	for live() > before+64<<20 {
		if time.Now().After(deadline) {
			t.Fatalf("%d MiB are held, %d before", live()>>20, before>>20)
		}
		runtime.Gosched() // cleanups run apart
	}
}

// noneLeft waits until no more goroutines of ours run than before.
func noneLeft(t *testing.T, before int) {
	t.Helper()
	deadline := time.Now().Add(tolerable)
	for ours() > before {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines of ours, %d before:\n%s", ours(), before, stacks())
		}
		runtime.Gosched()
	}
}

// live is how many bytes of the heap are held.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
