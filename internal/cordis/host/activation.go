package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

var errCancelled = errors.New("the start was cancelled")

// activation is one Host half with all that it has in the host: its Fiber, its
// services, listeners and tools.
type activation struct {
	host    *Host
	id      RunID
	plugin  PluginID
	pkg     PackageID
	session SessionID

	ctx    context.Context // of the start; ends when it is cancelled
	cancel context.CancelCauseFunc
	fiber  atomic.Pointer[fiber.Fiber]
	kernel atomic.Pointer[fiber.Context] // since the first load
	calls  counter                       // into the half
	gone   atomic.Bool                   // it is being undone, so that its end is no news

	mu       sync.Mutex
	half     half.Half
	loaded   bool // apply has ended well, and no unload has begun
	unloads  *ending
	told     *registry.HostReport // to the registry; nil after a failure
	provided map[uint64]string
	services map[uint64]*fiber.Effect
	others   map[uint64]*fiber.Effect // listeners and tools

	arming sync.Mutex
	guard  *guard // the newest effect, that unloads the half
}

// guard is the effect whose disposer unloads the half. One that a newer one has
// replaced does nothing.
type guard struct {
	effect   *fiber.Effect
	replaced atomic.Bool
}

// ending is one unload of the half, however often it is asked for.
type ending struct {
	once sync.Once
	rest func(ctx context.Context) error
}

func newActivation(h *Host, a registry.Action) *activation {
	run := &activation{
		host: h, id: a.RunID, plugin: a.PluginID, pkg: a.PackageID, session: a.Session,
		unloads: &ending{}, provided: map[uint64]string{}, services: map[uint64]*fiber.Effect{}, others: map[uint64]*fiber.Effect{},
	}
	run.ctx, run.cancel = context.WithCancelCause(h.ctx)
	return run
}

// start brings a Host half up and reports what came of it. Whatever fails, what
// was begun is undone first.
func (h *Host) start(a *activation, code string) {
	phase, err := a.up(code)
	if err != nil {
		a.down()
		h.forget(a)
		failure := startFailure(err)
		a.note("host-failed", failure.Message)
		h.decide(func(r *registry.Registry) registry.Decision { return r.HostFailed(a.id, phase, failure) })
		return
	}
	report := a.report()
	a.news(&report)
	h.decide(func(r *registry.Registry) registry.Decision { return r.HostStarted(a.id, report) })
	h.moves.note(a.fiber.Load(), 0, 0) // it may have moved before the registry knew of it
	h.job(a.watch)
}

// up evaluates and mounts, within the limit of a start.
func (a *activation) up(code string) (phase registry.Phase, err error) {
	limit := a.host.limits.Start
	phase = registry.PhaseHostLoad
	defer func() { // a Starter that panics shall not leave a plugin in flight for ever
		if p := recover(); p != nil {
			err = errors.New(panicText(p))
		}
	}()
	late := fmt.Errorf("the start was given up after %s", limit)
	ctx, cancel := context.WithTimeoutCause(a.ctx, limit, late)
	defer cancel()
	source := half.Source{
		PluginID: string(a.plugin), PackageID: string(a.pkg), RunID: string(a.id),
		Code: code, EvalTimeout: a.host.limits.Eval,
	}
	x, err := a.host.config.Starter.Start(ctx, source, world{a})
	if err != nil {
		return phase, cause(ctx, err)
	}
	a.mu.Lock()
	a.half = x
	a.mu.Unlock()
	phase = registry.PhaseHostApply
	return phase, cause(ctx, a.mount(ctx, x.Shape()))
}

// mount puts the half below the kernel, and waits until it has come to rest.
func (a *activation) mount(ctx context.Context, shape half.Shape) error {
	f, err := a.host.group.Plugin(fiber.Plugin{Name: shape.Name, Inject: shape.Inject, Apply: a.apply})
	if err != nil {
		return err
	}
	a.fiber.Store(f)
	return f.Await(ctx)
}

// cause is why a ctx has ended, if that is what an error is about.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// apply loads the half, on behalf of the kernel. What a load that failed has begun
// is undone at once, so that the disposers of the plugin come first.
func (a *activation) apply(ctx context.Context, c *fiber.Context) error {
	a.kernel.Store(c)
	a.mu.Lock()
	a.unloads, a.loaded = &ending{}, false
	a.mu.Unlock()
	release := a.use()
	defer release()
	err := a.half.Load(ctx)
	if err != nil {
		a.unloadAll(context.WithoutCancel(ctx))
		return err
	}
	a.mu.Lock()
	a.loaded = true
	a.mu.Unlock()
	return a.arm(ctx)
}

// unloadAll unloads and waits.
func (a *activation) unloadAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, a.host.limits.Stop)
	defer cancel()
	if e := a.beginUnload(ctx); e.rest != nil {
		a.rest(ctx, e)
	}
}

// arm makes the effect that unloads the half the newest one, so that the plugin's
// own disposers are started before the host undoes anything by itself.
func (a *activation) arm(ctx context.Context) error {
	a.arming.Lock()
	defer a.arming.Unlock()
	g := &guard{}
	var err error
	g.effect, err = a.kernel.Load().Effect(ctx, "unload", func(context.Context) (fiber.Disposer, error) {
		return func(ctx context.Context) error {
			if g.replaced.Load() {
				return nil
			}
			return a.unload(ctx)
		}, nil
	})
	if err != nil {
		return err
	}
	old := a.guard
	a.guard = g
	if old != nil {
		old.replaced.Store(true)
		return old.effect.Dispose(ctx)
	}
	return nil
}

