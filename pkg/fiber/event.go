package fiber

import (
	"context"
	"errors"
	"slices"
	"strconv"
)

// Listener is called with what an event was dispatched with. It runs on the
// goroutine of whoever dispatches. Its value counts for Serial, Bail and
// Waterfall; one that has more to do than it can do at once returns Later.
type Listener func(ctx context.Context, args ...any) (any, error)

// Next is the last argument of a listener in a waterfall: the rest of the chain.
type Next func(ctx context.Context) (any, error)

// ListenOptions say where a listener stands and whom it hears.
type ListenOptions struct {
	Prepend bool // before those that are there
	Global  bool // also what is dispatched with Only
}

// hook is one listener that is registered.
type hook struct {
	owner   *Context
	call    Listener
	options ListenOptions
	once    *Effect // its own effect, when it is to be called once
	called  bool
}

// hooks are the listeners of one event. What a dispatch goes through is a copy,
// which lasts until the next change: a listener comes and goes at the same cost,
// however many there are.
type hooks struct {
	row  row[*hook]
	copy []*hook // nil: out of date
}

// On registers a listener. It is an effect of the Fiber: Dispose removes it.
// What a listener registers on this Context belongs to this Fiber, whoever
// dispatched the event.
func (c *Context) On(name string, l Listener, options ListenOptions) (*Effect, error) {
	return c.listen("on "+strconv.Quote(name), name, &hook{owner: c, call: l, options: options}, false)
}

// Once is On for a listener that is removed before its first call, and called
// only once, however many dispatches there are at the same time.
func (c *Context) Once(name string, l Listener, options ListenOptions) (*Effect, error) {
	return c.listen("once "+strconv.Quote(name), name, &hook{owner: c, call: l, options: options}, true)
}

func (c *Context) listen(label, name string, h *hook, once bool) (*Effect, error) {
	t := c.fiber.tree
	t.lock()
	defer t.unlock()
	var place *seat[*hook]
	e, err := c.fiber.registered(label, []part{{own: &native{
		begin: func() []*Fiber { return nil },
		end:   func() { t.unhook(name, place) },
	}}})
	if err != nil {
		return nil, err
	}
	if once {
		h.once = e
	}
	place = t.hook(name, h)
	return e, nil
}

// hook adds a listener. The lock is held.
func (t *tree) hook(name string, h *hook) *seat[*hook] {
	all := t.hooks[name]
	if all == nil {
		all = &hooks{}
		t.hooks[name] = all
	}
	all.copy = nil
	if h.options.Prepend {
		return all.row.unshift(h)
	}
	return all.row.push(h)
}

// unhook removes a listener. A dispatch that runs keeps the list of its start.
// The lock is held.
func (t *tree) unhook(name string, place *seat[*hook]) {
	all := t.hooks[name]
	place.leave()
	all.copy = nil
	if all.row.len == 0 {
		delete(t.hooks, name)
	}
}

// listening are the listeners of an event as they are now. The lock is held.
func (t *tree) listening(name string) []*hook {
	all := t.hooks[name]
	if all == nil {
		return nil
	}
	if all.copy == nil {
		all.copy = all.row.list()
	}
	return all.copy
}

// Only returns a view of the same Fiber whose dispatches reach the listeners of
// those Contexts for which match is true, and global ones.
func (c *Context) Only(match func(*Context) bool) *Context {
	return &Context{fiber: c.fiber, only: match}
}

// hooked are the listeners of one dispatch: those of its start.
func (c *Context) hooked(name string) []*hook {
	t := c.fiber.tree
	t.lock()
	list := t.listening(name)
	t.unlock()
	if c.only == nil {
		return list
	}
	var matching []*hook
	for _, h := range list {
		if h.options.Global || c.only(h.owner) {
			matching = append(matching, h)
		}
	}
	return matching
}

// hear calls one listener.
func (h *hook) hear(ctx context.Context, args []any) (value any, err error) {
	if h.once != nil {
		if !h.claim() {
			return nil, nil
		}
		_ = h.once.Dispose(ctx) // removes a row, cannot fail
	}
	err = protect(func() (err error) {
		value, err = h.call(ctx, args...)
		return err
	})
	return value, err
}

