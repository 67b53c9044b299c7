package jsrun

import (
	"bytes"
	_ "embed"
	"path/filepath"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

//go:embed modules.js
var modulesText string

var modulesProgram = sync.OnceValue(func() *Program {
	return &Program{code: goja.MustCompile("modules.js", modulesText, false)}
})

// loader is what one run has loaded. Only the owner of the runtime uses it.
type loader struct {
	m      *Modules
	vm     *VM
	make   Value              // modules.js
	loaded map[string]*loaded // by real path, or by specifier for those of the host
}

// loaded is one module of a run.
type loaded struct {
	module    *Object // its exports are what require gives
	esm       bool
	given     bool // by the host
	owners    map[string]string
	namespace Value
	err       error
	done      bool
}

func (m *Modules) loader(vm *VM) (*loader, error) {
	run := vm.Run()
	if l, ok := m.runs.Load(run); ok {
		return l.(*loader), nil
	}
	build, err := vm.Eval(modulesProgram())
	if err != nil {
		return nil, err
	}
	l := &loader{m: m, vm: vm, make: build, loaded: map[string]*loaded{}}
	m.runs.Store(run, l)
	run.Defer(func() { m.runs.Delete(run) })
	return l, nil
}

// load finds and evaluates a module, or returns the one that was.
func (l *loader) load(base, specifier string, k kind) (*loaded, error) {
	file, err := l.m.find.resolve(base, specifier, k)
	if err != nil {
		return nil, err
	}
	if l.m.gives(file) {
		return l.given(bareName(file))
	}
	if one, ok := l.loaded[file]; ok {
		return one, one.err
	}
	if filepath.Ext(file) == ".json" {
		return l.json(file)
	}
	b, err := l.m.bundle(file)
	if err != nil {
		return nil, err
	}
	program, err := b.compile()
	if err != nil {
		return nil, err
	}
	l.vm.learnNames(b.record.Sources)
	one := &loaded{module: l.vm.New(), esm: b.record.ESM, owners: b.record.Owners}
	l.loaded[file] = one
	one.err = l.evaluate(one, file, program)
	one.done = true
	if one.err != nil && !one.esm {
		delete(l.loaded, file) // as in Node: an ES module fails for good, a CommonJS module is tried again
	}
	return one, one.err
}

// json makes a module of a JSON file, which exports its value and no names.
func (l *loader) json(file string) (*loaded, error) {
	text, err := l.m.config.Files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	v, err := jsonvalue.Parse(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	if err != nil {
		return nil, &Error{Name: "SyntaxError", Message: file + ": " + err.Error()}
	}
	value := l.vm.FromJSON(v)
	one := &loaded{module: l.vm.New(), done: true}
	l.loaded[file] = one
	if one.namespace, err = l.vm.Apply(l.make, goja.Undefined(), l.with(l.vm.New(), "default", value), l.vm.rt.ToValue(true)); err != nil {
		return nil, err
	}
	return one, one.module.Set("exports", value)
}

// given makes a module of the host, or node:module, which is ours if the host has
// no other.
func (l *loader) given(name string) (*loaded, error) {
	module := &Module{Specifiers: []string{"module"}, Make: l.moduleModule}
	if i, ok := l.m.host[name]; ok {
		module = &l.m.config.Host[i]
	}
	name = bareName(module.Specifiers[0])
	if one, ok := l.loaded[name]; ok {
		return one, nil
	}
	value, err := module.Make(l.vm)
	if err != nil {
		return nil, err
	}
	transpiled, err := l.vm.Get(value, "__esModule")
	if err != nil {
		return nil, err
	}
	one := &loaded{module: l.vm.New(), done: true, given: true, esm: transpiled.ToBoolean()}
	l.loaded[name] = one
	return one, one.module.Set("exports", value)
}

// evaluate runs the text of an entry as Node runs a CommonJS module.
func (l *loader) evaluate(one *loaded, file string, program *Program) error {
	exports := l.vm.New()
	require := l.require(func() string { return l.base(one, file) })
	for _, m := range []member{{"exports", exports}, {"id", file}, {"filename", file}, {"loaded", false}, {"require", require}} {
		if err := one.module.Set(m.key, m.value); err != nil {
			return err
		}
	}
	body, err := l.vm.Eval(program)
	if err != nil {
		return err
	}
	text := l.vm.FromJSON
	_, err = l.vm.Apply(body, exports, exports, require, one.module, text(file), text(filepath.Dir(file)), l.vm.Func("namespace", l.namespaceOf), l.imports(one, file))
	if err != nil {
		return err
	}
	return one.module.Set("loaded", true)
}

// imports makes what import() of an entry calls. Its member resolve is
// import.meta.resolve.
func (l *loader) imports(one *loaded, file string) Value {
	specifier := func(args []Value) string {
		if len(args) == 0 {
			return "undefined"
		}
		return args[0].String()
	}
	f := l.vm.Func("import", func(_ Value, args []Value) (Value, error) {
		asked, err := l.load(l.base(one, file), specifier(args), asImport)
		if err != nil {
			return nil, err
		}
		return l.namespace(asked)
	})
	resolve := l.vm.Func("resolve", func(_ Value, args []Value) (Value, error) {
		name := specifier(args)
		found, err := l.m.find.resolve(l.base(one, file), name, asImport)
		if err == nil && !l.m.gives(found) {
			found = urlOfPath(found)
		}
		return l.vm.FromJSON(found), err
	})
	return l.with(f, "resolve", resolve)
}

// with sets a member of a function that was just made.
func (l *loader) with(f Value, name string, member Value) Value {
	if object, ok := f.(*Object); ok {
		_ = object.Set(name, member)
	}
	return f
}

// gives says whether a module is given, by the host or by this package.
func (m *Modules) gives(specifier string) bool {
	_, ok := m.host[bareName(specifier)]
	return ok || bareName(specifier) == "module"
}

// require makes a function require. A name that only the run knows is seen from
// the folder base.
func (l *loader) require(base func() string) Value {
	vm := l.vm
	f := vm.Func("require", func(_ Value, args []Value) (Value, error) {
		specifier, err := specifierOf(args)
		if err != nil {
			return nil, err
		}
		asked, err := l.load(base(), specifier, asRequire)
		if err != nil {
			return nil, err
		}
		return l.required(asked)
	})
	resolve := vm.Func("resolve", func(_ Value, args []Value) (Value, error) {
		specifier, err := specifierOf(args)
		if err != nil {
			return nil, err
		}
		found, err := l.m.find.resolve(base(), specifier, asRequire)
		return vm.FromJSON(found), err
	})
	return l.with(l.with(f, "resolve", resolve), "cache", vm.New())
}

// moduleModule is node:module, unless the host gives another: what a script needs
// of it is createRequire.
func (l *loader) moduleModule(vm *VM) (Value, error) {
	create := vm.Func("createRequire", func(_ Value, args []Value) (Value, error) {
		from := ""
		if len(args) > 0 {
			from = args[0].String() // a URL gives its text
		}
		path := from
		if strings.HasPrefix(from, "file:") {
			var err error
			if path, err = pathOfURL(from); err != nil {
				return nil, moduleError("ERR_INVALID_ARG_VALUE", "The argument 'filename' is %s: %v", from, err)
			}
		}
		if !filepath.IsAbs(path) {
			return nil, moduleError("ERR_INVALID_ARG_VALUE", "The argument 'filename' must be a file URL or an absolute path, and is %q", from)
		}
		dir := filepath.Dir(path + "x") // of a folder with a slash behind it, the folder
		return l.require(func() string { return dir }), nil
	})
	builtin := vm.Func("isBuiltin", func(_ Value, args []Value) (Value, error) {
		return vm.FromJSON(len(args) > 0 && l.m.gives(args[0].String())), nil
	})
	return l.with(l.with(vm.New(), "createRequire", create), "isBuiltin", builtin), nil
}

func specifierOf(args []Value) (string, error) {
	if len(args) > 0 {
		if s, ok := args[0].Export().(string); ok && s != "" {
			return s, nil
		}
	}
	return "", &Error{Name: "TypeError", Code: "ERR_INVALID_ARG_TYPE", Message: `The "id" argument must be a non-empty string`}
}

// base is the folder of the file whose code asks: of the innermost frame that
// belongs to the bundle.
func (l *loader) base(one *loaded, file string) string {
	var frames [8]goja.StackFrame
	for _, frame := range l.vm.rt.CaptureCallStack(len(frames), frames[:0]) {
		name := unescaped(frame.Position().Filename)
		if owner := one.owners[name]; owner != "" {
			return filepath.Dir(owner)
		}
		if filepath.IsAbs(name) {
			return filepath.Dir(name)
		}
	}
	return filepath.Dir(file)
}

// required is what require gives: exports, for an ES module its namespace.
func (l *loader) required(one *loaded) (Value, error) {
	if one.esm {
		return l.namespace(one)
	}
	return l.vm.Get(one.module, "exports")
}

func (l *loader) namespace(one *loaded) (Value, error) {
	if one.namespace != nil {
		return one.namespace, nil
	}
	exports, err := l.vm.Get(one.module, "exports")
	if err != nil {
		return nil, err
	}
	made, err := l.vm.Apply(l.make, goja.Undefined(), exports, l.vm.rt.ToValue(one.esm), l.vm.rt.ToValue(one.given))
	if err == nil && (one.done || one.esm) {
		one.namespace = made
	}
	return made, err
}

// namespaceOf is asked by the text that esbuild makes of import(): when the value
// came from a module of this run, what it has to give is the namespace, and not a
// copy. Undefined means that esbuild's own way is right.
func (l *loader) namespaceOf(_ Value, args []Value) (Value, error) {
	if len(args) == 0 {
		return goja.Undefined(), nil
	}
	for _, one := range l.loaded {
		if one.namespace != nil && one.namespace.SameAs(args[0]) {
			return one.namespace, nil
		}
		if exports := one.module.Get("exports"); !one.esm && exports != nil && exports.SameAs(args[0]) {
			return l.namespace(one)
		}
	}
	return goja.Undefined(), nil
}

// learnNames hears of the sources whose names the engine writes as URLs do.
func (vm *VM) learnNames(sources []string) {
	for _, source := range sources {
		if written := escaped(source); written != filepath.ToSlash(source) {
			vm.names = append(vm.names, written, source)
		}
	}
}

// sourceNames writes the names in a stack as they are.
func (vm *VM) sourceNames(stack string) string {
	if len(vm.names) == 0 {
		return stack
	}
	return strings.NewReplacer(vm.names...).Replace(stack)
}
