package sandbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// patient is generous: healthy parts end long before.
const patient = 20 * time.Second

// world is a host that holds one half, with services and listeners in Go.
type world struct {
	t    *testing.T
	peer *wire.Peer
	ctx  context.Context
	done chan error

	mu        sync.Mutex
	lastChain uint64
	changed   *sync.Cond
	lines     []string
	reports   []wire.Report
	limits    []wire.Limit
	handlers  []string
	services  map[string]any // live
	away      map[string]bool
	owners    map[string]string // of names that are taken
	provided  map[uint64]wire.Provide
	listeners []wire.On
	tools     map[uint64]wire.ToolDefinition
	functions map[uint64]func(ctx context.Context, args []any) (any, error)
	nexts     map[uint64]func() (any, error)
	serial    uint64
	verbs     []wire.Verb
	aborts    []wire.Abort
	awaits    map[uint64]any
}

// newWorld starts a sandbox over a link in memory.
func newWorld(t *testing.T, config sandbox.Config) *world {
	t.Helper()
	w := &world{
		t: t, done: make(chan error, 1), services: map[string]any{}, away: map[string]bool{}, owners: map[string]string{},
		provided: map[uint64]wire.Provide{}, tools: map[uint64]wire.ToolDefinition{},
		functions: map[uint64]func(context.Context, []any) (any, error){}, nexts: map[uint64]func() (any, error){},
	}
	w.changed = sync.NewCond(&w.mu)
	ctx, cancel := context.WithTimeout(context.Background(), patient)
	w.ctx = ctx
	ours, theirs := wire.Pair()
	go func() { w.done <- sandbox.Serve(context.Background(), theirs, config) }()
	w.peer = wire.NewPeer(ours, func(r *wire.Request) {
		if r.Verb == wire.VerbLog || r.Verb == wire.VerbReport || r.Verb == wire.VerbHandlers || r.Verb == wire.VerbLimit || r.Verb == wire.VerbAbort {
			w.told(r)
			return
		}
		go w.asked(r)
	})
	t.Cleanup(func() {
		_ = w.peer.Close()
		select {
		case <-w.done:
		case <-time.After(patient):
			t.Error("the sandbox does not end")
		}
		cancel()
	})
	return w
}

func (w *world) told(r *wire.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.changed.Broadcast()
	switch r.Verb {
	case wire.VerbLog:
		l := decoded[wire.Log](w, r)
		text := l.Text
		if l.Level != "log" {
			text = l.Level + ": " + text
		}
		w.lines = append(w.lines, text)
	case wire.VerbReport:
		w.reports = append(w.reports, decoded[wire.Report](w, r))
	case wire.VerbHandlers:
		w.handlers = decoded[wire.Handlers](w, r).Methods
	case wire.VerbAbort:
		w.aborts = append(w.aborts, decoded[wire.Abort](w, r))
	case wire.VerbLimit:
		w.limits = append(w.limits, decoded[wire.Limit](w, r))
	}
}

func decoded[T any](w *world, r *wire.Request) T {
	var body T
	if err := r.Decode(&body); err != nil {
		w.t.Errorf("%s: %v", r.Verb, err)
	}
	return body
}

func (w *world) asked(r *wire.Request) {
	body, err := w.answer(r)
	if body == nil {
		body = wire.Empty{}
	}
	r.Reply(body, err)
}

func (w *world) answer(r *wire.Request) (any, error) {
	w.mu.Lock()
	w.verbs = append(w.verbs, r.Verb)
	w.mu.Unlock()
	switch r.Verb {
	case wire.VerbService, wire.VerbInjected, wire.VerbLive:
		return w.found(r.Verb, decoded[wire.Name](w, r).Name), nil
	case wire.VerbProvide:
		return nil, w.provide(decoded[wire.Provide](w, r))
	case wire.VerbWithdraw:
		w.withdraw(decoded[wire.ID](w, r).ID)
	case wire.VerbOn:
		w.on(decoded[wire.On](w, r))
	case wire.VerbOff:
		w.off(decoded[wire.ID](w, r).ID)
	case wire.VerbRegister:
		return nil, w.register(decoded[wire.Register](w, r))
	case wire.VerbUnregister:
		w.mu.Lock()
		delete(w.tools, decoded[wire.ID](w, r).ID)
		w.mu.Unlock()
	case wire.VerbTools:
		return w.toolList(), nil
	case wire.VerbCall:
		return w.call(r)
	case wire.VerbAwait:
		return wire.Value{Value: w.awaits[decoded[wire.AwaitPromise](w, r).Promise.ID]}, nil
	case wire.VerbNext:
		w.mu.Lock()
		next := w.nexts[decoded[wire.ID](w, r).ID]
		w.mu.Unlock()
		v, err := next()
		return wire.Value{Value: v}, err
	default:
		return nil, errors.New("no verb " + string(r.Verb))
	}
	return nil, nil
}

func (w *world) found(verb wire.Verb, name string) wire.Found {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.services[name]
	if w.away[name] {
		return wire.Found{}
	}
	if verb == wire.VerbLive {
		return wire.Found{OK: ok}
	}
	return wire.Found{Value: v, OK: ok}
}

func (w *world) provide(p wire.Provide) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if owner, taken := w.owners[p.Name]; taken {
		return &wire.Thrown{Name: "Error", Message: `service "` + p.Name + `" has been registered at <` + owner + `>`}
	}
	w.owners[p.Name] = "this half"
	w.provided[p.ID] = p
	return nil
}

