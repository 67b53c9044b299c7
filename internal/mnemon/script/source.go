package script

import (
	"context"
	"sync/atomic"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// source is one instance that a plugin's factory made. When its runtime has
// passed a limit, each call answers at once with an error, which Core turns into
// a diagnostic; other runtimes go on.
type source struct {
	kit     *kit
	key     string
	runtime jsrun.Value
	offers  map[string]bool
}

// look notes which methods there are. It runs on the runtime's goroutine.
func (s *source) look() error {
	s.offers = map[string]bool{}
	for _, method := range []string{"facts", "project", "query", "mutate", "manage", "dispose"} {
		f, err := s.kit.vm.Get(s.runtime, method)
		if err != nil {
			return err
		}
		s.offers[method] = s.kit.vm.IsFunc(f)
	}
	return nil
}

func (s *source) Offers(method string) bool { return s.offers[method] }

func (s *source) Facts(ctx context.Context, r *compose.Request) (any, error) {
	return answer(s.StartFacts(ctx, r))
}

func (s *source) Project(ctx context.Context, r *compose.ProjectionRequest) (any, error) {
	return answer(s.StartProject(ctx, r))
}

func (s *source) StartFacts(ctx context.Context, r *compose.Request) <-chan compose.Answer {
	return s.read(ctx, "facts", factsShape, func(*jsrun.VM) (jsrun.Value, error) { return s.kit.request(r) })
}

func (s *source) StartProject(ctx context.Context, r *compose.ProjectionRequest) <-chan compose.Answer {
	return s.read(ctx, "project", contributionShape, func(vm *jsrun.VM) (jsrun.Value, error) {
		return s.kit.object(
			"scope", vm.Shared(r.Scope),
			"sourceInstanceKey", vm.FromJSON(r.SourceInstanceKey),
			"expectedRevision", vm.FromJSON(r.ExpectedRevision),
			"includeProjection", r.IncludeProjection,
			"mode", vm.FromJSON(r.Mode),
			"maxCharacters", r.MaxCharacters,
		)
	})
}

// read hands over a request and a signal of its own, which stays quiet once the
// Source has answered.
func (s *source) read(ctx context.Context, method string, shape *jsrun.Shape, request func(vm *jsrun.VM) (jsrun.Value, error)) <-chan compose.Answer {
	var answered atomic.Pointer[func()]
	in := s.start(ctx, method, shape, func(vm *jsrun.VM) ([]jsrun.Value, error) {
		r, err := request(vm)
		signal, settled := vm.SignalUntil(ctx)
		answered.Store(&settled)
		return []jsrun.Value{r, signal}, err
	})
	out := make(chan compose.Answer, 1)
	go func() {
		a := <-in
		if settled := answered.Load(); settled != nil {
			(*settled)()
		}
		out <- a
	}()
	return out
}

func (s *source) Query(ctx context.Context, r *compose.QueryRequest) (any, error) {
	return answer(s.StartQuery(ctx, r))
}

func (s *source) StartQuery(ctx context.Context, r *compose.QueryRequest) <-chan compose.Answer {
	return s.call(ctx, "query", evidenceShape, r.Bound, member{"view", r.View}, member{"route", r.Route}, member{"grant", r.Grant}, member{"input", r.Input})
}

func (s *source) Mutate(ctx context.Context, r *compose.MutateRequest) (any, error) {
	return answer(s.call(ctx, "mutate", receiptShape, r.Bound, member{"view", r.View}, member{"offer", r.Offer}, member{"grant", r.Grant}, member{"input", r.Input}))
}

func (s *source) Manage(ctx context.Context, r *compose.ManageRequest) (any, error) {
	members := make([]member, 0, r.Raw.Len())
	for key, v := range r.Raw.All() {
		members = append(members, member{key, v})
	}
	return answer(s.call(ctx, "manage", managedShape, r.Bound, members...))
}

// Dispose lets the plugin release what the instance holds.
func (s *source) Dispose(ctx context.Context) error { return <-s.StartDispose(ctx) }

// StartDispose is Dispose that does not wait. An instance whose runtime is gone
// holds nothing any more.
func (s *source) StartDispose(ctx context.Context) <-chan error {
	ended := make(chan error, 1)
	if s.kit.run.Err() != nil {
		ended <- nil
		return ended
	}
	return s.kit.run.Begin(jsrun.WithPhase(ctx, s.key+" dispose"), func(vm *jsrun.VM) (jsrun.Value, error) {
		dispose, err := vm.Get(s.runtime, "dispose")
		if err != nil {
			return nil, err
		}
		return vm.Apply(dispose, s.runtime)
	}, nothing)
}

// member is one member of a request.
type member struct {
	key   string
	value any
}

// call hands over one request, with ctx as its signal if the caller had one. Once
// the plugin was called, only its own answer says what came of it; before, a ctx
// that has ended takes the call back.
func (s *source) call(ctx context.Context, method string, shape *jsrun.Shape, bound bool, members ...member) <-chan compose.Answer {
	return s.start(context.WithoutCancel(ctx), method, shape, func(*jsrun.VM) ([]jsrun.Value, error) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		request, err := s.kit.operation(ctx, bound, members...)
		return []jsrun.Value{request}, err
	})
}

