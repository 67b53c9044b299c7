package inspect

import (
	"strconv"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The codes of this package, each with its English sentence.
const (
	codeManifest   = "inspect-bad-manifest" // %s inspect provider %q: %s
	codeTaken      = "inspect-taken"        // %s inspect provider %q is already registered
	codeNoProvider = "inspect-no-provider"  // %s inspect provider %q is not registered
	codeNoMethod   = "inspect-no-method"    // inspect provider %q has no method %q
	codeBadInput   = "inspect-bad-input"    // %s inspect %s rejected input: %s
	codeBadOutput  = "inspect-bad-output"   // %s inspect %s gave no valid answer: %s
)

type registration struct {
	id uint64
	entry
}

// entry is a manifest that was checked.
type entry struct {
	Manifest
}

type method struct{ Method }

func (r *Registry) hostEntries() []entry {
	var out []entry
	for _, reg := range r.host {
		out = append(out, reg.entry)
	}
	return out
}

func find(entries []entry, id string) *entry {
	for i := range entries {
		if entries[i].ID == id {
			return &entries[i]
		}
	}
	return nil
}

func taken(p Platform, id string) error {
	return fault.New(fault.Conflict, codeTaken, string(p), id)
}

// compile checks a manifest.
func compile(p Platform, m Manifest) (entry, error) {
	bad := func(why string) (entry, error) {
		return entry{}, fault.New(fault.Usage, codeManifest, string(p), m.ID, why)
	}
	if m.ID == "" || m.Description == "" {
		return bad("an id and a description are needed")
	}
	seen := map[string]bool{}
	for _, method := range m.Methods {
		switch {
		case method.Name == "" || method.Description == "":
			return bad("a method needs a name and a description")
		case seen[method.Name]:
			return bad("two methods are named " + method.Name)
		}
		seen[method.Name] = true
	}
	return entry{m}, nil
}

func (e entry) show(p Platform) *jsonvalue.Object {
	methods := []any{}
	for _, m := range e.Methods {
		methods = append(methods, jsonvalue.Of("name", m.Name, "description", m.Description, "inputSchema", m.Input, "outputSchema", m.Output))
	}
	return jsonvalue.Of("platform", string(p), "id", e.ID, "description", e.Description, "methods", methods)
}

func (r *Registry) method(q Question) (method, error) {
	entries := r.client
	if q.Platform == Host {
		entries = r.hostEntries()
	}
	e := find(entries, q.Provider)
	if e == nil {
		return method{}, fault.New(fault.NotFound, codeNoProvider, string(q.Platform), q.Provider)
	}
	for _, m := range e.Methods {
		if m.Name == q.Method {
			return method{m}, nil
		}
	}
	return method{}, fault.New(fault.NotFound, codeNoMethod, q.Provider, q.Method)
}

func (r *Registry) check(q Question) (method, error) { return r.method(q) }

func (m method) output(Question, any) error { return nil }

func (r *Registry) index(id string) int {
	for i, q := range r.open {
		if q.ID == id {
			return i
		}
	}
	return -1
}

func (r *Registry) drop(i int) { r.open = append(r.open[:i:i], r.open[i+1:]...) }

func queryID(n int) string { return "inspect-" + strconv.Itoa(n) }
