package composetest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tracked counts the runtimes of all generations.
type tracked struct {
	mu       sync.Mutex
	made     int
	open     map[*trackedSource]bool
	mistakes []string
}

type trackedSource struct {
	*native
	all *tracked
}

func (a *tracked) mistake(format string, args ...any) {
	a.mistakes = append(a.mistakes, fmt.Sprintf(format, args...))
}

func (s *trackedSource) use(what string) {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	if !s.all.open[s] {
		s.all.mistake("%s after disposal: %s", what, s.key)
	}
}

func (s *trackedSource) Facts(ctx context.Context, r *compose.Request) (any, error) {
	s.use("facts")
	return s.native.Facts(ctx, r)
}

func (s *trackedSource) Query(ctx context.Context, r *compose.QueryRequest) (any, error) {
	s.use("query")
	return s.native.Query(ctx, r)
}

func (s *trackedSource) Dispose(context.Context) error {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	if !s.all.open[s] {
		s.all.mistake("disposed twice: %s", s.key)
	}
	delete(s.all.open, s)
	return nil
}

func (a *tracked) source(broken bool) compose.Contribution {
	d, err := compose.DefineSource(nativeManifest(), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		if broken {
			return nil, errors.New("does not start")
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		s := &trackedSource{&native{key: c.InstanceKey}, a}
		a.open[s] = true
		a.made++
		return s, nil
	})
	return must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err)
}

func drawn[T any](t *rapid.T, list []T, label string) int {
	return rapid.IntRange(0, len(list)-1).Draw(t, label)
}

// held is a lease with the View that was made under it.
type held struct {
	lease *compose.Lease
	view  *compose.View
}

// TestGenerations (MN67-MN69) mounts, unmounts, leases, reads and releases in any
// order. No runtime is used after its end, none ends twice, a lease works until
// it is released, and when all is closed nothing is left.
func TestGenerations(t *testing.T) {
	noLeak(t)
	rapid.Check(t, func(t *rapid.T) {
		all := &tracked{open: map[*trackedSource]bool{}}
		core := newCoreFor(t)
		ctx := context.Background()
		var removes []func(context.Context)
		var leases []held
		entries := 0
		install := func(t *rapid.T, c compose.Contribution) {
			entries++
			remove, err := core.Install(ctx, c, compose.InstallOptions{InstanceID: fmt.Sprintf("e%d", entries)})
			if err != nil {
				t.Fatal(err)
			}
			removes = append(removes, remove)
		}
		t.Repeat(map[string]func(*rapid.T){
			"source":   func(t *rapid.T) { install(t, all.source(false)) },
			"broken":   func(t *rapid.T) { install(t, all.source(true)) },
			"strategy": func(t *rapid.T) { install(t, strategy(&planner{})) },
			"remove": func(t *rapid.T) {
				if len(removes) == 0 {
					t.Skip("nothing is installed")
				}
				removes[drawn(t, removes, "which")](ctx)
			},
			"batch": func(t *rapid.T) {
				_ = core.Batch(ctx, func() error {
					install(t, all.source(false))
					removes[drawn(t, removes, "which")](ctx)
					return nil
				})
			},
			"acquire": func(t *rapid.T) {
				lease, err := core.Acquire("")
				if err != nil {
					t.Skip(err)
				}
				view, err := lease.Compose(ctx, request())
				if err != nil {
					t.Fatal(err)
				}
				leases = append(leases, held{lease, view})
			},
			"read": func(t *rapid.T) {
				if len(leases) == 0 {
					t.Skip("no lease")
				}
				h := leases[drawn(t, leases, "which")]
				for _, route := range h.view.Routes() {
					id, _ := route.Text("id")
					if _, err := h.lease.Route(ctx, h.view, compose.NewExecution(compose.DefaultBudget), id, of(), false); err != nil {
						t.Fatal(err)
					}
				}
			},
			"release": func(t *rapid.T) {
				if len(leases) == 0 {
					t.Skip("no lease")
				}
				i := drawn(t, leases, "which")
				leases[i].lease.Release()
				leases[i].lease.Release()
				leases = slices.Delete(leases, i, i+1)
			},
			"": func(t *rapid.T) {
				all.mu.Lock()
				defer all.mu.Unlock()
				if len(all.mistakes) > 0 {
					t.Fatal(all.mistakes)
				}
				draining, _ := core.Inspect().Array("drainingGenerationIds")
				for _, id := range draining {
					if !slices.ContainsFunc(leases, func(h held) bool { return h.lease.ID() == id }) {
						t.Fatalf("nobody leases %s, and it drains", id)
					}
				}
			},
		})
		for _, h := range leases {
			h.lease.Release()
		}
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if err := core.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if len(all.open) > 0 || len(all.mistakes) > 0 {
			t.Fatalf("%d of %d runtimes are left; %v", len(all.open), all.made, all.mistakes)
		}
	})
}

