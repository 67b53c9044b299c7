package node

import (
	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// asyncGroup reads and sets what follows a script over its awaits and timers.
var asyncGroup = map[string]function{
	"current": func(in *instance, _ []jsrun.Value) (jsrun.Value, error) {
		if v, ok := in.vm.Async().(jsrun.Value); ok {
			return v, nil
		}
		return goja.Undefined(), nil
	},
	"set": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		if missing(arg(args, 0)) {
			in.vm.SetAsync(nil)
			return goja.Undefined(), nil
		}
		in.vm.SetAsync(arg(args, 0))
		return goja.Undefined(), nil
	},
}
