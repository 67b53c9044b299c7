package jsrun_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestTasksBeginInOrder: the next task begins when the one before has handed in
// a job, or has ended.
func TestTasksBeginInOrder(t *testing.T) {
	run := start(t, `function all(list) { return Promise.all(list) }`, jsrun.Config{})
	other := start(t, ``, jsrun.Config{})
	var order []int // written by tasks, one at a time
	err := run.Await(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
		list := make([]any, 20)
		for i := range list {
			list[i] = vm.Promise(func(ctx context.Context) (func(*jsrun.VM) (jsrun.Value, error), error) {
				order = append(order, i)
				if i%3 == 0 {
					if err := other.Do(ctx, func(*jsrun.VM) error { return nil }); err != nil {
						return nil, err
					}
				}
				return func(vm *jsrun.VM) (jsrun.Value, error) { return vm.FromJSON(float64(i)), nil }, nil
			})
		}
		return vm.Apply(vm.Runtime().Get("all"), nil, vm.Runtime().ToValue(list))
	}, func(vm *jsrun.VM, v jsrun.Value) error {
		got, err := vm.ToJSON(v)
		if list, ok := got.([]any); !ok || len(list) != 20 || list[19] != 19.0 {
			t.Errorf("settled with %v", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(order) != 20 || !slices.IsSorted(order) {
		t.Errorf("began in the order %v", order)
	}
}

func TestTaskFails(t *testing.T) {
	run := start(t, ``, jsrun.Config{})
	reason := errors.New("from a task")
	for name, f := range map[string]func(context.Context) (func(*jsrun.VM) (jsrun.Value, error), error){
		"task": func(context.Context) (func(*jsrun.VM) (jsrun.Value, error), error) { return nil, reason },
		"finish": func(context.Context) (func(*jsrun.VM) (jsrun.Value, error), error) {
			return func(*jsrun.VM) (jsrun.Value, error) { return nil, reason }, nil
		},
	} {
		err := run.Await(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) { return vm.Promise(f), nil }, nil)
		if !errors.Is(err, reason) || err.Error() != "from a task" {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := run.Await(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
		return vm.Promise(func(context.Context) (func(*jsrun.VM) (jsrun.Value, error), error) { panic("oops") }), nil
	}, nil)
	if err == nil || err.Error() != "a host function panicked: oops" {
		t.Errorf("a panic: %v", err)
	}
}

// TestReentry: a job that is reached from its own runtime runs at once; from
// another goroutine, the same context waits its turn.
func TestReentry(t *testing.T) {
	run := start(t, ``, jsrun.Config{})
	var order []string
	done := make(chan error, 1)
	err := run.Do(t.Context(), func(vm *jsrun.VM) error {
		ctx := vm.Context()
		err := run.Do(ctx, func(*jsrun.VM) error { order = append(order, "inner"); return nil })
		order = append(order, "outer")
		go func() { done <- run.Do(ctx, func(*jsrun.VM) error { order = append(order, "elsewhere"); return nil }) }()
		return err
	})
	if err == nil {
		err = <-done
	}
	if err != nil || !slices.Equal(order, []string{"inner", "outer", "elsewhere"}) {
		t.Errorf("%v, %v", order, err)
	}
}

func TestJobsKeepTheirOrder(t *testing.T) {
	run := start(t, `var log = ""; function add(x) { log += x }`, jsrun.Config{})
	var outs []<-chan error
	for _, x := range []string{"a", "b", "c"} {
		outs = append(outs, run.Begin(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
			return vm.Apply(vm.Runtime().Get("add"), nil, vm.FromJSON(x))
		}, func(*jsrun.VM, jsrun.Value) error { return nil }))
	}
	for _, out := range outs {
		if err := <-out; err != nil {
			t.Fatal(err)
		}
	}
	_ = run.Do(t.Context(), func(vm *jsrun.VM) error {
		if got := vm.Text(vm.Runtime().Get("log")); got != "abc" {
			t.Errorf("order %s", got)
		}
		return nil
	})
}

// TestContextEndsWhileItsJobRuns: that ends neither the job nor the run.
func TestContextEndsWhileItsJobRuns(t *testing.T) {
	run := start(t, `function answer() { return 1 }`, jsrun.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	finished := false
	err := run.Do(ctx, func(vm *jsrun.VM) error {
		cancel()
		_, err := vm.Apply(vm.Runtime().Get("answer"), nil)
		finished = true
		return err
	})
	if !finished {
		t.Errorf("Do returned before its job had ended: %v", err)
	}
	if got := call(t, run, "answer"); got != 1.0 {
		t.Errorf("the run answers %v", got)
	}
}

func TestCloseInterrupts(t *testing.T) {
	run := start(t, `function spin() { for (;;); }`, jsrun.Config{})
	began := make(chan struct{})
	out := run.Begin(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
		close(began)
		return vm.Apply(vm.Runtime().Get("spin"), nil)
	}, nil)
	<-began
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-out; !errors.Is(err, jsrun.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

// TestCloseFromWithin: the owner may close its own run.
func TestCloseFromWithin(t *testing.T) {
	run := start(t, ``, jsrun.Config{})
	undone := make(chan struct{})
	run.Defer(func() { close(undone) })
	_ = run.Do(t.Context(), func(vm *jsrun.VM) error { return vm.Run().Close() })
	<-undone
	if err := run.Close(); err != nil || !errors.Is(run.Err(), jsrun.ErrClosed) {
		t.Errorf("%v, %v", err, run.Err())
	}
}

// TestSleepIsNotBusy: waiting for a lock may last longer than a stretch may.
func TestSleepIsNotBusy(t *testing.T) {
	run := start(t, `
		const cell = new Int32Array(new SharedArrayBuffer(4))
		function nap() { for (let i = 0; i < 10; i++) Atomics.wait(cell, 0, 0, 20); return true }
		function forever() { Atomics.wait(cell, 0, 0) }
	`, jsrun.Config{Limits: jsrun.Limits{Busy: 100 * time.Millisecond}})
	if got := call(t, run, "nap"); got != true {
		t.Errorf("nap = %v", got)
	}
	if _, err := run.Call(t.Context(), "forever"); !errors.Is(err, jsrun.ErrLimit) {
		t.Errorf("forever = %v", err)
	}
}

// TestStackIsAnErrorOfTheScript: the run goes on.
func TestStackIsAnErrorOfTheScript(t *testing.T) {
	run := start(t, `function down() { return down() } function answer() { return 1 }`, jsrun.Config{})
	var thrown *jsrun.Error
	if _, err := run.Call(t.Context(), "down"); !errors.As(err, &thrown) || thrown.Name != "RangeError" {
		t.Errorf("err = %v", err)
	}
	if got := call(t, run, "answer"); got != 1.0 {
		t.Errorf("then it answers %v", got)
	}
}

func TestManyRejectionsAreReportedOnce(t *testing.T) {
	var reported atomic.Int32
	run := start(t, `function f(n) { for (let i = 0; i < n; i++) Promise.reject(i) }`, jsrun.Config{Unhandled: func(*jsrun.Error) { reported.Add(1) }})
	var outs []<-chan error
	for range 5 {
		outs = append(outs, run.Begin(t.Context(), func(vm *jsrun.VM) (jsrun.Value, error) {
			return vm.Apply(vm.Runtime().Get("f"), nil, vm.FromJSON(3.0))
		}, func(*jsrun.VM, jsrun.Value) error { return nil }))
	}
	for _, out := range outs {
		if err := <-out; err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if err := run.Do(t.Context(), func(*jsrun.VM) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if n := reported.Load(); n != 15 {
		t.Errorf("%d of 15 were reported", n)
	}
}
