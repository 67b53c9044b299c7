package sandbox

import (
	"embed"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

//go:embed prelude.js inspect.js
var scripts embed.FS

// compiled are the scripts of this room, compiled once for the process.
var compiled = sync.OnceValues(func() (map[string]*jsrun.Program, error) {
	out := map[string]*jsrun.Program{}
	for _, name := range []string{"prelude", "inspect"} {
		text, err := scripts.ReadFile(name + ".js")
		if err != nil {
			return nil, err
		}
		if out[name], err = jsrun.Compile("cordis:"+name, string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
})

// prelude is what JavaScript has to do for Go.
type prelude struct {
	vm      *jsrun.VM
	helpers jsrun.Value
	inspect jsrun.Value
	hole    jsrun.Value // stands for a missing element
	known   map[string]jsrun.Value
}

// newPrelude runs the scripts, before any plugin code.
func newPrelude(vm *jsrun.VM) (*prelude, error) {
	programs, err := compiled()
	if err != nil {
		return nil, err
	}
	p := &prelude{vm: vm, known: map[string]jsrun.Value{}}
	if p.helpers, err = p.load(programs["prelude"]); err != nil {
		return nil, err
	}
	if p.hole, err = vm.Get(p.helpers, "hole"); err != nil {
		return nil, err
	}
	p.inspect, err = p.load(programs["inspect"])
	return p, err
}

func (p *prelude) load(program *jsrun.Program) (jsrun.Value, error) {
	make, err := p.vm.Eval(program)
	if err != nil {
		return nil, err
	}
	return p.vm.Apply(make, nil, p.host())
}

// host is what the scripts take from Go.
func (p *prelude) host() jsrun.Value {
	vm := p.vm
	o := vm.New()
	set := func(name string, f func(v jsrun.Value) (jsrun.Value, error)) {
		_ = o.Set(name, vm.Func(name, func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) { return f(arg(vm, args, 0)) }))
	}
	set("isPromise", func(v jsrun.Value) (jsrun.Value, error) { return vm.FromJSON(isPromise(v)), nil })
	set("isError", func(v jsrun.Value) (jsrun.Value, error) { return vm.FromJSON(isClass(vm, v, "Error")), nil })
	set("isContext", func(v jsrun.Value) (jsrun.Value, error) { return vm.FromJSON(p.kind(v) == "context"), nil })
	set("cleanStack", func(v jsrun.Value) (jsrun.Value, error) { return vm.FromJSON(cleanStack(vm.Text(v))), nil })
	set("encode", func(v jsrun.Value) (jsrun.Value, error) { return p.bytes(wellFormed(vm.Text(v))) })
	set("wholeBytes", func(v jsrun.Value) (jsrun.Value, error) { return vm.FromJSON(float64(whole(bytesOf(v)))), nil })
	_ = o.Set("decode", vm.Func("decode", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		return p.decode(bytesOf(arg(vm, args, 0)), arg(vm, args, 1).ToBoolean())
	}))
	return o
}

// decode reads UTF-8; what is none becomes U+FFFD, or is refused.
func (p *prelude) decode(text []byte, fatal bool) (jsrun.Value, error) {
	if fatal && !utf8.Valid(text) {
		return nil, p.vm.Throw(p.vm.NewError("TypeError", "The encoded data was not valid for encoding utf-8"))
	}
	return p.vm.FromJSON(lenient(text)), nil
}

// call calls a helper.
func (p *prelude) call(name string, args ...jsrun.Value) (jsrun.Value, error) {
	f, ok := p.known[name]
	if !ok {
		var err error
		if f, err = p.vm.Get(p.helpers, name); err != nil {
			return nil, err
		}
		p.known[name] = f
	}
	return p.vm.Apply(f, nil, args...)
}

// sure calls a helper that cannot fail; if it does all the same, as when the run
// is being stopped, the outcome is undefined.
func (p *prelude) sure(name string, args ...jsrun.Value) jsrun.Value {
	v, err := p.call(name, args...)
	if err != nil {
		return p.undefined()
	}
	return v
}

func (p *prelude) undefined() jsrun.Value {
	v, _ := p.vm.Get(nil, "")
	return v
}

// text gives a text that a helper makes.
func (p *prelude) text(name string, args ...jsrun.Value) string {
	return p.vm.Text(p.sure(name, args...))
}

func (p *prelude) truth(name string, args ...jsrun.Value) bool {
	return p.sure(name, args...).ToBoolean()
}

func (p *prelude) kind(v jsrun.Value) string {
	if _, ok := v.(*jsrun.Object); !ok {
		return ""
	}
	return p.text("kind", v)
}

// item reads an element of an array that a helper made.
func (p *prelude) item(list jsrun.Value, i int) jsrun.Value {
	v, err := p.vm.Get(list, fmt.Sprint(i))
	if err != nil {
		return p.undefined()
	}
	return v
}

func (p *prelude) length(list jsrun.Value) int {
	v, err := p.vm.Get(list, "length")
	if err != nil {
		return 0
	}
	return int(v.ToInteger())
}

// promise is a promise with what settles it.
type promise struct {
	value           jsrun.Value
	resolve, reject func(jsrun.Value)
}

func (p *prelude) promise() promise {
	three := p.sure("promise")
	settle := func(i int) func(jsrun.Value) {
		f := p.item(three, i)
		return func(v jsrun.Value) { _, _ = p.vm.Apply(f, nil, v) }
	}
	return promise{p.item(three, 0), settle(1), settle(2)}
}

// follow calls one of two functions when the value has settled, as await does.
func (p *prelude) follow(v jsrun.Value, fulfilled func(jsrun.Value), rejected func(error)) {
	ok := p.vm.Func("", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		if err := p.vm.Try(func() { fulfilled(arg(p.vm, args, 0)) }); err != nil {
			rejected(err) // of an odd proxy
		}
		return nil, nil
	})
	no := p.vm.Func("", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
		rejected(p.vm.Throw(arg(p.vm, args, 0)))
		return nil, nil
	})
	if _, err := p.call("follow", v, ok, no); err != nil {
		rejected(err)
	}
}

// arg is an argument, or undefined.
func arg(vm *jsrun.VM, args []jsrun.Value, i int) jsrun.Value {
	if i < len(args) {
		return args[i]
	}
	v, _ := vm.Get(nil, "")
	return v
}

// Prepare compiles what every sandbox of the process needs, ahead of the first.
func Prepare() error {
	if err := jsrun.Prepare(); err != nil {
		return err
	}
	_, err := compiled()
	return err
}
