package fiber

import "slices"

// service is one provided value.
type service struct {
	name  string
	value any
	fiber *Fiber

	seat, namesake *seat[*service] // among those of the Fiber, and those of the name
}

// Provide makes a service of this Fiber, visible to others while it is Active.
// Any value will do, nil too. A name that is taken is a *TakenError. Dispose of
// the effect withdraws the service: it is gone at once, and Dispose returns when
// all who injected it have come to rest.
func (c *Context) Provide(name string, value any) (*Effect, error) {
	f := c.fiber
	t := f.tree
	t.lock()
	defer t.unlock()
	if f.disposed || f.state == Unloading {
		return nil, ErrInactive
	}
	if s := t.services[name]; s != nil {
		return nil, &TakenError{Service: name, Owner: s.fiber}
	}
	s := &service{name: name, value: value, fiber: f}
	e, err := f.registered("provide "+name, []part{{own: s.withdraw()}})
	if err != nil {
		return nil, err
	}
	t.services[name] = s
	f.keep(s)
	if f.state == Active {
		t.notify(name)
	}
	return e, nil
}

// keep notes that f provides a service. The lock is held.
func (f *Fiber) keep(s *service) {
	if !f.provided[s.name] && f.mount != nil {
		f.list(f.tree.past, s.name)
	}
	f.provided[s.name] = true
	s.seat, s.namesake = f.services.push(s), f.named.push(s.name, s)
}

// withdraw takes the service away, and for its provider when those who injected
// it have come to rest.
func (s *service) withdraw() *native {
	t := s.fiber.tree
	return &native{
		begin: func() (moving []*Fiber) {
			if t.services[s.name] == s {
				delete(t.services, s.name)
			}
			for _, f := range t.notify(s.name) {
				if f.flight != nil && f != s.fiber {
					moving = append(moving, f)
				}
			}
			return moving
		},
		end: func() {
			s.seat.leave()
			s.fiber.named.leave(s.name, s.namesake)
		},
	}
}

// notify looks again at all Fibers that inject the service, in the order of
// mounting, and returns them. The lock is held.
func (t *tree) notify(name string) []*Fiber {
	dependents := t.users.list(name)
	for _, f := range dependents {
		f.look(name)
		f.refresh()
	}
	return dependents
}

// Get returns the value of a service and whether there is one: whether its
// provider is Active. It needs no inject.
func (c *Context) Get(name string) (any, bool) {
	t := c.fiber.tree
	t.lock()
	defer t.unlock()
	s := t.services[name]
	if s == nil || s.fiber.state != Active {
		return nil, false
	}
	return s.value, true
}

// Use returns a service that the Fiber, or one above it, injects or provides. It
// is the value of when that Fiber was loaded, which stays until the Fiber has
// unloaded. Else the error is an *AccessError.
func (c *Context) Use(name string) (any, error) {
	t := c.fiber.tree
	t.lock()
	defer t.unlock()
	for f := c.fiber; f != nil; f = f.parent {
		if s := f.store[name]; s != nil {
			return s.value, nil
		}
		if own := f.named[name]; own != nil {
			return own.first.value.value, nil
		}
		if slices.Contains(f.inject, name) {
			return nil, &AccessError{Service: name, Fiber: f, Declared: true}
		}
	}
	return nil, &AccessError{Service: name, Fiber: c.fiber}
}

// Wait is one service that a Fiber waits for.
type Wait struct {
	Service string
	// Provider is who could provide it: who does but is not Active, who said so in
	// Plugin.Provides, or who did before. It is nil when nobody is known.
	Provider *Fiber
	// Err is why the Provider does not: the error of its last start, or nil when
	// it waits itself or has not come to it yet.
	Err error
}

// WaitingFor names the services that the Fiber injects and that have no Active
// provider, in the order in which it declared them.
func (f *Fiber) WaitingFor() []string {
	names := []string{}
	for _, w := range f.Waiting() {
		names = append(names, w.Service)
	}
	return names
}

// Waiting is WaitingFor with who could provide each service and why that Fiber
// does not.
func (f *Fiber) Waiting() []Wait {
	f.tree.lock()
	defer f.tree.unlock()
	var list []Wait
	for _, name := range f.inject {
		if s := f.tree.services[name]; s != nil && s.fiber.state == Active {
			continue
		}
		w := Wait{Service: name, Provider: f.tree.candidate(name)}
		if w.Provider != nil {
			w.Err = w.Provider.err
		}
		list = append(list, w)
	}
	return list
}

// candidate is who could provide a service. The lock is held.
func (t *tree) candidate(name string) *Fiber {
	if s := t.services[name]; s != nil {
		return s.fiber
	}
	for _, f := range t.promised.list(name) {
		if !f.disposed {
			return f
		}
	}
	var past *Fiber
	for _, f := range t.past.list(name) {
		if !f.disposed && (past == nil || f.id < past.id) {
			past = f
		}
	}
	return past
}
