package node_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/pkg/jsrun"
	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

func goroutines() int { return runtime.NumGoroutine() }

func stacks() string {
	b := make([]byte, 1<<20)
	return string(b[:runtime.Stack(b, true)])
}

// TestLog holds what the host hears of a script's output.
func TestLog(t *testing.T) {
	dir := realDir(t)
	h := host(dir)
	var said []string
	h.Log = func(level, text string) { said = append(said, level+": "+text) }
	printed(t, h, dir, `
console.log('plain %s', 'text', { a: 1 }, [1])
console.error(new Map([['k', 1]]))
console.warn('100%')
console.group('g')
console.info('in\nside')
console.groupEnd()
console.debug()
console.assert(false, 'no')
console.assert(true, 'yes')
console.count(); console.count()
const { log } = console
log('loose')
process.stdout.write('raw')
process.stderr.write(Buffer.from('bytes'))
process.emitWarning('careful')
require('fs').writeSync(1, 'by descriptor')
const e = new (require('events'))()
for (let i = 0; i < 11; i++) e.on('x', () => {})
`)
	want := []string{
		"log: plain text { a: 1 } [ 1 ]", "error: Map(1) { 'k' => 1 }", "warn: 100%", "log: g", "info:   in\n  side", "debug: ",
		"warn: Assertion failed: no", "log: default: 1", "log: default: 2", "log: loose", "stdout: raw", "stderr: bytes", "warn: Warning: careful", "stdout: by descriptor",
		"warn: MaxListenersExceededWarning: Possible EventEmitter memory leak detected. 11 x listeners added to [EventEmitter]. MaxListeners is 10. Use emitter.setMaxListeners() to increase limit",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPolicies holds that the host decides about programs, lines of the shell
// among them.
func TestPolicies(t *testing.T) {
	dir := realDir(t)
	h := host(dir)
	h.Processes = &machine.Processes{
		Environ: func() []string { return []string{"PATH=/usr/bin:/bin"} },
		Allow: func(c node.Command) error {
			if c.Name != "echo" {
				return fmt.Errorf("%s is not among the programs of this script", c.Name)
			}
			return nil
		},
	}
	got := printed(t, h, dir, `
const cp = require('child_process')
const code = (f) => { try { return f() } catch (e) { return [e.code, e.message] } }
out([code(() => cp.execFileSync('echo', ['a'], { encoding: 'utf8' })), code(() => cp.execFileSync('ls')), code(() => cp.execSync('echo a'))])
out(await new Promise((resolve) => cp.spawn('ls').on('error', (e) => resolve([e.code, e.message]))))
`)
	want := []any{
		[]any{"a\n", []any{"EACCES", "spawnSync ls EACCES: ls is not among the programs of this script"}, []any{"EACCES", "spawnSync /bin/sh EACCES: the host runs no lines of the shell for this script"}},
		[]any{"EACCES", "spawn ls EACCES: ls is not among the programs of this script"},
	}
	if diff := cmp.Diff(want, lines(t, strings.Join(got, "\n"))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWaitingForAProgramIsNotBusy holds that a program that takes long does not
// pass the limit of a script that waits for it.
func TestWaitingForAProgramIsNotBusy(t *testing.T) {
	dir := realDir(t)
	h := host(dir)
	var outs []string
	p, err := jsrun.Compile("t.js", "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := p.Start(t.Context(), jsrun.Config{Globals: node.Globals(h), Limits: jsrun.Limits{Busy: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	err = run.Do(t.Context(), func(vm *jsrun.VM) error {
		for _, m := range node.Modules(h) {
			if m.Specifiers[1] != "child_process" {
				continue
			}
			cp, err := m.Make(vm)
			if err != nil {
				return err
			}
			f, err := vm.Get(cp, "execFileSync")
			if err != nil {
				return err
			}
			v, err := vm.Apply(f, cp, vm.FromJSON("sh"), vm.FromJSON([]any{"-c", "sleep 0.3; echo done"}))
			if err != nil {
				return err
			}
			outs = append(outs, v.String())
		}
		return nil
	})
	if err != nil || len(outs) != 1 || outs[0] != "done\n" {
		t.Errorf("%q, %v; want done", outs, err)
	}
}

// TestOneOfEach holds that both spellings of a module, and a global, are one value.
func TestOneOfEach(t *testing.T) {
	dir := realDir(t)
	got := printed(t, host(dir), dir, `out([require('node:buffer').Buffer === Buffer, require('url').URL === URL, require('node:util').TextEncoder === TextEncoder, require('fs').promises === require('node:fs/promises'), require('crypto').webcrypto === crypto, global === globalThis, Object.keys(globalThis).includes('Buffer')])
globalThis.fetch = 5
out(fetch)`)
	want := []string{`[true,true,true,true,true,true,false]`, `5`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCallbacksThatThrow holds that what a listener throws is reported as what
// nobody caught, and that the run goes on.
func TestCallbacksThatThrow(t *testing.T) {
	dir := realDir(t)
	h := host(dir)
	p, err := jsrun.Compile("t.js", "globalThis.main = (f) => { f.spawn('echo', ['x']).stdout.on('data', () => { throw new Error('from a listener') }) }")
	if err != nil {
		t.Fatal(err)
	}
	reported := make(chan string, 1)
	run, err := p.Start(t.Context(), jsrun.Config{Globals: node.Globals(h), Unhandled: func(e *jsrun.Error) { reported <- e.Message }})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	err = run.Do(t.Context(), func(vm *jsrun.VM) error {
		for _, m := range node.Modules(h) {
			if m.Specifiers[1] == "child_process" {
				cp, err := m.Make(vm)
				if err != nil {
					return err
				}
				_, err = vm.Apply(vm.Runtime().Get("main"), nil, cp)
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case text := <-reported:
		if text != "from a listener" {
			t.Errorf("reported %q", text)
		}
	case <-time.After(10 * time.Second):
		t.Error("nothing was reported")
	}
	if run.Err() != nil {
		t.Error(run.Err())
	}
}
