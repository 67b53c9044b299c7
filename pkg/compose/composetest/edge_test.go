package composetest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
)

// TestCloseWhileBuilding: a candidate that is ready after the Core was closed
// never serves, and is disposed before Close returns. What is installed by then
// can still be taken back.
func TestCloseWhileBuilding(t *testing.T) {
	noLeak(t)
	building, goOn := make(chan struct{}), make(chan struct{})
	s := &native{}
	d, err := compose.DefineSource(nativeManifest(), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		close(building)
		<-goOn
		s.key = c.InstanceKey
		return s, nil
	})
	core := newCore(t, 60_000, strategy(&planner{}))
	removed := make(chan func(context.Context), 1)
	go func() {
		remove, err := core.Install(context.Background(), must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err), compose.InstallOptions{InstanceID: "slow"})
		if err != nil {
			t.Error(err)
		}
		removed <- remove
	}()
	<-building
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	if err := core.Close(stopped); err != errUser {
		t.Errorf("got %v", err)
	}
	close(goOn)
	if err := core.Close(t.Context()); err != nil || s.disposals.Load() != 1 {
		t.Errorf("got %v, disposed %d times", err, s.disposals.Load())
	}
	remove := <-removed
	remove(t.Context())
	if _, ok := core.Inspect().Get("servingGenerationId"); ok {
		t.Error("it serves")
	}
}

// TestRejectedCandidate (MN67, MN72): what was made of it is disposed, and Close
// tells if that failed.
func TestRejectedCandidate(t *testing.T) {
	stuck := errors.New("stuck")
	broken, err := compose.DefineSource(nativeManifest(), func(context.Context, compose.SourceContext) (compose.Source, error) { return nil, nil })
	core := newCore(t, 1000, strategy(&planner{}))
	install(t, core, "a", source(&native{dispose: func(context.Context) error { return stuck }}))
	install(t, core, "b", must(compose.Contribution{Sources: []*compose.SourceDefinition{broken}}, err))
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatalf("the additive failure took down what serves: %v", err)
	}
	lease.Release()
	var all *compose.AggregateError
	if err := core.Close(t.Context()); !errors.As(err, &all) || len(all.Errors) != 2 {
		t.Fatalf("got %v", err)
	}
	fails(t, all.Errors[0], "memory generation disposal failed")
	fails(t, all.Errors[1], "memory generation disposal failed: "+lease.ID())
}

// TestNoClock: settings without a clock are a mistake of the programmer.
func TestNoClock(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a Core without a clock")
		}
	}()
	compose.New(compose.Settings{})
}

// TestStoppedReads: ctx is looked at again wherever a read could begin.
func TestStoppedReads(t *testing.T) {
	noLeak(t)
	var made compose.Policy
	core := newCore(t, 60_000, source(&native{}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) { return made, nil }}))
	lease, view := mustCompose(t, core)

	// The policy stops its caller, and then wants to read.
	ctx, cancel := context.WithCancelCause(t.Context())
	made = policy(func(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
		cancel(errUser)
		if a := <-read(ctx, r.Input, nil); a.Err != errUser {
			t.Errorf("got %v", a.Err)
		}
		return goodEvidence(&compose.QueryRequest{View: view.Raw(), Route: r.Route}), nil
	})
	e := execution()
	if _, err := lease.Route(ctx, view, e, "source:a/read", of(), true); err != errUser {
		t.Errorf("got %v", err)
	}
	if len(e.Calls()) > 0 {
		t.Errorf("counted %v", e.Calls())
	}

	// Somebody else is making the policy, and does not come to an end.
	started, finish := make(chan struct{}), make(chan struct{})
	slow := newCore(t, 60_000, source(&native{}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		close(started)
		<-finish
		return nil, errSecret
	}}))
	lease, view = mustCompose(t, slow)
	e = execution()
	done := make(chan error)
	go func() {
		_, err := lease.Route(context.Background(), view, e, "source:a/read", of(), false)
		done <- err
	}()
	<-started
	ctx, cancel = context.WithCancelCause(t.Context())
	time.AfterFunc(5*time.Millisecond, func() { cancel(errUser) })
	if _, err := lease.Route(ctx, view, e, "source:a/read", of(), true); err != errUser {
		t.Errorf("got %v", err)
	}
	close(finish)
	if err := <-done; err != errSecret {
		t.Errorf("got %v", err)
	}
}

// queued is a Source whose queries are started, one of them without an answer.
type queued struct {
	*native
	answer func(r *compose.QueryRequest) <-chan compose.Answer
}

func (q queued) StartQuery(_ context.Context, r *compose.QueryRequest) <-chan compose.Answer {
	return q.answer(r)
}

func TestQueryWithoutAnswer(t *testing.T) {
	d, err := compose.DefineSource(nativeManifest(), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		return queued{&native{key: c.InstanceKey}, func(*compose.QueryRequest) <-chan compose.Answer {
			out := make(chan compose.Answer)
			close(out)
			return out
		}}, nil
	})
	core := newCore(t, 1000, must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	_, err = lease.Route(t.Context(), view, execution(), "source:a/read", of(), false)
	fails(t, err, "memory Source gave no answer")
}

// TestCancelBetweenSteps: a ctx that ends while the Strategy thinks, or after the
// last projection, ends the composition.
func TestCancelBetweenSteps(t *testing.T) {
	for _, step := range []string{"compose", "project"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := &native{project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
			if step == "project" {
				cancel(errUser)
			}
			return s.goodPart(r), nil
		}}
		core := newCore(t, 1000, source(s), strategy(&planner{compose: func(_ context.Context, sources, _ []any) (any, error) {
			if step == "compose" {
				cancel(errUser)
			}
			return takeAll(sources, false), nil
		}}))
		lease, err := core.Acquire("")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lease.Compose(ctx, request()); err != errUser {
			t.Errorf("%s: got %v", step, err)
		}
		lease.Release()
	}
}

// TestClosedTurns: a manager that was closed keeps nothing and begins nothing.
func TestClosedTurns(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	turns := compose.NewTurns(core)
	turn, err := turns.Begin(t.Context(), "one", agent("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	letGo, err := turns.Retain(turn.View.ID())
	if err != nil {
		t.Fatal(err)
	}
	turns.Close()
	turns.Close()
	letGo()
	const closed = "Composable Memory turn manager is disposed"
	_, err = turns.Pin("two", agent("x"), turn.View.ID())
	fails(t, err, closed)
	_, err = turns.Restore("two", agent("x"), turn.View, clock, nil)
	fails(t, err, closed)
	if turns.View(turn.View.ID()) != nil || turns.Turn("one") != nil || turns.End("one") {
		t.Error("something is left")
	}
	if err := core.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestPinWhileBeginning: an id that is being begun cannot be pinned.
func TestPinWhileBeginning(t *testing.T) {
	noLeak(t)
	g := newGate()
	core := newCore(t, 60_000, source(&g.native), strategy(&planner{}))
	turns := compose.NewTurns(core)
	defer turns.Close()
	close(g.open)
	root, err := turns.Begin(t.Context(), "root", agent("x"), "")
	if err != nil {
		t.Fatal(err)
	}
	<-g.started
	g.open = make(chan struct{})
	done := make(chan error)
	go func() {
		_, err := turns.Begin(context.Background(), "child", agent("y"), "")
		done <- err
	}()
	<-g.started
	_, err = turns.Pin("child", agent("y"), root.View.ID())
	fails(t, err, "Composable Memory turn is already being prepared")
	turns.End("child")
	fails(t, <-done, errEnded)
}
