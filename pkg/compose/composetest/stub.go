package composetest

import (
	"context"
	"fmt"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// stubs returns a Source of each role; any role is role notes.
func stubs(roles []string) []*compose.SourceDefinition {
	if len(roles) == 0 || roles[0] == "*" {
		roles = []string{"notes"}
	}
	out := make([]*compose.SourceDefinition, len(roles))
	for i, role := range roles {
		out[i] = Stub(role)
	}
	return out
}

// Stub returns a Source of the role that is always ready. It has one text, a
// route search that finds it and an action remember that forgets what it was
// told.
func Stub(role string) *compose.SourceDefinition {
	anything := jsonvalue.Of("type", "object")
	return stub(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "stub-"+role, "packageName", "composetest", "role", role,
		"capabilities", []any{"project", "search", "write"}, "consistency", "exact-snapshot",
		"routes", []any{jsonvalue.Of("id", "search", "description", "Search.", "capability", "search", "inputSchema", anything, "maxCalls", 8.0)},
		"actions", []any{jsonvalue.Of("id", "remember", "description", "Remember.", "capability", "write", "inputSchema", anything)},
	), "ready")
}

// closedStub is a Source with the manifest that is never available.
func closedStub(m *compose.SourceManifest) *compose.SourceDefinition {
	return stub(m.Raw, "unavailable")
}

func stub(manifest *jsonvalue.Object, availability string) *compose.SourceDefinition {
	var d *compose.SourceDefinition
	d, err := compose.DefineSource(manifest, func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		return &stubSource{c.InstanceKey, availability, d.Manifest}, nil
	})
	if err != nil {
		panic(err)
	}
	return d
}

type stubSource struct {
	key, availability string
	manifest          *compose.SourceManifest
}

const stubRevision = "r1"

func (s *stubSource) facts() *jsonvalue.Object {
	return jsonvalue.Of("sourceInstanceKey", s.key, "sourceTypeId", s.manifest.TypeID, "role", s.manifest.Role,
		"availability", s.availability, "revision", stubRevision, "capabilities", jsonvalue.Texts(s.manifest.Capabilities),
		"routeIds", names(s.manifest.Raw, "routes"), "actionIds", names(s.manifest.Raw, "actions"))
}

func names(manifest *jsonvalue.Object, list string) []any {
	out := []any{}
	operations, _ := manifest.Array(list)
	for _, v := range operations {
		o, _ := jsonvalue.Map(v)
		out = append(out, get(o, "id"))
	}
	return out
}

func (s *stubSource) Facts(context.Context, *compose.Request) (any, error) { return s.facts(), nil }

func (s *stubSource) Project(_ context.Context, r *compose.ProjectionRequest) (any, error) {
	if r.ExpectedRevision != stubRevision {
		return nil, fmt.Errorf("revision is %s", stubRevision)
	}
	fragments := []any{}
	if r.IncludeProjection {
		fragments = append(fragments, jsonvalue.Of("id", s.key+"/text", "sourceInstanceKey", s.key, "mode", r.Mode,
			"text", compose.Truncate("A text of "+s.key+".", r.MaxCharacters), "revision", stubRevision))
	}
	return jsonvalue.Of("fragments", fragments, "readGrant", jsonvalue.Of("id", s.key+"/grant", "sourceInstanceKey", s.key,
		"schema", "composetest/v1", "value", jsonvalue.Of(), "revision", stubRevision, "consistency", s.manifest.Consistency)), nil
}

func (s *stubSource) Query(_ context.Context, r *compose.QueryRequest) (any, error) {
	return jsonvalue.Of("id", "evidence:"+s.key, "viewId", get(r.View, "id"), "routeId", get(r.Route, "id"), "sourceInstanceKey", s.key,
		"items", []any{jsonvalue.Of("id", "text", "text", "A text of "+s.key+".", "provenance", jsonvalue.Of())}, "truncated", false), nil
}

func (s *stubSource) Mutate(_ context.Context, r *compose.MutateRequest) (any, error) {
	return jsonvalue.Of("id", "receipt:"+s.key, "viewId", get(r.View, "id"), "offerId", get(r.Offer, "id"), "sourceInstanceKey", s.key,
		"status", "succeeded", "completion", "accepted", "details", nil), nil
}

// unchanged calls f with values as Core hands them out, and sees whether they
// are the same afterwards.
func unchanged(definitions []*compose.SourceDefinition, f func(*compose.Request, []any) error) error {
	r := &compose.Request{Scope: scope(), Scenario: "composetest", Budget: compose.DefaultBudget, Raw: request(compose.DefaultBudget.MaxProjectionCharacters)}
	sources := make([]any, len(definitions))
	for i, d := range definitions {
		s := &stubSource{fmt.Sprintf("source:entry-%d", i), "ready", d.Manifest}
		sources[i] = s.facts().With("routes", get(d.Manifest.Raw, "routes"), "actions", get(d.Manifest.Raw, "actions"))
	}
	before, err := picture(r, sources)
	if err != nil {
		return err
	}
	if err := f(r, sources); err != nil {
		return err
	}
	after, err := picture(r, sources)
	if err == nil && before != after {
		err = fmt.Errorf("it was given %s and left %s", before, after)
	}
	return err
}

func picture(r *compose.Request, sources []any) (string, error) {
	return jsonvalue.Canonical(jsonvalue.Of("request", r.Raw, "scope", r.Scope, "scenario", r.Scenario, "sources", sources), "values")
}