// TestConcurrentMounts mounts and unmounts from many goroutines while others
// compose and read. What is served in the end is what is installed in the end.
func TestConcurrentMounts(t *testing.T) {
	noLeak(t)
	all := &tracked{open: map[*trackedSource]bool{}}
	core := newCore(t, 10_000, strategy(&planner{}), all.source(false))
	ctx := context.Background()
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			for j := range 10 {
				remove, err := core.Install(ctx, all.source(j%3 == 2), compose.InstallOptions{InstanceID: fmt.Sprintf("g%d-%d", i, j)})
				if err != nil {
					t.Error(err)
					return
				}
				remove(ctx)
				remove(ctx)
			}
		})
		group.Go(func() {
			for range 10 {
				lease, err := core.Acquire("")
				if err != nil {
					continue // it is not serving at this moment
				}
				view, err := lease.Compose(ctx, request())
				if err != nil {
					t.Error(err)
				} else if _, err := lease.Route(ctx, view, compose.NewExecution(compose.DefaultBudget), "source:b/read", of(), false); err != nil {
					t.Error(err)
				}
				lease.Release()
			}
		})
	}
	group.Wait()
	if err := core.Idle(ctx); err != nil {
		t.Fatal(err)
	}
	_, view := mustCompose(t, core)
	if n := len(view.Projection()); n != 1 {
		t.Errorf("%d Sources are served, want 1", n)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.open) != 1 || len(all.mistakes) > 0 {
		t.Errorf("%d runtimes are open, want 1; %v", len(all.open), all.mistakes)
	}
}

func evaluation(core *compose.Core) *object { return sub(core.Inspect(), "evaluation") }

func state(core *compose.Core) string {
	s, _ := evaluation(core).Text("state")
	return s
}

// TestFactoryThatInstalls: a factory may install another plugin. Nothing hangs,
// and both serve when the first Install returns.
func TestFactoryThatInstalls(t *testing.T) {
	core := newCore(t, 1000, strategy(&planner{}))
	once := sync.Once{}
	d, err := compose.DefineSource(nativeManifest(), func(ctx context.Context, c compose.SourceContext) (compose.Source, error) {
		once.Do(func() {
			if _, err := core.Install(ctx, source(&native{}), compose.InstallOptions{InstanceID: "inner"}); err != nil {
				t.Error(err)
			}
		})
		return &native{key: c.InstanceKey}, nil
	})
	install(t, core, "outer", must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err))
	_, view := mustCompose(t, core)
	if n := len(view.Projection()); n != 2 {
		t.Errorf("%d Sources are served, want 2", n)
	}
}

// TestDuplicateKeys (MN13): a key that is taken is refused before any factory
// runs.
func TestDuplicateKeys(t *testing.T) {
	all := &tracked{open: map[*trackedSource]bool{}}
	core := newCore(t, 1000, all.source(false), strategy(&planner{}))
	for range 2 {
		made := all.made
		_, err := core.Install(t.Context(), all.source(false), compose.InstallOptions{InstanceID: "a"})
		fails(t, err, "memory Source instance is already installed: source:a")
		if all.made != made {
			t.Errorf("a factory ran %d times", all.made-made)
		}
	}
}

// TestBatch: in a batch what serves stays as it is; nested batches end with the
// outermost.
func TestBatch(t *testing.T) {
	core := newCore(t, 1000, strategy(&planner{}), source(&native{}))
	lease, _ := mustCompose(t, core)
	failed := errors.New("after all")
	err := core.Batch(t.Context(), func() error {
		_ = core.Batch(t.Context(), func() error {
			install(t, core, "more", source(&native{}))
			return nil
		})
		if serving, _ := core.Inspect().Text("servingGenerationId"); serving != lease.ID() {
			t.Errorf("%s serves within the batch", serving)
		}
		return failed
	})
	if err != failed {
		t.Errorf("got %v", err)
	}
	if _, view := mustCompose(t, core); len(view.Projection()) != 2 {
		t.Error("the batch did not take effect")
	}
}

