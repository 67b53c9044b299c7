package script

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// gone is the context of somebody who does not wait.
var gone = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// core makes a Core of its own for a runner: settings as its author wrote them.
func (k *kit) core(options jsrun.Value) (jsrun.Value, error) {
	settings, err := k.settings(options)
	if err != nil {
		return nil, err
	}
	core := compose.New(settings)
	k.run.Defer(func() { _ = core.Close(gone) }) // what its author did not end
	service, err := k.memory(core)
	if err != nil {
		return nil, err
	}
	return k.object(
		"service", service,
		"close", k.function("close", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.task(core.Close), nil }),
		"inspect", k.function("inspect", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.vm.Frozen(core.Inspect()), nil }),
		"lease", k.function("lease", 0, func([]jsrun.Value) (jsrun.Value, error) { return k.lease(core) }),
		"catalog", k.function("catalog", 1, func(args []jsrun.Value) (jsrun.Value, error) { return k.catalog(core, args[0]) }),
		"manage", k.function("manage", 1, func(args []jsrun.Value) (jsrun.Value, error) { return k.manage(core, args[0]) }),
	)
}

func (k *kit) settings(options jsrun.Value) (s compose.Settings, err error) {
	read := func(key string) jsrun.Value {
		v, e := k.vm.Get(options, key)
		if e != nil && err == nil {
			err = e
		}
		return v
	}
	text := func(key string) string { return chosen(read(key)) }
	s.StrategyInstanceKey = text("strategyInstanceKey")
	s.StrategyTypeID = text("strategyTypeId")
	if v := read("strategyFallback"); !isUndefined(v) {
		s.StrategyFallback = v.String()
	}
	s.Now = k.clock(read("now"))
	s.SourceTimeoutMs = milliseconds(read("sourceTimeoutMs"))
	if f := read("sourceConfiguration"); !isUndefined(f) {
		s.SourceConfiguration = k.configuration(f)
	}
	if f := read("sourceCapabilities"); !isUndefined(f) {
		s.SourceCapabilities = k.ceiling(f)
	}
	return s, err
}

// chosen is a text that selects something, empty if there is none. What is no
// text, and an empty one, is blank: a choice that Core refuses.
func chosen(v jsrun.Value) string {
	switch text, ok := v.Export().(string); {
	case isUndefined(v):
		return ""
	case !ok || text == "":
		return " "
	default:
		return text
	}
}

// milliseconds is a number, nil for null and undefined; anything else is no
// number that Core takes.
func milliseconds(v jsrun.Value) *float64 {
	ms := math.NaN()
	switch x := v.Export().(type) {
	case nil:
		return nil
	case int64:
		ms = float64(x)
	case float64:
		ms = x
	}
	return &ms
}

// clock asks the author's now, or JavaScript's own clock.
func (k *kit) clock(now jsrun.Value) func() time.Time {
	if isUndefined(now) {
		return k.loader.now
	}
	return func() time.Time {
		var ms float64
		err := k.run.Do(context.Background(), func(vm *jsrun.VM) error {
			date, err := vm.Apply(now, nil)
			if err != nil {
				return err
			}
			ms = date.ToFloat()
			return nil
		})
		if err != nil || math.IsNaN(ms) {
			return k.loader.now()
		}
		return time.UnixMilli(int64(ms)).UTC()
	}
}

// info is what a callback of the author is told of a Source.
func (k *kit) info(s compose.SourceInfo) (jsrun.Value, error) {
	return k.frozen("sourceInstanceKey", k.vm.FromJSON(s.InstanceKey), "manifest", k.vm.Frozen(s.Manifest), "provenance", k.vm.Frozen(s.Provenance.Object()))
}

// ask calls a callback of the author with what it is told of a Source.
func (k *kit) ask(ctx context.Context, f jsrun.Value, s compose.SourceInfo) (v any, err error) {
	err = k.run.Do(ctx, func(vm *jsrun.VM) error {
		info, err := k.info(s)
		if err != nil {
			return err
		}
		out, err := vm.Apply(f, nil, info)
		if err != nil {
			return err
		}
		v, err = vm.ToJSON(out)
		return err
	})
	return v, err
}

func (k *kit) configuration(f jsrun.Value) func(context.Context, compose.SourceInfo) (any, error) {
	return func(ctx context.Context, s compose.SourceInfo) (any, error) {
		v, err := k.ask(ctx, f, s)
		if err != nil || v == undefined || v == nil {
			return nil, err
		}
		return v, nil
	}
}

func (k *kit) ceiling(f jsrun.Value) func(context.Context, compose.SourceInfo) ([]string, bool, error) {
	return func(ctx context.Context, s compose.SourceInfo) ([]string, bool, error) {
		v, err := k.ask(ctx, f, s)
		if err != nil || v == undefined {
			return nil, false, err
		}
		list, ok := v.([]any)
		if !ok {
			return nil, false, errors.New("sourceCapabilities must return an array of capabilities")
		}
		out := make([]string, len(list))
		for i, item := range list {
			out[i] = textOf(item)
		}
		return out, true, nil
	}
}

// lease leases the serving generation at once, so that what follows uses it
// whatever is mounted meanwhile.
func (k *kit) lease(core *compose.Core) (jsrun.Value, error) {
	lease, err := core.Acquire("")
	if err != nil {
		return nil, err
	}
	return k.object(
		"release", k.function("release", 0, func([]jsrun.Value) (jsrun.Value, error) { lease.ReleaseContext(k.vm.Context()); return nil, nil }),
		"compose", k.function("compose", 2, func(args []jsrun.Value) (jsrun.Value, error) {
			request, err := k.vm.ToJSON(args[0])
			if err != nil {
				return nil, err
			}
			return k.abortable(args[1], func(ctx context.Context, _ bool) (later, error) {
				view, err := lease.Compose(ctx, request)
				if err != nil {
					return nil, err
				}
				t := turn{kit: k, core: core, generation: lease.ID(), view: view, execution: compose.NewExecution(budgetOf(request))}
				return t.object, nil
			}), nil
		}),
	)
}

