package inspect

import (
	"math"
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/schema"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The codes of this package, each with its English sentence.
const (
	codeManifest   = "inspect-bad-manifest" // %s inspect provider %q: %s
	codeTaken      = "inspect-taken"        // the %s inspect provider %q is already registered
	codeNoProvider = "inspect-no-provider"  // the %s inspect provider %q is not registered
	codeNoMethod   = "inspect-no-method"    // the inspect provider %q has no method %q
	codeBadInput   = "inspect-bad-input"    // %s inspect %s rejected the input: %s
	codeBadOutput  = "inspect-bad-output"   // %s inspect %s gave no valid answer: %s
)

// Limits of what a page may say of itself.
const (
	maxProviders = 64
	maxMethods   = 64
)

type registration struct {
	id uint64
	entry
}

// entry is a manifest that was checked.
type entry struct{ Manifest }

func (r *Registry) hostEntries() []entry {
	var out []entry
	for _, reg := range r.host {
		out = append(out, reg.entry)
	}
	return out
}

func find(entries []entry, id string) *entry {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return &entries[i]
}

func taken(p Platform, id string) error {
	return fault.New(fault.Conflict, codeTaken, string(p), id)
}

// compile checks a manifest: it is valid from then on.
func compile(p Platform, m Manifest) (entry, error) {
	bad := func(why string) (entry, error) {
		return entry{}, fault.New(fault.Usage, codeManifest, string(p), m.ID, why)
	}
	if m.ID == "" || m.Description == "" {
		return bad("an id and a description are needed")
	}
	if len(m.Methods) > maxMethods {
		return bad("it has too many methods")
	}
	for i, source := range m.Methods {
		if source.Name == "" || source.Description == "" {
			return bad("a method needs a name and a description")
		}
		if slices.ContainsFunc(m.Methods[:i], func(o Method) bool { return o.Name == source.Name }) {
			return bad("two methods are named " + source.Name)
		}
		if err := schema.Check(source.Input); err != nil {
			return bad(source.Name + ": inputSchema: " + err.Error())
		}
		if err := schema.Check(source.Output); err != nil {
			return bad(source.Name + ": outputSchema: " + err.Error())
		}
	}
	return entry{m}, nil
}

// accepts checks the input of a question; none at all counts as {}.
func (m Method) accepts(q Question) error {
	input := q.Input
	if !q.Given {
		input = &jsonvalue.Object{}
	}
	if violations := schema.Validate(m.Input, input, "input"); len(violations) > 0 {
		return fault.New(fault.Usage, codeBadInput, string(q.Platform), q.Provider+"."+q.Method, violations.Text())
	}
	return nil
}

// gives checks what answers a question.
func (m Method) gives(q Question, data any) error {
	problem := "it is no JSON"
	if lossless(data) {
		problem = schema.Validate(m.Output, data, "data").Text()
	}
	if problem != "" {
		return fault.New(fault.Plugin, codeBadOutput, string(q.Platform), q.Provider+"."+q.Method, problem)
	}
	return nil
}

// lossless says whether a value is JSON through and through.
func lossless(v any) bool {
	switch v := v.(type) {
	case nil, bool, string:
		return true
	case float64:
		return v-v == 0 && (v != 0 || !math.Signbit(v)) // no NaN, no infinity, no -0
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !lossless(item) })
	case *jsonvalue.Object:
		for _, item := range v.All() {
			if !lossless(item) {
				return false
			}
		}
		return true
	}
	return false
}

func (e entry) show(p Platform) *jsonvalue.Object {
	methods := []any{}
	for _, m := range e.Methods {
		methods = append(methods, jsonvalue.Of("name", m.Name, "description", m.Description, "inputSchema", m.Input, "outputSchema", m.Output))
	}
	return jsonvalue.Of("platform", string(p), "id", e.ID, "description", e.Description, "methods", methods)
}

// method finds what a question is about.
func (r *Registry) method(q Question) (Method, error) {
	entries := r.client
	if q.Platform == Host {
		entries = r.hostEntries()
	}
	e := find(entries, q.Provider)
	if e == nil {
		return Method{}, fault.New(fault.NotFound, codeNoProvider, string(q.Platform), q.Provider)
	}
	for _, m := range e.Methods {
		if m.Name == q.Method {
			return m, nil
		}
	}
	return Method{}, fault.New(fault.NotFound, codeNoMethod, q.Provider, q.Method)
}
