package jsrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/dop251/goja"
)

// Run is one runtime. Its methods may be called from any goroutine.
type Run struct {
	config Config
	vm     *VM

	life context.Context // ends with the run
	end  context.CancelCauseFunc
	done chan struct{} // closed when the run is of no further use
	gone chan struct{} // closed when the owner's goroutine has ended
	wake chan struct{} // one token: the queue has something

	mu      sync.Mutex
	queue   []*job
	head    int
	waiting map[*ticket]struct{} // who waits for an outcome
	undo    []func()
	err     error // why the run is of no further use
}

// job is one turn of the queue.
type job struct {
	ctx    context.Context
	run    func()
	ticket *ticket // nil: nobody waits
}

// Start makes a fresh runtime and runs the program in it.
func (p *Program) Start(ctx context.Context, config Config) (*Run, error) {
	r := newRun(config)
	go r.own()
	err := r.Do(ctx, (*VM).setUp)
	if err == nil {
		err = r.Do(ctx, func(vm *VM) error {
			if err := vm.defineGlobals(); err != nil {
				return err
			}
			_, err := vm.Eval(p)
			return err
		})
	}
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

func newRun(config Config) *Run {
	config.Limits = config.Limits.withDefaults()
	r := &Run{
		config:  config,
		done:    make(chan struct{}),
		gone:    make(chan struct{}),
		wake:    make(chan struct{}, 1),
		waiting: map[*ticket]struct{}{},
	}
	r.life, r.end = context.WithCancelCause(context.Background())
	r.vm = newVM(r)
	return r
}

// own is the goroutine that owns the runtime.
func (r *Run) own() {
	defer close(r.gone)
	r.vm.owner.Store(goroutine())
	for {
		j := r.next()
		if j == nil {
			break
		}
		r.turn(j)
	}
	r.vm.tearDown()
	r.undoAll()
}

// next waits for a job; nil says that the run has ended.
func (r *Run) next() *job {
	for {
		bell := r.vm.timers.bell()
		select {
		case <-bell: // what is due gets into the line, however long that is
			r.vm.timers.fire()
		default:
		}
		r.mu.Lock()
		if r.err != nil {
			r.queue = nil
			r.mu.Unlock()
			return nil
		}
		if r.head < len(r.queue) {
			j := r.queue[r.head]
			r.queue[r.head] = nil
			r.head++
			if r.head == len(r.queue) {
				r.queue, r.head = r.queue[:0], 0
			}
			r.mu.Unlock()
			return j
		}
		r.mu.Unlock()
		select {
		case <-r.wake:
		case <-bell:
			r.vm.timers.fire()
		case <-r.done:
		}
	}
}

// turn executes one job: its function, then the microtasks that it left.
func (r *Run) turn(j *job) {
	if j.ticket != nil && !j.ticket.begin() {
		return
	}
	vm := r.vm
	vm.job = &jobContext{Context: j.ctx, run: r}
	vm.overran = false
	vm.watch.begin(j.ctx)
	err := vm.enter(j.run)
	limit := vm.watch.finish()
	vm.job, vm.async = nil, nil
	switch {
	case limit != nil:
		r.fail(limit)
	case err != nil && isFatal(err):
		r.fail(limitOf(err, j.ctx))
	}
	if j.ticket != nil {
		j.ticket.rest()
	}
	vm.reportLater()
}

// post hands in a job; an error says why it cannot run any more.
func (r *Run) post(j *job) error {
	r.mu.Lock()
	if r.err != nil {
		defer r.mu.Unlock()
		return r.err
	}
	r.queue = append(r.queue, j)
	if j.ticket != nil {
		r.waiting[j.ticket] = struct{}{}
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
	return nil
}

// fail ends the run: all who wait get err, and nothing more is taken in. A job
// that is under way ends first, as its functions may use what belongs to the one
// who waits, unless it is stuck.
func (r *Run) fail(err error) {
	r.mu.Lock()
	if r.err != nil {
		r.mu.Unlock()
		return
	}
	r.err = err
	waiting := slices.Collect(maps.Keys(r.waiting))
	r.mu.Unlock()
	r.end(err)
	close(r.done)
	for _, t := range waiting {
		t.leave(err)
	}
	time.AfterFunc(patience, func() {
		for _, t := range waiting {
			t.settle(err)
		}
	})
}

// Do runs f on the goroutine that owns the runtime and waits for it. When ctx
// says that the caller is already on that goroutine (see VM.Context), f runs at
// once. Jobs run in the order in which they were handed in. A ctx that ends
// takes back a job that has not begun; one that has begun is waited for.
func (r *Run) Do(ctx context.Context, f func(vm *VM) error) error {
	if r.mine(ctx) {
		handed(ctx)
		return f(r.vm)
	}
	t := newTicket(r)
	err := r.post(&job{ctx: ctx, ticket: t, run: func() { t.settle(f(r.vm)) }})
	handed(ctx)
	if err != nil {
		return err
	}
	return t.wait(ctx)
}

// Await is Do for something that may be a promise: start runs on the owner's
// goroutine; when what it returned has settled, settle is called there with the
// value. A rejection comes back as *Error. When ctx ends first, Await returns
// context.Cause(ctx) and a late value is dropped.
func (r *Run) Await(ctx context.Context, start func(vm *VM) (Value, error), settle func(vm *VM, v Value) error) error {
	if r.mine(ctx) {
		select {
		case err := <-r.Begin(ctx, start, settle):
			return err
		default:
			return errors.New("a promise cannot be awaited by the goroutine that owns its runtime")
		}
	}
	return <-r.Begin(ctx, start, settle)
}

// Begin is Await that does not wait: the job is in the queue when Begin returns,
// and the channel delivers the one outcome.
func (r *Run) Begin(ctx context.Context, start func(vm *VM) (Value, error), settle func(vm *VM, v Value) error) <-chan error {
	t := newTicket(r)
	t.awaits = true
	run := func() { r.vm.await(t, start, settle) }
	if r.mine(ctx) {
		handed(ctx)
		t.begin()
		r.track(t)
		run()
		t.rest()
		t.follow(ctx)
		return t.out
	}
	err := r.post(&job{ctx: ctx, ticket: t, run: run})
	handed(ctx)
	if err != nil {
		t.settle(err)
		return t.out
	}
	t.follow(ctx)
	return t.out
}

func (r *Run) track(t *ticket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[t] = struct{}{}
}

func (r *Run) forget(t *ticket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, t)
}

// Call calls a global function with JSON and returns JSON.
func (r *Run) Call(ctx context.Context, name string, args ...any) (any, error) {
	var out any
	err := r.Await(ctx, func(vm *VM) (Value, error) {
		fn := vm.rt.Get(name)
		if fn == nil || !vm.IsFunc(fn) {
			return nil, fmt.Errorf("%s is not a function of this script", name)
		}
		values := make([]Value, len(args))
		for i, arg := range args {
			values[i] = vm.FromJSON(arg)
		}
		return vm.Apply(fn, goja.Undefined(), values...)
	}, func(vm *VM, v Value) (err error) {
		out, err = vm.ToJSON(v)
		return err
	})
	return out, err
}

// Defer registers an undo for Close; the last registered runs first.
func (r *Run) Defer(undo func()) {
	r.mu.Lock()
	if r.err == nil {
		r.undo = append(r.undo, undo)
		r.mu.Unlock()
		return
	}
	r.mu.Unlock()
	undo()
}

func (r *Run) undoAll() {
	for {
		r.mu.Lock()
		n := len(r.undo)
		if n == 0 {
			r.mu.Unlock()
			return
		}
		undo := r.undo[n-1]
		r.undo = r.undo[:n-1]
		r.mu.Unlock()
		undo()
	}
}

// Close undoes what the run registered, last first, and ends its goroutine. It
// is safe twice. A stretch of JavaScript that is under way is interrupted; when
// the owner itself calls, the undoing follows after its job. An error says that
// the runtime does not stop.
func (r *Run) Close() error {
	r.fail(ErrClosed)
	r.vm.watch.stop()
	if r.owned() {
		return nil
	}
	select {
	case <-r.gone:
		return nil
	case <-time.After(stuck):
		return fmt.Errorf("%w: it is in a native call and undoes what it registered when that returns", ErrLimit)
	}
}

// owned says whether the calling goroutine owns the runtime.
func (r *Run) owned() bool { return r.vm.owner.Load() == goroutine() }

// Done is closed when the run is closed or has passed a limit; Err then says why.
func (r *Run) Done() <-chan struct{} { return r.done }

// Err says why the run is of no further use, or nil. Whoever was told that a limit
// was passed hears of it here, although the job may not have come to its end.
func (r *Run) Err() error {
	r.mu.Lock()
	err := r.err
	r.mu.Unlock()
	if err == nil && r.vm != nil {
		err = r.vm.watch.overrun()
	}
	return err
}
