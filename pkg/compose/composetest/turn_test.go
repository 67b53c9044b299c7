package composetest_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/google/go-cmp/cmp"
)

func agent(id string, pairs ...any) *object {
	return of("storage", "workspace", "workspaceId", "/w", "sessionId", "s", "agentId", id).With(pairs...)
}

// TestTurns (MN24, MN68): a turn is begun once, is its agent's, and ends.
func TestTurns(t *testing.T) {
	noLeak(t)
	s := &native{}
	core := newCore(t, 1000, strategy(&planner{}))
	remove := install(t, core, "a", source(s))
	turns := compose.NewTurns(core)
	defer turns.Close()
	first, err := turns.Begin(t.Context(), " one ", agent("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := turns.Begin(t.Context(), "one", agent("x", "extra", 1.0), "other.scenario")
	if err != nil || again != first {
		t.Errorf("begun twice: %v", err)
	}
	if first.ID != "one" || !first.StartedAt.Equal(clock) || first.Scope != first.View.Scope() && first.View.Scope() == nil {
		t.Errorf("got %+v", first)
	}
	for _, name := range []string{"storage", "workspaceId", "sessionId", "agentId"} {
		_, err = turns.Begin(t.Context(), "one", agent("x", name, "other"), "")
		fails(t, err, "Composable Memory turn id is already bound to another scope")
	}
	_, err = turns.Begin(t.Context(), " ", agent("x"), "")
	fails(t, err, "Composable Memory turn id is required")
	second, err := turns.Begin(t.Context(), "two", agent("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	if turns.Active(" x ") != second || turns.Active("y") != nil || turns.Turn("one") != first {
		t.Error("the active turn is another")
	}
	if _, err := turns.Route(t.Context(), "one", "source:a/read", of(), false); err != nil {
		t.Error(err)
	}
	remove(t.Context())
	if _, err := turns.Route(t.Context(), "one", "source:a/read", of(), false); err != nil {
		t.Errorf("after the unmount: %v", err)
	}
	_, err = turns.Route(t.Context(), "one", "source:a/read", of(), false)
	fails(t, err, exhausted)
	if _, err := turns.Route(t.Context(), "two", "source:a/read", of(), false); err != nil {
		t.Errorf("counters are shared between turns: %v", err)
	}
	if diff := cmp.Diff([]compose.Calls{{ViewID: first.View.ID(), RouteID: "source:a/read", Count: 2}}, first.Calls()); diff != "" {
		t.Error(diff)
	}
	if _, err := turns.Action(t.Context(), "one", "source:a/write", of(), allow, false); err != nil {
		t.Error(err)
	}
	if !turns.End("one") || turns.End("one") || s.disposals.Load() != 0 {
		t.Error("the first turn does not end, or not alone")
	}
	_, err = turns.Route(t.Context(), "one", "source:a/read", of(), false)
	fails(t, err, "Composable Memory turn is not pinned: one")
	_, err = turns.Action(t.Context(), "one", "source:a/write", of(), allow, false)
	fails(t, err, "Composable Memory turn is not pinned: one")
	turns.End("two")
	if err := core.Idle(t.Context()); err != nil || s.disposals.Load() != 1 {
		t.Errorf("%d disposals, %v", s.disposals.Load(), err)
	}
	_, err = turns.Begin(t.Context(), "three", agent("x"), "")
	fails(t, err, "no Serving memory generation is available: No Memory Source contribution is installed.")
}

// gate is a Source whose facts wait.
type gate struct {
	started, open chan struct{}
	native
}

func newGate() *gate {
	g := &gate{started: make(chan struct{}, 1), open: make(chan struct{})}
	g.native.facts = func(ctx context.Context, s *native) (any, error) {
		g.started <- struct{}{}
		select {
		case <-g.open:
			return s.goodFacts(), nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return g
}

var errEnded = "Composable Memory turn ended during composition"

// TestPendingTurn (MN47): who begins a turn that is being begun waits for it, and
// ending it ends it for all.
func TestPendingTurn(t *testing.T) {
	noLeak(t)
	g := newGate()
	core := newCore(t, 60_000, source(&g.native), strategy(&planner{}))
	turns := compose.NewTurns(core)
	defer turns.Close()
	var group sync.WaitGroup
	begin := func(got chan<- *compose.Turn) {
		group.Go(func() {
			turn, err := turns.Begin(context.Background(), "one", agent("x"), "")
			if err != nil && err.Error() != errEnded {
				t.Error(err)
			}
			got <- turn
		})
	}
	got := make(chan *compose.Turn, 2)
	begin(got)
	<-g.started
	begin(got)
	impatient, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	if _, err := turns.Begin(impatient, "one", agent("x"), ""); err != errUser {
		t.Errorf("got %v", err)
	}
	_, err := turns.Begin(t.Context(), "one", agent("y"), "")
	fails(t, err, "Composable Memory turn id is already bound to another scope")
	close(g.open)
	group.Wait()
	if a, b := <-got, <-got; a != b || a == nil {
		t.Errorf("two turns: %v, %v", a, b)
	}
	turns.End("one")

	g.open = make(chan struct{})
	begin(got)
	<-g.started
	if !turns.End("one") {
		t.Error("the pending turn is not known")
	}
	group.Wait()
	if turn := <-got; turn != nil || turns.Turn("one") != nil {
		t.Error("the turn was begun all the same")
	}

	begin(got)
	<-g.started
	turns.Close()
	group.Wait()
	if turn := <-got; turn != nil {
		t.Error("the turn was begun all the same")
	}
	_, err = turns.Begin(t.Context(), "one", agent("x"), "")
	fails(t, err, "Composable Memory turn manager is disposed")
	_, err = turns.Retain("view")
	fails(t, err, "Composable Memory turn manager is disposed")
}

// TestWhoBeginsDecides: the first caller's ctx ends the composition.
func TestWhoBeginsDecides(t *testing.T) {
	g := newGate()
	core := newCore(t, 60_000, source(&g.native), strategy(&planner{}))
	turns := compose.NewTurns(core)
	defer turns.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-g.started
		cancel(errUser)
	}()
	if _, err := turns.Begin(ctx, "one", agent("x"), ""); err != errUser {
		t.Errorf("got %v", err)
	}
	close(g.open)
	if _, err := turns.Begin(t.Context(), "one", agent("x"), ""); err != nil {
		t.Errorf("a second attempt: %v", err)
	}
}

// TestDelegates: a delegate has the View and the generation of who sent it, and
// counters of its own.
func TestDelegates(t *testing.T) {
	noLeak(t)
	s := &native{}
	core := newCore(t, 1000, strategy(&planner{}))
	remove := install(t, core, "a", source(s))
	turns := compose.NewTurns(core)
	defer turns.Close()
	root, err := turns.Begin(t.Context(), "root", agent("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	id := root.View.ID()
	letGo, err := turns.Retain(id)
	if err != nil {
		t.Fatal(err)
	}
	letGoToo, err := turns.Retain(id)
	if err != nil {
		t.Fatal(err)
	}
	remove(t.Context())
	turns.End("root")
	letGo()
	letGo()
	if turns.View(id) != root.View {
		t.Fatal("the View is not kept")
	}
	for _, name := range []string{"storage", "workspaceId"} {
		_, err = turns.Pin("child", agent("y", name, "other"), id)
		fails(t, err, "Delegated View cannot change its storage scope")
	}
	_, err = turns.Pin(" ", agent("y"), id)
	fails(t, err, "Composable Memory turn id is required")
	_, err = turns.Pin("child", agent("y"), "view:none")
	fails(t, err, "Composable Memory View is not pinned: view:none")
	child, err := turns.Pin("child", agent("y", "sessionId", "other"), id)
	if err != nil || child.View != root.View {
		t.Fatalf("got %v", err)
	}
	if again, err := turns.Pin("child", agent("y", "sessionId", "other"), id); err != nil || again != child {
		t.Errorf("pinned twice: %v", err)
	}
	_, err = turns.Pin("child", agent("z"), id)
	fails(t, err, "Composable Memory turn authority changed while pinned")
	letGoToo()
	for range 2 {
		if _, err := turns.Route(t.Context(), "child", "source:a/read", of(), false); err != nil {
			t.Error(err)
		}
	}
	if woken, err := turns.Wake(id, compose.Bindings{}); err != nil || woken == nil {
		t.Error(err)
	}
	turns.End("child")
	_, err = turns.Wake(id, compose.Bindings{})
	fails(t, err, "Composable Memory View is not pinned: "+id)
	if err := core.Idle(t.Context()); err != nil || s.disposals.Load() != 1 {
		t.Errorf("%d disposals, %v", s.disposals.Load(), err)
	}
}

// TestRestoredTurn: a turn of an earlier process goes on with its counters.
func TestRestoredTurn(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	_, view := mustCompose(t, core)
	turns := compose.NewTurns(core)
	defer turns.Close()
	calls := []compose.Calls{{ViewID: view.ID(), RouteID: "source:a/read", Count: 2}}
	started := clock.Add(-time.Hour)
	turn, err := turns.Restore("old", agent("x"), view, started, calls)
	if err != nil || !turn.StartedAt.Equal(started) {
		t.Fatal(err)
	}
	_, err = turns.Route(t.Context(), "old", "source:a/read", of(), false)
	fails(t, err, exhausted)
	_, err = turns.Restore("old", agent("x"), view, started, nil)
	fails(t, err, "Composable Memory turn is already pinned: old")
	other := storedWith(t, view, "runtimeGeneration", "generation:gone")
	_, err = turns.Restore("gone", agent("x"), other, started, nil)
	var coded *compose.Error
	if !errors.As(err, &coded) || coded.Code != compose.CodeUnavailable {
		t.Errorf("got %v", err)
	}
}
