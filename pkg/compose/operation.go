package compose

import (
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// routes reads the routes of a Source; nothing but the known fields is kept.
func routes(v any) ([]RouteManifest, error) {
	items, err := list(v, "memory Source routes")
	if err != nil {
		return nil, err
	}
	out := make([]RouteManifest, len(items))
	for i, item := range items {
		if out[i], err = route(item); err != nil {
			return nil, err
		}
	}
	ids := make([]any, len(out))
	for i := range out {
		ids[i] = out[i].ID
	}
	_, err = uniqueIDs(ids, "memory Source route id")
	return out, err
}

func route(v any) (RouteManifest, error) {
	const label = "memory Source route"
	var r RouteManifest
	raw, err := members(v, label)
	if err != nil {
		return r, err
	}
	o := operation{raw: raw, label: label}
	r.ID, r.Description, r.Capability, r.InputSchema = o.read()
	r.MaxCalls = o.limit("maxCalls", 100)
	r.Raw = jsonvalue.Of("id", r.ID, "description", r.Description, "capability", r.Capability,
		"inputSchema", r.InputSchema, "maxCalls", float64(r.MaxCalls))
	if o.has("maxResults") {
		r.MaxResults = o.limit("maxResults", 10_000)
		r.Raw.Set("maxResults", float64(r.MaxResults))
	}
	if o.has("maxCharacters") {
		r.MaxCharacters = o.limit("maxCharacters", 10_000_000)
		r.Raw.Set("maxCharacters", float64(r.MaxCharacters))
	}
	return r, o.known(r.Capability)
}

// actions reads the actions of a Source; nothing but the known fields is kept.
func actions(v any) ([]ActionManifest, error) {
	items, err := list(v, "memory Source actions")
	if err != nil {
		return nil, err
	}
	out := make([]ActionManifest, len(items))
	for i, item := range items {
		if out[i], err = action(item); err != nil {
			return nil, err
		}
	}
	ids := make([]any, len(out))
	for i := range out {
		ids[i] = out[i].ID
	}
	_, err = uniqueIDs(ids, "memory Source action id")
	return out, err
}

func action(v any) (ActionManifest, error) {
	const label = "memory Source action"
	var a ActionManifest
	raw, err := members(v, label)
	if err != nil {
		return a, err
	}
	o := operation{raw: raw, label: label}
	a.ID, a.Description, a.Capability, a.InputSchema = o.read()
	a.Raw = jsonvalue.Of("id", a.ID, "description", a.Description, "capability", a.Capability,
		"inputSchema", a.InputSchema)
	if o.has("authority") {
		a.Authority = o.text("authority", 300)
		a.Raw.Set("authority", a.Authority)
	}
	return a, o.known(a.Capability)
}

// operation reads a route or an action. The first refusal is kept, and what is
// read after it is worth nothing.
type operation struct {
	raw   *jsonvalue.Object
	label string
	err   error
}

func (o *operation) read() (opID, description, capability string, schema any) {
	opID = o.id("id")
	description = o.text("description", 2000)
	capability = o.id("capability")
	if o.err == nil {
		schema, o.err = jsonvalue.Clone(member(o.raw, "inputSchema"), o.label+" input schema")
	}
	return opID, description, capability, schema
}

func (o *operation) has(name string) bool { return !isUndefined(member(o.raw, name)) }

func (o *operation) id(name string) (s string) {
	if o.err == nil {
		s, o.err = id(member(o.raw, name), o.label+" "+name)
	}
	return s
}

func (o *operation) text(name string, max int) (s string) {
	if o.err == nil {
		s, o.err = requiredText(member(o.raw, name), o.label+" "+name, max)
	}
	return s
}

func (o *operation) limit(name string, max int) (n int) {
	if o.err == nil {
		n, o.err = positiveInteger(member(o.raw, name), o.label+" "+name, max)
	}
	return n
}

// known is the last check: whether the capability is one.
func (o *operation) known(capability string) error {
	if o.err == nil && !knownCapability(capability) {
		return fmt.Errorf("unsupported %s capability: %s", o.label, capability)
	}
	return o.err
}

func routesRaw(routes []RouteManifest) []any {
	out := make([]any, len(routes))
	for i := range routes {
		out[i] = routes[i].Raw
	}
	return out
}

func actionsRaw(actions []ActionManifest) []any {
	out := make([]any, len(actions))
	for i := range actions {
		out[i] = actions[i].Raw
	}
	return out
}
