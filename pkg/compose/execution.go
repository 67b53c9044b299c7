package compose

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// Execution is what the reads of one turn share: counters of calls and the
// Strategy's policy. Equal Views in two executions share nothing.
type Execution struct {
	budget  Budget
	journal Journal

	mu       sync.Mutex
	calls    map[routeOf]int
	policies map[*generation]*policyCell
}

type routeOf struct{ view, route string }

// Calls says how often an execution dispatched a route of a View.
type Calls struct {
	ViewID, RouteID string
	Count           int
}

// NewExecution returns a fresh execution with the budget of its turn.
func NewExecution(budget Budget) *Execution { return RestoreExecution(budget, nil) }

// RestoreExecution returns an execution that goes on counting where another, in
// this process or an earlier one, had stopped. A policy begins anew.
func RestoreExecution(budget Budget, calls []Calls) *Execution {
	e := &Execution{budget: budget, calls: map[routeOf]int{}, policies: map[*generation]*policyCell{}}
	for _, c := range calls {
		e.calls[routeOf{c.ViewID, c.RouteID}] += c.Count
	}
	return e
}

// Calls returns the counters, ordered by View and route.
func (e *Execution) Calls() []Calls {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]Calls, 0, len(e.calls))
	for of, count := range e.calls {
		out = append(out, Calls{of.view, of.route, count})
	}
	slices.SortFunc(out, func(a, b Calls) int {
		return cmp.Or(cmp.Compare(a.ViewID, b.ViewID), cmp.Compare(a.RouteID, b.RouteID))
	})
	return out
}

// count takes one of the calls of a route. It says no when there is none left.
func (e *Execution) count(view, route string, most float64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := routeOf{view, route}
	if float64(e.calls[of]) >= most {
		return false
	}
	e.calls[of]++
	return true
}

// policyCell holds the policy of one execution. turn is full while somebody
// creates it.
type policyCell struct {
	turn   chan struct{}
	policy Policy
}

func (e *Execution) cell(g *generation) *policyCell {
	e.mu.Lock()
	defer e.mu.Unlock()
	cell := e.policies[g]
	if cell == nil {
		cell = &policyCell{turn: make(chan struct{}, 1)}
		e.policies[g] = cell
	}
	return cell
}

// policyOf returns the policy of an execution, nil if the Strategy has none. One
// that could not be created is tried again on the next read.
func (g *generation) policyOf(ctx context.Context, e *Execution, view *View) (Policy, error) {
	strategy, ok := g.strategy.def.Strategy.(TurnStrategy)
	if !ok {
		return nil, nil
	}
	cell := e.cell(g)
	select {
	case cell.turn <- struct{}{}:
		defer func() { <-cell.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if cell.policy != nil {
		return cell.policy, nil
	}
	policy, err := bounded(ctx, g.limit(), g.strategyLate(), func(ctx context.Context) (Policy, error) {
		return strategy.CreateTurn(ctx, view)
	})
	if err != nil {
		return nil, err
	}
	if policy == nil {
		return nil, errors.New("memory Strategy returned an invalid turn policy")
	}
	cell.policy = policy
	return policy, nil
}
