package compose

import (
	"context"
	"errors"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Journal keeps what an execution dispatches, for a later process that goes on
// with it.
//
// Dispatch is called when a read was counted and before the Source is asked. An
// error refuses the read, which counts all the same. settle is called once, with
// the bounded Evidence or why there is none.
type Journal interface {
	Dispatch(ctx context.Context, routeID string, input, limits any) (settle func(evidence *jsonvalue.Object, err error), err error)
}

// Keep gives the execution a journal, before its first read.
func (e *Execution) Keep(j Journal) { e.journal = j }

// keep tells the journal of a read, if there is one.
func (e *Execution) keep(ctx context.Context, routeID string, input, limits any) (func(*jsonvalue.Object, error), error) {
	if e.journal == nil {
		return func(*jsonvalue.Object, error) {}, nil
	}
	if isUndefined(limits) {
		limits = nil
	}
	return e.journal.Dispatch(ctx, routeID, input, limits)
}

// PastRoute is a read of the same execution that an earlier process answered.
type PastRoute struct {
	RouteID string
	Input   any
	Reads   []Answer // what its dispatched reads gave, in order
}

// errNotRecorded is what a policy gets that reads more than it did before.
var errNotRecorded = errors.New("the read was not recorded")

// Resume brings the Strategy's policy to where it was after the past reads, by
// letting it answer them again out of what was recorded. No Source is asked and
// nothing is counted. A Strategy without a policy has nothing to resume.
func (l *Lease) Resume(ctx context.Context, view *View, e *Execution, past []PastRoute) error {
	leave, err := l.enter()
	if err != nil {
		return err
	}
	defer leave()
	d := &dispatch{lease: l, generation: l.record.generation, view: view, execution: e, ctx: ctx}
	if len(past) == 0 {
		return nil
	}
	policy, err := d.policyOf(ctx, e, view)
	if err != nil || policy == nil {
		return err
	}
	for _, p := range past {
		if err := d.check(p.RouteID, p.Input); err != nil {
			continue // it had failed then, too
		}
		request := &PolicyRequest{Route: d.limits.narrowed(d.route), Input: p.Input}
		_, _ = patient(ctx, d.limit(), async(func() (any, error) { return policy.Query(ctx, request, p.read()) }))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// read is a continuation that gives what was recorded.
func (p PastRoute) read() Read {
	var mu sync.Mutex
	next := 0
	return func(context.Context, any, any) <-chan Answer {
		mu.Lock()
		defer mu.Unlock()
		out := make(chan Answer, 1)
		if next >= len(p.Reads) {
			out <- Answer{Err: errNotRecorded}
			return out
		}
		out <- p.Reads[next]
		next++
		return out
	}
}

// PastRead is a read that a Source was asked for earlier in the execution.
type PastRead struct {
	RouteID string
	Input   any
	Limits  any // nil: none
}

// Repeat asks Sources again what they were asked earlier, for one that keeps in
// memory what a View has been shown and builds on it. Nothing is counted or kept;
// what the Sources answer now, or that they fail, changes nothing.
func (l *Lease) Repeat(ctx context.Context, view *View, e *Execution, past []PastRead) error {
	leave, err := l.enter()
	if err != nil {
		return err
	}
	defer leave()
	for _, p := range past {
		d := &dispatch{lease: l, generation: l.record.generation, view: view, execution: e, ctx: ctx}
		r, err := d.again(p)
		if err != nil {
			continue // it had failed then, too
		}
		_, _ = patient(ctx, d.limit(), d.query(ctx, r))
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// again is the request of a past read.
func (d *dispatch) again(p PastRead) (*QueryRequest, error) {
	if err := d.check(p.RouteID, p.Input); err != nil {
		return nil, err
	}
	b, err := d.limits.narrow(p.Limits)
	if err != nil {
		return nil, err
	}
	return &QueryRequest{View: d.view.bound(), Route: b.narrowed(d.route), Grant: d.grant, Input: p.Input}, nil
}
