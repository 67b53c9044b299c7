package node

import (
	"context"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

type ctx = context.Context

// promise runs f away from the runtime and settles with what its answer makes.
// These tasks begin in the order in which they were started.
func (in *instance) promise(f func(ctx) (answer, error)) jsrun.Value {
	return in.vm.Promise(func(c context.Context) (func(vm *jsrun.VM) (jsrun.Value, error), error) {
		a, err := f(c)
		return func(*jsrun.VM) (jsrun.Value, error) {
			if err != nil {
				return nil, in.raise(err)
			}
			v, err := a(in)
			return v, in.raise(err)
		}, nil
	})
}
