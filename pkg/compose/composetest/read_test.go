package composetest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// quick is a deadline for Sources that will not meet it.
const quick = 200

func diagnosticCodes(view *compose.View) []string {
	var out []string
	for _, d := range view.Diagnostics() {
		code, _ := d.Text("code")
		key, _ := d.Text("contributionInstanceKey")
		out = append(out, key+" "+code)
	}
	return out
}

// behaviours are Sources that do not keep to the contract in facts, and what
// comes of each.
func behaviours(release <-chan struct{}) map[string]*native {
	answer := func(f func(c chan compose.Answer, s *native)) func(context.Context, *native) <-chan compose.Answer {
		return func(_ context.Context, s *native) <-chan compose.Answer {
			c := make(chan compose.Answer, 2)
			f(c, s)
			return c
		}
	}
	return map[string]*native{
		"": {},
		"source-facts-timeout never": {facts: func(context.Context, *native) (any, error) {
			<-release
			return nil, nil
		}},
		"source-facts-timeout waits": {facts: func(ctx context.Context, s *native) (any, error) {
			<-ctx.Done()
			return s.goodFacts(), nil
		}},
		"source-facts-timeout nil":  {startFacts: func(context.Context, *native) <-chan compose.Answer { return nil }},
		"source-facts-failed error": {facts: func(context.Context, *native) (any, error) { return nil, errSecret }},
		"source-facts-failed panic": {facts: func(context.Context, *native) (any, error) { panic(errSecret) }},
		"source-facts-failed goexit": {facts: func(context.Context, *native) (any, error) {
			runtime.Goexit()
			return nil, nil
		}},
		"source-facts-failed closed": {startFacts: answer(func(c chan compose.Answer, _ *native) { close(c) })},
		"source-facts-failed first": {startFacts: answer(func(c chan compose.Answer, s *native) {
			c <- compose.Answer{Err: errSecret}
			c <- compose.Answer{Value: s.goodFacts()}
		})},
		" twice": {startFacts: answer(func(c chan compose.Answer, s *native) {
			c <- compose.Answer{Value: s.goodFacts()}
			c <- compose.Answer{Err: errSecret}
		})},
	}
}

// TestOutages (MN41, MN43, MN45, MN49): whatever an optional Source does in
// facts, the others are served and its words are heard nowhere.
func TestOutages(t *testing.T) {
	noLeak(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	for name, s := range behaviours(release) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			core := newCore(t, quick, source(&native{}), source(s), strategy(&planner{}))
			lease, view := mustCompose(t, core)
			code, _, _ := strings.Cut(name, " ")
			var want []string
			if code != "" {
				want = []string{"source:b " + code}
			}
			if diff := cmp.Diff(want, diagnosticCodes(view)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			if n := len(view.Projection()); n != 2-len(want) {
				t.Errorf("got %d fragments", n)
			}
			if _, err := lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false); err != nil {
				t.Errorf("the other Source: %v", err)
			}
			catalog, err := lease.Catalog(t.Context(), of("storage", "custom"))
			if err != nil {
				t.Fatal(err)
			}
			if said := jsonvalue.Format(view.Raw()) + jsonvalue.Format(catalog); strings.Contains(said, "SECRET") || strings.Contains(said, "private.example") {
				t.Errorf("the Source's words got out: %s", said)
			}
		})
	}
}

// TestLateAndDoubleAnswers (MN45): Views are the same, whatever mixture of
// misbehaviour is beside the Sources that behave.
func TestLateAndDoubleAnswers(t *testing.T) {
	noLeak(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfN(rapid.SampledFrom([]string{"", "", " twice", "source-facts-failed error", "source-facts-failed first", "source-facts-failed closed"}), 1, 6).Draw(t, "kinds")
		var sources []compose.Contribution
		var want []string
		for i, kind := range kinds {
			sources = append(sources, source(behaviours(release)[kind]))
			if code, _, _ := strings.Cut(kind, " "); code != "" {
				want = append(want, fmt.Sprintf("source:%c %s", 'a'+i, code))
			}
		}
		core := newCoreFor(t, append(sources, strategy(&planner{}))...)
		defer core.Close(context.Background())
		lease, err := core.Acquire("")
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Release()
		first, err := lease.Compose(context.Background(), request())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, diagnosticCodes(first)); diff != "" {
			t.Fatalf("diagnostics (-want +got):\n%s", diff)
		}
		again, err := lease.Compose(context.Background(), request())
		if err != nil || again.ID() != first.ID() {
			t.Fatalf("another View the second time: %v", err)
		}
	})
}

