package compose

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const routeInput = "memory Route input"

// Route reads. bound says that the caller handed in a signal, which ctx stands
// for.
func (l *Lease) Route(ctx context.Context, view *View, e *Execution, id string, input any, bound bool) (any, error) {
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	d := &dispatch{lease: l, generation: l.record.generation, view: view, execution: e, ctx: ctx, bound: bound}
	if err := d.check(id, input); err != nil {
		return nil, err
	}
	d.active.Store(true)
	defer d.active.Store(false)
	policy, err := d.policyOf(ctx, e, view)
	if err != nil {
		return nil, err
	}
	v, err := d.run(policy, input)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return d.normalizeEvidence(v, view, d.route, d.limits)
}

// dispatch is one read of a route, which a policy may make several of.
type dispatch struct {
	*generation
	lease     *Lease
	view      *View
	execution *Execution
	ctx       context.Context
	bound     bool

	route  *jsonvalue.Object // as the View has it
	grant  *jsonvalue.Object
	limits bounds
	query  func(context.Context, *QueryRequest) <-chan Answer
	active atomic.Bool // the policy has not settled
}

// check finds the route and does the checks of spec/mnemon.md 9.1, in order.
func (d *dispatch) check(id string, input any) error {
	if d.view.GenerationID() != d.id {
		return errors.New("memory View belongs to a different runtime generation")
	}
	if d.route = find(d.view.Routes(), "id", id); d.route == nil {
		return fmt.Errorf("memory View Route is unavailable: %s", id)
	}
	key, _ := d.route.Text("sourceInstanceKey")
	d.grant = find(d.view.grants(), "id", member(d.route, "readGrantId"), "sourceInstanceKey", key)
	if d.grant == nil {
		return fmt.Errorf("memory View Route has no valid ReadGrant: %s", id)
	}
	if err := checkInput(member(d.route, "inputSchema"), input, routeInput); err != nil {
		return err
	}
	budget, err := normalizeBudget(d.execution.budget.Object())
	if err != nil {
		return err
	}
	d.limits = bounds{
		results:    limitOf(d.route, "maxResults", budget.MaxEvidenceResults),
		characters: limitOf(d.route, "maxCharacters", budget.MaxEvidenceCharacters),
	}
	if d.ctx.Err() != nil {
		return context.Cause(d.ctx)
	}
	if m := d.source(key); m != nil {
		d.query = m.querying()
	}
	if d.query == nil {
		return fmt.Errorf("memory Source cannot execute Route: %s", key)
	}
	return nil
}

// limitOf is the limit of a route, narrowed to the budget.
func limitOf(route *jsonvalue.Object, name string, budget int) int {
	if f, ok := route.Number(name); ok && f < float64(budget) {
		return int(f)
	}
	return budget
}

// run reads directly or lets the policy decide.
func (d *dispatch) run(policy Policy, input any) (any, error) {
	if policy == nil {
		return patient(d.ctx, d.limit(), d.read(d.ctx, input, undefined))
	}
	cloned, err := jsonvalue.Clone(input, "memory Strategy input")
	if err != nil {
		return nil, err
	}
	request := &PolicyRequest{Route: d.limits.narrowed(d.route), Input: cloned, Bound: d.bound}
	return patient(d.ctx, d.limit(), async(func() (any, error) { return policy.Query(d.ctx, request, d.read) }))
}

// read is the continuation that a policy gets. Its checks and the count are done
// when it returns.
func (d *dispatch) read(ctx context.Context, input, limits any) <-chan Answer {
	out := make(chan Answer, 1)
	leave, b, request, err := d.prepare(input, limits)
	if err != nil {
		out <- Answer{Err: err}
		return out
	}
	settle, err := d.execution.keep(ctx, d.routeID(), input, limits)
	if err != nil {
		leave()
		out <- Answer{Err: err}
		return out
	}
	ctx, stop := joined(ctx, d.ctx)
	answer := d.query(ctx, request)
	go func() {
		a := d.answered(answer, b)
		v, _ := a.Value.(*jsonvalue.Object)
		settle(v, a.Err)
		stop()
		leave() // before the answer is heard: who hears it may release the rest
		out <- a
	}()
	return out
}

// answered waits for an answer and cuts it to its bounds.
func (d *dispatch) answered(answer <-chan Answer, b bounds) Answer {
	a, ok := <-answer
	if !ok {
		a.Err = errors.New("memory Source gave no answer")
	}
	if a.Err != nil {
		return Answer{Err: a.Err}
	}
	v, err := d.normalizeEvidence(a.Value, d.view, d.route, b)
	if err != nil {
		return Answer{Err: err}
	}
	return Answer{Value: v}
}

func (d *dispatch) routeID() string {
	id, _ := d.route.Text("id")
	return id
}

// joined returns ctx, which also ends with other and for its reason.
func joined(ctx, other context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// prepare does what comes before the Source is asked. The lease it takes keeps
// the generation until the Source has answered.
func (d *dispatch) prepare(input, limits any) (leave func(), b bounds, r *QueryRequest, err error) {
	if !d.active.Load() {
		return nil, b, nil, errors.New("memory Strategy read continuation is no longer active")
	}
	if leave, err = d.lease.enter(); err != nil {
		return nil, b, nil, err
	}
	if b, r, err = d.count(input, limits); err != nil {
		leave()
		return nil, b, nil, err
	}
	return leave, b, r, nil
}

func (d *dispatch) count(input, limits any) (b bounds, r *QueryRequest, err error) {
	if d.ctx.Err() != nil {
		return b, nil, context.Cause(d.ctx)
	}
	if err := checkInput(member(d.route, "inputSchema"), input, routeInput); err != nil {
		return b, nil, err
	}
	if b, err = d.limits.narrow(limits); err != nil {
		return b, nil, err
	}
	id := d.routeID()
	if most, _ := d.route.Number("maxCalls"); !d.execution.count(d.view.ID(), id, most) {
		return b, nil, fmt.Errorf("memory View Route call budget is exhausted: %s", id)
	}
	// The call counts even if its input turns out not to be JSON.
	cloned, err := jsonvalue.Clone(input, routeInput)
	if err != nil {
		return b, nil, err
	}
	return b, &QueryRequest{View: d.view.bound(), Route: b.narrowed(d.route), Grant: d.grant, Input: cloned, Bound: d.bound}, nil
}

// narrow applies the limits that a policy asks for. They never widen.
func (b bounds) narrow(limits any) (bounds, error) {
	o, _ := jsonvalue.Map(limits)
	for _, l := range []struct {
		name, label string
		most        int
		limit       *int
	}{
		{"maxResults", "Strategy maxResults", 10_000, &b.results},
		{"maxCharacters", "Strategy maxCharacters", 10_000_000, &b.characters},
	} {
		v := member(o, l.name)
		if isUndefined(v) {
			continue
		}
		n, err := positiveInteger(v, l.label, l.most)
		if err != nil {
			return b, err
		}
		*l.limit = min(*l.limit, n)
	}
	return b, nil
}
