package compose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func strategyManifest(pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "s", "packageName", "p",
		"deterministic", true, "supportedSourceRoles", []any{"r"},
		"maxSources", 1.0, "maxRoutes", 1.0, "maxActions", 1.0).With(pairs...)
}

func extensionManifest(pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy-extension", "typeId", "e", "packageName", "p",
		"strategyTypeId", "s", "slot", "projection", "deterministic", true).With(pairs...)
}

func pluginDescriptor(pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("packageName", "p", "label", both("a", "b"), "description", both("a", "b"),
		"roles", []any{"source"}, "provides", []any{jsonvalue.Of("id", "x")}).With(pairs...)
}

// TestNewerRules (MN16, MN59) are those that 0.5.13 did not have.
func TestNewerRules(t *testing.T) {
	const alone = "memory Strategy supported Source roles must list the any-role wildcard alone"
	strategy := func(roles ...any) error {
		_, err := compose.DefineStrategy(strategyManifest("supportedSourceRoles", roles), fixedStrategy{})
		return err
	}
	extension := func(target, slot any) error {
		_, err := compose.DefineExtension(extensionManifest("strategyTypeId", target, "slot", slot), fixedExtension{})
		return err
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"any role", strategy("*"), ""},
		{"any role and another", strategy("*", "r"), alone},
		{"another and any role", strategy("r", "*"), alone},
		{"any role twice", strategy("*", "*"), alone},
		{"any role with a space", strategy(" *"), "memory Strategy supported Source role must match [a-z][a-z0-9-]{0,127}"},
		{"no role", strategy(), ""},
		{"any Strategy, selection", extension("*", "selection"), ""},
		{"any Strategy, projection", extension("*", "projection"), ""},
		{"any Strategy, capture", extension("*", "capture"), ""},
		{"any Strategy, a slot of its own", extension("*", "guidance"), "memory Strategy extension for any Strategy must use a standard slot: guidance"},
		{"any Strategy, no slot", extension("*", "Bad"), "memory Strategy extension slot must match [a-z][a-z0-9-]{0,127}"},
		{"one Strategy, a slot of its own", extension("s", "guidance"), ""},
	} {
		if got := message(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestMalformedShapes are values that end in a TypeError of the engine in the
// original, or that it walks through as if they were lists.
func TestMalformedShapes(t *testing.T) {
	var noObject *jsonvalue.Object
	source := func(m any) error { _, err := compose.DefineSource(m, noSource); return err }
	strategy := func(m any) error { _, err := compose.DefineStrategy(m, fixedStrategy{}); return err }
	extension := func(m any) error { _, err := compose.DefineExtension(m, fixedExtension{}); return err }
	plugin := func(m any) error { _, err := compose.DefinePlugin(m); return err }
	configuration := func(m any) error { _, err := compose.DefineConfiguration(m); return err }
	request := func(m any) error { _, err := compose.NormalizeRequest(m); return err }
	facts := func(m any) error { _, err := compose.Facts(ruledSource(t), m, nil); return err }
	cyclic := jsonvalue.Of()
	cyclic.Set("self", cyclic)
	for _, c := range []struct {
		err  error
		want string
	}{
		{source(nil), "memory Source manifest must be an object"},
		{source(noObject), "memory Source manifest must be an object"},
		{source(foreign(jsonvalue.Undefined)), "memory Source manifest must be an object"},
		{source(5.0), "unsupported memory Source API: undefined"},
		{source(foreign(jsonvalue.Exotic)), "unsupported memory Source API: undefined"},
		{source(sourceManifest("routes", 5.0)), "memory Source routes must be an array"},
		{source(sourceManifest("routes", "ab")), "memory Source routes must be an array"},
		{source(sourceManifest("routes", []any{nil})), "memory Source route must be an object"},
		{source(sourceManifest("routes", []any{jsonvalue.Hole{}})), "memory Source route id must be a string"},
		{source(sourceManifest("actions", jsonvalue.Of())), "memory Source actions must be an array"},
		{source(sourceManifest("actions", []any{nil})), "memory Source action must be an object"},
		{source(sourceManifest("capabilities", "read")), "memory Source capability must be an array"},
		{source(sourceManifest("capabilities", nil)), "memory Source capability must be an array"},
		{source(sourceManifest("more", cyclic)), "memory Source manifest contains a cycle"},
		{source(sourceManifest("more", struct{}{})), "memory Source manifest contains a non-JSON value"},
		{strategy(nil), "memory Strategy manifest must be an object"},
		{strategy(strategyManifest("supportedSourceRoles", 1.0)), "memory Strategy supported Source role must be an array"},
		{strategy(strategyManifest("extensionSlots", nil)), "memory Strategy extension slot must be an array"},
		{extension(nil), "memory Strategy extension manifest must be an object"},
		{plugin(nil), "memory plugin must be an object"},
		{plugin(pluginDescriptor("roles", nil)), "memory plugin role must be an array"},
		{plugin(pluginDescriptor("provides", nil)), "memory plugin provided capability must be an array"},
		{plugin(pluginDescriptor("provides", []any{nil})), "memory plugin provided capability must be an object"},
		{plugin(pluginDescriptor("requires", 5.0)), "memory plugin required capability must be an array"},
		{plugin(pluginDescriptor("label", nil)), "memory plugin label must be an object"},
		{plugin(pluginDescriptor("apiVersion", foreign(jsonvalue.Undefined))), "unsupported memory plugin API: undefined"},
		{configuration(nil), "Invalid plugin configuration descriptor"},
		{configuration(declaration("create", foreign(jsonvalue.Exotic))), "Invalid plugin configuration descriptor"},
		{configuration(declaration("typeId", nil)), "Invalid plugin configuration descriptor"},
		{configuration(declaration("fields", []any{nil})), "Invalid plugin configuration descriptor"},
		{configuration(declaration("fields", []any{field("k", "text").Without("key")})), "Invalid plugin configuration descriptor"},
		{request(nil), "memory View request must be an object"},
		{request(jsonvalue.Of("scenario", "s")), "memory View budget must be an object"},
		{facts(nil), "memory Source facts for source:x must be an object"},
	} {
		if got := message(c.err); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestDefinitionsAreOfThemselves (MN15): what was kept of a manifest shares
// nothing with what was handed in, and its fields say what its raw form says.
func TestDefinitionsAreOfThemselves(t *testing.T) {
	schema := jsonvalue.Of("type", "object")
	raw := sourceManifest("typeId", " t ", "extra", []any{schema},
		"management", jsonvalue.Of("label", "x"), "capabilities", []any{" read ", "write"},
		"routes", []any{jsonvalue.Of("id", "r", "description", " d ", "capability", "read", "inputSchema", schema, "maxCalls", 2.0, "note", 1.0)},
		"actions", []any{jsonvalue.Of("id", "a", "description", "d", "capability", "write", "inputSchema", nil)})
	d, err := compose.DefineSource(raw, noSource)
	if err != nil {
		t.Fatal(err)
	}
	schema.Set("type", "changed")
	route := jsonvalue.Of("id", "r", "description", "d", "capability", "read", "inputSchema", jsonvalue.Of("type", "object"), "maxCalls", 2.0)
	action := jsonvalue.Of("id", "a", "description", "d", "capability", "write", "inputSchema", nil)
	want := compose.SourceManifest{
		TypeID: "t", PackageName: "p", Role: "r", Consistency: "exact-snapshot", Capabilities: []string{"read", "write"},
		Routes:     []compose.RouteManifest{{ID: "r", Description: "d", Capability: "read", InputSchema: jsonvalue.Of("type", "object"), MaxCalls: 2, Raw: route}},
		Actions:    []compose.ActionManifest{{ID: "a", Description: "d", Capability: "write", Raw: action}},
		Management: jsonvalue.Of("label", "x"),
		Raw: sourceManifest("extra", []any{jsonvalue.Of("type", "object")}, "management", jsonvalue.Of("label", "x"),
			"capabilities", []any{"read", "write"}, "routes", []any{route}, "actions", []any{action}),
	}
	if diff := cmp.Diff(want, *d.Manifest); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCheckerIsAskedInItsPlace: after compose, before the roles.
func TestCheckerIsAskedInItsPlace(t *testing.T) {
	_, err := compose.DefineStrategy(strategyManifest("supportedSourceRoles", nil), fixedStrategy{badTurn: true})
	if got, want := message(err), "memory Strategy createTurn must be a function"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_, err = compose.DefineStrategy(strategyManifest("deterministic", nil), fixedStrategy{badTurn: true})
	if got, want := message(err), "memory Strategy must declare deterministic: true"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTrim is String.prototype.trim, lone surrogates at the ends included.
func TestTrim(t *testing.T) {
	for in, want := range map[string]string{
		"\t\n\v\f\r  a\u2028\u2029\u202f\u205f\u3000\ufeff\u1680\u2000\u200a": "a",
		"\u0085a\u200b\u180e":         "\u0085a\u200b\u180e",
		"\xed\xa0\x80 a \xed\xb0\x80": "\xed\xa0\x80 a \xed\xb0\x80",
		" \xed\xa0\x80 ":              "\xed\xa0\x80",
		"":                            "",
	} {
		if got := compose.Trim(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzManifests: a manifest is refused, or it is kept in a form that defines again
// to itself. Nothing panics.
func FuzzManifests(f *testing.F) {
	for _, o := range []*jsonvalue.Object{
		sourceManifest(), strategyManifest("extensionSlots", []any{"a"}), extensionManifest(),
		pluginDescriptor("requires", []any{"y"}), declaration("fields", []any{field("k", "number", "defaultValue", 1.0)}),
		jsonvalue.Of("$undefined", 1.0), jsonvalue.Of("storage", jsonvalue.Of("$nan", 1.0)),
	} {
		f.Add([]byte(jsonvalue.Format(o)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		v = marks.Decode(v)
		for name, define := range definers() {
			kept, err := define(v)
			if err != nil {
				if err.Error() == "" {
					t.Errorf("%s: a refusal without a word", name)
				}
				continue
			}
			again, err := define(kept)
			if err != nil {
				t.Errorf("%s: kept and then refused: %v", name, err)
			} else if !again.Equal(kept) {
				t.Errorf("%s: kept as %s, then as %s", name, jsonvalue.Format(kept), jsonvalue.Format(again))
			}
		}
	})
}

func definers() map[string]func(any) (*jsonvalue.Object, error) {
	return map[string]func(any) (*jsonvalue.Object, error){
		"source": func(v any) (*jsonvalue.Object, error) {
			d, err := compose.DefineSource(v, noSource)
			if err != nil {
				return nil, err
			}
			return d.Manifest.Raw, nil
		},
		"strategy": func(v any) (*jsonvalue.Object, error) {
			d, err := compose.DefineStrategy(v, fixedStrategy{})
			if err != nil {
				return nil, err
			}
			return d.Manifest.Raw, nil
		},
		"extension": func(v any) (*jsonvalue.Object, error) {
			d, err := compose.DefineExtension(v, fixedExtension{})
			if err != nil {
				return nil, err
			}
			return d.Manifest.Raw, nil
		},
		"plugin": compose.DefinePlugin,
		"configuration": func(v any) (*jsonvalue.Object, error) {
			if o, ok := jsonvalue.Map(v); ok {
				v = o.With("create", foreign(jsonvalue.Function))
			}
			c, err := compose.DefineConfiguration(v)
			if err != nil {
				return nil, err
			}
			return c.Raw, nil
		},
		"request": func(v any) (*jsonvalue.Object, error) {
			r, err := compose.NormalizeRequest(v)
			if err != nil {
				return nil, err
			}
			return r.Raw, nil
		},
	}
}
