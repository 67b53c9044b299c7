package composetest

import (
	"context"
	"fmt"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// scope is where everything happens.
func scope() *jsonvalue.Object { return jsonvalue.Of("storage", "custom") }

// request asks for a View with room for so many characters.
func request(characters int) *jsonvalue.Object {
	budget := compose.DefaultBudget
	budget.MaxProjectionCharacters = characters
	return jsonvalue.Of("scope", scope(), "scenario", "composetest", "budget", budget.Object())
}

// newCore returns a Core with a clock that stands still and the contributions,
// each as an Entry named after its place.
func newCore(ctx context.Context, contributions ...compose.Contribution) (*compose.Core, error) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	core := compose.New(compose.Settings{Now: func() time.Time { return now }})
	for i, c := range contributions {
		if _, err := core.Install(ctx, c, compose.InstallOptions{InstanceID: fmt.Sprintf("entry-%d", i)}); err != nil {
			return core, err
		}
	}
	return core, nil
}

func oneSource(d *compose.SourceDefinition) compose.Contribution {
	return compose.Contribution{Sources: []*compose.SourceDefinition{d}}
}

func oneStrategy(d *compose.StrategyDefinition) compose.Contribution {
	return compose.Contribution{Strategies: []*compose.StrategyDefinition{d}}
}

// view leases the Core's generation and composes.
func view(ctx context.Context, core *compose.Core, characters int) (*compose.Lease, *compose.View, error) {
	lease, err := core.Acquire("")
	if err != nil {
		return nil, nil, err
	}
	v, err := lease.Compose(ctx, request(characters))
	if err != nil {
		lease.Release()
	}
	return lease, v, err
}

// closing closes the Core and keeps the first error.
func closing(ctx context.Context, core *compose.Core, err *error) {
	if closed := core.Close(ctx); *err == nil {
		*err = closed
	}
}

// atOnce calls f several times at once and returns the first error.
func atOnce(n int, f func() error) error {
	errs := make(chan error, n)
	for range n {
		go func() { errs <- f() }()
	}
	var first error
	for range n {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}

// sameAtOnce composes several times at once, and each time the same.
func sameAtOnce(ctx context.Context, core *compose.Core) error {
	lease, first, err := view(ctx, core, 1000)
	if err != nil {
		return err
	}
	defer lease.Release()
	return atOnce(8, func() error {
		v, err := lease.Compose(ctx, request(1000))
		if err == nil && v.ID() != first.ID() {
			err = fmt.Errorf("another View than alone: %s, %s", v.ID(), first.ID())
		}
		return err
	})
}

// everything is a Strategy that takes all there is, in one mode.
type everything struct{ mode string }

func newEverything(mode string) *compose.StrategyDefinition {
	d, err := compose.DefineStrategy(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "everything", "packageName", "composetest",
		"deterministic", true, "supportedSourceRoles", []any{"*"}, "maxSources", 32.0, "maxRoutes", 1000.0, "maxActions", 1000.0,
	), everything{mode})
	if err != nil {
		panic(err)
	}
	return d
}

func (e everything) Compose(_ context.Context, r *compose.Request, sources, _ []any) (any, error) {
	chosen := []any{}
	for _, v := range sources {
		o, _ := jsonvalue.Map(v)
		spec := jsonvalue.Of("sourceInstanceKey", get(o, "sourceInstanceKey"), "routeIds", get(o, "routeIds"), "actionIds", get(o, "actionIds"))
		if e.mode != "" && holds(o, "capabilities", "project") {
			most := max(1, r.Budget.MaxProjectionCharacters/len(sources))
			spec.Set("projection", jsonvalue.Of("mode", e.mode, "maxCharacters", float64(most)))
		}
		chosen = append(chosen, spec)
	}
	return jsonvalue.Of("strategyTypeId", "everything", "explanation", "All there is.", "sources", chosen), nil
}

func get(o *jsonvalue.Object, name string) any {
	v, _ := o.Get(name)
	return v
}

func holds(o *jsonvalue.Object, name, item string) bool {
	list, _ := o.Array(name)
	for _, v := range list {
		if v == item {
			return true
		}
	}
	return false
}
