package child_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/child"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The test binary is what it starts as a child process.
func TestMain(m *testing.M) {
	if child.IsChild(os.Args[1:]) {
		os.Exit(child.Main(machine()))
	}
	if len(os.Args) == 2 && os.Args[1] == "host-of-one" {
		hostOfOne()
	}
	os.Exit(m.Run())
}

func machine() child.Machine { return child.Machine{Now: time.Now, Random: rand.Float64} }

// world is a host that has nothing but what halves register with each other.
type world struct {
	mu       sync.Mutex
	lines    []string
	failures []half.Failure
	events   map[string]uint64
	tools    map[string]uint64
	services map[string]any
	heard    chan struct{} // a token: something was reported
	call     func(ctx context.Context, f wire.Func, args []any) (any, error)
	await    func(ctx context.Context, p wire.Promise) (any, error)
}

func newWorld() *world {
	return &world{
		events: map[string]uint64{}, tools: map[string]uint64{}, services: map[string]any{},
		heard: make(chan struct{}, 1),
	}
}

func (w *world) Service(_ context.Context, name string) (any, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.services[name]
	return v, ok
}

func (w *world) Injected(ctx context.Context, name string) (any, bool) { return w.Service(ctx, name) }

func (w *world) Live(name string) bool {
	_, ok := w.Service(context.Background(), name)
	return ok
}

func (w *world) Provide(_ context.Context, _ uint64, name string, value any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.services[name] = value
	return nil
}

func (w *world) Withdraw(context.Context, uint64) error { return nil }

func (w *world) On(_ context.Context, id uint64, event string, _ half.ListenOptions) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events[event] = id
	return nil
}

func (w *world) Off(context.Context, uint64) error { return nil }

func (w *world) Register(_ context.Context, id uint64, tool half.ToolDefinition) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tools[tool.Name] = id
	return nil
}

func (w *world) Unregister(context.Context, uint64) error { return nil }

func (w *world) Tools(context.Context) []half.ToolDefinition { return nil }

func (w *world) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	if w.call == nil {
		return nil, fmt.Errorf("nobody has %q", f.Name)
	}
	return w.call(ctx, f, args)
}

func (w *world) Await(ctx context.Context, p wire.Promise) (any, error) {
	if w.await == nil {
		return nil, fmt.Errorf("nobody has that promise")
	}
	return w.await(ctx, p)
}

func (w *world) Log(_, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, text)
}

func (w *world) Report(f half.Failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failures = append(w.failures, f)
	select {
	case w.heard <- struct{}{}:
	default:
	}
}

func (w *world) reported() []half.Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.failures)
}

// closing is a Starter that a test ends.
type closing interface {
	half.Starter
	Close() error
}

// modes are the two ways to start a half.
func modes(t *testing.T, test func(t *testing.T, start func(child.Settings) closing)) {
	t.Run("process", func(t *testing.T) {
		test(t, func(s child.Settings) closing { return child.NewProcesses(binary(t), false, with(s)) })
	})
	t.Run("in-process", func(t *testing.T) {
		test(t, func(s child.Settings) closing { return child.NewInProcess(with(s)) })
	})
}

func with(s child.Settings) child.Settings {
	s.Machine = machine()
	if raced {
		s.Memory = 1 << 40
	}
	return s
}

func binary(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func source(id, code string) half.Source {
	return half.Source{PluginID: id, PackageID: "pkg-1", RunID: "run-" + id, Code: code, EvalTimeout: 5 * time.Second}
}

// patient is a ctx for what shall work: it ends only when something hangs.
func patient(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// id is the one that a half gave what it registered under a name.
func (w *world) id(of map[string]uint64, name string) uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return of[name]
}

func object() *jsonvalue.Object { return &jsonvalue.Object{} }

// wrote waits for so many lines.
func (w *world) wrote(t *testing.T, n int) []string {
	t.Helper()
	var lines []string
	wait(t, "a line of the log", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		lines = slices.Clone(w.lines)
		return len(lines) >= n
	})
	return lines
}

// wait waits for a condition that only a fault keeps from coming.
func wait(t *testing.T, what string, until func() bool) {
	t.Helper()
	for end := time.After(time.Minute); !until(); {
		select {
		case <-end:
			t.Fatalf("%s: never", what)
		case <-time.After(time.Millisecond):
		}
	}
}

// hostOfOne is a host whose only half does not stop; it says its process.
func hostOfOne() {
	path, _ := os.Executable()
	starter := child.NewProcesses(path, false, with(child.Settings{Busy: time.Hour}))
	h, err := starter.Start(context.Background(), source("loop", spinning), newWorld())
	if err != nil {
		panic(err)
	}
	go func() { _, _ = h.Invoke(context.Background(), "loop", nil) }()
	_, _ = os.Stdout.WriteString(strconv.Itoa(starter.PIDs()[0]) + "\n")
	select {}
}

const spinning = `harness.handle("loop", () => { for (;;); }); harness.handle("echo", (v) => v); return { apply() {} }`
