package jsrun

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
)

// The engine's own functions cannot be interrupted, and a few of them end the
// process: memory that is not there and a stack that is full are fatal in Go. So
// those that may do too much in one call stand behind a guard, which refuses
// with a RangeError. What operators alone can do (2n ** (2n ** 33n), 1n <<
// 2n ** 40n) and what takes long without being large is not held: against that
// helps a process of its own.
const (
	maxLength = 1 << 24 // elements of what a native call walks over
	maxText   = 1 << 26 // code units of what a native call makes
	maxArgs   = 1 << 17 // arguments that apply takes from a list
	maxCode   = 1 << 18 // code units of a program that is made at run time
	maxNested = 5000    // brackets in brackets, in any program
)

type native = func(goja.FunctionCall) goja.Value

// guardNatives puts the guards before the engine's functions.
func (vm *VM) guardNatives() {
	g := guard{vm: vm}
	array := g.prototype("Array")
	for _, name := range []string{
		"copyWithin", "every", "fill", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap",
		"forEach", "includes", "indexOf", "lastIndexOf", "map", "reduce", "reduceRight", "reverse", "shift", "slice",
		"some", "sort", "splice", "unshift", "toReversed", "toSorted", "toSpliced", "with",
	} {
		g.wrap(array, name, func(call goja.FunctionCall) { g.length(call.This) })
	}
	g.wrap(array, "concat", g.concat)
	g.replace(array, "join", 1, g.join)
	g.replace(array, "flat", 0, g.flat)
	for _, name := range []string{"toString", "toLocaleString"} {
		g.nested(array, name)
	}
	g.wrap(vm.rt.Get("Array").(*goja.Object), "from", g.from)

	text := g.prototype("String")
	g.wrap(text, "repeat", func(call goja.FunctionCall) {
		g.text(float64(textOf(call.This).Length()) * call.Argument(0).ToFloat())
	})
	for _, name := range []string{"padStart", "padEnd"} {
		g.wrap(text, name, func(call goja.FunctionCall) { g.text(call.Argument(0).ToFloat()) })
	}
	g.wrap(text, "replace", func(call goja.FunctionCall) { g.replacement(call, false) })
	g.wrap(text, "replaceAll", func(call goja.FunctionCall) { g.replacement(call, true) })
	g.wrap(text, "split", func(call goja.FunctionCall) {
		if s, ok := call.This.(goja.String); ok && s.Length() > maxLength {
			g.refuse("Invalid array length")
		}
	})

	g.wrap(g.prototype("Function"), "apply", func(call goja.FunctionCall) { g.arguments(call.Argument(1)) })
	object := vm.rt.Get("Reflect").(*goja.Object)
	g.wrap(object, "apply", func(call goja.FunctionCall) { g.arguments(call.Argument(2)) })
	g.wrap(object, "construct", func(call goja.FunctionCall) { g.arguments(call.Argument(1)) })
}

// guard wraps functions of one runtime.
type guard struct {
	vm    *VM
	depth int
}

func (g *guard) refuse(message string) { panic(g.vm.NewError("RangeError", message)) }

func (g *guard) prototype(class string) *goja.Object {
	return g.vm.rt.Get(class).(*goja.Object).Get("prototype").(*goja.Object)
}

// wrap puts check before a function, which keeps its name and length.
func (g *guard) wrap(o *goja.Object, name string, check func(call goja.FunctionCall)) {
	f, ok := o.Get(name).(*goja.Object)
	if !ok {
		return
	}
	inner, ok := f.Export().(native)
	if !ok {
		return
	}
	g.define(o, name, f.Get("length"), func(call goja.FunctionCall) goja.Value {
		check(call)
		return inner(call)
	})
}

func (g *guard) replace(o *goja.Object, name string, length int, f native) {
	g.define(o, name, g.vm.rt.ToValue(length), f)
}

