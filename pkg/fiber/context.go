package fiber

import (
	"context"
	"errors"
)

// Context is the view that one mounted plugin has of the whole. Its verbs may be
// called from any goroutine.
type Context struct {
	fiber *Fiber
	only  func(*Context) bool // what dispatches reach, nil: all
}

// Fiber returns the Fiber whose view c is.
func (c *Context) Fiber() *Fiber { return c.fiber }

// Root returns the root of the tree.
func (c *Context) Root() *Context { return c.fiber.tree.root.context }

// Plugin mounts p below c. Apply starts later, never inside this call. The Fiber
// is an effect of c's: it is disposed of when c's Fiber unloads.
func (c *Context) Plugin(p Plugin) (*Fiber, error) {
	if p.Apply == nil {
		return nil, errors.New("invalid plugin: no Apply")
	}
	parent := c.fiber
	t := parent.tree
	t.lock()
	defer t.unlock()
	mount, err := parent.registered("plugin", []part{})
	if err != nil {
		return nil, err
	}
	f := t.fiber(parent, p)
	f.mount, mount.child = mount, f
	mount.label = "plugin " + f.Name()
	mount.parts = append(mount.parts, part{own: f.unmount()})
	parent.children[f] = struct{}{}
	for _, name := range p.Provides {
		f.list(t.promised, name)
	}
	for _, name := range f.inject {
		f.list(t.users, name)
		f.look(name)
	}
	f.refresh()
	return f, nil
}

// unmount is what the parent's effect undoes.
func (f *Fiber) unmount() *native {
	return &native{
		child: true,
		begin: func() []*Fiber {
			f.discard()
			return []*Fiber{f}
		},
		end: func() {
			delete(f.parent.children, f)
			f.unlist()
		},
	}
}

// listing is a place that a Fiber has in a row of the tree.
type listing struct {
	rows rows[*Fiber]
	name string
	seat *seat[*Fiber]
}

// list gives the Fiber a place until it is unmounted. The lock is held.
func (f *Fiber) list(r rows[*Fiber], name string) {
	f.listed = append(f.listed, listing{r, name, r.push(name, f)})
}

func (f *Fiber) unlist() {
	for _, l := range f.listed {
		l.rows.leave(l.name, l.seat)
	}
	f.listed = nil
}

// Discard is Dispose that does not wait. Nothing can be registered on the Fiber
// any more; what it does is undone once no transition is in flight.
func (f *Fiber) Discard() {
	f.tree.lock()
	f.discard()
	f.tree.unlock()
	if f.mount != nil {
		_, _ = f.mount.Begin(context.Background())
	}
}

// discard marks the Fiber as disposed of, and unloads it. The lock is held.
func (f *Fiber) discard() {
	if f.disposed {
		return
	}
	f.disposed, f.want = true, parked
	close(f.halt)
	if f.state == Loading {
		f.cancel(ErrInactive)
	}
	f.sweep = f.flight == nil
	f.kick()
}

// Await waits until no transition is in flight and returns the start error. From
// inside the Fiber it fails with ErrInside.
func (f *Fiber) Await(ctx context.Context) error {
	for {
		f.tree.lock()
		if f.flight == nil {
			defer f.tree.unlock()
			return f.err
		}
		if err := f.tree.wait(ctx, f, f.flight.landed); err != nil {
			return err
		}
	}
}

// Dispose removes the Fiber for good and returns when its effects are undone,
// its children's included. It is idempotent; a second call joins the first. What
// disposers fail with is logged and in Faults. From inside the Fiber it marks it
// and returns. When ctx ends first, Dispose returns its cause, and the Fiber is
// disposed of all the same. Dispose of the root returns when no goroutine of the
// kernel is left.
func (f *Fiber) Dispose(ctx context.Context) error {
	f.Discard()
	if f.mount == nil {
		return f.close(ctx)
	}
	f.tree.lock()
	if f.mount.shut {
		f.tree.unlock()
		return nil
	}
	return outside(f.tree.wait(ctx, f, f.mount.closed))
}

// close is Dispose of the root.
func (f *Fiber) close(ctx context.Context) error {
	for {
		f.tree.lock()
		if f.flight == nil {
			f.tree.unlock()
			break
		}
		if err := f.tree.wait(ctx, f, f.flight.landed); err != nil {
			return outside(err)
		}
	}
	return outside(f.context.Quiet(ctx))
}

// Quiet waits until no transition is in flight in the whole tree, no effect is
// being made or undone and no async listener runs. From inside a plugin it fails
// with ErrInside.
func (c *Context) Quiet(ctx context.Context) error {
	if len(frames(ctx)) > 0 {
		return ErrInside
	}
	return c.fiber.tree.drained(ctx)
}

// outside drops the error of a wait that could not be.
func outside(err error) error {
	if errors.Is(err, ErrInside) {
		return nil
	}
	return err
}

// Restart unloads the Fiber, loads it again and returns what Await does. While a
// transition is in flight it only waits. A Failed Fiber tries again.
func (f *Fiber) Restart(ctx context.Context) error {
	f.tree.lock()
	if f.disposed {
		f.tree.unlock()
		return ErrInactive
	}
	if f.flight == nil {
		f.sweep = f.have != parked && !f.failed
		f.have, f.failed = parked, false
		f.refresh()
	}
	f.tree.unlock()
	return f.Await(ctx)
}
