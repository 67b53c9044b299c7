package service

import (
	"context"
	"errors"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// table is one service: what it says of itself and what it does, in one place.
type table struct {
	service   catalog.Service // without its methods
	types     []catalog.Type  // that its signatures bring in
	methods   []*method
	described bool // it lives in the sandbox
}

// method is one way to call a service.
type method struct {
	catalog.Method
	async  bool // gives a promise
	effect bool // gives a disposer that belongs to the Fiber of the caller
	run    func(c *call) (any, error)

	id uint64
}

// value is the service as it crosses.
func (t *table) value() wire.Object {
	var o wire.Object
	for _, m := range t.methods {
		f := wire.Func{Handle: wire.Handle{Home: wire.Host, ID: m.id}, Name: m.Name, Async: m.async, Effect: m.effect}
		o.Members = append(o.Members, wire.Member{Name: m.Name, Value: f})
	}
	return o
}

// catalogued is the service as the catalogue shows it.
func (t *table) catalogued() catalog.Service {
	s := t.service
	for _, m := range t.methods {
		s.Methods = append(s.Methods, m.Method)
	}
	return s
}

// call is one call of a method.
type call struct {
	ctx      context.Context
	caller   Caller
	services *Services
	args     []any
	run      func(c *call) (any, error)
}

func (c *call) do() (any, error) { return c.run(c) }

// run is what one activation holds.
type run struct {
	things map[uint64]*thing
	order  []uint64
}

// thing is something that a handle names: a function, a promise.
type thing struct {
	run func(c *call) (any, error)
	end func()
}

func (t *thing) close() {}

func (r *run) close() {}

func (s *Services) take(string, uint64) *thing { return nil }

var errNotBuilt = errors.New("not built yet")

// New makes the services of a workspace.
func New(settings Settings) *Services {
	return &Services{settings: settings, static: map[uint64]*method{}, runs: map[string]*run{}}
}

func (s *Services) find(context.Context, Caller, wire.Func, []any) (*call, error) {
	return nil, errNotBuilt
}

func (s *Services) await(context.Context, Caller, wire.Promise) (any, error) {
	return nil, errNotBuilt
}

func thrown(err error) error {
	var t *wire.Thrown
	if errors.As(err, &t) {
		return err
	}
	return &wire.Thrown{Name: "Error", Message: strings.TrimSpace(err.Error())}
}

func events() []catalog.Event { return nil }
