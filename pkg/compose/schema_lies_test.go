package compose_test

import (
	"context"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// liar is the definition of a diary with a route whose schema says something else
// than its Source does.
func liar(schema any) (*compose.SourceDefinition, error) {
	var asked []string
	return compose.DefineSource(jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "diary", "role", "diary",
		"packageName", "diary", "capabilities", []any{"read"}, "consistency", "exact-snapshot",
		"routes", []any{jsonvalue.Of("id", "ask", "description", "Ask.", "capability", "read", "inputSchema", schema, "maxCalls", 9.0)}),
		func(context.Context, compose.SourceContext) (compose.Source, error) { return diary{&asked}, nil })
}

// TestSchemasThatLie: a schema that refuses everything, asks for what it forbids or
// says nothing that is understood bounds its own route and nothing else.
func TestSchemasThatLie(t *testing.T) {
	for name, row := range map[string]struct {
		schema any
		says   string // of a read with {q}; "" when it is answered
	}{
		"refuses all":         {jsonvalue.Of("enum", []any{}), "memory Route input is not an allowed value"},
		"forbids what it has": {jsonvalue.Of("type", "object", "required", []any{"q"}, "properties", jsonvalue.Of(), "additionalProperties", false), "memory Route input contains unsupported property: q"},
		"asks the impossible": {jsonvalue.Of("type", "object", "required", []any{"q", "nobody"}), "memory Route input is missing required property: nobody"},
		"wants another type":  {jsonvalue.Of("type", "array"), "memory Route input must be an array"},
		"an unknown type":     {jsonvalue.Of("type", "anything", "required", 7.0, "properties", "none"), ""},
		"a text":              {"no schema at all", ""},
	} {
		t.Run(name, func(t *testing.T) {
			definition, err := liar(row.schema)
			if err != nil {
				t.Fatal(err)
			}
			core := compose.New(compose.Settings{Now: func() time.Time { return time.Unix(0, 0) }})
			defer core.Close(context.Background())
			strategy, err := compose.DefineStrategy(jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "patient", "packageName", "p",
				"deterministic", true, "supportedSourceRoles", []any{"*"}, "maxSources", 9.0, "maxRoutes", 9.0, "maxActions", 9.0), patient{})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []compose.Contribution{{Sources: []*compose.SourceDefinition{definition}}, {Strategies: []*compose.StrategyDefinition{strategy}}} {
				id := "d"
				if c.Sources == nil {
					id = "p"
				}
				if _, err := core.Install(t.Context(), c, compose.InstallOptions{InstanceID: id}); err != nil {
					t.Fatal(err)
				}
			}
			lease, err := core.Acquire("")
			if err != nil {
				t.Fatal(err)
			}
			defer lease.Release()
			view, err := lease.Compose(t.Context(), jsonvalue.Of("scope", jsonvalue.Of("storage", "custom"), "scenario", "s", "budget", budget()))
			if err != nil || len(view.Routes()) != 1 {
				t.Fatalf("no View with the route: %v", err)
			}
			_, err = lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), ask, question("one"), false)
			if got := said(err); got != row.says {
				t.Errorf("%q, want %q", got, row.says)
			}
		})
	}
	var deep any = true
	for range 60 {
		deep = jsonvalue.Of("properties", deep)
	}
	if _, err := liar(deep); said(err) != "memory Source route input schema is nested too deeply" {
		t.Errorf("a schema without end: %v", err)
	}
}

func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