func (w *world) withdraw(id uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.owners, w.provided[id].Name)
	delete(w.provided, id)
}

func (w *world) on(o wire.On) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o.Prepend {
		w.listeners = slices.Insert(w.listeners, 0, o)
		return
	}
	w.listeners = append(w.listeners, o)
}

func (w *world) off(id uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listeners = slices.DeleteFunc(w.listeners, func(o wire.On) bool { return o.ID == id })
}

func (w *world) register(r wire.Register) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, other := range w.tools {
		if other.Name == r.Tool.Name {
			return errors.New(`tool "` + r.Tool.Name + `" is already registered`)
		}
	}
	w.tools[r.ID] = r.Tool
	return nil
}

func (w *world) toolList() wire.Tools {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out wire.Tools
	for _, t := range w.tools {
		out.Tools = append(out.Tools, t)
	}
	slices.SortFunc(out.Tools, func(a, b wire.ToolDefinition) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func (w *world) call(r *wire.Request) (any, error) {
	c := decoded[wire.CallFunc](w, r)
	w.mu.Lock()
	f := w.functions[c.Func.ID]
	w.mu.Unlock()
	if f == nil {
		return nil, errors.New("no such function")
	}
	v, err := f(context.WithValue(r.Context(), chainKey{}, r.Chain), c.Args)
	return wire.Value{Value: v}, err
}

type chainKey struct{}

// function is a function in Go that the half can call.
func (w *world) function(name string, f func(ctx context.Context, args []any) (any, error)) wire.Func {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.serial++
	w.functions[w.serial] = f
	return wire.Func{Handle: wire.Handle{Home: wire.Host, ID: w.serial}, Name: name}
}

// chain is a new chain of the host's.
func (w *world) chain() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastChain++
	return 2*w.lastChain - 1
}

func (w *world) ask(verb wire.Verb, body, reply any) error {
	return w.peer.Call(w.ctx, w.chain(), verb, body, reply)
}

// start evaluates a body.
func (w *world) start(code string) (wire.Started, error) {
	return w.startBound(code, patient)
}

func (w *world) startBound(code string, limit time.Duration) (wire.Started, error) {
	var started wire.Started
	err := w.ask(wire.VerbStart, wire.Start{PluginID: "p-1", PackageID: "pkg-1", RunID: "run-1", Code: code, EvalTimeout: limit}, &started)
	return started, err
}

func (w *world) load() error { return w.ask(wire.VerbLoad, wire.Empty{}, &wire.Empty{}) }

func (w *world) unload() error {
	if err := w.ask(wire.VerbBeginUnload, wire.Empty{}, &wire.Empty{}); err != nil {
		return err
	}
	return w.ask(wire.VerbEndUnload, wire.Empty{}, &wire.Empty{})
}

// run starts and loads, and fails the test if that fails.
func (w *world) run(code string) {
	w.t.Helper()
	if _, err := w.start(code); err != nil {
		w.t.Fatalf("start: %v", err)
	}
	if err := w.load(); err != nil {
		w.t.Fatalf("load: %v", err)
	}
}

func (w *world) invoke(method string, args any) (any, error) {
	var v wire.Value
	err := w.ask(wire.VerbInvoke, wire.Invoke{Method: method, Args: args}, &v)
	return v.Value, err
}

// emit calls the listeners of an event, as a kernel does.
func (w *world) emit(event string, args ...any) error {
	for _, o := range w.heard(event) {
		var v wire.Value
		if err := w.ask(wire.VerbFire, wire.Fire{Listener: o.ID, Args: args}, &v); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) heard(event string) []wire.On {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []wire.On
	for _, o := range w.listeners {
		if o.Event == event {
			out = append(out, o)
		}
	}
	w.listeners = slices.DeleteFunc(w.listeners, func(o wire.On) bool { return o.Event == event && o.Once })
	return out
}

// waterfall runs the listeners of an event around inner.
func (w *world) waterfall(event string, inner any, args ...any) (any, error) {
	list := w.heard(event)
	var from func(i int) (any, error)
	from = func(i int) (any, error) {
		if i == len(list) {
			return inner, nil
		}
		w.mu.Lock()
		w.serial++
		id := w.serial
		w.nexts[id] = func() (any, error) { return from(i + 1) }
		w.mu.Unlock()
		var v wire.Value
		err := w.ask(wire.VerbFire, wire.Fire{Listener: list[i].ID, Args: args, Next: id}, &v)
		return v.Value, err
	}
	return from(0)
}

// logs takes the lines that were written.
func (w *world) logs() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.lines
	w.lines = nil
	return out
}

// until waits for a condition on what the half has told.
func (w *world) until(what string, ok func() bool) {
	w.t.Helper()
	late := time.AfterFunc(patient, func() { w.mu.Lock(); defer w.mu.Unlock(); w.changed.Broadcast() })
	defer late.Stop()
	end := time.Now().Add(patient)
	w.mu.Lock()
	defer w.mu.Unlock()
	for !ok() {
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within %s; lines %q, reports %+v", what, patient, w.lines, w.reports)
		}
		w.changed.Wait()
	}
}

func (w *world) untilLine(line string) {
	w.t.Helper()
	w.until("line "+line, func() bool { return slices.Contains(w.lines, line) })
}

// sample is a half of the samples.
func sample(t *testing.T, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "cordis-samples", dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fire calls one listener.
func (w *world) fire(id uint64, args ...any) error {
	return w.ask(wire.VerbFire, wire.Fire{Listener: id, Args: args}, &wire.Value{})
}
