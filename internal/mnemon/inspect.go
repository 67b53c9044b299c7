package mnemon

import (
	"context"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Inspection is what the plugins compile to.
type Inspection struct {
	Report     *jsonvalue.Object // as Core gives it (spec/mnemon.md 3.17)
	Strategies []string          // the types of those that are installed
	Warnings   []Warning
}

// Inspect starts the plugins and returns what they compile to.
func (w *Workspace) Inspect(ctx context.Context) (found Inspection, err error) {
	found.Warnings, err = w.tryOut(ctx, func(r *running) {
		found.Report = r.core.Inspect()
		for _, s := range r.core.Strategies() {
			found.Strategies = append(found.Strategies, s.TypeID)
		}
	})
	return found, err
}

// Strategies are the Strategies that are installed.
type Strategies struct {
	All      []InstalledStrategy
	Chosen   string // by UseStrategy; "" when nobody chose
	Warnings []Warning
}

// InstalledStrategy is one of them.
type InstalledStrategy struct {
	TypeID, InstanceKey string
	Slots               []string
	Selected            bool // it composes the next turn
}

// Strategies starts the plugins and lists the Strategies among them.
func (w *Workspace) Strategies(ctx context.Context) (Strategies, error) {
	settings, _, err := w.Settings()
	if err != nil {
		return Strategies{}, err
	}
	found := Strategies{Chosen: settings.StrategyTypeID}
	found.Warnings, err = w.tryOut(ctx, func(r *running) {
		evaluation, _ := r.core.Inspect().Map("evaluation")
		selected, _ := evaluation.Text("strategyInstanceKey")
		for _, s := range r.core.Strategies() {
			found.All = append(found.All, InstalledStrategy{s.TypeID, s.InstanceKey, append([]string{}, s.Slots...), s.InstanceKey == selected})
		}
	})
	return found, err
}

// tryOut starts the assembly as it is now for a look at it.
func (w *Workspace) tryOut(ctx context.Context, look func(r *running)) ([]Warning, error) {
	settings, warnings, err := w.Settings()
	if err != nil {
		return warnings, err
	}
	now, more, err := w.present(settings)
	warnings = append(warnings, more...)
	if err != nil {
		return warnings, err
	}
	r, err := w.start(ctx, now)
	if err != nil {
		return warnings, err
	}
	defer r.stop(ctx)
	look(r)
	return append(warnings, r.warnings()...), nil
}