// TestPanickingFactory: a panic of a factory is for who installs; the next one
// is served.
func TestPanickingFactory(t *testing.T) {
	core := newCore(t, 1000, strategy(&planner{}))
	panics := true
	d, err := compose.DefineSource(nativeManifest(), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		if panics {
			panic("boom")
		}
		return &native{key: c.InstanceKey}, nil
	})
	c := must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("nobody heard of the panic")
			}
		}()
		_, _ = core.Install(t.Context(), c, compose.InstallOptions{InstanceID: "panics"})
	}()
	panics = false
	install(t, core, "next", source(&native{}))
	if got := state(core); got != "ready" {
		t.Errorf("got %s", got)
	}
}

// TestClose (MN72) waits for leases and for what is under way; it can be tried again.
func TestClose(t *testing.T) {
	noLeak(t)
	broken := errors.New("does not let go")
	s := &native{dispose: func(context.Context) error { return broken }}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	stop, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	if err := core.Close(stop); err != errUser {
		t.Errorf("got %v, want the reason", err)
	}
	_, err := core.Acquire("")
	fails(t, err, "memory generation host is disposed")
	_, err = core.Install(t.Context(), source(&native{}), compose.InstallOptions{InstanceID: "late"})
	fails(t, err, "Memory Runtime is disposed")
	fails(t, core.Batch(t.Context(), func() error { return nil }), "Memory Runtime is disposed")
	if _, err := lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false); err != nil {
		t.Errorf("a lease of before works on: %v", err)
	}
	lease.Release()
	for range 2 {
		err = core.Close(t.Context())
		var all *compose.AggregateError
		if !errors.As(err, &all) || !errors.Is(err, broken) {
			t.Fatalf("got %v", err)
		}
		fails(t, err, "memory generation host disposal failed")
		fails(t, all.Errors[0], "memory generation disposal failed: "+lease.ID())
	}
	want := "memory runtime generation is disposed: " + lease.ID()
	_, err = lease.Compose(t.Context(), request())
	fails(t, err, want)
	_, err = lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false)
	fails(t, err, want)
	_, err = lease.Action(t.Context(), view, "source:a/write", of(), allow, false)
	fails(t, err, want)
	_, err = lease.Catalog(t.Context(), of())
	fails(t, err, want)
	_, err = lease.Manage(t.Context(), of(), false)
	fails(t, err, want)
	if n := s.disposals.Load(); n != 1 {
		t.Errorf("disposed %d times", n)
	}
}

// TestCallsHoldTheGeneration (MN40, MN70): a write that waits for its
// authorisation, one that is under way, and a read keep their generation through
// release, unmount and close.
func TestCallsHoldTheGeneration(t *testing.T) {
	for _, name := range []string{"authorize", "mutate", "query"} {
		t.Run(name, func(t *testing.T) { holdsTheGeneration(t, name) })
	}
}

func holdsTheGeneration(t *testing.T, name string) {
	noLeak(t)
	asking, answered := make(chan struct{}), make(chan struct{})
	waitIn := func(place string) {
		if place == name {
			close(asking)
			<-answered
		}
	}
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		waitIn("query")
		return goodEvidence(r), nil
	}, mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) {
		waitIn("mutate")
		return goodReceipt(r), nil
	}}
	core := newCore(t, 1000, strategy(&planner{}))
	remove := install(t, core, "a", source(s))
	lease, view := mustCompose(t, core)
	done := make(chan error)
	go func() {
		var err error
		if name == "query" {
			_, err = lease.Route(context.Background(), view, execution(), "source:a/read", of(), false)
		} else {
			_, err = lease.Action(context.Background(), view, "source:a/write", of(), func(context.Context, *object) (bool, error) {
				waitIn("authorize")
				return true, nil
			}, false)
		}
		done <- err
	}()
	<-asking
	lease.Release()
	remove(t.Context())
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	if err := core.Close(stopped); err != errUser {
		t.Errorf("closed under the call: %v", err)
	}
	if n := s.disposals.Load(); n != 0 {
		t.Errorf("disposed under the call")
	}
	close(answered)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := core.Close(t.Context()); err != nil || s.disposals.Load() != 1 {
		t.Errorf("got %v, disposed %d times", err, s.disposals.Load())
	}
}

