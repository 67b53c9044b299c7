package jsrun

import (
	"math"
	"time"

	"github.com/dop251/goja"
)

// sleep is Atomics.wait: it ends with the run, and with a limit that is passed.
// What is slept does not count as busy, up to a bound.
func (vm *VM) sleep(call goja.FunctionCall) goja.Value {
	ms := call.Argument(0).ToFloat()
	d := time.Duration(math.MaxInt64)
	if ms < float64(math.MaxInt64/int64(time.Millisecond)) {
		d = time.Duration(ms * float64(time.Millisecond))
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-vm.watch.rest(d):
	}
	return goja.Undefined()
}

func (vm *VM) guardHost(set func(name string, f func(call goja.FunctionCall) goja.Value)) {}
