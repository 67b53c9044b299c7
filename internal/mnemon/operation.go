package mnemon

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/mnemon/ledger"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// The codes of operations, each with its English sentence.
const (
	codeNoGeneration = "composition-unavailable" // no memory can be composed
	codeNoView       = "view-rejected"           // the View was rejected
	codeRoute        = "route-failed"            // the read failed
	codeAction       = "action-failed"           // the write failed
	codeNoRoute      = "route-unknown"           // the View has no route %q
	codeNoAction     = "action-unknown"          // the View has no action %q
	codeInput        = "operation-input"         // the input does not fit %q
	codeCodeChanged  = "turn-code-changed"       // the code of the plugin %q is not what the turn was begun with
	codeMoved        = "turn-moved"              // the plugins no longer compose to what the turn %q was begun with
	codeTooLate      = "operation-timeout"       // not done in time
	codeRouteLate    = "route-timeout"           // the read by %q was not answered in time
	codeActionLate   = "action-timeout"          // the write by %q was not answered in time; nobody knows whether it was done
)

// Route reads by a route of the turn's View, under the limits that the View and
// what was read before leave. It returns the Evidence.
func (t *Turn) Route(ctx context.Context, id string, input any) (*jsonvalue.Object, error) {
	if err := offered(t.View.Routes(), codeNoRoute, id, input, "memory Route input"); err != nil {
		return nil, err
	}
	return t.operate(ctx, codeRoute, find(t.View.Routes(), id), func(o *operating) (any, error) {
		if err := t.note(ledger.Event{Kind: ledger.Route, Op: o.op, Target: id, Input: input}); err != nil {
			return nil, err
		}
		evidence, err := patient(ctx, func() (any, error) { return o.lease.Route(ctx, t.View, o.execution, id, input, false) })
		if errors.Is(err, errLeft) {
			err = tooLate(ctx, codeRouteLate, id)
		}
		return evidence, o.settle(ledger.Routed, evidence, err)
	})
}

// Action writes by an action of the turn's View, if it is authorised, and returns
// the Receipt.
func (t *Turn) Action(ctx context.Context, id string, input any, authorized bool) (*jsonvalue.Object, error) {
	if err := offered(t.View.Offers(), codeNoAction, id, input, "memory Action input"); err != nil {
		return nil, err
	}
	return t.operate(ctx, codeAction, find(t.View.Offers(), id), func(o *operating) (any, error) {
		noted := false
		authorize := func(context.Context, *jsonvalue.Object) (bool, error) {
			if !authorized {
				return false, nil
			}
			noted = true
			return true, t.note(ledger.Event{Kind: ledger.Action, Op: o.op, Target: id, Input: input})
		}
		receipt, err := patient(ctx, func() (any, error) { return o.lease.Action(ctx, t.View, id, input, authorize, false) })
		if errors.Is(err, errLeft) {
			return nil, tooLate(ctx, codeActionLate, id) // without an end in the ledger: nobody knows
		}
		if !noted {
			return receipt, err
		}
		return receipt, o.settle(ledger.Receipt, receipt, err)
	})
}

// offered checks what can be checked before any plugin is started: that the View
// has the operation, and that the input fits.
func offered(list []*jsonvalue.Object, code, id string, input any, label string) error {
	o := find(list, id)
	if o == nil {
		return fault.New(fault.NotFound, code, id, strings.Join(idsOf(list), ", "))
	}
	schema, _ := o.Get("inputSchema")
	if err := compose.CheckInput(schema, input, label); err != nil {
		return fault.New(fault.Usage, codeInput, id).Because(err)
	}
	return nil
}

func idsOf(list []*jsonvalue.Object) []string {
	ids := make([]string, len(list))
	for i, o := range list {
		ids[i], _ = o.Text("id")
	}
	return ids
}

// operating is one operation of a turn under way.
type operating struct {
	t         *Turn
	op        int
	lease     *compose.Lease
	execution *compose.Execution
	journal   *journal
}

// settle writes how the operation ended and returns why it failed.
func (o *operating) settle(kind string, value any, failed error) error {
	e := ledger.Event{Kind: kind, Op: o.op, Value: value}
	if failed != nil {
		e = ledger.Event{Kind: ledger.Failed, Op: o.op, Message: failed.Error()}
	}
	return errors.Join(failed, o.t.note(e))
}

// operate starts the assembly of the turn, brings it to where the turn is, and
// runs one operation. The turn's lock is held throughout: operations follow one
// another, as the state of a policy demands.
func (t *Turn) operate(ctx context.Context, code string, target *jsonvalue.Object, run func(o *operating) (any, error)) (result *jsonvalue.Object, err error) {
	err = t.dir.With(ctx, func(*filestore.Tx) error {
		l, err := t.ledger()
		if err != nil {
			return err
		}
		if l.Ended {
			return fault.New(fault.Refused, codeTurnEnded, t.ID)
		}
		r, err := t.w.start(ctx, t.assembly)
		if err != nil {
			return err
		}
		defer r.stop(ctx)
		o, err := t.resume(ctx, r, l)
		if err != nil {
			return err
		}
		defer o.lease.Release()
		defer o.journal.close()
		if err := o.remind(ctx, l, target); err != nil {
			return operationFault(ctx, code, err)
		}
		v, err := run(o)
		if err != nil {
			return operationFault(ctx, code, err)
		}
		result, _ = jsonvalue.Map(v)
		return nil
	})
	return result, err
}

