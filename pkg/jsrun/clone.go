package jsrun

import (
	"strings"

	"github.com/dop251/goja"
)

// structuredClone copies a value within the runtime: plain objects and arrays
// here, all else by the prelude.
func (vm *VM) structuredClone(call goja.FunctionCall) goja.Value {
	refuse, _ := goja.AssertFunction(call.Argument(1))
	c := cloner{vm: vm, refuse: refuse}
	return c.value(call.Argument(0))
}

type cloner struct {
	vm     *VM
	refuse goja.Callable
	copies map[*goja.Object]*goja.Object
	depth  int
	seen   int
	again  goja.Value // c.value for the prelude
}

func (c *cloner) value(v goja.Value) goja.Value {
	if c.seen++; c.seen&1023 == 0 {
		c.vm.checkPassed()
	}
	if sym, ok := v.(*goja.Symbol); ok {
		c.fail(c.vm.text(sym))
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return v
	}
	if copied, ok := c.copies[o]; ok {
		return copied
	}
	if c.depth++; c.depth > deepestText {
		panic(c.vm.NewError("RangeError", "Maximum call stack size exceeded"))
	}
	defer func() { c.depth-- }()
	class := o.ClassName()
	switch {
	case strings.HasSuffix(class, "Function"):
		c.fail(c.vm.text(o))
	case class == "Array":
		return c.array(o)
	case class == "Object" && c.plain(o):
		return c.members(o, c.keep(o, c.vm.rt.NewObject()))
	}
	return c.exotic(o)
}

// plain says whether only members matter, as far as can be told from here:
// buffers and the like are of class Object too, but have another prototype.
func (c *cloner) plain(o *goja.Object) bool {
	proto := o.Prototype()
	return proto == nil || proto == c.vm.base.object
}

func (c *cloner) keep(o, copied *goja.Object) *goja.Object {
	if c.copies == nil {
		c.copies = map[*goja.Object]*goja.Object{}
	}
	c.copies[o] = copied
	return copied
}

func (c *cloner) array(o *goja.Object) goja.Value {
	out := c.keep(o, c.vm.rt.NewArray())
	_ = out.Set("length", o.Get("length"))
	return c.members(o, out)
}

func (c *cloner) members(o, out *goja.Object) goja.Value {
	for _, key := range c.vm.keysOf(o) {
		c.vm.define(out, key, c.value(c.vm.memberOf(o, key)))
	}
	return out
}

func (c *cloner) exotic(o *goja.Object) goja.Value {
	if c.again == nil {
		c.again = c.vm.rt.ToValue(func(call goja.FunctionCall) goja.Value { return c.value(call.Argument(0)) })
	}
	keep := c.vm.rt.ToValue(func(call goja.FunctionCall) goja.Value {
		return c.keep(o, call.Argument(0).(*goja.Object))
	})
	v, err := c.vm.base.cloneExotic(goja.Undefined(), o, c.again, keep)
	if err != nil {
		panic(c.vm.thrown(err))
	}
	switch {
	case goja.IsUndefined(v):
		c.fail(c.vm.text(o))
	case goja.IsNull(v): // an instance of a class becomes plain
		return c.members(o, c.keep(o, c.vm.rt.NewObject()))
	}
	return v
}

func (c *cloner) fail(what string) {
	_, err := c.refuse(goja.Undefined(), c.vm.str(what))
	panic(c.vm.thrown(err))
}