// newCoreFor is newCore for a property, which has no end to clean up at.
func newCoreFor(t *rapid.T, contributions ...compose.Contribution) *compose.Core {
	core := compose.New(compose.Settings{Now: func() time.Time { return clock }})
	for i, c := range contributions {
		if _, err := core.Install(context.Background(), c, compose.InstallOptions{InstanceID: string(rune('a' + i))}); err != nil {
			t.Fatal(err)
		}
	}
	return core
}

// TestFactsAtOnce (MN44): every Source waits for all others to be asked.
func TestFactsAtOnce(t *testing.T) {
	var all sync.WaitGroup
	all.Add(3)
	wait := func(_ context.Context, s *native) (any, error) {
		all.Done()
		all.Wait()
		return s.goodFacts(), nil
	}
	core := newCore(t, 5000, source(&native{facts: wait}), source(&native{facts: wait}), source(&native{facts: wait}), strategy(&planner{}))
	if _, view := mustCompose(t, core); len(view.Diagnostics()) > 0 {
		t.Errorf("they waited for each other: %v", diagnosticCodes(view))
	}
}

var errUser = errors.New("the user stopped it")

// TestCancellation (MN46): the reason of the caller is what the caller hears, however
// optional the Source is, and the Source hears that it was stopped.
func TestCancellation(t *testing.T) {
	noLeak(t)
	for _, phase := range []string{"facts", "project"} {
		t.Run(phase, func(t *testing.T) {
			started := make(chan struct{})
			heard := make(chan error, 1)
			hang := func(ctx context.Context) (any, error) {
				close(started)
				<-ctx.Done()
				heard <- context.Cause(ctx)
				return nil, ctx.Err()
			}
			s := &native{}
			if phase == "facts" {
				s.facts = func(ctx context.Context, _ *native) (any, error) { return hang(ctx) }
			} else {
				s.project = func(ctx context.Context, _ *native, _ *compose.ProjectionRequest) (any, error) { return hang(ctx) }
			}
			core := newCore(t, 60_000, source(s), strategy(&planner{}))
			lease, err := core.Acquire("")
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Release()
			ctx, cancel := context.WithCancelCause(t.Context())
			go func() {
				<-started
				cancel(errUser)
			}()
			if _, err := lease.Compose(ctx, request()); err != errUser {
				t.Errorf("got %v, want the reason itself", err)
			}
			if err := <-heard; err != errUser {
				t.Errorf("the Source heard %v", err)
			}
		})
	}
	core := newCore(t, 1000, source(&native{facts: func(context.Context, *native) (any, error) {
		t.Error("asked under a ctx that had ended")
		return nil, nil
	}}), strategy(&planner{}))
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	if _, err := lease.Compose(ctx, request()); err != errUser {
		t.Errorf("got %v, want the reason itself", err)
	}
}

// TestReadsEndWithTheComposition (MN44): when one Source breaks the protocol the
// others are stopped.
func TestReadsEndWithTheComposition(t *testing.T) {
	noLeak(t)
	stopped := make(chan struct{})
	wrong := &native{facts: func(_ context.Context, s *native) (any, error) { return s.goodFacts().With("role", "other"), nil }}
	hangs := &native{facts: func(ctx context.Context, _ *native) (any, error) {
		<-ctx.Done()
		close(stopped)
		return nil, ctx.Err()
	}}
	core := newCore(t, 60_000, source(wrong), source(hangs), strategy(&planner{}))
	_, _, err := composeOn(t, core)
	fails(t, err, "memory Source facts role mismatch: other != notes")
	<-stopped
}

// TestProtocolErrorsAreNoOutages (MN48): a mistake of an optional Source rejects
// all the same, and always the same of several.
func TestProtocolErrorsAreNoOutages(t *testing.T) {
	role := func(name string) *native {
		return &native{facts: func(_ context.Context, s *native) (any, error) { return s.goodFacts().With("role", name), nil }}
	}
	for range 20 {
		core := newCore(t, 1000, source(role("one")), source(role("two")), source(role("three")), strategy(&planner{}))
		_, _, err := composeOn(t, core)
		fails(t, err, "memory Source facts role mismatch: one != notes")
	}
	core := newCore(t, 1000, source(&native{project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
		return s.goodPart(r).With("readGrant", nil), nil
	}}), strategy(&planner{}))
	_, _, err := composeOn(t, core)
	fails(t, err, "memory ReadGrant must be an object: source:a")
}

