package composetest_test

import (
	"context"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
)

// TestInactiveExtension (MN61): who speaks for another Strategy is reported, and
// not asked.
func TestInactiveExtension(t *testing.T) {
	d, err := compose.DefineExtension(of("apiVersion", fixtureAPI, "kind", "strategy-extension", "typeId", "far", "packageName", "far",
		"strategyTypeId", "another", "slot", "projection", "deterministic", true), contribute(func(context.Context, []any) (any, error) {
		t.Error("an extension of another Strategy was asked")
		return nil, nil
	}))
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}), must(compose.Contribution{Extensions: []*compose.ExtensionDefinition{d}}, err))
	_, view := mustCompose(t, core)
	if view.Raw().Has("strategyExtensions") {
		t.Error("it is part of the View")
	}
	got, _ := evaluation(core).Array("diagnostics")
	want := []any{of("code", "strategy-extension-inactive", "message", "Strategy extension targets another; selected Strategy is plan.",
		"contributionInstanceKey", "strategy-extension:c")}
	if !jsonvalue.Equal(want, got) {
		t.Errorf("got %s", jsonvalue.Format(got))
	}
}

// TestRemovedExtension (MN66): when an extension leaves, the generation that it
// was part of serves nobody anew, even if no other can be built. A turn goes on.
func TestRemovedExtension(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	remove := install(t, core, "x", extension("projection", func(context.Context, []any) (any, error) { return 5.0, nil }))
	lease, view := mustCompose(t, core)
	broken, err := compose.DefineSource(nativeManifest(), func(context.Context, compose.SourceContext) (compose.Source, error) { return nil, errUser })
	install(t, core, "broken", must(compose.Contribution{Sources: []*compose.SourceDefinition{broken}}, err))
	if serving, _ := core.Inspect().Text("servingGenerationId"); serving != lease.ID() {
		t.Errorf("what was added and failed took down what serves: %s", serving)
	}
	remove(t.Context())
	_, err = core.Acquire("")
	fails(t, err, "no Serving memory generation is available: "+errUser.Error())
	draining, _ := core.Inspect().Array("drainingGenerationIds")
	if diff := cmp.Diff([]any{lease.ID()}, draining); diff != "" {
		t.Errorf("draining (-want +got):\n%s", diff)
	}
	if _, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false); err != nil {
		t.Errorf("the turn does not go on: %v", err)
	}
}

// TestCeiling (MN39): what the Host does not allow is not offered, and naming it
// in an extension and in guidance does not bring it back.
func TestCeiling(t *testing.T) {
	core := compose.New(compose.Settings{
		Now: func() time.Time { return clock },
		SourceCapabilities: func(context.Context, compose.SourceInfo) ([]string, bool, error) {
			return []string{"project", "read"}, true, nil
		},
	})
	defer core.Close(context.Background())
	forced := false
	install(t, core, "a", source(&native{}))
	install(t, core, "b", strategy(&planner{compose: func(_ context.Context, sources, contributions []any) (any, error) {
		proposal := takeAll(sources, false)
		if forced {
			list, _ := proposal.Array("sources")
			list[0].(*object).Set("actionIds", []any{"write"})
		}
		o, _ := jsonvalue.Map(contributions[0])
		return proposal.With("guidance", of("system", get(o, "value"))), nil
	}}))
	install(t, core, "c", extension("capture", func(context.Context, []any) (any, error) { return "Use source:a/write.", nil }))
	lease, view := mustCompose(t, core)
	if said, _ := view.Guidance().Text("system"); said != "Use source:a/write." || len(view.Offers()) > 0 {
		t.Errorf("guidance %q, offers %s", said, jsonvalue.Format(view.Raw()))
	}
	_, err := lease.Action(t.Context(), view, "source:a/write", of(), allow, false)
	fails(t, err, "memory ActionOffer is unavailable: source:a/write")
	forced = true
	_, err = lease.Compose(t.Context(), request())
	fails(t, err, "memory Strategy selected unavailable action: source:a/write")
	lease.Release()
}
