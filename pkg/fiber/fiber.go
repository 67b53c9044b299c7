// Package fiber is the lifecycle of plugins: Context, Fiber, inject, effects,
// events (spec/cordis.md 8). It knows neither scripts nor files.
package fiber

import "context"

// State is where a Fiber is in its life.
type State int

// The states of spec/cordis.md 8.1.
const (
	Pending State = iota
	Loading
	Active
	Failed
	Disposed
	Unloading
)

// Plugin is what can be mounted.
type Plugin struct {
	Name   string
	Inject []string // services that must be there before Apply
	Apply  func(ctx context.Context, c *Context) error
}

// Context is the view that one mounted plugin has of the whole.
type Context struct{}

// Disposer undoes something; it is idempotent, and a second call joins the first.
type Disposer func(ctx context.Context) error

// New returns the root.
func New(config Config) *Context { panic("not built") }

// Config is what the kernel is given.
type Config struct {
	Log func(f *Fiber, label string, err error) // what went wrong where nobody waits
}

// Fiber is one mounted plugin.
type Fiber struct{}

// Plugin mounts p below c. Apply starts later, never inside this call.
func (c *Context) Plugin(p Plugin) (*Fiber, error) { panic("not built") }

// Fiber returns the Fiber whose view c is.
func (c *Context) Fiber() *Fiber { panic("not built") }

// Provide makes a service of this Fiber, visible to others once it is Active.
func (c *Context) Provide(name string, value any) (Disposer, error) { panic("not built") }

// Get returns the value of a service and whether there is one.
func (c *Context) Get(name string) (any, bool) { panic("not built") }

// Effect runs setup at once and keeps the disposer that it returns.
func (c *Context) Effect(ctx context.Context, label string, setup func(ctx context.Context) (Disposer, error)) (Disposer, error) {
	panic("not built")
}

// Name, State, Context, WaitingFor, Await and Dispose of a Fiber.
func (f *Fiber) Name() string         { panic("not built") }
func (f *Fiber) State() State         { panic("not built") }
func (f *Fiber) Context() *Context    { panic("not built") }
func (f *Fiber) WaitingFor() []string { panic("not built") }

// Await waits until no transition is in flight and returns the start error.
func (f *Fiber) Await(ctx context.Context) error { panic("not built") }

// Dispose removes the Fiber for good and returns when its effects are undone.
func (f *Fiber) Dispose(ctx context.Context) error { panic("not built") }
