// Package catalog is what plugin code may use: services with their methods,
// events, built-in names, as the Inspect providers show them.
//
// A catalogue is a value that whoever implements a thing fills in beside its
// code. It says what is hidden, finds the types that a signature refers to, and
// checks itself: all that is wrong at once.
package catalog

import "strings"

// Catalog is all that one platform offers.
type Catalog struct {
	Services []Service
	Events   []Event
	Builtins []Builtin
	Types    []Type // what signatures refer to
}

// Service is a value that plugin code finds on its ctx.
type Service struct {
	Key, Description string
	Methods          []Method
	Deprecated       bool
}

// Method is one way to call a service. One that can be called in two ways has
// two entries of the same name.
type Method struct {
	Name        string
	Signature   string // TypeScript, beginning with the name
	Description string
	Parameters  []Parameter
	Returns     string // what comes back; "" when the signature says it all
	Throws      []string
	Deprecated  bool
}

// Parameter is the meaning of one argument.
type Parameter struct{ Name, Description string }

// Mode is how an event is dispatched (spec/cordis.md 8.5).
type Mode string

// The modes of events.
const (
	Emit      Mode = "emit"
	Parallel  Mode = "parallel"
	Serial    Mode = "serial"
	Bail      Mode = "bail"
	Waterfall Mode = "waterfall"
)

// Event is something that plugin code can listen to.
type Event struct {
	Name, Description string
	Mode              Mode
	Signature         string // 'name'(parameters): result
	Parameters        []Parameter
	Deprecated        bool
}

// Builtin is a name that plugin code has without asking for it.
type Builtin struct {
	Name, Description string
	Signatures        []string
}

// Type is a type by the name that signatures use.
type Type struct{ Name, Declaration string }

// HiddenService says whether a service belongs to the runner itself: no
// catalogue shows it, and plugin code must not reach it.
func HiddenService(key string) bool {
	return key == "dynamicCordisRunner" || key == "cordisInspect"
}

// HiddenEvent says whether an event controls the runner: no catalogue shows it,
// and it is not delivered to plugin code.
func HiddenEvent(name string) bool { return strings.HasPrefix(name, "cordis/") }

// Visible is the catalogue without what is hidden or deprecated. What remains is
// as it was.
func (c Catalog) Visible() Catalog {
	out := Catalog{Builtins: c.Builtins, Types: c.Types}
	for _, s := range c.Services {
		if s.Deprecated || HiddenService(s.Key) {
			continue
		}
		s.Methods = current(s.Methods)
		out.Services = append(out.Services, s)
	}
	for _, e := range c.Events {
		if !e.Deprecated && !HiddenEvent(e.Name) {
			out.Events = append(out.Events, e)
		}
	}
	return out
}

func current(methods []Method) []Method {
	var out []Method
	for _, m := range methods {
		if !m.Deprecated {
			out = append(out, m)
		}
	}
	return out
}
