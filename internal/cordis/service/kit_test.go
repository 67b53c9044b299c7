package service_test

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

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// patience is for what should happen at once, on a machine that is busy.
const patience = 60 * time.Second

// world is a workspace with its services, and what is granted.
type world struct {
	t        *testing.T
	root     string
	services *service.Services
	caller   service.Caller

	mu     sync.Mutex
	grants grant.List
	events []string
}

func newWorld(t *testing.T, grants ...string) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, root: root, caller: service.Caller{PluginID: "clock-1", RunID: "run-1"}}
	w.allow(grants...)
	w.services = service.New(service.Settings{
		Workspace: root,
		Private:   []string{filepath.Join(root, "own")},
		Environ:   []string{"PATH=" + os.Getenv("PATH"), "HOME=/nowhere", "LANG=C", "SECRET=x"},
		Grants: func() grant.List {
			w.mu.Lock()
			defer w.mu.Unlock()
			return slices.Clone(w.grants)
		},
		Emit: func(_ context.Context, event string, _ ...any) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.events = append(w.events, event)
		},
	})
	t.Cleanup(w.services.Close)
	return w
}

// allow adds grants, without asking whether they may be.
func (w *world) allow(texts ...string) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range texts {
		g, _, err := grant.Parse(text, grant.Folders{Workspace: w.root})
		if err != nil {
			w.t.Fatal(err)
		}
		w.grants = append(w.grants, g)
	}
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) content(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.root, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// method is a function of a service, as a half would find it.
func (w *world) method(name string) wire.Func {
	w.t.Helper()
	key, verb, _ := strings.Cut(name, ".")
	value, ok := w.services.Value(key)
	if !ok {
		w.t.Fatalf("no service %s", key)
	}
	return memberFunc(w.t, value, verb)
}

func memberFunc(t *testing.T, o wire.Object, name string) wire.Func {
	t.Helper()
	for _, m := range o.Members {
		if m.Name == name && m.Getter != nil {
			return *m.Getter
		}
		if f, ok := m.Value.(wire.Func); ok && m.Name == name {
			return f
		}
	}
	t.Fatalf("no member %s", name)
	return wire.Func{}
}

// try calls a method.
func (w *world) try(name string, args ...any) (any, error) {
	w.t.Helper()
	return w.tryFunc(w.method(name), args...)
}

func (w *world) tryFunc(f wire.Func, args ...any) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return w.services.Call(ctx, w.caller, f, args)
}

// call is try of what must not fail.
func (w *world) call(name string, args ...any) any {
	w.t.Helper()
	v, err := w.try(name, args...)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return v
}

func (w *world) callFunc(f wire.Func, args ...any) any {
	w.t.Helper()
	v, err := w.tryFunc(f, args...)
	if err != nil {
		w.t.Fatalf("%s: %v", f.Name, err)
	}
	return v
}

// target resolves a path.
func (w *world) target(path string) any { w.t.Helper(); return w.call("fs.resolve", path) }

func obj(pairs ...any) *jsonvalue.Object { return jsonvalue.Of(pairs...) }

func get(t *testing.T, v any, path ...string) any {
	t.Helper()
	for _, name := range path {
		o, ok := v.(*jsonvalue.Object)
		if !ok {
			t.Fatalf("%v has no member %s", v, name)
		}
		v, _ = o.Get(name)
	}
	return v
}

// refused checks that an error is one for plugin code, with this code.
func refused(t *testing.T, err error, code string) *wire.Thrown {
	t.Helper()
	var thrown *wire.Thrown
	if !errors.As(err, &thrown) {
		t.Errorf("got %v, want an error with the code %s", err, code)
		return &wire.Thrown{}
	}
	if thrown.Code != code {
		t.Errorf("code %q of %q, want %q", thrown.Code, thrown.Message, code)
	}
	if thrown.Stack != "" || thrown.Name == "" || thrown.Message == "" || strings.Contains(thrown.Message, ".go:") || strings.Contains(thrown.Message, "goroutine") {
		t.Errorf("not an error for plugin code: %+v", *thrown)
	}
	return thrown
}

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain: %s", what)
		case <-tick.C:
		}
	}
}

// peer is a half whose functions are Go's.
type peer struct {
	mu    sync.Mutex
	funcs map[uint64]func(ctx context.Context, args []any) (any, error)
}

func newPeer() *peer {
	return &peer{funcs: map[uint64]func(ctx context.Context, args []any) (any, error){}}
}

func (p *peer) function(f func(ctx context.Context, args []any) (any, error)) wire.Func {
	p.mu.Lock()
	defer p.mu.Unlock()
	id := uint64(len(p.funcs) + 1)
	p.funcs[id] = f
	return wire.Func{Handle: wire.Handle{Home: "run-1", ID: id}, Async: true}
}

func (p *peer) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	p.mu.Lock()
	do := p.funcs[f.ID]
	p.mu.Unlock()
	return do(ctx, args)
}

func (p *peer) Await(ctx context.Context, q wire.Promise) (any, error) {
	p.mu.Lock()
	do := p.funcs[q.ID]
	p.mu.Unlock()
	return do(ctx, nil)
}

// signals are the aborts of a half.
type signals struct {
	mu      sync.Mutex
	watched map[uint64][]func()
}

func (s *signals) watch(signal wire.Signal, aborted func()) (stop func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched == nil {
		s.watched = map[uint64][]func(){}
	}
	s.watched[signal.ID] = append(s.watched[signal.ID], aborted)
	return func() {}
}

func (s *signals) count(id uint64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.watched[id])
}

func (s *signals) abort(id uint64) {
	s.mu.Lock()
	list := s.watched[id]
	s.mu.Unlock()
	for _, aborted := range list {
		aborted()
	}
}

func signal(id uint64) wire.Signal {
	return wire.Signal{Handle: wire.Handle{Home: "run-1", ID: id}}
}
