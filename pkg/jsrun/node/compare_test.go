package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// host grants the folder and nothing else of the machine.
func host(dir string) *node.Host {
	return &node.Host{
		Files: machine.NewFiles(machine.Grant{Path: dir}),
		Processes: &machine.Processes{
			Environ: func() []string { return []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")} },
			Shell:   true,
		},
		Network: &machine.Network{},
		Env: func(name string) (string, bool) {
			v, ok := map[string]string{"HOME": dir, "PATH": os.Getenv("PATH")}[name]
			return v, ok
		},
		Environ:  func() []string { return []string{"HOME", "PATH"} },
		Cwd:      func() string { return dir },
		Home:     dir,
		Temp:     dir,
		Platform: "linux",
		Arch:     "x64",
		PID:      1234,
		ExecPath: "/usr/bin/node",
		RandomBytes: func(b []byte) {
			for i := range b {
				b[i] = byte(i * 7)
			}
		},
		Now: func() time.Time { return time.UnixMilli(1_700_000_000_000) },
	}
}

// start runs a script with require, out and fails.
func start(t *testing.T, h *node.Host, src string, outs *[]string) *jsrun.Run {
	t.Helper()
	globals := append(node.Globals(h),
		jsrun.Global{Name: "require", Make: func(vm *jsrun.VM) (jsrun.Value, error) {
			made := map[string]jsrun.Value{}
			return vm.Func("require", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
				name := args[0].String()
				for _, m := range node.Modules(h) {
					for _, s := range m.Specifiers {
						if s != name {
							continue
						}
						if v := made[m.Specifiers[0]]; v != nil {
							return v, nil
						}
						v, err := m.Make(vm)
						made[m.Specifiers[0]] = v
						return v, err
					}
				}
				return nil, fmt.Errorf("no module %q", name)
			}), nil
		}},
		jsrun.Global{Name: "print", Make: func(vm *jsrun.VM) (jsrun.Value, error) {
			return vm.Func("print", func(_ jsrun.Value, args []jsrun.Value) (jsrun.Value, error) {
				*outs = append(*outs, args[0].String())
				return nil, nil
			}), nil
		}})
	p, err := jsrun.Compile("test.js", src)
	if err != nil {
		t.Fatal(err)
	}
	run, err := p.Start(t.Context(), jsrun.Config{Globals: globals, Now: h.Now})
	if err != nil {
		t.Fatalf("%v\n%s", err, stack(err))
	}
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}

func stack(err error) string {
	if e, ok := err.(*jsrun.Error); ok {
		return e.Stack
	}
	return ""
}

// wrapped makes a script a function "main" that may await; what it hands to out
// is printed as JSON.
func wrapped(src string) string {
	return `const out = (value) => print(JSON.stringify(value, (k, v) => typeof v === 'bigint' ? v + 'n' : v === undefined ? '(undefined)' : Object.is(v, -0) ? '-0' : v));
const thrown = (f) => { try { return f() } catch (e) { return { name: e.name, message: e.message, code: e.code } } };
async function main(dir) {` + "\n" + src + "\n}\n"
}

// printed runs a script and returns what it printed.
func printed(t *testing.T, h *node.Host, dir, src string) []string {
	t.Helper()
	var outs []string
	run := start(t, h, wrapped(src), &outs)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := run.Call(ctx, "main", dir); err != nil {
		t.Fatalf("%v\n%s\nprinted so far: %q", err, stack(err), outs)
	}
	return outs
}

// TestCompare runs the scripts of testdata/compare and compares what they print
// with what Node printed. RECORD=1 asks the Node of the machine again.
func TestCompare(t *testing.T) {
	scripts, err := filepath.Glob("testdata/compare/*.js")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".js"), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(script)
			if err != nil {
				t.Fatal(err)
			}
			record := strings.TrimSuffix(script, ".js") + ".jsonl"
			if os.Getenv("RECORD") != "" {
				if err := os.WriteFile(record, byNode(t, string(src)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			dir := realDir(t)
			got := strings.Join(printed(t, host(dir), dir, string(src)), "\n") + "\n"
			got = strings.ReplaceAll(got, dir, "DIR")
			if diff := cmp.Diff(lines(t, string(want)), lines(t, got)); diff != "" {
				t.Errorf("not as Node (-node +ours):\n%s", diff)
			}
		})
	}
}

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func lines(t *testing.T, text string) []any {
	t.Helper()
	var list []any
	for line := range strings.Lines(text) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, v)
	}
	return list
}

// byNode runs a script by the Node of the machine.
func byNode(t *testing.T, src string) []byte {
	t.Helper()
	dir := realDir(t)
	cmd := exec.Command("node", "--no-warnings", "-")
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	cmd.Stdin = strings.NewReader("const print = console.log;\n" + wrapped(src) + "main(" + fmt.Sprintf("%q", dir) + ").catch((e) => { console.error(e); process.exit(1) })")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	return bytes.ReplaceAll(out, []byte(dir), []byte("DIR"))
}