func (g *guard) define(o *goja.Object, name string, length goja.Value, f native) {
	fn := g.vm.rt.ToValue(f).(*goja.Object)
	_ = fn.DefineDataProperty("name", g.vm.rt.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = fn.DefineDataProperty("length", length, goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	_ = o.DefineDataProperty(name, fn, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// lengthOf is the length of an array or of what looks like one.
func lengthOf(v goja.Value) float64 {
	o, ok := v.(*goja.Object)
	if !ok {
		return 0
	}
	n := o.Get("length")
	if n == nil || goja.IsUndefined(n) {
		return 0
	}
	return n.ToFloat()
}

func (g *guard) length(v goja.Value) {
	if lengthOf(v) > maxLength {
		g.refuse("Invalid array length")
	}
}

func (g *guard) arguments(v goja.Value) {
	if lengthOf(v) > maxArgs {
		g.refuse("Maximum call stack size exceeded")
	}
}

// text refuses a text of n code units.
func (g *guard) text(n float64) {
	if n > maxText && !math.IsInf(n, 1) {
		g.refuse("Invalid string length")
	}
	if math.IsInf(n, 1) && n > 0 {
		g.refuse("Invalid count value: Infinity")
	}
}

// textOf is the receiver of a method of texts, when it is a text already.
func textOf(v goja.Value) goja.String {
	if s, ok := v.(goja.String); ok {
		return s
	}
	if o, ok := v.(*goja.Object); ok && o.ClassName() == "String" {
		return asString(o)
	}
	return goja.StringFromUTF16(nil)
}

func (g *guard) concat(call goja.FunctionCall) {
	sum := lengthOf(call.This)
	for _, arg := range call.Arguments {
		if o, ok := arg.(*goja.Object); ok && isArray(o) {
			sum += lengthOf(o)
		}
	}
	if sum > maxLength {
		g.refuse("Invalid array length")
	}
}

// from refuses what is long by its own account; an iterator is asked step by
// step, and ends or is interrupted.
func (g *guard) from(call goja.FunctionCall) {
	o, ok := call.Argument(0).(*goja.Object)
	if !ok {
		return
	}
	if iterator := o.GetSymbol(goja.SymIterator); iterator == nil || goja.IsUndefined(iterator) || isArray(o) {
		g.length(o)
	}
}

// replacement bounds what String.prototype.replace makes of texts. A function
// that replaces is JavaScript and can be interrupted.
func (g *guard) replacement(call goja.FunctionCall, all bool) {
	s, ok := call.This.(goja.String)
	with, isText := call.Argument(1).(goja.String)
	if !ok || !isText {
		return
	}
	length, more := float64(s.Length()), float64(with.Length())
	if dollars := strings.Count(with.String(), "$"); dollars > 0 {
		more += float64(dollars) * length
	}
	if length+(length+1)*more <= maxText {
		return
	}
	g.text(length + g.matches(s, call.Argument(0), all)*more)
}

// matches is how often the pattern may be found; of a text, all or the first.
func (g *guard) matches(s goja.String, pattern goja.Value, all bool) float64 {
	if p, ok := pattern.(goja.String); ok {
		if !all {
			return 1
		}
		if p.Length() == 0 {
			return float64(s.Length() + 1)
		}
		return float64(strings.Count(s.String(), p.String()))
	}
	o, ok := pattern.(*goja.Object)
	if !ok || o.ClassName() != "RegExp" || !strings.Contains(o.Get("flags").String(), "g") {
		return 1
	}
	match, _ := goja.AssertFunction(s.ToObject(g.vm.rt).Get("match"))
	found, err := match(s, o)
	if err != nil {
		panic(g.vm.thrown(err))
	}
	return lengthOf(found)
}

// deeper counts native calls within each other: they use the process's stack.
func (g *guard) deeper() func() {
	if g.depth >= g.vm.run.config.Limits.Stack {
		g.refuse("Maximum call stack size exceeded")
	}
	g.depth++
	return func() { g.depth-- }
}

// nested bounds the recursion of a function.
func (g *guard) nested(o *goja.Object, name string) {
	f := o.Get(name).(*goja.Object)
	inner, _ := f.Export().(native)
	g.define(o, name, f.Get("length"), func(call goja.FunctionCall) goja.Value {
		g.length(call.This)
		defer g.deeper()()
		return inner(call)
	})
}

// join is Array.prototype.join, which may make a text of many times the same.
func (g *guard) join(call goja.FunctionCall) goja.Value {
	vm := g.vm
	o := call.This.ToObject(vm.rt)
	g.length(o)
	defer g.deeper()()
	for _, above := range vm.joining {
		if above == o {
			return vm.rt.ToValue("") // a cycle
		}
	}
	vm.joining = append(vm.joining, o)
	defer func() { vm.joining = vm.joining[:len(vm.joining)-1] }()
	separator := ","
	if v := call.Argument(0); !goja.IsUndefined(v) {
		separator = spelled(v)
	}
	n := int(lengthOf(o))
	var out []byte
	for i := range n {
		if i&1023 == 1023 {
			vm.checkPassed()
		}
		if i > 0 {
			out = append(out, separator...)
		}
		if v := o.Get(strconv.Itoa(i)); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			out = append(out, spelled(v)...)
		}
		if len(out) > maxText {
			g.refuse("Invalid string length")
		}
	}
	return vm.str(string(out))
}

// flat is Array.prototype.flat.
func (g *guard) flat(call goja.FunctionCall) goja.Value {
	o := call.This.ToObject(g.vm.rt)
	depth := 1.0
	if v := call.Argument(0); !goja.IsUndefined(v) {
		depth = v.ToFloat()
	}
	var out []any
	var walk func(o *goja.Object, depth float64)
	walk = func(o *goja.Object, depth float64) {
		g.length(o)
		defer g.deeper()()
		for i := range int(lengthOf(o)) {
			if i&1023 == 1023 {
				g.vm.checkPassed()
			}
			v := o.Get(strconv.Itoa(i))
			if inner, ok := v.(*goja.Object); ok && isArray(inner) && depth >= 1 {
				walk(inner, depth-1)
				continue
			}
			if v != nil {
				out = append(out, v)
			}
			if len(out) > maxLength {
				g.refuse("Invalid array length")
			}
		}
	}
	walk(o, depth)
	return g.vm.rt.NewArray(out...)
}

// tooNested says whether the brackets of a program go deeper than the parser
// may follow. Those in texts count too: nobody opens thousands there.
func tooNested(src string) bool {
	depth := 0
	for i := range len(src) {
		switch src[i] {
		case '(', '[', '{':
			if depth++; depth > maxNested {
				return true
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}

// checkCode refuses a program that is made at run time and would be too much
// for the parser.
func (vm *VM) checkCode(call goja.FunctionCall) goja.Value {
	length := 0
	for _, arg := range call.Arguments {
		s, ok := arg.(goja.String)
		if !ok {
			continue
		}
		if length += s.Length(); length > maxCode || tooNested(s.String()) {
			panic(vm.NewError("SyntaxError", "the program is too large or nested too deeply to be made at run time"))
		}
	}
	if vm.hasPropertyLiteral(call.Arguments) {
		panic(vm.NewError("SyntaxError", `a program made at run time cannot have \p{...} in a literal: write new RegExp("...", "u")`))
	}
	return goja.Undefined()
}

// hasPropertyLiteral finds a literal that the engine would take for letters and
// nobody can replace any more. The arguments are those of eval or, the last of
// them being the body, of Function.
func (vm *VM) hasPropertyLiteral(args []goja.Value) bool {
	if len(args) == 0 {
		return false
	}
	body := args[len(args)-1].String()
	if !strings.Contains(body, `\p{`) && !strings.Contains(body, `\P{`) {
		return false
	}
	for _, frame := range [][2]string{{"", ""}, {"(function () {", "\n})"}, {"(async function* () {", "\n})"}} {
		tree, err := goja.Parse("", frame[0]+body+frame[1], parser.WithDisableSourceMaps)
		if err != nil {
			continue
		}
		found := false
		walk(reflect.ValueOf(tree.Body), func(node any) bool {
			re, ok := node.(*ast.RegExpLiteral)
			found = found || ok && hasProperties(re.Pattern, re.Flags)
			return !found
		})
		return found
	}
	return false // the engine says what is wrong with it
}

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

// Rest tells the limits that a host function waits for something outside, for d
// at most: that does not count as busy, up to a bound. The channel is closed when
// the function has to give up.
func (vm *VM) Rest(d time.Duration) <-chan struct{} { return vm.watch.rest(d) }