// unload is the disposer: it returns when all disposers of the plugin have been
// started.
func (a *activation) unload(ctx context.Context) error {
	release := a.use()
	e := a.beginUnload(ctx)
	if e.rest == nil {
		release()
		return nil
	}
	return fiber.Later(func(ctx context.Context) (any, error) {
		defer release()
		a.rest(ctx, e)
		return nil, nil
	})
}

// beginUnload starts the disposers, once for each load. A half that cannot even do
// that is ended: the kernel then undoes what it had.
func (a *activation) beginUnload(ctx context.Context) *ending {
	a.mu.Lock()
	e, x := a.unloads, a.half
	a.loaded = false
	a.mu.Unlock()
	e.once.Do(func() {
		rest, err := x.BeginUnload(ctx)
		if err != nil {
			a.giveUp("unload", err)
			return
		}
		e.rest = rest
	})
	return e
}

// rest waits for the disposers.
func (a *activation) rest(ctx context.Context, e *ending) {
	if err := e.rest(ctx); err != nil && !errors.Is(err, half.ErrGone) {
		a.giveUp("unload", err)
	}
}

// giveUp ends a half that does not do what it must.
func (a *activation) giveUp(what string, err error) {
	if !errors.Is(err, half.ErrGone) {
		a.host.write("warn", "", fmt.Sprintf("%s: %s: %v", a.plugin, what, err))
	}
	_ = a.half.Close() // it says itself why it ended
}

// use notes a call into the half, so that it is not ended under it.
func (a *activation) use() (release func()) { return a.calls.begin() }

// down undoes all, and returns when all is at rest.
func (a *activation) down() {
	a.gone.Store(true)
	a.cancel(errCancelled)
	if f := a.fiber.Load(); f != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*a.host.limits.Stop)
		if err := f.Dispose(ctx); err != nil {
			a.host.write("warn", "", fmt.Sprintf("%s: %v", a.plugin, err))
		}
		cancel()
	}
	a.host.job(a.close)
}

// close ends the half when nobody uses it any more: a handler that runs when its
// plugin stops may still answer.
func (a *activation) close() {
	ctx, cancel := context.WithTimeout(context.Background(), a.host.limits.Drain)
	_ = a.calls.wait(ctx) // who takes longer gets an error
	cancel()
	a.mu.Lock()
	x := a.half
	a.mu.Unlock()
	if x != nil {
		_ = x.Close()
	}
	a.host.services.Release(string(a.id))
	a.host.forget(a)
}

// forget drops an activation, so that its functions are found no more.
func (h *Host) forget(a *activation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.runs, a.id)
}

// retract undoes a run and reports it.
func (h *Host) retract(a *activation, id RunID) {
	// A panic of ours on the way shall not leave a stop without an answer.
	defer h.decide(func(r *registry.Registry) registry.Decision { return r.Retracted(id) })
	if a != nil {
		a.down()
		h.catchUp() // whoever used it has parked by now
	}
}

// watch reports a half that ends by itself.
func (a *activation) watch() {
	<-a.half.Done()
	if a.gone.Load() {
		return
	}
	failure := failureOf(a.half.Err())
	a.host.write("error", "", fmt.Sprintf("%s: %s", a.plugin, failure.Message))
	a.note("host-gone", failure.Message)
	a.host.decide(func(r *registry.Registry) registry.Decision { return r.HostGone(a.id, failure) })
}

// note tells the journal of something that the events do not tell.
func (a *activation) note(kind, message string) {
	a.host.journal(kind, jsonvalue.Of(
		"pluginId", string(a.plugin), "packageId", string(a.pkg), "pluginRunId", string(a.id), "message", message,
	))
}

// report is how the activation stands.
func (a *activation) report() registry.HostReport {
	live := a.live()
	return registry.HostReport{
		Waiting: a.fiber.Load().State() == fiber.Pending, WaitingFor: live.WaitingFor, Provides: live.Provides,
	}
}

// news says whether a report differs from the one before, and notes it; nil is that
// of a failure. What has not changed is not reported again: it would look as if a
// failure of meanwhile were over.
func (a *activation) news(r *registry.HostReport) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.told
	a.told = r
	return old == nil || r == nil || old.Waiting != r.Waiting ||
		!slices.Equal(old.WaitingFor, r.WaitingFor) || !slices.Equal(old.Provides, r.Provides)
}

// live is what the kernel and the half say of it now.
func (a *activation) live() registry.Live {
	f := a.fiber.Load()
	if f == nil {
		return registry.Live{}
	}
	a.mu.Lock()
	x := a.half
	provides := []string{}
	for _, name := range a.provided {
		provides = append(provides, name)
	}
	a.mu.Unlock()
	slices.Sort(provides)
	return registry.Live{Provides: provides, WaitingFor: f.WaitingFor(), Handlers: x.Handlers()}
}

// failureOf is what plugin code threw, or what went wrong with it.
func failureOf(err error) registry.Failure {
	if err == nil {
		return registry.Failure{Message: "it failed without a reason"}
	}
	if t, ok := errors.AsType[*wire.Thrown](err); ok {
		return registry.Failure{Message: t.Message, Stack: t.Stack}
	}
	return registry.Failure{Message: err.Error()}
}

// startFailure is failureOf with the advice that a clash of tools needs.
func startFailure(err error) registry.Failure {
	f := failureOf(err)
	if strings.Contains(f.Message, "already registered") {
		f.Message += ". If an older package of yours has it, stop that one first (cordis_stop), then run this one."
	}
	return f
}
