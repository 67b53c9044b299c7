package script

import (
	"context"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// strategy is a plugin's Strategy. Its functions are synchronous: a promise is
// no proposal.
type strategy struct {
	kit                       *kit
	definition, compose, turn jsrun.Value
}

// Check refuses a createTurn that is neither absent nor a function.
func (s strategy) Check() error {
	if isUndefined(s.turn) || s.kit.vm.IsFunc(s.turn) {
		return nil
	}
	return errTurn
}

func (s strategy) Compose(ctx context.Context, r *compose.Request, sources, contributions []any) (any, error) {
	ctx = jsrun.WithPhase(ctx, "strategy compose")
	return s.kit.pure(ctx, s.compose, s.definition, r, sources, contributions)
}

// pure calls a function of the plugin with frozen values and copies its answer.
func (k *kit) pure(ctx context.Context, f, this jsrun.Value, r *compose.Request, lists ...[]any) (out any, err error) {
	err = k.run.Do(ctx, func(vm *jsrun.VM) error {
		request, err := k.request(r)
		if err != nil {
			return err
		}
		args := []jsrun.Value{request}
		for _, list := range lists {
			if list == nil {
				list = []any{}
			}
			args = append(args, vm.Frozen(list))
		}
		v, err := vm.Apply(f, this, args...)
		if err != nil {
			return err
		}
		out, err = vm.ToJSON(v)
		return err
	})
	return out, err
}

// turnStrategy is a Strategy with a read policy.
type turnStrategy struct{ strategy }

// CreateTurn returns nil for something that is no policy.
func (s turnStrategy) CreateTurn(ctx context.Context, view *compose.View) (compose.Policy, error) {
	p := &policy{kit: s.kit}
	callable := false
	err := s.kit.run.Do(jsrun.WithPhase(ctx, "strategy createTurn"), func(vm *jsrun.VM) (err error) {
		if p.policy, err = vm.Apply(s.turn, s.definition, vm.Frozen(view.Raw())); err != nil {
			return err
		}
		query, err := vm.Get(p.policy, "query")
		callable = err == nil && vm.IsFunc(query)
		return err
	})
	if err != nil || !callable {
		return nil, err
	}
	return p, nil
}

// policy decides how one execution reads.
type policy struct {
	kit    *kit
	policy jsrun.Value
}

func (p *policy) Query(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
	ctx = jsrun.WithPhase(ctx, "strategy query")
	return answer(p.kit.start(context.WithoutCancel(ctx), evidenceShape, func(vm *jsrun.VM) (jsrun.Value, error) {
		query, err := vm.Get(p.policy, "query")
		if err != nil {
			return nil, err
		}
		request, err := p.kit.operation(ctx, r.Bound, member{"route", r.Route}, member{"input", r.Input})
		if err != nil {
			return nil, err
		}
		return vm.Apply(query, p.policy, request, p.kit.read(ctx, read))
	}))
}

// read is the continuation that a policy gets. Core checks and counts the call
// before it returns; the promise gives the Evidence.
func (k *kit) read(ctx context.Context, read compose.Read) jsrun.Value {
	return k.function("read", 2, func(args []jsrun.Value) (jsrun.Value, error) {
		input, err := k.vm.ToJSON(args[0])
		if err != nil {
			return nil, err
		}
		limits, err := k.optional(args[1])
		if err != nil {
			return nil, err
		}
		evidence := read(ctx, input, limits)
		return k.promise(func(ctx context.Context) (any, error) {
			jsrun.Detach(ctx) // what the Source does meanwhile may need tasks of its own
			return answer(evidence)
		}), nil
	})
}

// optional is the value as JSON, nil if it is undefined.
func (k *kit) optional(v jsrun.Value) (any, error) {
	if isUndefined(v) {
		return nil, nil
	}
	return k.vm.ToJSON(v)
}

// promise is a promise of JSON, frozen.
func (k *kit) promise(f func(ctx context.Context) (any, error)) jsrun.Value {
	return k.async(func(ctx context.Context) (later, error) {
		v, err := f(ctx)
		return func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Frozen(v), nil }, err
	})
}

// extension is a plugin's Strategy extension.
type extension struct {
	kit                    *kit
	definition, contribute jsrun.Value
}

func (e extension) Contribute(ctx context.Context, r *compose.Request, sources []any) (any, error) {
	return e.kit.pure(jsrun.WithPhase(ctx, "extension contribute"), e.contribute, e.definition, r, sources)
}