// TestErrorsPassUnchanged (MN34, MN64): what Strategies, extensions, policies,
// queries, writes and management operations say is what the caller gets, the very
// same value.
func TestErrorsPassUnchanged(t *testing.T) {
	own := errors.New("own words")
	refuse := func(context.Context, []any) (any, error) { return nil, own }
	for name, contributions := range map[string][]compose.Contribution{
		"strategy":  {source(&native{}), strategy(&planner{compose: func(context.Context, []any, []any) (any, error) { return nil, own }})},
		"extension": {source(&native{}), strategy(&planner{}), extension("projection", refuse)},
	} {
		core := newCore(t, 1000, contributions...)
		if _, _, err := composeOn(t, core); err != own {
			t.Errorf("%s: got %v", name, err)
		}
	}
	s := &native{
		query:  func(context.Context, *compose.QueryRequest) (any, error) { return nil, own },
		mutate: func(context.Context, *compose.MutateRequest) (any, error) { return nil, own },
		manage: func(context.Context, *compose.ManageRequest) (any, error) { return nil, own },
	}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false); err != own {
		t.Errorf("query: got %v", err)
	}
	if _, err := lease.Action(t.Context(), view, "source:a/write", of(), allow, false); err != own {
		t.Errorf("mutate: got %v", err)
	}
	deny := func(context.Context, *object) (bool, error) { return false, own }
	if _, err := lease.Action(t.Context(), view, "source:a/write", of(), deny, false); err != own {
		t.Errorf("authorize: got %v", err)
	}
	_, err := lease.Manage(t.Context(), of("sourceInstanceKey", "source:a", "scope", of(), "mode", "read", "operation", "show", "input", nil), false)
	if err != own {
		t.Errorf("manage: got %v", err)
	}
}

// TestStrategiesAreBounded: quick plugin code that overruns is told so by its
// ctx, is not heard when it returns, and has a code of its own.
func TestStrategiesAreBounded(t *testing.T) {
	noLeak(t)
	late := func(ctx context.Context, sources, _ []any) (any, error) {
		<-ctx.Done()
		return takeAll(sources, false), nil
	}
	for want, contributions := range map[string][]compose.Contribution{
		"strategy-timeout: memory Strategy strategy:b timed out":                               {source(&native{}), strategy(&planner{compose: late})},
		"strategy-extension-timeout: memory Strategy extension strategy-extension:c timed out": {source(&native{}), strategy(&planner{}), extension("projection", func(ctx context.Context, s []any) (any, error) { return late(ctx, s, nil) })},
	} {
		core := newCore(t, quick, contributions...)
		_, _, err := composeOn(t, core)
		if got := fmt.Sprintf("%s: %v", codeOf(err), err); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	core := newCore(t, quick, source(&native{}), strategy(&planner{turn: func(ctx context.Context, _ *compose.View) (compose.Policy, error) {
		<-ctx.Done()
		return policy(nil), nil
	}}))
	lease, view := mustCompose(t, core)
	_, err := lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", of(), false)
	if codeOf(err) != compose.CodeStrategyTimeout {
		t.Errorf("createTurn: got %v", err)
	}
	d, err := compose.DefineSource(nativeManifest(), func(ctx context.Context, _ compose.SourceContext) (compose.Source, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	core = newCore(t, quick, must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err), strategy(&planner{}))
	_, err = core.Acquire("")
	fails(t, err, "no Serving memory generation is available: memory Source source:a timed out")
	if codeOf(err) != compose.CodeUnavailable {
		t.Errorf("got code %q", codeOf(err))
	}
}

// TestStrategySeesCopies (MN9): what a Strategy does to the lists that it was
// given is not seen by its second pass, and a value it hands out and changes is
// found.
func TestStrategySeesCopies(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), source(&native{}), strategy(&planner{compose: func(_ context.Context, sources, _ []any) (any, error) {
		out := takeAll(sources, false)
		sources[0], sources[1] = sources[1], sources[0]
		return out, nil
	}}))
	_, view := mustCompose(t, core)
	if id, _ := view.Projection()[0].Text("id"); id != "source:a" {
		t.Errorf("the order of the proposal is not kept: %s first", id)
	}
	reused := of("n", 0.0)
	core = newCore(t, 1000, source(&native{}), strategy(&planner{}), extension("projection", func(context.Context, []any) (any, error) {
		n, _ := reused.Number("n")
		reused.Set("n", n+1)
		return reused, nil
	}))
	_, _, err := composeOn(t, core)
	fails(t, err, "memory Strategy extensions are not deterministic: strategy-extension:c")
}
