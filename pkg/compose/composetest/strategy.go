package composetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// CheckStrategy holds a Strategy to the contract of compose.Strategy. It is asked
// about these Sources; without any, about one of each role it supports.
func CheckStrategy(t *testing.T, define func() *compose.StrategyDefinition, sources ...*compose.SourceDefinition) {
	t.Helper()
	run(t, strategyContract(define, sources))
}

func strategyContract(define func() *compose.StrategyDefinition, sources []*compose.SourceDefinition) []sentence {
	if len(sources) == 0 {
		sources = stubs(define().Manifest.SupportedSourceRoles)
	}
	c := &strategyCheck{define, sources}
	return []sentence{
		{"what it proposes makes a View", c.composes},
		{"it keeps to the budget, however small", c.fits},
		{"it goes by what is available", c.unavailable},
		{"two of it, at different times, propose the same", c.deterministic},
		{"it changes nothing that it is given", c.pure},
		{"several requests at once get the same", c.concurrent},
		{"its policy reads, and shares nothing between executions", c.reads},
	}
}

type strategyCheck struct {
	define  func() *compose.StrategyDefinition
	sources []*compose.SourceDefinition
}

func (c *strategyCheck) core(ctx context.Context) (*compose.Core, error) {
	contributions := []compose.Contribution{oneStrategy(c.define())}
	for _, s := range c.sources {
		contributions = append(contributions, oneSource(s))
	}
	return newCore(ctx, contributions...)
}

func (c *strategyCheck) view(ctx context.Context, characters int) (v *compose.View, err error) {
	core, err := c.core(ctx)
	defer closing(ctx, core, &err)
	if err != nil {
		return nil, err
	}
	lease, v, err := view(ctx, core, characters)
	if err == nil {
		lease.Release()
	}
	return v, err
}

func (c *strategyCheck) composes(ctx context.Context) error {
	_, err := c.view(ctx, 1000)
	return err
}

func (c *strategyCheck) fits(ctx context.Context) error {
	for _, characters := range []int{1, 2, 3, 10, 11, 100, 65_536} {
		if _, err := c.view(ctx, characters); err != nil {
			return fmt.Errorf("%d characters: %w", characters, err)
		}
	}
	return nil
}

// unavailable asks about Sources that are there and cannot be used. A Strategy
// may refuse; it may not choose them.
func (c *strategyCheck) unavailable(ctx context.Context) error {
	sources := slices.Clone(c.sources)
	for i, s := range sources {
		sources[i] = closedStub(s.Manifest)
	}
	v, err := (&strategyCheck{c.define, sources}).view(ctx, 1000)
	if err != nil && strings.Contains(err.Error(), "required Source runtime") {
		return fmt.Errorf("it requires what is not available: %w", err)
	}
	if err == nil && len(v.Routes())+len(v.Offers()) > 0 {
		return errors.New("it offers operations of Sources that are not available")
	}
	return nil
}

func (c *strategyCheck) deterministic(ctx context.Context) error {
	first, err := c.view(ctx, 1000)
	if err != nil {
		return err
	}
	second, err := c.view(ctx, 1000)
	if err == nil && first.ID() != second.ID() {
		err = fmt.Errorf("two Views of the same: %s, %s", first.ID(), second.ID())
	}
	return err
}

func (c *strategyCheck) pure(ctx context.Context) error {
	return unchanged(c.sources, func(r *compose.Request, sources []any) error {
		_, err := c.define().Strategy.Compose(ctx, r, sources, []any{})
		return err
	})
}

func (c *strategyCheck) concurrent(ctx context.Context) (err error) {
	core, err := c.core(ctx)
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	return sameAtOnce(ctx, core)
}