// TestAbandonedReadHoldsTheGeneration (MN70).
func TestAbandonedReadHoldsTheGeneration(t *testing.T) {
	noLeak(t)
	release := make(chan struct{})
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		<-release
		return goodEvidence(r), nil
	}}
	abandons := policy(func(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
		read(ctx, r.Input, nil)
		return nil, errUser
	})
	core := newCore(t, 1000, source(s), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) { return abandons, nil }}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false); err != errUser {
		t.Errorf("got %v", err)
	}
	lease.Release()
	stop, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := core.Close(stop); err == nil || s.disposals.Load() != 0 {
		t.Errorf("closed under a read: %v", err)
	}
	close(release)
	if err := core.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestDisposalOrder (MN69): the last made ends first, each after the one before, also
// when they take their time.
func TestDisposalOrder(t *testing.T) {
	noLeak(t)
	var mu sync.Mutex
	var order []string
	slow := func(name string) *native {
		return &native{dispose: func(context.Context) error {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, name)
			return nil
		}}
	}
	core := newCore(t, 1000, source(slow("one")), source(slow("two")), source(slow("three")), strategy(&planner{}))
	if err := core.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"three", "two", "one"}, order); diff != "" {
		t.Error(diff)
	}
}

// TestGenerationID (MN3): what is in it changes it, and nothing else does.
func TestGenerationID(t *testing.T) {
	assembled := func(s compose.Settings, o compose.InstallOptions, c compose.Contribution, more func(*compose.Core)) string {
		s.Now = func() time.Time { return clock }
		core := compose.New(s)
		defer core.Close(context.Background())
		o.InstanceID = "a"
		if _, err := core.Install(context.Background(), c, o); err != nil {
			t.Fatal(err)
		}
		more(core)
		lease, err := core.Acquire("")
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Release()
		return lease.ID()
	}
	withView := func(fields ...any) func(*compose.Core) {
		return func(core *compose.Core) { install(t, core, "view", strategy(&planner{}, fields...)) }
	}
	id := func(s compose.Settings, o compose.InstallOptions, fields ...any) string {
		return assembled(s, o, source(&native{}, fields...), withView())
	}
	beside := func(more func(*compose.Core)) string {
		return assembled(compose.Settings{}, compose.InstallOptions{}, source(&native{}), more)
	}
	plainID := id(compose.Settings{}, compose.InstallOptions{})
	if again := id(compose.Settings{}, compose.InstallOptions{}); again != plainID {
		t.Errorf("two of the same: %s, %s", plainID, again)
	}
	timeout := 9999.0
	configured := func(context.Context, compose.SourceInfo) (any, error) { return of("k", 1.0), nil }
	ceiling := func(context.Context, compose.SourceInfo) ([]string, bool, error) {
		return []string{"project"}, true, nil
	}
	seen := map[string]string{plainID: "plain"}
	for name, other := range map[string]string{
		"timeout":          id(compose.Settings{SourceTimeoutMs: &timeout}, compose.InstallOptions{}),
		"configuration":    id(compose.Settings{SourceConfiguration: configured}, compose.InstallOptions{}),
		"permissions":      id(compose.Settings{SourceCapabilities: ceiling}, compose.InstallOptions{}),
		"effective digest": id(compose.Settings{}, compose.InstallOptions{EffectiveDigest: "config:1"}),
		"artifact digest":  id(compose.Settings{}, compose.InstallOptions{ArtifactDigest: "sha"}),
		"manifest":         id(compose.Settings{}, compose.InstallOptions{}, "extra", 1.0),
		"Strategy":         beside(withView("extra", 1.0)),
		"revision": beside(func(core *compose.Core) {
			install(t, core, "passing", source(&native{}))(t.Context())
			withView()(core)
		}),
		"extension": beside(func(core *compose.Core) {
			withView()(core)
			install(t, core, "x", extension("projection", func(context.Context, []any) (any, error) { return 1.0, nil }))
		}),
	} {
		if before, ok := seen[other]; ok {
			t.Errorf("%s has the id of %s", name, before)
		}
		seen[other] = name
	}
}

