package jsrun_test

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// failure is the error of importing the first file of an archive, without the
// folder of the test.
func failure(t *testing.T, text string) (*jsrun.Error, string) {
	t.Helper()
	archive := txtar.Parse([]byte(text))
	root := unpack(t, archive)
	_, err := outcome(t, plainModules(nil), root, "./"+archive.Files[0].Name)
	var thrown *jsrun.Error
	if !errors.As(err, &thrown) {
		t.Fatalf("the error is %v", err)
	}
	return thrown, root
}

func TestModuleErrors(t *testing.T) {
	for _, test := range []struct{ name, archive, class, code, message string }{
		{
			"syntax", "-- a.ts --\nconst fine: number = 1;\nconst x = = 2;\n",
			"SyntaxError", "", "$DIR/a.ts:2:11: Unexpected \"=\"\n    const x = = 2;",
		},
		{
			"syntax of an import", "-- a.mjs --\nimport './sub/b.mjs';\n-- sub/b.mjs --\n\nlet x;\nlet x;\n",
			"SyntaxError", "", "$DIR/sub/b.mjs:3:5: The symbol \"x\" has already been declared\n    let x;",
		},
		{
			"syntax of a file with a place", "-- a.mjs --\nexport const u = import.meta.url;\nreturn (\n",
			"SyntaxError", "", "$DIR/a.mjs:3:1: Unexpected end of file\n    ",
		},
		{
			"JSON", "-- a.mjs --\nimport './b.json';\n-- b.json --\n{\"a\": }\n",
			"SyntaxError", "", "$DIR/b.json:1:7: Unexpected \"}\" in JSON\n    {\"a\": }",
		},
		{
			"top-level await", "-- a.mjs --\nexport const a = 1;\nexport const b = await a;\n",
			"SyntaxError", "", "$DIR/a.mjs:2:18: Top-level await is not possible here: put it into an async function and export its promise\n    export const b = await a;",
		},
		{
			"no such export", "-- a.mjs --\nimport { none } from './b.mjs';\nnone();\n-- b.mjs --\nexport const one = 1;\n",
			"SyntaxError", "", "$DIR/a.mjs:1:10: No matching export in \"$DIR/b.mjs\" for import \"none\"\n    import { none } from './b.mjs';",
		},
		{
			"package of an import", "-- a.mjs --\n\nimport x from '@s/none/sub';\n",
			"Error", "ERR_MODULE_NOT_FOUND", "Cannot find package '@s/none' imported from $DIR: no node_modules/@s/none in that folder or above it; install it there (npm install @s/none)\n  $DIR/a.mjs:2:15",
		},
		{
			"file of an import", "-- a.mjs --\nimport './b.mjs';\n",
			"Error", "ERR_MODULE_NOT_FOUND", "Cannot find module '$DIR/b.mjs' imported from $DIR: there is no such file, none with one of the extensions .js .mjs .cjs .ts .mts .cts .tsx .jsx .json, and no folder with an index of those\n  $DIR/a.mjs:1:8",
		},
		{
			"path that is not exported", "-- a.mjs --\nimport 'p/inside';\n-- node_modules/p/package.json --\n{\"exports\": {\".\": \"./x.js\"}}\n",
			"Error", "ERR_PACKAGE_PATH_NOT_EXPORTED", "Package subpath './inside' is not defined by \"exports\" in $DIR/node_modules/p/package.json imported from $DIR: import one that is\n  $DIR/a.mjs:1:8",
		},
		{
			"broken package.json", "-- a.cjs --\nrequire('' + 'p');\n-- node_modules/p/package.json --\n{\"main\": }\n",
			"Error", "ERR_INVALID_PACKAGE_CONFIG", "Invalid package config $DIR/node_modules/p/package.json: invalid character '}' looking for beginning of value",
		},
		{
			"module of Node that is not given", "-- a.cjs --\nrequire('node:cluster');\n",
			"Error", "ERR_UNKNOWN_BUILTIN_MODULE", "No such built-in module: node:cluster, imported from $DIR: scripts have no such module here; see docs/javascript.md for those they have",
		},
		{
			"pattern that is none", "-- a.mjs --\nexport { a } from './sub/b.mjs';\n-- sub/b.mjs --\n\nexport const a = /a(/;\n",
			"SyntaxError", "", "$DIR/sub/b.mjs:2: Unterminated group",
		},
		{
			"scheme", "-- a.mjs --\nconst s = 'https:';\nexport default import(s + '//h/x.js');\n",
			"Error", "ERR_UNSUPPORTED_ESM_URL_SCHEME", "Only file URLs, paths and names of packages can be imported here, and not 'https://h/x.js', from $DIR",
		},
		{
			"imports that lead out", "-- a.cjs --\nconst name = '#x'; require(name.slice());\n-- package.json --\n{\"imports\": {\"#x\": \"../y.js\"}}\n",
			"Error", "ERR_INVALID_PACKAGE_TARGET", "Invalid \"imports\" target for #x in $DIR: invalid target ../y.js",
		},
		{
			"exports that are no map", "-- a.cjs --\nconst name = 'p'; require(name.slice());\n-- node_modules/p/package.json --\n{\"exports\": 1}\n",
			"Error", "ERR_INVALID_PACKAGE_TARGET", "Invalid \"exports\" target for . in $DIR/node_modules/p: invalid target that is neither text nor a map",
		},
		{
			"exports that are no path", "-- a.cjs --\nconst name = 'p'; require(name.slice());\n-- node_modules/p/package.json --\n{\"exports\": \"x.js\"}\n",
			"Error", "ERR_INVALID_PACKAGE_TARGET", "Invalid \"exports\" target x.js for . in $DIR/node_modules/p: a target starts with ./",
		},
		{
			"package without its main", "-- a.cjs --\nconst name = 'p'; require(name.slice());\n-- node_modules/p/package.json --\n{\"main\": \"x.js\"}\n",
			"Error", "MODULE_NOT_FOUND", "Cannot find module 'p' required from $DIR: the package is there, the file is not",
		},
		{
			"package that was not built", "-- a.mjs --\nconst name = 'p'; export default import(name.slice());\n-- node_modules/p/package.json --\n{\"exports\": \"./x.js\"}\n",
			"Error", "ERR_MODULE_NOT_FOUND", "Cannot find module '$DIR/node_modules/p/x.js' imported from $DIR: the package says p stands for $DIR/node_modules/p/x.js, which is not there; build the package or install it again",
		},
		{
			"require of nothing", "-- a.cjs --\nrequire();\n",
			"TypeError", "ERR_INVALID_ARG_TYPE", `The "id" argument must be a non-empty string`,
		},
		{
			"host of a file URL", "-- a.cjs --\nrequire('file://' + 'elsewhere/x');\n",
			"Error", "ERR_INVALID_MODULE_SPECIFIER", `Invalid module "file://elsewhere/x" imported from $DIR: a file URL with the host "elsewhere"`,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			thrown, root := failure(t, test.archive)
			got := []string{thrown.Name, thrown.Code, strings.ReplaceAll(thrown.Message, root, "$DIR")}
			if diff := cmp.Diff([]string{test.class, test.code, test.message}, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// frames are the lines of a stack that name a file of the test, without columns.
func frames(thrown *jsrun.Error, root string) []string {
	var list []string
	for line := range strings.Lines(thrown.Stack) {
		_, place, ok := strings.Cut(line, root+string(filepath.Separator))
		if !ok {
			continue
		}
		file, rest, _ := strings.Cut(place, ":")
		number, _, _ := strings.Cut(rest, ":")
		list = append(list, file+":"+number)
	}
	return list
}

func TestStacksNameTheFileOfTheAuthor(t *testing.T) {
	thrown, root := failure(t, `-- main.ts --
import { open } from './lib/open.ts';
interface Unused { a: string }

export default (): void => {};
enum Kind { A, B }
open(Kind.B);
-- lib/open.ts --
type Gone = {
  a: number;
};

export function open(kind: number): Gone {
  const here = import.meta.url;
  if (kind === 1)
    throw new RangeError('too far' + (here ? '' : '!'));
  return { a: kind };
}
`)
	if diff := cmp.Diff([]string{"lib/open.ts:8", "main.ts:6"}, frames(thrown, root)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, thrown.Stack)
	}
	if thrown.Name != "RangeError" || thrown.Message != "too far" {
		t.Errorf("%s: %s", thrown.Name, thrown.Message)
	}
}

const readable = `export function first(n: number) {
  return second(n) + 1;
}
function second(n: number): number {
  if (n > 1) {
    throw new Error('in the middle');
  }
  return n;
}
`

func TestStacksThroughMinifiedText(t *testing.T) {
	minified := api.Transform(readable, api.TransformOptions{
		Loader: api.LoaderTS, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: false,
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude, Sourcefile: "../src/readable.ts",
	})
	text := strings.TrimSpace(string(minified.Code))
	const main = "-- main.mjs --\nimport { first } from './dist/m.js';\n\nfirst(5);\n"
	thrown, root := failure(t, main+"-- dist/m.js --\n"+text+"\n//# sourceMappingURL=m.js.map\n-- dist/m.js.map --\n"+string(minified.Map))
	if diff := cmp.Diff([]string{"src/readable.ts:6", "src/readable.ts:2", "main.mjs:3"}, frames(thrown, root)); diff != "" {
		t.Errorf("with a map, -want +got:\n%s\n%s", diff, thrown.Stack)
	}
	thrown, root = failure(t, main+"-- dist/m.js --\n"+text+"\n//# sourceMappingURL=none.map\n")
	if diff := cmp.Diff([]string{"dist/m.js:1", "dist/m.js:1", "main.mjs:3"}, frames(thrown, root)); diff != "" {
		t.Errorf("without one, -want +got:\n%s\n%s", diff, thrown.Stack)
	}
}

// TestHostModules holds that the host's modules come first, with and without the
// prefix, are made once in a run, and are not bundled.
func TestHostModules(t *testing.T) {
	made := 0
	given := jsrun.Module{Specifiers: []string{"node:fs", "sdk/part"}, Make: func(vm *jsrun.VM) (jsrun.Value, error) {
		made++
		return vm.New(), nil
	}}
	failing := jsrun.Module{Specifiers: []string{"refused"}, Make: func(vm *jsrun.VM) (jsrun.Value, error) {
		return nil, errors.New("not today")
	}}
	nothing := jsrun.Module{Specifiers: []string{"nothing"}, Make: func(vm *jsrun.VM) (jsrun.Value, error) { return vm.FromJSON(nil), nil }}
	archive := txtar.Parse([]byte(`-- main.mjs --
import fs, * as all from 'fs';
import * as part from 'sdk/part';
import other from 'sdk/part/other';
import { same } from './c.cjs';
import mapped from '#fs';
import * as mappedPart from '#part';
fs.touched = 1;
const late = (name) => import(name);
export default (async () => ({
  same: fs === same && all.default === fs && (await import('node:fs')).default === fs && (await late('fs')).default === fs,
  twice: (await late('sdk/part')) === (await late('fs')),
  touched: (await late('fs')).touched ?? null, part: typeof part, other,
  refused: await late('refused').catch((e) => e.message), nothing: (await late('nothing')).default, mapped: mapped === fs && mappedPart === part && (await late('#' + 'fs')).default === fs,
}))();
-- package.json --
{"imports": {"#fs": "node:fs", "#part": "sdk/part"}}
-- c.cjs --
exports.same = require('node:fs');
-- node_modules/fs/index.js --
throw new Error('a package does not take the place of a given module');
-- node_modules/sdk/part/other.js --
module.exports = 'from disk';
`))
	root := unpack(t, archive)
	m := newModules(jsrun.ModuleConfig{Host: []jsrun.Module{given, failing, nothing}})
	got, err := outcome(t, m, root, "./main.mjs")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"same":true,"twice":true,"touched":null,"part":"object","other":"from disk","refused":"not today","nothing":null,"mapped":true}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
	_, err = outcome(t, m, root, "refused")
	if err == nil || err.Error() != "not today" {
		t.Errorf("imported by the host: %v", err)
	}
}

// TestCodeOfImportedErrors holds that a script sees what a host sees.
func TestCodeOfImportedErrors(t *testing.T) {
	got, err := outcome(t, plainModules(nil), unpack(t, txtar.Parse([]byte(`-- main.cjs --
const codes = [];
for (const name of ['none', './none', '#none', 'node:none', './bad']) {
  try { require(name + ''); } catch (e) { codes.push(e.code ?? e.name); }
}
try { require('optional'); } catch (e) { codes.push(e.code); }
exports.default = 0;
module.exports = codes;
-- bad.js --
(
`))), "./main.cjs")
	if err != nil {
		t.Fatal(err)
	}
	want := `["MODULE_NOT_FOUND","MODULE_NOT_FOUND","ERR_PACKAGE_IMPORT_NOT_DEFINED","ERR_UNKNOWN_BUILTIN_MODULE","SyntaxError","MODULE_NOT_FOUND"]`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestNothingIsReadByComment holds that a comment in a text cannot make the
// engine read a file.
func TestNothingIsReadByComment(t *testing.T) {
	run := startEmpty(t)
	err := run.Do(context.Background(), func(vm *jsrun.VM) error {
		p, err := jsrun.Compile("x.js", "1\n//# sourceMappingURL=/nonexistent/map.json")
		if err != nil {
			return err
		}
		_, err = vm.Eval(p)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// memory is a disk of a few files.
type memory map[string]string

func (m memory) ReadFile(name string) ([]byte, error) {
	if text, ok := m[filepath.ToSlash(name)]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (m memory) RealPath(name string) (string, error) { return name, nil }

// FuzzResolve holds that no package.json and no specifier make resolution crash
// or run on, and that what is refused is refused with a code.
func FuzzResolve(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"exports": {".": {"import": "./a.js"}, "./x/*": ["./y/*.js", null]}}`, "p/x/../z"},
		{`{"exports": "./a.js", "imports": {"#a": "#a", "#b/*": {"node": "./*"}}}`, "#a"},
		{`{"main": "./lib", "name": "p", "imports": {"#*": "p/*"}}`, "#p"},
		{`{"exports": {"./*": "./*", "import": "./b"}}`, "p/node_modules/q"},
		{`{"exports": [[[{"default": {"default": 1}}]]]}`, "p"},
		{`{`, "p"},
		{``, "file:///%zz"},
		{`[]`, "@"},
		{`{"exports": {}}`, "./"},
		{`{"exports": null}`, "p/"},
		{`{"imports": {"#a": "#b", "#b": "#a"}}`, "#a"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, manifest, specifier string) {
		files := memory{"/p/package.json": manifest, "/p/node_modules/p/package.json": manifest}
		m := jsrun.NewModules(jsrun.ModuleConfig{Files: files})
		_, err := m.Digest("/p/src", specifier)
		var refused *jsrun.Error
		if !errors.As(err, &refused) || refused.Code == "" || refused.Message == "" {
			t.Errorf("%q in %s: %#v", specifier, manifest, err)
		}
	})
}

func TestBaseIsAbsolute(t *testing.T) {
	_, err := plainModules(nil).Digest("sub", "./x.js")
	if want := `Cannot look up './x.js': the folder "sub" to look from is not absolute`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
