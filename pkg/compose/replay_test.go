package compose_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestMountsAsRecorded (MN51-MN57, MN59-MN61) plays the mounts of the scenarios
// about descriptors, Strategies and extensions: what is refused and in which
// words, what a candidate comes to and which revision it has. What happens in
// turns is not played here.
func TestMountsAsRecorded(t *testing.T) {
	for _, name := range []string{
		"activation-graph", "extensions", "strategy-selection",
		"next/any-strategy-extension", "next/strategy-fallback",
	} {
		t.Run(name, func(t *testing.T) {
			r := &replay{scenario: readScenario(t, name), runners: map[string]*replayRunner{}}
			if name == "strategy-selection" {
				r.newer = map[int]string{len(r.scenario.steps) - 1: "one"}
			}
			r.play(t)
		})
	}
}

// replay is a scenario under way.
type replay struct {
	scenario scenario
	runners  map[string]*replayRunner
	newer    map[int]string // steps that the newer rules answer otherwise, with the Strategy
	compared int
}

type replayRunner struct {
	registry *compose.Registry
	settings compose.Settings
	remove   map[string]func()
}

func (r *replay) runner(o *jsonvalue.Object) *replayRunner {
	name, ok := o.Text("runner")
	if !ok {
		name = "main"
	}
	if r.runners[name] == nil {
		r.add(name, r.scenario.settings)
	}
	return r.runners[name]
}

func (r *replay) add(name string, s compose.Settings) {
	r.runners[name] = &replayRunner{compose.NewRegistry(), s, map[string]func(){}}
}