// TestHostRefusals: what the Host's own functions refuse rejects the candidate.
func TestHostRefusals(t *testing.T) {
	for want, s := range map[string]compose.Settings{
		"no configuration": {SourceConfiguration: func(context.Context, compose.SourceInfo) (any, error) {
			return nil, errors.New("no configuration")
		}},
		"no ceiling": {SourceCapabilities: func(context.Context, compose.SourceInfo) ([]string, bool, error) {
			return nil, false, errors.New("no ceiling")
		}},
		"Source configuration contains a non-JSON object": {SourceConfiguration: func(context.Context, compose.SourceInfo) (any, error) {
			return jsonvalue.Foreign{Kind: jsonvalue.Exotic}, nil
		}},
	} {
		s.Now = func() time.Time { return clock }
		core := compose.New(s)
		install(t, core, "a", source(&native{}))
		install(t, core, "b", strategy(&planner{}))
		_, err := core.Acquire("")
		fails(t, err, "no Serving memory generation is available: "+want)
		if err := core.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestExtensionOrder (MN62): the View does not depend on the order of installation.
func TestExtensionOrder(t *testing.T) {
	slots := []string{"projection", "selection", "capture"}
	rapid.Check(t, func(t *rapid.T) {
		id := func(order []string) string {
			core := newCoreFor(t, source(&native{}), strategy(&planner{compose: func(_ context.Context, sources, contributions []any) (any, error) {
				return takeAll(sources, false).With("explanation", jsonvalue.Format(contributions)), nil
			}}))
			defer core.Close(context.Background())
			for _, slot := range order {
				c := extension(slot, func(context.Context, []any) (any, error) { return slot, nil })
				if _, err := core.Install(context.Background(), c, compose.InstallOptions{InstanceID: "x-" + slot}); err != nil {
					t.Fatal(err)
				}
			}
			lease, err := core.Acquire("")
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Release()
			view, err := lease.Compose(context.Background(), request())
			if err != nil {
				t.Fatal(err)
			}
			return view.ID()
		}
		if got, want := id(rapid.Permutation(slots).Draw(t, "order")), id(slots); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	})
}

// TestViewsAreStored: a View survives being written and read, and one that was
// changed meanwhile is refused.
func TestViewsAreStored(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	raw, err := jsonvalue.Parse([]byte(jsonvalue.Format(view.Raw())))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := compose.ParseView(raw)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lease.Route(t.Context(), stored, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false); err != nil {
		t.Error(err)
	}
	o, _ := jsonvalue.Map(raw)
	for want, changed := range map[string]any{
		"memory View must be an object":                          nil,
		"memory View does not have the digest that it names":     o.With("explanation", "another"),
		"memory View id must be a string":                        o.With("id", 1.0),
		"memory View routes must be an array of objects":         o.With("routes", []any{1.0}),
		"memory View readGrants must be an array of objects":     o.Without("readGrants"),
		"memory View contains a non-JSON value":                  o.With("scope", jsonvalue.Foreign{Kind: jsonvalue.Function}),
		"memory View runtimeGeneration must be a string":         o.Without("runtimeGeneration"),
		"memory View projection must be an array of objects":     o.With("projection", of()),
		"memory View actionOffers must be an array of objects":   o.With("actionOffers", []any{nil}),
		"memory View does not have the digest that it names\x00": o.With("id", "view:0"),
	} {
		if _, err := compose.ParseView(changed); err == nil || err.Error() != trimNUL(want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func trimNUL(s string) string {
	return string(slices.DeleteFunc([]byte(s), func(c byte) bool { return c == 0 }))
}

// TestGrantsStayHidden (MN2): no grant value is where a model looks.
func TestGrantsStayHidden(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	_, view := mustCompose(t, core)
	for _, part := range []string{"projection", "routes", "actionOffers", "consistency", "explanation"} {
		v, _ := view.Raw().Get(part)
		if said := jsonvalue.Format(v); strings.Contains(said, "grant of") {
			t.Errorf("%s shows a grant: %s", part, said)
		}
	}
	woken, _ := compose.Wake(view, compose.Bindings{}).Text("text")
	if woken == "" || strings.Contains(woken, "grant of") {
		t.Errorf("the wake shows a grant: %s", woken)
	}
}
