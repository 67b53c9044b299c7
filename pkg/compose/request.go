package compose

import (
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// normalizeRequest validates a composition's request (3.4). Fields that are not
// known are kept: Sources and Strategies see them.
func normalizeRequest(raw any) (*Request, error) {
	const label = "memory View request"
	o, err := members(raw, label)
	if err != nil {
		return nil, err
	}
	r := &Request{}
	if r.Scenario, err = requiredText(member(o, "scenario"), "memory View scenario", 300); err != nil {
		return nil, err
	}
	if r.Budget, err = normalizeBudget(member(o, "budget")); err != nil {
		return nil, err
	}
	r.Raw, err = cloneObject(o.With("scenario", r.Scenario, "budget", r.Budget.Object()), label)
	if err != nil {
		return nil, err
	}
	scope, _ := r.Raw.Get("scope")
	r.Scope, _ = scope.(*jsonvalue.Object)
	return r, nil
}

// budgetLimits are the names of the five limits and the most that each can be.
var budgetLimits = [...]struct {
	name string
	max  int
	of   func(b *Budget) *int
}{
	{"maxProjectionCharacters", 10_000_000, func(b *Budget) *int { return &b.MaxProjectionCharacters }},
	{"maxRoutes", 10_000, func(b *Budget) *int { return &b.MaxRoutes }},
	{"maxActions", 10_000, func(b *Budget) *int { return &b.MaxActions }},
	{"maxEvidenceResults", 10_000, func(b *Budget) *int { return &b.MaxEvidenceResults }},
	{"maxEvidenceCharacters", 10_000_000, func(b *Budget) *int { return &b.MaxEvidenceCharacters }},
}

// normalizeBudget validates a budget; zero is no budget.
func normalizeBudget(raw any) (Budget, error) {
	o, err := members(raw, "memory View budget")
	if err != nil {
		return Budget{}, err
	}
	var b Budget
	for _, l := range budgetLimits {
		n, err := positiveInteger(member(o, l.name), "memory View "+l.name, l.max)
		if err != nil {
			return Budget{}, err
		}
		*l.of(&b) = n
	}
	return b, nil
}

// Object is the budget as requests have it: five numbers.
func (b Budget) Object() *jsonvalue.Object {
	o := &jsonvalue.Object{}
	for _, l := range budgetLimits {
		o.Set(l.name, float64(*l.of(&b)))
	}
	return o
}