func (r *replay) play(t *testing.T) {
	for i, s := range r.scenario.steps {
		op, _ := s.call.Text("op")
		id, _ := s.call.Text("id")
		var err error
		switch op {
		case "runner":
			name, _ := s.call.Text("name")
			options, _ := s.call.Map("options")
			r.add(name, settings(options))
			continue
		case "mount":
			err = r.runner(s.call).mount(t, s.call, id)
		case "unmount":
			r.runner(s.call).remove[id]()
		case "inspect":
			r.inspect(t, i, s)
			continue
		default:
			continue
		}
		r.compared++
		refused, _ := s.answer.Map("error")
		want, _ := refused.Text("message")
		if got := message(err); got != want {
			t.Errorf("step %d, %s %s: %q, want %q", i, op, id, got, want)
		}
	}
	if r.compared < 5 {
		t.Errorf("%d steps compared", r.compared)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (r *replay) inspect(t *testing.T, i int, s step) {
	ok, _ := s.answer.Map("ok")
	want, _ := ok.Map("evaluation")
	want = want.Without("generationId")
	if state, _ := want.Text("state"); state == "incomplete" {
		want = want.Without("diagnostics") // that nothing is installed is the host's to say
	}
	if r.newer[i] != "" {
		want = newerEvaluation(want, r.newer[i])
	}
	r.compared++
	if diff := cmp.Diff(plain(t, want), plain(t, r.runner(s.call).evaluation())); diff != "" {
		t.Errorf("step %d, inspect (-want +got):\n%s", i, diff)
	}
}

// newerEvaluation is what the newer rules make of a rejection that 0.5.13, which
// has no fallback, was recorded with.
func newerEvaluation(rejected *jsonvalue.Object, strategy string) *jsonvalue.Object {
	return rejected.With("state", "ready", "strategyInstanceKey", "strategy:"+strategy, "diagnostics", []any{jsonvalue.Of(
		"code", "strategy-fallback", "contributionInstanceKey", "strategy:"+strategy,
		"message", "Selected Strategy general is unavailable; composing with the only installed Strategy "+strategy+".",
	)})
}

// evaluation is the report on a candidate, as far as the rules decide it.
func (r *replayRunner) evaluation() *jsonvalue.Object {
	s := r.registry.Snapshot()
	out := jsonvalue.Of("contributionRevision", float64(s.Revision), "sourceInstanceKeys", jsonvalue.Texts(s.Sources))
	if len(s.Sources) == 0 || len(s.Strategies) == 0 {
		return out.With("state", "incomplete")
	}
	e, err := r.registry.Evaluate(r.settings)
	if err != nil {
		rejected := jsonvalue.Of("code", "composition-rejected", "message", err.Error())
		return out.With("state", "rejected", "diagnostics", []any{rejected})
	}
	if e.Diagnostics == nil {
		e.Diagnostics = []any{}
	}
	out = out.With("state", "ready", "strategyInstanceKey", e.Strategy, "diagnostics", e.Diagnostics)
	if len(e.Extensions) > 0 {
		out.Set("strategyExtensionInstanceKeys", jsonvalue.Texts(e.Extensions))
	}
	return out
}

// mount installs what the fixture plugins of the recordings do.
func (r *replayRunner) mount(t *testing.T, call *jsonvalue.Object, id string) error {
	t.Helper()
	module, _ := call.Text("module")
	config, _ := call.Map("config")
	var c compose.Contribution
	var err error
	switch {
	case strings.HasSuffix(module, "fixture-source.mjs"):
		c, err = fixtureSource(config)
	case strings.HasSuffix(module, "fixture-strategy.mjs"):
		c, err = fixtureStrategy(config)
	case strings.HasSuffix(module, "fixture-extension.mjs"):
		c, err = fixtureExtension(config)
	default:
		t.Fatalf("unknown plugin %s", module)
	}
	if err != nil {
		return err
	}
	remove, err := r.registry.Install(c, compose.InstallOptions{InstanceID: id})
	if err == nil {
		r.remove[id] = remove
	}
	return err
}

func fixtureSource(config *jsonvalue.Object) (c compose.Contribution, err error) {
	typeID := or(config, "typeId", "notes").(string)
	name := or(config, "packageName", "fixture-source-"+typeID)
	manifest := jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", typeID, "packageName", name,
		"role", or(config, "role", "notes"), "consistency", or(config, "consistency", "exact-snapshot"),
		"capabilities", or(config, "capabilities", []any{"project", "read", "write"}),
		"routes", or(config, "routes", []any{}), "actions", or(config, "actions", []any{}))
	d, err := compose.DefineSource(manifest, noSource)
	c.Sources = []*compose.SourceDefinition{d}
	c.Plugin = fixturePlugin(config, name, typeID, "source")
	return c, err
}

func fixtureStrategy(config *jsonvalue.Object) (c compose.Contribution, err error) {
	typeID := or(config, "typeId", "view").(string)
	name := or(config, "packageName", "fixture-strategy-"+typeID)
	manifest := jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", typeID, "packageName", name,
		"deterministic", true, "supportedSourceRoles", or(config, "supportedSourceRoles", []any{"notes"}),
		"maxSources", 8.0, "maxRoutes", 16.0, "maxActions", 16.0)
	if slots, ok := config.Get("extensionSlots"); ok {
		manifest.Set("extensionSlots", slots)
	}
	d, err := compose.DefineStrategy(manifest, fixedStrategy{})
	c.Strategies = []*compose.StrategyDefinition{d}
	c.Plugin = fixturePlugin(config, name, typeID, "strategy")
	return c, err
}

func fixtureExtension(config *jsonvalue.Object) (c compose.Contribution, err error) {
	name := or(config, "packageName", "fixture-extension")
	items, ok := config.Array("items")
	if !ok {
		items = []any{config}
	}
	for _, item := range items {
		o, _ := item.(*jsonvalue.Object)
		d, err := compose.DefineExtension(jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy-extension",
			"typeId", or(o, "typeId", "extension"), "packageName", name,
			"strategyTypeId", or(o, "strategyTypeId", "view"), "slot", or(o, "slot", "projection"),
			"deterministic", true), fixedExtension{})
		if err != nil {
			return c, err
		}
		c.Extensions = append(c.Extensions, d)
	}
	c.Plugin = fixturePlugin(config, name, "Extension", "strategy-extension")
	return c, nil
}

func fixturePlugin(config *jsonvalue.Object, name any, label, role string) any {
	own, ok := config.Map("plugin")
	if !ok {
		return nil
	}
	return jsonvalue.Of("apiVersion", "dsh-mnemon/plugin/v1", "packageName", name,
		"label", both(label, label), "description", both(label, label), "roles", []any{role}).Merge(own)
}

// or reads a member with a default.
func or(o *jsonvalue.Object, key string, otherwise any) any {
	if v, ok := o.Get(key); ok && v != nil {
		return v
	}
	return otherwise
}
