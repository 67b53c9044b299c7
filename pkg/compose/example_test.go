package compose_test

import (
	"context"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// almanac is a Source of one text that never changes.
type almanac struct{ key string }

func newAlmanac(_ context.Context, c compose.SourceContext) (compose.Source, error) {
	return &almanac{c.InstanceKey}, nil
}

func (a *almanac) Facts(context.Context, *compose.Request) (any, error) {
	return jsonvalue.Of(
		"sourceInstanceKey", a.key, "sourceTypeId", "almanac", "role", "notes",
		"availability", "ready", "revision", "1",
		"capabilities", []any{"project", "read"}, "routeIds", []any{"read"}, "actionIds", []any{},
	), nil
}

func (a *almanac) Project(_ context.Context, r *compose.ProjectionRequest) (any, error) {
	fragments := []any{}
	if r.IncludeProjection {
		text := compose.Truncate("The build wants tabs, says the team.", r.MaxCharacters)
		fragments = append(fragments, jsonvalue.Of("id", "today", "sourceInstanceKey", a.key, "mode", r.Mode, "text", text, "revision", "1"))
	}
	grant := jsonvalue.Of("id", a.key+"/grant", "sourceInstanceKey", a.key, "schema", "almanac/v1", "value", nil,
		"revision", "1", "consistency", "exact-snapshot")
	return jsonvalue.Of("fragments", fragments, "readGrant", grant), nil
}

func (a *almanac) Query(_ context.Context, r *compose.QueryRequest) (any, error) {
	view, _ := r.View.Get("id")
	route, _ := r.Route.Get("id")
	page := jsonvalue.Of("id", "today", "text", "The build wants tabs, says the team. Bob disagrees.", "provenance", nil)
	return jsonvalue.Of("id", "evidence", "viewId", view, "routeId", route, "sourceInstanceKey", a.key,
		"items", []any{page}, "truncated", false), nil
}

// everySource proposes each Source, with a tenth of the room.
type everySource struct{}

func (everySource) Compose(_ context.Context, r *compose.Request, sources, _ []any) (any, error) {
	chosen := []any{}
	for _, v := range sources {
		source, _ := jsonvalue.Map(v)
		key, _ := source.Get("sourceInstanceKey")
		routes, _ := source.Get("routeIds")
		room := max(1, r.Budget.MaxProjectionCharacters/10)
		chosen = append(chosen, jsonvalue.Of("sourceInstanceKey", key, "required", false, "routeIds", routes,
			"projection", jsonvalue.Of("mode", "eager", "maxCharacters", float64(room))))
	}
	return jsonvalue.Of("strategyTypeId", "every-source", "explanation", "Each Source gets a tenth.", "sources", chosen), nil
}

// A Host mounts a Source and a Strategy, pins a View to a turn, shows it to a
// model and reads for it.
func Example() {
	source, err := compose.DefineSource(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "almanac", "packageName", "almanac", "role", "notes",
		"capabilities", []any{"project", "read"}, "consistency", "exact-snapshot",
		"routes", []any{jsonvalue.Of("id", "read", "description", "Read the page.", "capability", "read", "inputSchema", jsonvalue.Of(), "maxCalls", 2.0)},
	), newAlmanac)
	if err != nil {
		fmt.Println(err)
		return
	}
	strategy, err := compose.DefineStrategy(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "every-source", "packageName", "every-source", "deterministic", true,
		"supportedSourceRoles", []any{"*"}, "maxSources", 8.0, "maxRoutes", 8.0, "maxActions", 8.0,
	), everySource{})
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	core := compose.New(compose.Settings{Now: func() time.Time { return time.Unix(0, 0) }})
	defer core.Close(ctx)
	core.Install(ctx, compose.Contribution{Sources: []*compose.SourceDefinition{source}}, compose.InstallOptions{InstanceID: "work"})
	core.Install(ctx, compose.Contribution{Strategies: []*compose.StrategyDefinition{strategy}}, compose.InstallOptions{InstanceID: "every"})

	turns := compose.NewTurns(core)
	defer turns.Close()
	turn, err := turns.Begin(ctx, "turn-1", jsonvalue.Of("storage", "custom"), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	woken := compose.Wake(turn.View, compose.Bindings{Routes: map[string]string{"source:work/read": "read_almanac"}})
	text, _ := woken.Text("text")
	fmt.Println(text)

	evidence, err := turns.Route(ctx, "turn-1", "source:work/read", jsonvalue.Of(), false)
	if err != nil {
		fmt.Println(err)
		return
	}
	o, _ := jsonvalue.Map(evidence)
	items, _ := o.Get("items")
	fmt.Println(jsonvalue.Format(items))
	// Output:
	// The build wants tabs, says the team.
	//
	// MNEMON VIEW TOOLS (available in this View): read_almanac
	// [{"id":"today","text":"The build wants tabs, says the team. Bob disagrees.","provenance":null}]
}
