package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// RootTurn is the scenario of a turn that names none.
const RootTurn = "agent.root-turn"

var (
	errTurnsClosed = errors.New("Composable Memory turn manager is disposed")
	errTurnEnded   = errors.New("Composable Memory turn ended during composition")
)

// Turn is a View that is pinned to one turn of a conversation.
type Turn struct {
	ID        string
	Scope     *jsonvalue.Object
	View      *View
	StartedAt time.Time

	lease     *Lease
	execution *Execution
}

// Calls returns the counters of the turn's reads, for whoever stores the turn.
func (t *Turn) Calls() []Calls { return t.execution.Calls() }

// Turns pins Views to the turns of conversations. Its methods may be called from
// any goroutine.
type Turns struct {
	core *Core
	now  func() time.Time

	mu        sync.Mutex
	turns     []*Turn // in the order they began
	beginning map[string]*beginning
	retained  map[string]*retained
	closed    bool
}

// beginning is a turn whose View is being composed.
type beginning struct {
	scope  *jsonvalue.Object
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when turn or err is set
	turn   *Turn
	err    error
}

// retained is a View that is kept for those whom a turn sent.
type retained struct {
	view  *View
	lease *Lease
	count int
}

// NewTurns returns a manager of turns over a Core.
func NewTurns(core *Core) *Turns {
	return &Turns{
		core:      core,
		now:       core.host.settings.Now,
		beginning: map[string]*beginning{},
		retained:  map[string]*retained{},
	}
}

// Begin composes a View for a turn under the default budget. The same turn begun
// again, by anybody, is the same turn; another scope for it is refused. An empty
// scenario is RootTurn. Who began first decides over the composition with ctx;
// who comes later stops only waiting.
func (t *Turns) Begin(ctx context.Context, id string, scope *jsonvalue.Object, scenario string) (*Turn, error) {
	if scenario == "" {
		scenario = RootTurn
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if id = trim(id); id == "" {
		return nil, errors.New("Composable Memory turn id is required")
	}
	turn, b, first, err := t.enter(ctx, id, scope)
	switch {
	case err != nil || turn != nil:
		return turn, err
	case first != nil:
		return t.compose(first, id, b, scenario)
	}
	select {
	case <-b.done:
		return b.turn, b.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// opening is a turn that this caller is the first to begin.
type opening struct {
	ctx   context.Context
	lease *Lease
}

// enter finds the turn or who is beginning it, or makes the caller the one.
func (t *Turns) enter(ctx context.Context, id string, scope *jsonvalue.Object) (*Turn, *beginning, *opening, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, nil, nil, errTurnsClosed
	}
	turn, b := t.find(id), t.beginning[id]
	if turn != nil && !sameScope(turn.Scope, scope) || b != nil && !sameScope(b.scope, scope) {
		return nil, nil, nil, errors.New("Composable Memory turn id is already bound to another scope")
	}
	if turn != nil || b != nil {
		return turn, b, nil, nil
	}
	lease, err := t.core.Acquire("")
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	b = &beginning{scope: scope, cancel: cancel, done: make(chan struct{})}
	t.beginning[id] = b
	return nil, b, &opening{ctx, lease}, nil
}

// sameScope compares what binds a turn.
func sameScope(a, b *jsonvalue.Object) bool {
	for _, name := range []string{"storage", "workspaceId", "sessionId", "agentId"} {
		if !jsonvalue.Equal(member(a, name), member(b, name)) {
			return false
		}
	}
	return true
}

func (t *Turns) compose(o *opening, id string, b *beginning, scenario string) (*Turn, error) {
	defer b.cancel(nil)
	defer close(b.done)
	view, err := o.lease.Compose(o.ctx, jsonvalue.Of("scope", b.scope, "scenario", scenario, "budget", DefaultBudget.Object()))
	if err == nil && o.ctx.Err() != nil {
		err = context.Cause(o.ctx)
	}
	t.mu.Lock()
	if t.beginning[id] == b {
		delete(t.beginning, id)
	} else if err == nil {
		err = errTurnEnded
	}
	if err == nil {
		b.turn = t.pin(id, b.scope, view, o.lease)
	}
	t.mu.Unlock()
	if b.err = err; err != nil {
		o.lease.Release()
	}
	return b.turn, err
}

// pin adds a turn. The caller holds the lock.
func (t *Turns) pin(id string, scope *jsonvalue.Object, view *View, lease *Lease) *Turn {
	turn := &Turn{ID: id, Scope: scope, View: view, StartedAt: t.now(), lease: lease, execution: NewExecution(DefaultBudget)}
	t.turns = append(t.turns, turn)
	return turn
}

func (t *Turns) find(id string) *Turn {
	i := slices.IndexFunc(t.turns, func(turn *Turn) bool { return turn.ID == id })
	if i < 0 {
		return nil
	}
	return t.turns[i]
}

// Turn returns the turn of the id, nil if there is none.
func (t *Turns) Turn(id string) *Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.find(id)
}

// Active returns the turn that an agent began last, nil if there is none.
func (t *Turns) Active(agentID string) *Turn {
	agentID = trim(agentID)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, turn := range slices.Backward(t.turns) {
		if id, ok := turn.Scope.Text("agentId"); ok && id == agentID {
			return turn
		}
	}
	return nil
}

// View returns a View that is pinned or retained, nil if there is none.
func (t *Turns) View(id string) *View {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.view(id)
}

func (t *Turns) view(id string) *View {
	if r := t.retained[id]; r != nil {
		return r.view
	}
	for _, turn := range t.turns {
		if turn.View.ID() == id {
			return turn.View
		}
	}
	return nil
}

// pinned is view, or why there is none. The caller holds the lock.
func (t *Turns) pinned(id string) (*View, error) {
	if t.closed {
		return nil, errTurnsClosed
	}
	view := t.view(id)
	if view == nil {
		return nil, fmt.Errorf("Composable Memory View is not pinned: %s", id)
	}
	return view, nil
}

// Retain keeps a View, and the generation behind it, for delegates that begin
// after the turn has ended. The returned function lets go of it, once.
func (t *Turns) Retain(viewID string) (letGo func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	view, err := t.pinned(viewID)
	if err != nil {
		return nil, err
	}
	r := t.retained[viewID]
	if r == nil {
		lease, err := t.core.Acquire(view.GenerationID())
		if err != nil {
			return nil, err
		}
		r = &retained{view: view, lease: lease}
		t.retained[viewID] = r
	}
	r.count++
	var once sync.Once
	return func() { once.Do(func() { t.letGo(viewID, r) }) }, nil
}

func (t *Turns) letGo(viewID string, r *retained) {
	t.mu.Lock()
	last := false
	if t.retained[viewID] == r {
		r.count--
		if last = r.count == 0; last {
			delete(t.retained, viewID)
		}
	}
	t.mu.Unlock()
	if last {
		r.lease.Release()
	}
}

// Pin gives a delegate the View of the one who sent it, with counters of its own.
// The scope may name another session and agent, never another storage.
func (t *Turns) Pin(id string, scope *jsonvalue.Object, viewID string) (*Turn, error) {
	if id = trim(id); id == "" {
		return nil, errors.New("Composable Memory turn id is required")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	view, err := t.pinned(viewID)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"storage", "workspaceId"} {
		if !jsonvalue.Equal(member(view.Scope(), name), member(scope, name)) {
			return nil, errors.New("Delegated View cannot change its storage scope")
		}
	}
	if turn := t.find(id); turn != nil {
		if turn.View.ID() != viewID || !sameScope(turn.Scope, scope) {
			return nil, errors.New("Composable Memory turn authority changed while pinned")
		}
		return turn, nil
	}
	if t.beginning[id] != nil {
		return nil, errors.New("Composable Memory turn is already being prepared")
	}
	lease, err := t.core.Acquire(view.GenerationID())
	if err != nil {
		return nil, err
	}
	return t.pin(id, scope, view, lease), nil
}

// Restore pins a turn that was stored, by this process or an earlier one, to the
// generation that its View names, with the counters it had.
func (t *Turns) Restore(id string, scope *jsonvalue.Object, view *View, startedAt time.Time, calls []Calls) (*Turn, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errTurnsClosed
	}
	if t.find(id) != nil || t.beginning[id] != nil {
		return nil, fmt.Errorf("Composable Memory turn is already pinned: %s", id)
	}
	lease, err := t.core.Acquire(view.GenerationID())
	if err != nil {
		return nil, err
	}
	turn := t.pin(id, scope, view, lease)
	turn.StartedAt = startedAt
	turn.execution = RestoreExecution(DefaultBudget, calls)
	return turn, nil
}

