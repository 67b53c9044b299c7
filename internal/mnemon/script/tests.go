package script

import (
	"context"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// testModule is what test files import; it is given when Settings say so.
const testModule = "node:test"

// The states of a test.
const (
	TestPassed  = "passed"
	TestFailed  = "failed"
	TestSkipped = "skipped"
	TestTodo    = "todo"

	testRunning = "running"
)

// TestResult is what came of one test.
type TestResult struct {
	Name   []string // of the suites that it is in, and its own
	Status string
	Error  string // of one that failed, with the places in the author's files
}

// Test loads a file and runs the tests that it declares with node:test, one after
// the other. A test that passes a limit is the last: it ends the realm. The error
// is one that no test has, as of a file that cannot be loaded.
func (r *Realm) Test(ctx context.Context, specifier string) ([]TestResult, error) {
	if err := r.Import(ctx, specifier, func(*jsrun.VM, jsrun.Value) error { return nil }); err != nil {
		return nil, err
	}
	var seen testLog
	err := r.run.Await(ctx, func(vm *jsrun.VM) (jsrun.Value, error) {
		k, err := r.loader.kit(vm)
		if err != nil || k.tests == nil {
			return nil, err
		}
		run, err := vm.Get(k.tests, "run")
		if err != nil {
			return nil, err
		}
		return vm.Apply(run, nil, k.function("report", 1, func(args []jsrun.Value) (jsrun.Value, error) {
			v, err := vm.ToJSON(args[0])
			if o, ok := v.(*jsonvalue.Object); ok {
				seen.add(o)
			}
			return nil, err
		}))
	}, func(*jsrun.VM, jsrun.Value) error { return nil })
	return seen.results(err)
}

// testLog is what the running tests have told; a realm that was given up may
// still tell more.
type testLog struct {
	mu   sync.Mutex
	list []TestResult
}

func (l *testLog) add(o *jsonvalue.Object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := TestResult{}
	path, _ := o.Array("name")
	for _, v := range path {
		one.Name = append(one.Name, textOf(v))
	}
	one.Status, _ = o.Text("status")
	one.Error, _ = o.Text("error")
	for i, before := range l.list {
		if before.Status == testRunning && strings.Join(before.Name, "\x00") == strings.Join(one.Name, "\x00") {
			l.list[i] = one
			return
		}
	}
	l.list = append(l.list, one)
}

// results are those so far. A test that still runs has failed by why; else why is
// returned.
func (l *testLog) results(why error) ([]TestResult, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := append([]TestResult{}, l.list...)
	for i := range out {
		if out[i].Status == testRunning {
			out[i].Status = TestFailed
			if why != nil {
				out[i].Error, why = why.Error(), nil
			}
		}
	}
	return out, why
}

// testsModule is node:test, with what runs the tests kept beside it.
func (k *kit) testsModule() (jsrun.Value, error) {
	if k.tests == nil {
		tests, err := k.part("tests")
		if err != nil {
			return nil, err
		}
		k.tests = tests
	}
	return k.vm.Get(k.tests, "module")
}
