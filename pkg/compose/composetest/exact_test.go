package composetest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestBudgetToTheCharacter: what fills the budget of a View serves,
// one character more does not.
func TestBudgetToTheCharacter(t *testing.T) {
	says := func(n int) *native {
		return &native{project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
			part := s.goodPart(r)
			list, _ := part.Array("fragments")
			f, _ := jsonvalue.Map(list[0])
			return part.With("fragments", []any{f.With("text", strings.Repeat("x", n))}), nil
		}}
	}
	for last, want := range map[int]string{5: "", 6: "memory View projection exceeds the root-turn budget"} {
		core := newCore(t, 1000, source(says(5)), source(says(last)), strategy(&planner{}))
		lease, err := core.Acquire("")
		if err != nil {
			t.Fatal(err)
		}
		defer lease.Release()
		_, err = lease.Compose(t.Context(), request("budget", defaultBudget().With("maxProjectionCharacters", 10.0)))
		if got := message(err); got != want {
			t.Errorf("5 and %d of 10 characters: %q, want %q", last, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestReleaseTwice: a lease given back twice takes nothing from others of
// the same generation.
func TestReleaseTwice(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	var leases []*compose.Lease
	for range 2 {
		lease, err := core.Acquire("")
		if err != nil {
			t.Fatal(err)
		}
		leases = append(leases, lease)
	}
	install(t, core, "more", source(&native{})) // theirs only drains now
	leases[0].Release()
	leases[0].Release()
	if _, err := leases[1].Compose(t.Context(), request()); err != nil {
		t.Error(err)
	}
	leases[1].Release()
	if _, err := leases[1].Compose(t.Context(), request()); err == nil {
		t.Error("a generation serves when nobody holds it")
	}
}

// TestReasonReachesTheSource: a policy that reads on its own account is
// stopped with the caller's reason too.
func TestReasonReachesTheSource(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	gone, heard := errors.New("gone"), make(chan error, 1)
	s := &native{query: func(ctx context.Context, _ *compose.QueryRequest) (any, error) {
		cancel(gone)
		<-ctx.Done()
		heard <- context.Cause(ctx)
		return nil, ctx.Err()
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return policy(func(_ context.Context, _ *compose.PolicyRequest, read compose.Read) (any, error) {
			a := <-read(context.Background(), of(), nil)
			return a.Value, a.Err
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(ctx, view, execution(), "source:a/read", of(), true); err == nil {
		t.Error("a read that was stopped gave evidence")
	}
	if got := <-heard; got != gone {
		t.Errorf("the Source heard %v, want %v", got, gone)
	}
}
