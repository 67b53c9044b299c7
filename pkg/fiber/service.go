package fiber

import "slices"

// service is one provided value.
type service struct {
	name  string
	value any
	fiber *Fiber
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
	t.services[name], f.provided[name] = s, true
	f.services = append(f.services, s)
	if f.state == Active {
		t.notify(name)
	}
	return e, nil
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
			s.fiber.services = slices.DeleteFunc(s.fiber.services, func(other *service) bool { return other == s })
		},
	}
}

// notify looks again at all Fibers that inject the service, in the order of
// mounting, and returns them. The lock is held.
func (t *tree) notify(name string) []*Fiber {
	var dependents []*Fiber
	for _, f := range slices.Clone(t.fibers) {
		if slices.Contains(f.inject, name) {
			f.look(name)
			f.refresh()
			dependents = append(dependents, f)
		}
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
		for _, s := range f.services {
			if s.name == name {
				return s.value, nil
			}
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
	var past *Fiber
	for _, f := range t.fibers {
		switch {
		case f.disposed:
		case slices.Contains(f.plugin.Provides, name):
			return f
		case f.provided[name] && past == nil:
			past = f
		}
	}
	return past
}