// Route reads a route of a turn's View; see Lease.Route.
func (t *Turns) Route(ctx context.Context, turnID, routeID string, input any, bound bool) (any, error) {
	turn, operation, err := t.operation(turnID)
	if err != nil {
		return nil, err
	}
	defer operation.Release()
	return operation.Route(ctx, turn.View, turn.execution, routeID, input, bound)
}

// Action executes an action of a turn's View; see Lease.Action.
func (t *Turns) Action(ctx context.Context, turnID, offerID string, input any, authorize Authorize, bound bool) (any, error) {
	turn, operation, err := t.operation(turnID)
	if err != nil {
		return nil, err
	}
	defer operation.Release()
	return operation.Action(ctx, turn.View, offerID, input, authorize, bound)
}

// operation returns a turn and a lease of its own for one operation.
func (t *Turns) operation(id string) (*Turn, *Lease, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	turn := t.find(id)
	if turn == nil {
		return nil, nil, fmt.Errorf("Composable Memory turn is not pinned: %s", id)
	}
	lease, err := t.core.Acquire(turn.lease.ID())
	return turn, lease, err
}

// Wake renders a View that is pinned; see the function Wake.
func (t *Turns) Wake(viewID string, b Bindings) (*jsonvalue.Object, error) {
	view := t.View(viewID)
	if view == nil {
		return nil, fmt.Errorf("Composable Memory View is not pinned: %s", viewID)
	}
	return Wake(view, b), nil
}

// End releases a turn, or stops the composition of one that has not begun. It
// says whether there was one.
func (t *Turns) End(id string) bool {
	id = trim(id)
	t.mu.Lock()
	turn, b := t.find(id), t.beginning[id]
	t.turns = slices.DeleteFunc(t.turns, func(other *Turn) bool { return other == turn })
	if turn == nil && b != nil {
		delete(t.beginning, id)
	}
	t.mu.Unlock()
	switch {
	case turn != nil:
		turn.lease.Release()
	case b != nil:
		b.cancel(errTurnEnded)
	}
	return turn != nil || b != nil
}

// Close ends all turns and lets go of all Views.
func (t *Turns) Close() {
	t.mu.Lock()
	turns, beginning, retained := t.turns, t.beginning, t.retained
	t.turns, t.beginning, t.retained, t.closed = nil, nil, nil, true
	t.mu.Unlock()
	for _, b := range beginning {
		b.cancel(errTurnEnded)
	}
	for _, turn := range turns {
		turn.lease.Release()
	}
	for _, r := range retained {
		r.lease.Release()
	}
}
