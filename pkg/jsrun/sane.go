package jsrun

import (
	"fmt"
	"runtime"
	"strings"
)

// Awaits says whether it is an await, or Promise.resolve, that reads a member
// just now, and not a script: the engine asks every object for its constructor,
// where the language asks promises only. It is for the getters of proxies that
// throw: what such a getter throws there, the engine does not survive.
func (vm *VM) Awaits() bool {
	var places [64]uintptr
	frames := runtime.CallersFrames(places[:runtime.Callers(2, places[:])])
	for runs := 0; runs < 2; { // the getter's own code, then the script's
		frame, more := frames.Next()
		switch {
		case strings.HasSuffix(frame.Function, "goja.(*Runtime).promiseResolve"):
			return true
		case strings.HasSuffix(frame.Function, "goja.(*vm).run"):
			runs++
		}
		if !more {
			break
		}
	}
	return false
}

// lost is the limit that a panic of the engine stands for. A stack that ran over in
// an asynchronous function leaves the frames of that function behind, and the
// engine goes astray in them as soon as it goes on.
func (vm *VM) lost(x any) error {
	if vm.overran {
		return &LimitError{Limit: "stack", Phase: Phase(vm.job)}
	}
	return &LimitError{Limit: "panic", Bound: fmt.Sprint(x), Phase: Phase(vm.job)}
}
