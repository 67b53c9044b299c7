package jsfeatures

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/internal/jscache"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// Answers in a table.
const (
	yes    = "yes"
	no     = "no"
	syntax = "no (syntax)"
	wrong  = "**wrong**"
)

// bare asks goja as it is.
func bare(p probe) string {
	source := p.code
	if p.module == "" {
		source = p.body()
	}
	program, err := goja.Compile("probe.js", source, false)
	if err != nil {
		return syntax
	}
	v, err := goja.New().RunProgram(program)
	if err != nil {
		var thrown *goja.Exception
		if !errors.As(err, &thrown) {
			return wrong
		}
		return answerOf(thrown.Value().ToObject(nil).Get("name").String())
	}
	promise, ok := v.Export().(*goja.Promise)
	switch {
	case !ok:
		return truth(v.ToBoolean())
	case promise.State() == goja.PromiseStateRejected:
		reason, _ := promise.Result().(*goja.Object)
		if reason == nil {
			return wrong
		}
		return answerOf(reason.Get("name").String())
	}
	return truth(promise.State() == goja.PromiseStateFulfilled && promise.Result().ToBoolean())
}

func truth(ok bool) string {
	if ok {
		return yes
	}
	return wrong
}

// answerOf is what the class of an error says about a feature.
func answerOf(name string) string {
	switch name {
	case "ReferenceError", "TypeError":
		return no
	case "SyntaxError":
		return syntax
	}
	return "throws"
}

// world is a folder and what scripts are given in it.
type world struct {
	dir     string
	modules *jsrun.Modules
	host    []jsrun.Module
	config  jsrun.Config
	program *jsrun.Program
}

func newWorld() (*world, error) {
	dir, err := os.MkdirTemp("", "jsfeatures")
	if err != nil {
		return nil, err
	}
	w := &world{dir: dir}
	w.program, err = jsrun.Compile("empty.js", "")
	if err != nil {
		return nil, err
	}
	w.config, w.host = given(dir)
	w.modules = jsrun.NewModules(jsrun.ModuleConfig{Host: w.host, Files: jscache.Disk{}})
	for name, text := range map[string]string{"half.mjs": "export const x = 1;\n", "half.cjs": "exports.x = 1;\n", "data.json": "{\"x\": 1}\n"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return w, err
}

func (w *world) close() { _ = os.RemoveAll(w.dir) }

// here asks a script of ours.
func (w *world) here(p probe) (string, error) {
	name, text := "probe"+p.module, p.code
	if p.module == "" {
		name, text = "probe.mjs", "export default "+p.body()+";\n"
	}
	if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
		return "", err
	}
	var truthy bool
	err := w.await("./"+name, func(vm *jsrun.VM, v jsrun.Value) error {
		truthy = v.ToBoolean()
		return nil
	})
	var thrown *jsrun.Error
	switch {
	case errors.As(err, &thrown):
		return answerOf(thrown.Name), nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, jsrun.ErrLimit):
		return wrong, nil
	}
	return truth(truthy), err
}

// await hands over the default export of a module, awaited.
func (w *world) await(specifier string, settle func(*jsrun.VM, jsrun.Value) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	run, err := w.program.Start(ctx, w.config)
	if err != nil {
		return err
	}
	defer func() { _ = run.Close() }()
	return run.Await(ctx, func(vm *jsrun.VM) (jsrun.Value, error) {
		namespace, err := w.modules.Import(vm, w.dir, specifier)
		if err != nil {
			return nil, err
		}
		return vm.Get(namespace, "default")
	}, settle)
}

// names asks a script of ours for names.
func (w *world) names(expression string) ([]string, error) {
	if err := os.WriteFile(filepath.Join(w.dir, "names.mjs"), []byte("import { createRequire } from 'node:module';\nexport default ("+expression+").sort().join(' ');\n"), 0o600); err != nil {
		return nil, err
	}
	var list []string
	err := w.await("./names.mjs", func(_ *jsrun.VM, v jsrun.Value) error {
		list = strings.Fields(v.String())
		return nil
	})
	return list, err
}

// globals lists what the global object has here and not in bare goja.
func globals(w *world) (string, error) {
	own, err := goja.New().RunString("Object.getOwnPropertyNames(globalThis).join(' ')")
	if err != nil {
		return "", err
	}
	list, err := w.names("Object.getOwnPropertyNames(globalThis)")
	if err != nil {
		return "", err
	}
	known := strings.Fields(own.String())
	list = slices.DeleteFunc(list, func(name string) bool { return slices.Contains(known, name) })
	return code(list), nil
}

// modules lists the modules that are given, with what they export.
func modules(w *world) (string, error) {
	var rows []string
	names := []string{"node:module"} // given by package jsrun itself, if not by the host
	for _, module := range w.host {
		names = append(names, module.Specifiers[0])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list, err := w.names(fmt.Sprintf("Object.keys(createRequire(import.meta.url)(%q))", name))
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		list = slices.DeleteFunc(list, func(name string) bool { return name == "default" || name == "__esModule" })
		rows = append(rows, fmt.Sprintf("| `%s` | %s |\n", name, code(list)))
	}
	return "| Module | Exports |\n| --- | --- |\n" + strings.Join(rows, ""), nil
}

func code(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}