// turn is a composed View and what its reads share.
type turn struct {
	kit        *kit
	core       *compose.Core
	generation string
	view       *compose.View
	execution  *compose.Execution
}

// object is the turn for js/runner.js.
func (t turn) object(vm *jsrun.VM) (jsrun.Value, error) {
	return t.kit.object(
		"view", vm.Frozen(t.view.Raw()),
		"route", t.kit.function("route", 3, t.route),
		"action", t.kit.function("action", 4, t.action),
	)
}

func (t turn) route(args []jsrun.Value) (jsrun.Value, error) {
	id := args[0].String()
	input, err := t.kit.vm.ToJSON(args[1])
	if err != nil {
		return nil, err
	}
	return t.kit.leased(t.core, t.generation, args[2], func(ctx context.Context, l *compose.Lease, bound bool) (any, error) {
		return l.Route(ctx, t.view, t.execution, id, input, bound)
	})
}

func (t turn) action(args []jsrun.Value) (jsrun.Value, error) {
	id, ask := args[0].String(), t.kit.authorize(args[2])
	input, err := t.kit.vm.ToJSON(args[1])
	if err != nil {
		return nil, err
	}
	return t.kit.leased(t.core, t.generation, args[3], func(ctx context.Context, l *compose.Lease, bound bool) (any, error) {
		return l.Action(ctx, t.view, id, input, ask, bound)
	})
}

// leased is a promise of one operation under a lease of its own, taken at once.
func (k *kit) leased(core *compose.Core, generation string, signal jsrun.Value, f func(context.Context, *compose.Lease, bool) (any, error)) (jsrun.Value, error) {
	lease, err := core.Acquire(generation)
	if err != nil {
		return nil, err
	}
	return k.abortable(signal, func(ctx context.Context, bound bool) (later, error) {
		defer lease.Release()
		v, err := f(ctx, lease, bound)
		return func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Frozen(v), nil }, err
	}), nil
}

// budgetOf reads the budget of a request that Core has accepted.
func budgetOf(request any) compose.Budget {
	o, _ := request.(*jsonvalue.Object)
	b, _ := o.Map("budget")
	read := func(key string) int { f, _ := b.Number(key); return int(f) }
	return compose.Budget{
		MaxProjectionCharacters: read("maxProjectionCharacters"),
		MaxRoutes:               read("maxRoutes"),
		MaxActions:              read("maxActions"),
		MaxEvidenceResults:      read("maxEvidenceResults"),
		MaxEvidenceCharacters:   read("maxEvidenceCharacters"),
	}
}

// abortable is a promise for work under a signal; the work is told whether the
// caller had handed one in.
func (k *kit) abortable(signal jsrun.Value, f func(ctx context.Context, bound bool) (later, error)) jsrun.Value {
	bound := !isUndefined(signal)
	own, cancel := k.vm.Abortable(context.WithoutCancel(k.vm.Context()), signal)
	return k.async(func(ctx context.Context) (later, error) {
		defer cancel()
		ctx, stop := merge(ctx, own)
		defer stop()
		return f(ctx, bound)
	})
}

// merge is ctx that ends, with the same cause, when other ends too.
func merge(ctx, other context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	if other.Err() != nil {
		cancel(context.Cause(other))
	}
	return ctx, func() { stop(); cancel(nil) }
}

// authorize asks the author, also when the write was cancelled before.
func (k *kit) authorize(f jsrun.Value) compose.Authorize {
	return func(ctx context.Context, offer *jsonvalue.Object) (allowed bool, err error) {
		err = k.run.Await(context.WithoutCancel(ctx), func(vm *jsrun.VM) (jsrun.Value, error) {
			return vm.Apply(f, nil, vm.Frozen(offer))
		}, func(_ *jsrun.VM, v jsrun.Value) error {
			allowed = v.ToBoolean()
			return nil
		})
		return allowed, err
	}
}

func (k *kit) catalog(core *compose.Core, scope jsrun.Value) (jsrun.Value, error) {
	j, err := k.vm.ToJSON(scope)
	if err != nil {
		return nil, err
	}
	return k.leased(core, "", k.undefined(), func(ctx context.Context, l *compose.Lease, _ bool) (any, error) {
		return l.Catalog(ctx, j)
	})
}

// manage takes the signal out of the request: it is no JSON.
func (k *kit) manage(core *compose.Core, request jsrun.Value) (jsrun.Value, error) {
	signal, err := k.vm.Get(request, "signal")
	if err != nil {
		return nil, err
	}
	j, err := k.vm.ToJSON(request)
	if err != nil {
		return nil, err
	}
	if o, ok := j.(*jsonvalue.Object); ok {
		j = withoutUndefined(o.Without("signal"))
	}
	return k.leased(core, "", signal, func(ctx context.Context, l *compose.Lease, bound bool) (any, error) {
		return l.Manage(ctx, j, bound)
	})
}

// withoutUndefined leaves out members that are there but undefined, but for the
// input, whose absence the rules tell from undefined.
func withoutUndefined(o *jsonvalue.Object) *jsonvalue.Object {
	for _, key := range o.Keys() {
		if v, _ := o.Get(key); v == undefined && key != "input" {
			o = o.Without(key)
		}
	}
	return o
}
