package fiber_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/google/go-cmp/cmp"
)

// forever is a patience that makes the order of quick code certain, however
// slow the machine.
const forever = -1

// diary takes down what happens, in order.
type diary struct {
	mu    sync.Mutex
	lines []string
}

func (d *diary) add(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

// take returns what was taken down since the last time.
func (d *diary) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	lines := d.lines
	d.lines = nil
	return lines
}

// want fails the test if what was taken down is not this.
func (d *diary) want(t *testing.T, lines ...string) {
	t.Helper()
	if diff := cmp.Diff(lines, d.take()); diff != "" {
		t.Fatalf("what happened (-want +got):\n%s", diff)
	}
}

// undo is a disposer that takes itself down.
func (d *diary) undo(name string) fiber.Disposer {
	return func(context.Context) error { d.add("undo %s", name); return nil }
}

// effect makes an effect whose undoing is taken down.
func (d *diary) effect(t testing.TB, ctx context.Context, c *fiber.Context, name string) *fiber.Effect {
	t.Helper()
	e, err := c.Effect(ctx, name, func(context.Context) (fiber.Disposer, error) { return d.undo(name), nil })
	if err != nil {
		t.Errorf("effect %s: %v", name, err)
	}
	return e
}

// tree makes a root that logs errors to the diary, and ends it with the test.
func tree(t *testing.T, d *diary) *fiber.Context {
	t.Helper()
	return configured(t, d, fiber.Config{})
}

func configured(t *testing.T, d *diary, config fiber.Config) *fiber.Context {
	t.Helper()
	config.Log = func(f *fiber.Fiber, label string, err error) { d.add("log %s: %s: %v", f.Name(), label, err) }
	if config.Patience == 0 {
		config.Patience = forever
	}
	root := fiber.New(config)
	t.Cleanup(func() {
		if err := root.Fiber().Dispose(deadline(t)); err != nil {
			t.Errorf("the tree does not end: %v\n%s", err, stacks())
		}
	})
	return root
}

// deadline is a context for what must not hang.
func deadline(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Second, errors.New("it hangs"))
	t.Cleanup(cancel)
	return ctx
}

// mount mounts a plugin and waits until it is at rest.
func mount(t *testing.T, c *fiber.Context, p fiber.Plugin) *fiber.Fiber {
	t.Helper()
	f, err := c.Plugin(p)
	if err != nil {
		t.Fatalf("plugin %s: %v", p.Name, err)
	}
	_ = f.Await(deadline(t))
	return f
}

// nothing is an Apply that does nothing.
func nothing(context.Context, *fiber.Context) error { return nil }

// provider is a plugin that provides one service, of its own name.
func provider(name string) fiber.Plugin {
	return fiber.Plugin{Name: name, Apply: func(_ context.Context, c *fiber.Context) error {
		_, err := c.Provide(name, name+" value")
		return err
	}}
}

func state(t *testing.T, f *fiber.Fiber, want fiber.State) {
	t.Helper()
	if got := f.State(); got != want {
		t.Fatalf("%s is %v, want %v", f.Name(), got, want)
	}
}

// stacks are the stacks of all goroutines that are in the kernel.
func stacks() string {
	buf := make([]byte, 1<<20)
	var ours []string
	for _, s := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(s, "pkg/fiber.") {
			ours = append(ours, s)
		}
	}
	return strings.Join(ours, "\n\n")
}
