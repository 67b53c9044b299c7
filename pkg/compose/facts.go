package compose

import (
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// unavailable is how a Source is that cannot be used now.
const unavailable = "unavailable"

// facts are what a Source says of itself for one request (3.5).
type facts struct {
	key, typeID, role      string
	availability, revision string
	capabilities           []string
	routeIDs, actionIDs    []string
	hints                  any
	hasHints               bool
	manifest               *SourceManifest
}

// normalizeFacts validates what a Source answered. A refusal is a mistake of the
// Source, never an outage.
func normalizeFacts(src *installedSource, raw any) (*facts, error) {
	o, err := members(raw, "memory Source facts for "+src.key)
	if err != nil {
		return nil, err
	}
	f := unavailableFacts(src)
	if err := f.identity(o); err != nil {
		return nil, err
	}
	if err := f.offers(o); err != nil {
		return nil, err
	}
	if f.revision, err = requiredText(member(o, "revision"), "memory Source facts revision for "+f.key, 500); err != nil {
		return nil, err
	}
	if hints := member(o, "hints"); !isUndefined(hints) {
		f.hasHints = true
		f.hints = hints
	}
	kept, err := cloneObject(f.value(), "memory Source facts for "+f.key)
	if err != nil {
		return nil, err
	}
	f.hints, _ = kept.Get("hints")
	return f, nil
}

// unavailableFacts are the facts of a Source that gave none.
func unavailableFacts(src *installedSource) *facts {
	m := src.def.Manifest
	return &facts{
		key: src.key, typeID: m.TypeID, role: m.Role, manifest: m,
		availability: unavailable, revision: unavailable,
	}
}

// identity holds the facts against the instance they are of.
func (f *facts) identity(o *jsonvalue.Object) error {
	for _, same := range []struct{ what, name, want string }{
		{"instance", "sourceInstanceKey", f.key}, {"type", "sourceTypeId", f.typeID}, {"role", "role", f.role},
	} {
		if v := member(o, same.name); v != same.want {
			return fmt.Errorf("memory Source facts %s mismatch: %s != %s", same.what, printed(v), same.want)
		}
	}
	switch v := member(o, "availability"); v {
	case "ready", "degraded", unavailable:
		f.availability = v.(string)
	default:
		return fmt.Errorf("unsupported memory Source availability: %s", printed(v))
	}
	return nil
}

// offers reads what can be done now, which the manifest has to declare.
func (f *facts) offers(o *jsonvalue.Object) (err error) {
	f.capabilities, err = capabilities(member(o, "capabilities"), "memory Source facts capability for "+f.key)
	if err != nil {
		return err
	}
	if c, ok := firstOutside(f.capabilities, f.manifest.Capabilities); ok {
		return fmt.Errorf("memory Source facts expand manifest capability: %s/%s", f.key, c)
	}
	if f.routeIDs, err = uniqueIDs(member(o, "routeIds"), "memory Source facts route id for "+f.key); err != nil {
		return err
	}
	if r, ok := firstOutside(f.routeIDs, f.manifest.routeIDs()); ok {
		return fmt.Errorf("memory Source facts expose undeclared route: %s/%s", f.key, r)
	}
	if f.actionIDs, err = uniqueIDs(member(o, "actionIds"), "memory Source facts action id for "+f.key); err != nil {
		return err
	}
	if a, ok := firstOutside(f.actionIDs, f.manifest.actionIDs()); ok {
		return fmt.Errorf("memory Source facts expose undeclared action: %s/%s", f.key, a)
	}
	return nil
}

func firstOutside(list, allowed []string) (string, bool) {
	for _, s := range list {
		if !slices.Contains(allowed, s) {
			return s, true
		}
	}
	return "", false
}

func (m *SourceManifest) routeIDs() []string {
	ids := make([]string, len(m.Routes))
	for i := range m.Routes {
		ids[i] = m.Routes[i].ID
	}
	return ids
}

func (m *SourceManifest) actionIDs() []string {
	ids := make([]string, len(m.Actions))
	for i := range m.Actions {
		ids[i] = m.Actions[i].ID
	}
	return ids
}

// limit narrows the facts to what the Host allows. A Source that is left with
// nothing is unavailable.
func (f *facts) limit(capabilities []string) {
	f.capabilities = only(f.capabilities, func(c string) bool { return slices.Contains(capabilities, c) })
	f.keep(func(capability string) bool { return slices.Contains(capabilities, capability) })
	if len(f.capabilities) == 0 {
		f.availability = unavailable
	}
}

// keep drops the operations whose capability does not pass, and puts the others
// in the order of the manifest.
func (f *facts) keep(passes func(capability string) bool) {
	routes, actions := f.routeIDs, f.actionIDs
	f.routeIDs, f.actionIDs = nil, nil
	for _, r := range f.manifest.Routes {
		if slices.Contains(routes, r.ID) && passes(r.Capability) {
			f.routeIDs = append(f.routeIDs, r.ID)
		}
	}
	for _, a := range f.manifest.Actions {
		if slices.Contains(actions, a.ID) && passes(a.Capability) {
			f.actionIDs = append(f.actionIDs, a.ID)
		}
	}
}

func only(list []string, f func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !f(s) })
}

// available narrows the facts to the operations that can be offered and returns
// the record that Strategies and extensions see: the facts with the manifest's
// entries of those operations.
func (f *facts) available(src *installedSource) *jsonvalue.Object {
	f.keep(func(capability string) bool {
		return f.availability != unavailable && slices.Contains(f.capabilities, capability)
	})
	routes, actions := []any{}, []any{}
	for _, r := range src.def.Manifest.Routes {
		if slices.Contains(f.routeIDs, r.ID) {
			routes = append(routes, r.Raw)
		}
	}
	for _, a := range src.def.Manifest.Actions {
		if slices.Contains(f.actionIDs, a.ID) {
			actions = append(actions, a.Raw)
		}
	}
	return f.value().With("routes", routes, "actions", actions)
}

// value is the facts as JSON.
func (f *facts) value() *jsonvalue.Object {
	o := jsonvalue.Of(
		"sourceInstanceKey", f.key, "sourceTypeId", f.typeID, "role", f.role,
		"availability", f.availability, "revision", f.revision,
		"capabilities", jsonvalue.Texts(f.capabilities),
		"routeIds", jsonvalue.Texts(f.routeIDs), "actionIds", jsonvalue.Texts(f.actionIDs),
	)
	if f.hasHints {
		o.Set("hints", f.hints)
	}
	return o
}
