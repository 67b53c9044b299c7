package compose_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestRulesAsRecorded (MN10, MN15, MN19, MN23, MN121, MN123) plays some hundred
// values, one for each sentence of refusal and some that pass, whose answers were
// recorded from the published package. The sentences of the standard slots say
// View, as the newer ones do.
func TestRulesAsRecorded(t *testing.T) {
	groups := marks.Decode(readJSON(t, "recorded/rules.json")).(*jsonvalue.Object)
	for rule, v := range groups.All() {
		t.Run(rule, func(t *testing.T) {
			cases := v.([]any)
			if len(cases) < 3 {
				t.Errorf("%d cases", len(cases))
			}
			for _, c := range cases {
				playRule(t, rule, c.(*jsonvalue.Object))
			}
		})
	}
}

func playRule(t *testing.T, rule string, c *jsonvalue.Object) {
	t.Helper()
	args, _ := c.Array("args")
	got, err := callRule(t, rule, args)
	if refusal, ok := c.Text("error"); ok {
		if message(err) != refusal {
			t.Errorf("%s: %q, want %q", jsonvalue.Format(encoded(args)), message(err), refusal)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: refused: %v", jsonvalue.Format(encoded(args)), err)
		return
	}
	want, _ := c.Get("value")
	if diff := cmp.Diff(plain(t, want), plain(t, got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", jsonvalue.Format(encoded(args)), diff)
	}
}

func callRule(t *testing.T, rule string, args []any) (any, error) {
	t.Helper()
	exports := map[string]string{
		"plugin": "defineMemoryPlugin", "configuration": "defineMemoryStrategyConfiguration",
		"text": "memoryInputText", "integer": "memoryInputInteger", "array": "memoryInputStringArray",
		"truncate": "truncateMemoryText", "lineage": "memoryInputMigrationLineage",
	}
	switch rule {
	case "source", "strategy", "extension":
		names := map[string]string{
			"source": "defineMemorySource", "strategy": "defineMemoryStrategy", "extension": "defineMemoryStrategyExtension",
		}
		out, err := define(args[0].(*jsonvalue.Object), names[rule])
		if err != nil {
			return nil, err
		}
		manifest, _ := out.(*jsonvalue.Object).Get("manifest")
		return manifest, nil
	case "configuration":
		c, err := compose.DefineConfiguration(args[0])
		if err != nil {
			return nil, err
		}
		return c.Raw, nil
	case "values":
		return object(declared(t).Values(args[0]))
	case "check":
		return nil, declared(t).Check(args[0])
	case "input":
		schema, err := jsonvalue.Clone(args[0], "schema")
		if err != nil {
			return nil, err
		}
		return nil, compose.CheckInput(schema, args[1], "memory Route input")
	case "slot":
		return compose.ViewExtensionValue(args[0].(string), args[1])
	case "facts":
		ceiling, limited := args[1].([]any)
		return object(compose.Facts(ruledSource(t), args[0], ceilingOf(ceiling, limited)))
	case "request":
		r, err := compose.NormalizeRequest(args[0])
		if err != nil {
			return nil, err
		}
		return r.Raw, nil
	}
	if exports[rule] == "" {
		return nil, errors.New("no such rule")
	}
	return callExport(t, "", exports[rule], args, nil)
}

func ceilingOf(items []any, ok bool) []string {
	if !ok {
		return nil
	}
	out := []string{}
	for _, item := range items {
		out = append(out, item.(string))
	}
	return out
}

// declared is the declaration that the recorded values are for.
func declared(t *testing.T) *compose.Configuration {
	t.Helper()
	c, err := compose.DefineConfiguration(declaration("fields", []any{
		field("n", "number", "minimum", 1.0, "maximum", 9.0, "defaultValue", 4.0),
		field("t", "text", "maximum", 5.0),
		field("x", "textarea", "description", both("q", "w")),
		field("l", "string-list", "defaultValue", []any{"a"}),
		field("s", "source-list", "sourceRoles", []any{"r"}),
	}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ruledSource is the Source that the recorded facts are of.
func ruledSource(t *testing.T) *compose.SourceDefinition {
	t.Helper()
	route := func(id, capability string) *jsonvalue.Object {
		return jsonvalue.Of("id", id, "description", "d", "capability", capability,
			"inputSchema", jsonvalue.Of("type", "object"), "maxCalls", 1.0, "maxResults", 5.0, "maxCharacters", 9.0)
	}
	d, err := compose.DefineSource(sourceManifest(
		"capabilities", []any{"project", "read", "write"},
		"routes", []any{route("r", "read"), route("q", "project")},
		"actions", []any{jsonvalue.Of("id", "a", "description", "d", "capability", "write",
			"inputSchema", jsonvalue.Of(), "authority", "ops")},
	), noSource)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sourceManifest is a valid manifest with some members of its own.
func sourceManifest(pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "t", "packageName", "p",
		"role", "r", "capabilities", []any{"project"}, "consistency", "exact-snapshot").With(pairs...)
}