// claim says whether the one call is still to be made.
func (h *hook) claim() bool {
	t := h.owner.fiber.tree
	t.lock()
	defer t.unlock()
	if h.called {
		return false
	}
	h.called = true
	return true
}

// Emit calls the listeners in order and ignores their values. An error ends the
// dispatch. What an async listener comes to is logged for the listener's Fiber
// if it is an error.
func (c *Context) Emit(ctx context.Context, name string, args ...any) error {
	t := c.fiber.tree
	for _, h := range c.hooked(name) {
		_, err := h.hear(ctx, args)
		if l := asLater(err); l != nil {
			t.spawn(func() {
				_, err := outcome(context.Background(), l)
				t.log(h.owner.fiber, "on "+strconv.Quote(name), err)
			})
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Parallel calls all listeners in order, waits for all and returns their errors
// joined, in the order of the listeners.
func (c *Context) Parallel(ctx context.Context, name string, args ...any) error {
	hooks := c.hooked(name)
	errs := make([]error, len(hooks))
	left := map[int]<-chan result{}
	for i, h := range hooks {
		_, err := h.hear(ctx, args)
		if l := asLater(err); l != nil {
			left[i] = c.fiber.tree.observe(ctx, l)
			continue
		}
		errs[i] = err
	}
	for i := range hooks {
		if ch := left[i]; ch != nil {
			_, errs[i] = receive(ctx, ch)
		}
	}
	return errors.Join(errs...)
}

// Serial calls one listener after the other, waits for each, and ends at the
// first value that bails (see Bails) or the first error.
func (c *Context) Serial(ctx context.Context, name string, args ...any) (any, error) {
	for _, h := range c.hooked(name) {
		value, err := h.hear(ctx, args)
		if l := asLater(err); l != nil {
			value, err = receive(ctx, c.fiber.tree.observe(ctx, l))
		}
		if err != nil {
			return nil, err
		}
		if Bails(value) {
			return value, nil
		}
	}
	return nil, nil
}

// Bail is Serial that waits for nothing: what is left of a listener that has not
// ended is a value, of type Rest, and bails.
func (c *Context) Bail(ctx context.Context, name string, args ...any) (any, error) {
	for _, h := range c.hooked(name) {
		value, err := h.now(ctx, args)
		if err != nil {
			return nil, err
		}
		if Bails(value) {
			return value, nil
		}
	}
	return nil, nil
}

// Waterfall calls the first listener with a Next as its last argument; the Next
// calls the second one, and so on; that of the last calls inner. Who does not
// call its Next takes the place of the rest. What is left of a listener that has
// not ended is a value, of type Rest.
func (c *Context) Waterfall(ctx context.Context, name string, inner Next, args ...any) (any, error) {
	hooks := c.hooked(name)
	var next Next
	chain := slices.Concat(args, []any{Next(func(ctx context.Context) (any, error) { return next(ctx) })})
	next = func(ctx context.Context) (any, error) {
		if len(hooks) == 0 {
			return inner(ctx)
		}
		h := hooks[0]
		hooks = hooks[1:]
		return h.now(ctx, chain)
	}
	return next(ctx)
}

// now calls one listener and makes what is left of it a value.
func (h *hook) now(ctx context.Context, args []any) (any, error) {
	value, err := h.hear(ctx, args)
	if l := asLater(err); l != nil {
		return l.wait, nil
	}
	return value, err
}

// Bails says whether a value ends Serial and Bail: all do but nil and false.
func Bails(value any) bool { return value != nil && value != false }

// result is what a listener came to.
type result struct {
	value any
	err   error
}

// observe waits for what is left of a listener on a goroutine of the kernel,
// until ctx ends.
func (t *tree) observe(ctx context.Context, l *later) <-chan result {
	ch := make(chan result, 1)
	own, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	t.spawn(func() {
		defer stop()
		defer cancel(nil)
		value, err := outcome(own, l)
		ch <- result{value, err}
	})
	return ch
}

// receive waits for a result, and passes the turn of the code that waits.
func receive(ctx context.Context, ch <-chan result) (any, error) {
	yield(ctx)
	select {
	case r := <-ch:
		return r.value, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
