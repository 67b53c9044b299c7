package service

import (
	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// table is one service: what it says of itself and what it does, in one place.
type table struct {
	service   catalog.Service // without its methods
	types     []catalog.Type  // that its signatures bring in
	methods   []*method
	described bool   // it lives in the sandbox
	alias     string // another name of the same service
}

// method is one way to call a service.
type method struct {
	catalog.Method
	async  bool // gives a promise
	effect bool // gives a disposer that belongs to the Fiber of the caller
	run    handler

	id    uint64
	title string // for messages: fs.readText
}

// handler does what a call asks for. It gives a value that can cross.
type handler func(c *call) (any, error)

// value is the service as it crosses.
func (t *table) value() wire.Object {
	var o wire.Object
	for _, m := range t.methods {
		f := wire.Func{Handle: wire.Handle{Home: wire.Host, ID: m.id}, Name: m.Name, Async: m.async, Effect: m.effect}
		o.Members = append(o.Members, wire.Member{Name: m.Name, Value: f})
	}
	return o
}

// catalogued is the service as the catalogue shows it, under one of its names.
func (t *table) catalogued(key string) catalog.Service {
	s := t.service
	s.Key = key
	if key == t.alias {
		s.Description = "The same as " + t.service.Key + ", under an older name. " + s.Description
	}
	for _, m := range t.methods {
		s.Methods = append(s.Methods, m.Method)
	}
	return s
}

func (t *table) keys() []string {
	if t.alias == "" {
		return []string{t.service.Key}
	}
	return []string{t.service.Key, t.alias}
}

// number gives the methods their ids.
func (t *table) number(next func() uint64, static map[uint64]*method) {
	if t.described {
		return
	}
	for _, m := range t.methods {
		m.id, m.title = next(), t.service.Key+"."+m.Name
		static[m.id] = m
	}
}

// params are the docs of parameters: name, description, name, description.
func params(pairs ...string) []catalog.Parameter {
	var out []catalog.Parameter
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, catalog.Parameter{Name: pairs[i], Description: pairs[i+1]})
	}
	return out
}