// start puts the call into the runtime's queue.
func (s *source) start(ctx context.Context, method string, shape *jsrun.Shape, args func(vm *jsrun.VM) ([]jsrun.Value, error)) <-chan compose.Answer {
	ctx = jsrun.WithPhase(ctx, s.key+" "+method)
	return s.kit.start(ctx, shape, func(vm *jsrun.VM) (jsrun.Value, error) {
		f, err := vm.Get(s.runtime, method)
		if err != nil {
			return nil, err
		}
		values, err := args(vm)
		if err != nil {
			return nil, err
		}
		return vm.Apply(f, s.runtime, values...)
	})
}

// start is Begin for something that answers with JSON of a shape. A call that is in
// the queue is made, whoever has left by then, so that what plugins are called for
// depends on nobody's speed; a caller who leaves is not kept by one that is made.
func (k *kit) start(ctx context.Context, shape *jsrun.Shape, f func(vm *jsrun.VM) (jsrun.Value, error)) <-chan compose.Answer {
	waiting, leave := context.WithCancelCause(context.WithoutCancel(ctx))
	var value any
	done := k.run.Begin(waiting, func(vm *jsrun.VM) (jsrun.Value, error) {
		context.AfterFunc(ctx, func() { leave(context.Cause(ctx)) })
		return f(vm)
	}, func(vm *jsrun.VM, v jsrun.Value) (err error) {
		value, err = vm.ToJSONAs(v, shape)
		return err
	})
	out := make(chan compose.Answer, 1)
	go func() {
		err := <-done
		leave(nil)
		if err != nil {
			out <- compose.Answer{Err: err}
			return
		}
		out <- compose.Answer{Value: value}
	}()
	return out
}

func answer(ch <-chan compose.Answer) (any, error) {
	a := <-ch
	return a.Value, a.Err
}

// operation builds the request of a read, a write or a management call. Its
// parts are frozen, and an absent grant is absent.
func (k *kit) operation(ctx context.Context, bound bool, members ...member) (jsrun.Value, error) {
	var pairs []any
	for _, m := range members {
		if o, ok := m.value.(*jsonvalue.Object); ok && o == nil {
			continue
		}
		pairs = append(pairs, m.key, k.vm.Frozen(m.value))
	}
	if bound {
		pairs = append(pairs, "signal", k.vm.Signal(ctx))
	}
	return k.object(pairs...)
}

// request is a composition's request, frozen. Its scope is the one object that
// the Source gets again when it projects.
func (k *kit) request(r *compose.Request) (jsrun.Value, error) {
	var pairs []any
	for key, v := range r.Raw.All() {
		if key == "scope" {
			pairs = append(pairs, key, k.vm.Shared(r.Scope))
			continue
		}
		pairs = append(pairs, key, k.vm.Frozen(v))
	}
	return k.frozen(pairs...)
}
