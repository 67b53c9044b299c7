package node

import (
	"bytes"
	"embed"
	"fmt"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

//go:embed js
var texts embed.FS

// programs are the compiled texts, shared by all runs of the process.
var programs sync.Map // name to func() (*jsrun.Program, error)

func program(name string) (*jsrun.Program, error) {
	made, ok := programs.Load(name)
	if !ok {
		made, _ = programs.LoadOrStore(name, sync.OnceValues(func() (*jsrun.Program, error) {
			text, err := texts.ReadFile("js/" + name + ".js")
			if err != nil {
				return nil, err
			}
			return jsrun.Compile("node:"+name, string(text))
		}))
	}
	return made.(func() (*jsrun.Program, error))()
}

// instance is what one run has of this package. Only the owner of the runtime
// touches it, but for the tables that guard themselves.
type instance struct {
	host    *Host
	vm      *jsrun.VM
	exports map[string]jsrun.Value
	natives map[string]jsrun.Value
	require jsrun.Value
	native  jsrun.Value
	alloc   jsrun.Value // (buffer) => new Uint8Array(buffer)
	failure jsrun.Value // makes a system error
	began   time.Time   // when the run first asked how much time has passed
	life    ctx         // see lifetime
	working sync.WaitGroup
	open    descriptors
}

func (h *Host) instance(vm *jsrun.VM) *instance {
	run := vm.Run()
	if in, ok := h.runs.Load(run); ok {
		return in.(*instance)
	}
	in := &instance{host: h, vm: vm, exports: map[string]jsrun.Value{}, natives: map[string]jsrun.Value{}}
	in.require = vm.Func("require", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		return in.load(text(args, 0))
	})
	in.native = vm.Func("native", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		return in.group(text(args, 0))
	})
	h.runs.Store(run, in)
	run.Defer(func() {
		h.runs.Delete(run)
		in.open.closeAll()
	})
	return in
}

// member gives what a builtin stands for.
func (in *instance) member(b builtin) (jsrun.Value, error) {
	exports, err := in.load(b.text)
	if err != nil || b.member == "" {
		return exports, err
	}
	return in.vm.Get(exports, b.member)
}

// load evaluates a text of this package, once per run.
func (in *instance) load(name string) (jsrun.Value, error) {
	if v, ok := in.exports[name]; ok {
		return v, nil
	}
	p, err := program(name)
	if err != nil {
		return nil, err
	}
	body, err := in.vm.Eval(p)
	if err != nil {
		return nil, err
	}
	v, err := in.vm.Apply(body, goja.Undefined(), in.require, in.native)
	if err != nil {
		return nil, err
	}
	in.exports[name] = v
	return v, nil
}

// function is a host function as the texts call it.
type function func(in *instance, args []jsrun.Value) (jsrun.Value, error)

// group makes the object that holds the host functions of one subject.
func (in *instance) group(name string) (jsrun.Value, error) {
	if v, ok := in.natives[name]; ok {
		return v, nil
	}
	var members map[string]function
	switch name {
	case "bytes":
		members = bytesGroup
	case "crypto":
		members = cryptoGroup
	case "host":
		members = hostGroup
	case "url":
		members = urlGroup
	case "process":
		members = processGroup
	case "net":
		members = netGroup
	case "async":
		members = asyncGroup
	case "fs":
		members = fsGroup
	default:
		return nil, fmt.Errorf("no host functions %q", name)
	}
	object := in.vm.New()
	for key, f := range members {
		if err := object.Set(key, in.function(key, f)); err != nil {
			return nil, err
		}
	}
	in.natives[name] = object
	return object, nil
}

func (in *instance) function(name string, f function) jsrun.Value {
	return in.vm.Func(name, func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) { return f(in, args) })
}

// helper gives a member of the text "internal", which the Go side calls.
func (in *instance) helper(kept *jsrun.Value, name string) (jsrun.Value, error) {
	if *kept != nil {
		return *kept, nil
	}
	exports, err := in.load("internal")
	if err != nil {
		return nil, err
	}
	*kept, err = in.vm.Get(exports, name)
	return *kept, err
}

// bytes gives a fresh Uint8Array with a copy of b.
func (in *instance) bytes(b []byte) (jsrun.Value, error) {
	alloc, err := in.helper(&in.alloc, "alloc")
	if err != nil {
		return nil, err
	}
	return in.vm.Apply(alloc, goja.Undefined(), in.vm.Runtime().ToValue(in.vm.Runtime().NewArrayBuffer(bytes.Clone(b))))
}

// value gives a JSON value; integers may be of the usual kinds.
func (in *instance) value(v any) jsrun.Value {
	switch n := v.(type) {
	case int:
		v = float64(n)
	case int64:
		v = float64(n)
	case uint32:
		v = float64(n)
	}
	return in.vm.FromJSON(v)
}

func arg(args []jsrun.Value, i int) jsrun.Value {
	if i < len(args) {
		return args[i]
	}
	return goja.Undefined()
}

// text reads a string argument; a lone surrogate becomes U+FFFD, as everywhere
// where Node hands a string to the system.
func text(args []jsrun.Value, i int) string { return arg(args, i).String() }

func number(args []jsrun.Value, i int) int64 { return arg(args, i).ToInteger() }

func truth(args []jsrun.Value, i int) bool { return arg(args, i).ToBoolean() }

// raw reads the memory of a Uint8Array or ArrayBuffer, shared with the script.
func raw(args []jsrun.Value, i int) []byte {
	object, ok := arg(args, i).(*jsrun.Object)
	if !ok {
		return nil
	}
	if length := object.Get("byteLength"); length == nil || length.ToInteger() == 0 {
		return nil
	}
	switch b := object.Export().(type) {
	case []byte:
		return b
	case goja.ArrayBuffer:
		return b.Bytes()
	}
	return nil
}

func missing(v jsrun.Value) bool { return v == nil || goja.IsUndefined(v) || goja.IsNull(v) }
