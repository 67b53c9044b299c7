// Package general is the Strategy that knows no roles: it admits every Source
// that is available, keeps the working context resident and deals operations
// fairly.
package general

import (
	"context"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TypeID and Package name the Strategy.
const (
	TypeID  = "general"
	Package = "dsh-mnemon-strategy-general"
)

const (
	mostSources    = 32
	mostOperations = 64
	residentWeight = 9
	onDemandWeight = 1
)

// Strategy is the Strategy with the options of one Entry.
type Strategy struct {
	resident    []string // nil: every Source of the working context
	instruction string
}

// New reads the options: residentSourceKeys and instruction, both optional.
func New(config any) (Strategy, error) {
	var s Strategy
	o, _ := jsonvalue.Map(config)
	if keys, ok := given(o, "residentSourceKeys"); ok {
		var err error
		if s.resident, err = compose.SourceKeys(keys, "residentSourceKeys"); err != nil {
			return s, err
		}
	}
	instruction, ok := given(o, "instruction")
	if !ok {
		return s, nil
	}
	text, _, err := compose.InputText(instruction, "general Strategy instruction", 4000, false)
	s.instruction = text
	return s, err
}

func given(o *jsonvalue.Object, key string) (any, bool) {
	v, ok := o.Get(key)
	if f, foreign := v.(jsonvalue.Foreign); foreign && f.Kind == jsonvalue.Undefined {
		return nil, false
	}
	return v, ok
}

// Definition is the Strategy for Core.
func (s Strategy) Definition() (*compose.StrategyDefinition, error) {
	return compose.DefineStrategy(jsonvalue.Of(
		"apiVersion", "dsh-mnemon/v1",
		"kind", "strategy",
		"typeId", TypeID,
		"packageName", Package,
		"deterministic", true,
		"supportedSourceRoles", []any{"*"},
		"maxSources", float64(mostSources),
		"maxRoutes", float64(mostOperations),
		"maxActions", float64(mostOperations),
		"extensionSlots", []any{"selection", "projection", "capture"},
	), s)
}

// Compose proposes a View of all that is available or, with an extension in the
// slot selection, of what that names.
func (s Strategy) Compose(_ context.Context, r *compose.Request, sources, contributions []any) (any, error) {
	slots, err := compose.ViewExtensionValues(contributions)
	if err != nil {
		return nil, err
	}
	p := proposal{admitted: s.admitted(sources, slots)}
	p.share(r.Budget.MaxProjectionCharacters, slots)
	p.routes = p.deal("routeIds", min(r.Budget.MaxRoutes, mostOperations))
	p.actions = p.deal("actionIds", min(r.Budget.MaxActions, mostOperations))
	return jsonvalue.Of(
		"strategyTypeId", TypeID,
		"explanation", fmt.Sprintf("General composition of %d of %d memory Sources.", len(p.admitted), len(sources)),
		"sources", p.sources(),
		"guidance", jsonvalue.Of("system", s.system(p, slots), "routing", p.routing()),
	), nil
}

// admitted are the Sources of the View in their order.
func (s Strategy) admitted(sources []any, slots *jsonvalue.Object) []entry {
	var all []entry
	for _, v := range sources {
		if e := entryOf(v); e.availability != "unavailable" {
			e.resident = s.isResident(e)
			all = append(all, e)
		}
	}
	if selection, ok := slots.Map("selection"); ok {
		return selected(all, selection)
	}
	slices.SortStableFunc(all, func(a, b entry) int {
		if a.resident != b.resident {
			if a.resident {
				return -1
			}
			return 1
		}
		return jsonvalue.CompareKeys(a.key, b.key)
	})
	return all[:min(len(all), mostSources)]
}

func (s Strategy) isResident(e entry) bool {
	if s.resident == nil {
		return e.role == "working-context"
	}
	return slices.Contains(s.resident, e.key)
}

// selected are the named ones that are there, in the order of their names.
func selected(all []entry, selection *jsonvalue.Object) []entry {
	keys := texts(selection, "sourceKeys")
	writable, narrowed := selection.Get("writableSourceKeys")
	list, _ := writable.([]any)
	var out []entry
	for _, key := range keys {
		i := slices.IndexFunc(all, func(e entry) bool { return e.key == key })
		if i < 0 || len(out) == mostSources {
			continue
		}
		e := all[i]
		e.readOnly = narrowed && !slices.Contains(list, any(key))
		out = append(out, e)
	}
	return out
}
