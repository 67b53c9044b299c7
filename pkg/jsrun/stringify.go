package jsrun

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// deepestText is how deep JSON text may nest. The engine's own functions know no
// bound and end the process by its stack.
const deepestText = 5000

// stringify is JSON.stringify. The engine's indents wrongly behind what is empty.
func (vm *VM) stringify(call goja.FunctionCall) goja.Value {
	s := stringifier{vm: vm, gap: vm.gap(call.Argument(2))}
	switch replacer := call.Argument(1).(type) {
	case *goja.Object:
		if vm.IsFunc(replacer) {
			s.replacer, _ = goja.AssertFunction(replacer)
		} else if isArray(replacer) {
			s.allow(replacer)
		}
	}
	holder := goja.Value(goja.Undefined())
	if s.replacer != nil {
		o := vm.rt.NewObject()
		vm.define(o, "", call.Argument(0))
		holder = o
	}
	if !s.value(holder, "", call.Argument(0)) {
		return goja.Undefined()
	}
	return vm.str(s.out.String())
}

// gap is the text of one level of indentation.
func (vm *VM) gap(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		switch o.ClassName() {
		case "Number":
			v = o.ToNumber()
		case "String":
			v = asString(o)
		}
	}
	switch {
	case goja.IsNumber(v):
		return strings.Repeat(" ", int(max(min(v.ToInteger(), 10), 0)))
	case goja.IsString(v):
		s := v.(goja.String)
		return wtf8(s.Substring(0, min(s.Length(), 10)))
	}
	return ""
}

type stringifier struct {
	vm       *VM
	out      bytes.Buffer
	gap      string
	indent   string
	replacer goja.Callable
	allowed  []string // the members that a replacer list names
	listed   bool
	path     []*goja.Object
	seen     int
}

func (s *stringifier) allow(list *goja.Object) {
	s.listed = true
	known := map[string]bool{}
	for i := range int(list.Get("length").ToInteger()) {
		v := list.Get(strconv.Itoa(i))
		if o, ok := v.(*goja.Object); ok && (o.ClassName() == "Number" || o.ClassName() == "String") {
			v = asString(o)
		}
		if v == nil || !goja.IsString(v) && !goja.IsNumber(v) {
			continue
		}
		if key := spelled(v); !known[key] {
			known[key] = true
			s.allowed = append(s.allowed, key)
		}
	}
}

// call calls into JavaScript from a native call: what it throws goes on.
func (s *stringifier) call(f goja.Callable, this goja.Value, args ...goja.Value) goja.Value {
	v, err := f(this, args...)
	if err != nil {
		panic(s.vm.thrown(err))
	}
	return v
}

// prepared is the value after toJSON, the replacer and unboxing.
func (s *stringifier) prepared(holder goja.Value, key string, v goja.Value) goja.Value {
	_, isObject := v.(*goja.Object)
	if isObject || goja.IsBigInt(v) {
		if toJSON, ok := goja.AssertFunction(s.vm.toJSONOf(v)); ok {
			v = s.call(toJSON, v, s.vm.str(key))
		}
	}
	if s.replacer != nil {
		v = s.call(s.replacer, holder, s.vm.str(key), v)
	}
	if o, ok := v.(*goja.Object); ok {
		switch o.ClassName() {
		case "Number":
			return o.ToNumber()
		case "String":
			return asString(o)
		case "Boolean", "BigInt":
			return s.vm.unboxed(o)
		}
	}
	return v
}

// value writes the value; false says that it is left out.
func (s *stringifier) value(holder goja.Value, key string, v goja.Value) bool {
	if s.seen++; s.seen&1023 == 0 {
		s.vm.checkPassed()
	}
	v = s.prepared(holder, key, v)
	switch v := v.(type) {
	case nil:
		return false
	case goja.String:
		s.out.WriteString(jsonvalue.Quote(wtf8(v)))
		return true
	case *goja.Symbol:
		return false
	case *goja.Object:
		return s.object(v)
	}
	switch {
	case goja.IsNull(v):
		s.out.WriteString("null")
	case goja.IsUndefined(v):
		return false
	case goja.IsNumber(v):
		s.out.WriteString(number(v))
	case goja.IsBigInt(v):
		panic(s.vm.NewError("TypeError", "Do not know how to serialize a BigInt"))
	default:
		s.out.WriteString(v.String())
	}
	return true
}

func number(v goja.Value) string {
	if goja.IsNaN(v) || goja.IsInfinity(v) {
		return "null"
	}
	return v.String()
}

func (s *stringifier) object(o *goja.Object) bool {
	class := o.ClassName()
	switch {
	case strings.HasSuffix(class, "Function"):
		return false
	case class == "RawJSON":
		s.out.WriteString(o.Get("rawJSON").String())
		return true
	}
	s.enter(o)
	outer := s.indent
	s.indent += s.gap
	if class == "Array" {
		s.array(o, outer)
	} else {
		s.members(o, outer)
	}
	s.indent = outer
	s.path = s.path[:len(s.path)-1]
	return true
}

func (s *stringifier) enter(o *goja.Object) {
	if len(s.path) >= deepestText {
		panic(s.vm.NewError("RangeError", "Maximum call stack size exceeded"))
	}
	// Few values are deep; for those that are, looking back over all would cost
	// the square of the depth.
	for i := len(s.path) - 1; i >= 0; i-- {
		if s.path[i] == o {
			panic(s.vm.NewError("TypeError", "Converting circular structure to JSON"))
		}
	}
	s.path = append(s.path, o)
}

func (s *stringifier) array(o *goja.Object, outer string) {
	s.out.WriteByte('[')
	n := int(o.Get("length").ToInteger())
	for i := range n {
		s.next(i)
		key := strconv.Itoa(i)
		if !s.value(o, key, o.Get(key)) {
			s.out.WriteString("null")
		}
	}
	s.shut(']', n, outer)
}

func (s *stringifier) members(o *goja.Object, outer string) {
	keys := s.allowed
	if !s.listed {
		keys = s.vm.keysOf(o)
	}
	s.out.WriteByte('{')
	written := 0
	for _, key := range keys {
		before := s.out.Len()
		s.next(written)
		s.out.WriteString(jsonvalue.Quote(key))
		s.out.WriteByte(':')
		if s.gap != "" {
			s.out.WriteByte(' ')
		}
		if !s.value(o, key, s.vm.memberOf(o, key)) {
			s.out.Truncate(before)
			continue
		}
		written++
	}
	s.shut('}', written, outer)
}

func (s *stringifier) next(i int) {
	if i > 0 {
		s.out.WriteByte(',')
	}
	if s.gap != "" {
		s.out.WriteByte('\n')
		s.out.WriteString(s.indent)
	}
}

func (s *stringifier) shut(bracket byte, n int, outer string) {
	if n > 0 && s.gap != "" {
		s.out.WriteByte('\n')
		s.out.WriteString(outer)
	}
	s.out.WriteByte(bracket)
}

// parse is JSON.parse without its reviver: lone surrogates stay, and the depth
// is bounded.
func (vm *VM) parse(call goja.FunctionCall) goja.Value {
	text := spelled(call.Argument(0))
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		panic(vm.NewError("SyntaxError", err.Error()))
	}
	return vm.FromJSON(v)
}
