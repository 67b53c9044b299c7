package jsrun_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestBodySamples holds that of all halves of the samples just those are refused
// that the reference refuses, and the one that closes its wrapper, each in the
// line where the reference sees it.
func TestBodySamples(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "cordis-samples")
	refused := map[string][3]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".js" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var syntax *jsrun.SyntaxError
		if _, err := jsrun.CheckBody("code", string(src)); errors.As(err, &syntax) {
			rel, _ := filepath.Rel(root, path)
			refused[filepath.ToSlash(rel)] = [3]int{syntax.Line, syntax.Column, syntax.Width}
		} else if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][3]int{ // the reference counts its wrapper as a line
		"10-eval-errors/escape.host.js":          {2, 2, 1},
		"12-syntax-errors/balance.host.js":       {5, 2, 1},
		"12-syntax-errors/decorator.host.js":     {1, 1, 1},
		"12-syntax-errors/export.host.js":        {2, 1, 6},
		"12-syntax-errors/host.js":               {1, 1, 6},
		"12-syntax-errors/jsx.client.js":         {3, 12, 1},
		"12-syntax-errors/ts-annotation.host.js": {1, 11, 1},
		"12-syntax-errors/ts-as.host.js":         {1, 21, 2},
		"12-syntax-errors/unterminated.host.js":  {1, 16, 5},
	}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("refused: line, column, width (-want +got):\n%s", diff)
	}
}

// evaluate runs a body and returns what its promise came to.
func evaluate(t *testing.T, p *jsrun.Program, config jsrun.Config) (any, error) {
	t.Helper()
	empty, err := jsrun.Compile("empty", "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := empty.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	var out any
	err = run.Await(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Eval(p) },
		func(vm *jsrun.VM, v jsrun.Value) (err error) { out, err = vm.ToJSON(v); return err })
	return out, err
}

// TestBodyRuns holds that a body may await, return and use what esbuild has to
// write differently, that it is sloppy, and that errors name its own lines.
func TestBodyRuns(t *testing.T) {
	for _, row := range []struct {
		name, src string
		want      any
		fails     string // in the stack
	}{
		{"return", "return 1 + 1", 2.0, ""},
		{"nothing", "", nil, ""},
		{"a comment at the end", "return 3 // three", 3.0, ""},
		{"await", "const v = await Promise.resolve(4)\nreturn v", 4.0, ""},
		{"sloppy", "undeclared = 5; return [undeclared, 010, typeof this]", []any{5.0, 8.0, "object"}, ""},
		{"async generator", "async function* g() { yield 1; yield 2 }\nlet sum = 0\nfor await (const n of g()) sum += n\nreturn sum", 3.0, ""},
		{"letters", `return [/^\p{L}+$/u.test('ñandú'), /^\p{L}$/u.test('1')]`, []any{true, false}, ""},
		{"throws", "const a = 1\nconst b = 2\nthrow new Error('x')", nil, "half.js:3:"},
		{"throws when written differently", "async function* g() { yield 1 }\n\n\nawait g().next()\nthrow new Error('x')", nil, "half.js:5:"},
		{"import()", "return await import('fs').catch(e => e.name)", "ReferenceError", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			body, err := jsrun.CheckBody("half.js", row.src)
			if err != nil {
				t.Fatal(err)
			}
			checked, err := body.Compile("half.js")
			if err != nil {
				t.Fatal(err)
			}
			quick, err := jsrun.CompileBody("half.js", row.src)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range []*jsrun.Program{checked, quick} {
				got, err := evaluate(t, p, jsrun.Config{})
				var thrown *jsrun.Error
				switch {
				case row.fails != "":
					if !errors.As(err, &thrown) || !strings.Contains(thrown.Stack, row.fails) {
						t.Errorf("%+v: no %q in the stack", err, row.fails)
					}
				case err != nil:
					t.Error(err)
				case row.want != nil:
					if diff := cmp.Diff(row.want, got); diff != "" {
						t.Error(diff)
					}
				}
			}
		})
	}
}

// TestBodyIsOne holds that no text gets out of its brackets, and what else is no
// body of a function.
func TestBodyIsOne(t *testing.T) {
	for _, src := range []string{
		"})(); (async () => {", "}); (() => {", "} async function other() {", "}; {", "}, function () {", "*/ }", "`", "/*", "return (", ")",
		"import fs from 'fs'", "export const a = 1", "return <a/>", "const a: number = 1", "return {} as any", "@dec class A {}",
		"using a = null", "return import.meta", "yield 1 1", strings.Repeat("(", 100_000),
	} {
		_, err := jsrun.CheckBody("code", src)
		var syntax *jsrun.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%.40q: %v", src, err)
			continue
		}
		if syntax.Line < 1 || syntax.Column < 1 || syntax.Width < 1 || syntax.Message == "" {
			t.Errorf("%.40q: %+v", src, syntax)
		}
		if _, err := jsrun.CompileBody("code", src); err == nil {
			t.Errorf("%.40q: CompileBody takes it", src)
		}
	}
}

// FuzzBody holds that what passes the check compiles, that an error has a place
// within the text, and that nothing crashes.
func FuzzBody(f *testing.F) {
	for _, src := range []string{"return 1", "})(); (async () => {", "async function* g() {}", "é\u2028😀 return", "/x/v", "}\n{"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<12 {
			return
		}
		_, err := jsrun.CheckBody("code", src)
		if _, quick := jsrun.CompileBody("code", src); err == nil && quick != nil {
			t.Errorf("%q was checked, and then: %v", src, quick)
		}
		var syntax *jsrun.SyntaxError
		if errors.As(err, &syntax) && (syntax.Line < 1 || syntax.Line > strings.Count(src, "\n")+1 || syntax.Column < 1) {
			t.Errorf("%q: %+v", src, syntax)
		}
	})
}

// What esbuild needs to write a body differently is no global of the run.
func TestBodyLeavesNoGlobals(t *testing.T) {
	for src, want := range map[string]any{
		"async function* g() { yield 1 }\nfor await (const x of g()) ;\nreturn Object.getOwnPropertyNames(globalThis).filter(n => n.startsWith('__')).join()": "",
		"globalThis.require = x => ({ got: x })\nreturn [(await import('a')).got, typeof __toESM]":                                                            []any{"a", "undefined"},

		"async function* g() {}\nreturn `\n(async (x`": "\n(async (x",
	} {
		p, err := jsrun.CompileBody("body.js", src)
		if err != nil {
			t.Fatal(err)
		}
		got, err := evaluate(t, p, jsrun.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", src, diff)
		}
	}
}

// An accepted body is one function: what stands in it does not run by being
// evaluated, unless it runs as a body.
func FuzzCheckBody(f *testing.F) {
	for _, src := range []string{"return 1", "})(); x; (async () => {", "for await (const x of y) ;", "import('a')", "@a class B {}", "`${", "/\\p{L}/v", "<!--\n-->", "}\nasync function g() {"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		b, err := jsrun.CheckBody("body.js", src)
		if err != nil {
			var e *jsrun.SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Width < 1 {
				t.Fatalf("%q: %#v", src, err)
			}
			return
		}
		if _, err := b.Compile("body.js"); err != nil {
			t.Fatalf("%q is accepted and does not compile: %v", src, err)
		}
		// A first statement that returns keeps all behind it from running.
		late, err := jsrun.CompileBody("body.js", "return 'first'\n;"+src)
		if err != nil {
			return // a directive, or a name that is declared twice
		}
		got, err := evaluate(t, late, jsrun.Config{})
		if err != nil || got != "first" {
			t.Fatalf("%q escapes: %v, %v", src, got, err)
		}
	})
}