// reads tries each route of the View, in two executions that must agree. The
// Sources need to take an empty object as input.
func (c *strategyCheck) reads(ctx context.Context) (err error) {
	core, err := c.core(ctx)
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	lease, v, err := view(ctx, core, 1000)
	if err != nil {
		return err
	}
	defer lease.Release()
	for _, route := range v.Routes() {
		id, _ := route.Text("id")
		var answers [2]any
		for i := range answers {
			answers[i], err = lease.Route(ctx, v, compose.NewExecution(compose.DefaultBudget), id, jsonvalue.Of(), false)
			if err != nil {
				return fmt.Errorf("%s: %w", id, err)
			}
		}
		if !jsonvalue.Equal(answers[0], answers[1]) {
			return fmt.Errorf("%s: a second execution reads something else: %s, %s", id, jsonvalue.Format(answers[0]), jsonvalue.Format(answers[1]))
		}
	}
	return nil
}

// CheckExtension holds a Strategy extension to the contract of
// compose.Extension. It is asked about these Sources; without any, about one of
// role notes.
func CheckExtension(t *testing.T, define func() *compose.ExtensionDefinition, sources ...*compose.SourceDefinition) {
	t.Helper()
	run(t, extensionContract(define, sources))
}

func extensionContract(define func() *compose.ExtensionDefinition, sources []*compose.SourceDefinition) []sentence {
	if len(sources) == 0 {
		sources = stubs(nil)
	}
	c := &extensionCheck{define, sources}
	return []sentence{
		{"a Strategy with its slot makes a View with it", c.composes},
		{"two of it contribute the same", c.deterministic},
		{"it changes nothing that it is given", c.pure},
		{"what it puts into a standard slot is a value of that slot", c.standard},
	}
}

type extensionCheck struct {
	define  func() *compose.ExtensionDefinition
	sources []*compose.SourceDefinition
}

// value is what the extension contributes about the Sources.
func (c *extensionCheck) value(ctx context.Context) (v any, err error) {
	err = unchanged(c.sources, func(r *compose.Request, sources []any) (err error) {
		v, err = c.define().Extension.Contribute(ctx, r, sources)
		return err
	})
	return v, err
}

// composes installs the extension beside a Strategy of the type it is for.
func (c *extensionCheck) composes(ctx context.Context) (err error) {
	e := c.define()
	typeID := e.Manifest.StrategyTypeID
	if typeID == "*" {
		typeID = "everything"
	}
	strategy, err := compose.DefineStrategy(newEverything("eager").Manifest.Raw.With("typeId", typeID, "extensionSlots", []any{e.Manifest.Slot}), nothing{typeID})
	if err != nil {
		return err
	}
	contributions := []compose.Contribution{oneStrategy(strategy), {Extensions: []*compose.ExtensionDefinition{e}}}
	for _, s := range c.sources {
		contributions = append(contributions, oneSource(s))
	}
	core, err := newCore(ctx, contributions...)
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	lease, v, err := view(ctx, core, 1000)
	if err != nil {
		return err
	}
	lease.Release()
	if used, _ := v.Raw().Array("strategyExtensions"); len(used) != 1 {
		return errors.New("the View does not name the extension")
	}
	return nil
}

func (c *extensionCheck) deterministic(ctx context.Context) error {
	first, err := c.value(ctx)
	if err != nil {
		return err
	}
	second, err := c.value(ctx)
	if err == nil && !jsonvalue.Equal(first, second) {
		err = fmt.Errorf("two values of the same: %s, %s", jsonvalue.Format(first), jsonvalue.Format(second))
	}
	return err
}

func (c *extensionCheck) pure(ctx context.Context) error {
	_, err := c.value(ctx)
	return err
}

func (c *extensionCheck) standard(ctx context.Context) error {
	m := c.define().Manifest
	if m.StrategyTypeID != "*" {
		return nil
	}
	v, err := c.value(ctx)
	if err == nil {
		_, err = compose.ViewExtensionValue(m.Slot, v)
	}
	return err
}

// nothing is a Strategy that takes no Source at all.
type nothing struct{ typeID string }

func (n nothing) Compose(context.Context, *compose.Request, []any, []any) (any, error) {
	return jsonvalue.Of("strategyTypeId", n.typeID, "explanation", "Nothing.", "sources", []any{}), nil
}