// resume leases the turn's generation and restores what the turn's execution
// had counted and decided.
func (t *Turn) resume(ctx context.Context, r *running, l *ledger.Ledger) (*operating, error) {
	lease, err := r.core.Acquire("")
	if err != nil {
		return nil, r.because(fault.New(fault.Refused, codeNoGeneration).Because(err))
	}
	if lease.ID() != t.View.GenerationID() {
		lease.Release()
		return nil, r.because(fault.New(fault.Conflict, codeMoved, t.ID))
	}
	var calls []compose.Calls
	for route, count := range l.Calls() {
		calls = append(calls, compose.Calls{ViewID: t.View.ID(), RouteID: route, Count: count})
	}
	e := compose.RestoreExecution(t.Budget, calls)
	if err := lease.Resume(ctx, t.View, e, past(l)); err != nil {
		lease.Release()
		return nil, operationFault(ctx, codeRoute, err)
	}
	o := &operating{t: t, op: l.Next(), lease: lease, execution: e, journal: &journal{t: t, op: l.Next()}}
	e.Keep(o.journal)
	return o, nil
}

// building are the capabilities that work on what was read before: a Source may
// demand that this View has shown it.
var building = []string{"related", "link", "forget"}

// remind asks the target's Source again what it was asked in this turn, when the
// operation builds on that: what it kept in memory went with its process.
func (o *operating) remind(ctx context.Context, l *ledger.Ledger, target *jsonvalue.Object) error {
	capability, _ := target.Text("capability")
	key, _ := target.Text("sourceInstanceKey")
	if !slices.Contains(building, capability) {
		return nil
	}
	var reads []compose.PastRead
	for _, earlier := range l.Operations {
		for _, r := range earlier.Reads {
			if r.Done && r.Failed == "" && strings.HasPrefix(r.Target, key+"/") {
				reads = append(reads, compose.PastRead{RouteID: r.Target, Input: r.Input, Limits: r.Limits})
			}
		}
	}
	return o.lease.Repeat(ctx, o.t.View, o.execution, reads)
}

func find(list []*jsonvalue.Object, id string) *jsonvalue.Object {
	for _, o := range list {
		if known, _ := o.Text("id"); known == id {
			return o
		}
	}
	return nil
}

// past is what a ledger recorded of reads, for the policy. A read that was cut
// off failed.
func past(l *ledger.Ledger) []compose.PastRoute {
	var routes []compose.PastRoute
	for _, o := range l.Operations {
		if o.Kind != ledger.Route {
			continue
		}
		route := compose.PastRoute{RouteID: o.Target, Input: o.Input}
		for _, r := range o.Reads {
			a := compose.Answer{Value: r.Value}
			if !r.Done || r.Failed != "" {
				a = compose.Answer{Err: errors.New(r.Failed)}
			}
			route.Reads = append(route.Reads, a)
		}
		routes = append(routes, route)
	}
	return routes
}

// errLeft says that a plugin was left alone with what it was asked.
var errLeft = errors.New("the plugin gave no answer")

// grace is how long a plugin may take to end in its own way once its time is up.
const grace = time.Second

// patient waits for code that may never come back. When ctx has ended it waits a
// little longer, and then gives errLeft.
func patient(ctx context.Context, f func() (any, error)) (any, error) {
	type answer struct {
		value any
		err   error
	}
	answers := make(chan answer, 1)
	go func() {
		v, err := f()
		answers <- answer{v, err}
	}()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case a := <-answers:
		return a.value, a.err
	case <-timer.C:
		return nil, errLeft
	}
}

// tooLate is the fault of what was not done before ctx ended. When somebody
// stopped it, that is the reason.
func tooLate(ctx context.Context, code string, args ...any) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, context.DeadlineExceeded) {
		return fault.New(fault.Timeout, code, args...)
	}
	return fault.New(fault.Timeout, code, args...).Because(cause)
}

// journal writes the reads of one operation into the turn's ledger, until the
// operation is over: an answer that comes later is not written.
type journal struct {
	t  *Turn
	op int

	mu    sync.Mutex
	reads int
	over  bool
}

// errOver is what a plugin gets that reads after its operation.
var errOver = errors.New("the operation is over")

// close ends the journal. Whoever holds the turn's lock next writes alone.
func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.over = true
}

var _ compose.Journal = (*journal)(nil)

// Dispatch implements compose.Journal.
func (j *journal) Dispatch(_ context.Context, routeID string, input, limits any) (func(*jsonvalue.Object, error), error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.over {
		return nil, errOver
	}
	read := j.reads + 1
	if err := j.t.note(ledger.Event{Kind: ledger.Dispatch, Op: j.op, Read: read, Target: routeID, Input: input, Limits: limits}); err != nil {
		return nil, err
	}
	j.reads = read
	return func(evidence *jsonvalue.Object, err error) {
		e := ledger.Event{Kind: ledger.Evidence, Op: j.op, Read: read, Value: evidence}
		if err != nil {
			e = ledger.Event{Kind: ledger.Failed, Op: j.op, Read: read, Message: err.Error()}
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		if !j.over {
			_ = j.t.note(e) // what cannot be written counts as cut off
		}
	}, nil
}

// operationFault classes what Core or a plugin said.
func operationFault(ctx context.Context, code string, err error) error {
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		return err
	case ctx.Err() != nil:
		return tooLate(ctx, codeTooLate)
	}
	return fault.New(kindOf(err), code).Because(err)
}

// kindOf tells a failure of a plugin from a refusal of Core, which keeps its
// contracts.
func kindOf(err error) fault.Kind {
	var script *jsrun.Error
	var late *compose.Error
	if errors.As(err, &script) || errors.As(err, &late) || errors.Is(err, jsrun.ErrLimit) {
		return fault.Plugin
	}
	return fault.Refused
}
