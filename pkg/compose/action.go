package compose

import (
	"context"
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const actionInput = "memory Action input"

// Authorize is asked for each write with the exact offer. Nil allows nothing.
type Authorize func(ctx context.Context, offer *jsonvalue.Object) (bool, error)

// Action writes and returns the Receipt. There is no deadline and no second try:
// once the Source was asked, nothing but its Receipt says what was written. If ctx
// ends the Receipt is waited for, though not for ever; an error then says nothing
// of what was written.
func (l *Lease) Action(ctx context.Context, view *View, id string, input any, authorize Authorize, bound bool) (any, error) {
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	g := l.record.generation
	if view.GenerationID() != g.id {
		return nil, errors.New("memory View belongs to a different runtime generation")
	}
	offer := find(view.Offers(), "id", id)
	if offer == nil {
		return nil, fmt.Errorf("memory ActionOffer is unavailable: %s", id)
	}
	if err := checkInput(member(offer, "inputSchema"), input, actionInput); err != nil {
		return nil, err
	}
	if err := authorized(ctx, authorize, offer, id); err != nil {
		return nil, err
	}
	mutator, r, err := g.mutation(ctx, view, offer, input, bound)
	if err != nil {
		return nil, err
	}
	receipt, err := l.ask(ctx, func() (any, error) { return mutator.Mutate(ctx, r) })
	if err != nil {
		return nil, err
	}
	return normalizeReceipt(receipt, view, offer)
}

func authorized(ctx context.Context, authorize Authorize, offer *jsonvalue.Object, id string) error {
	if authorize != nil {
		if ok, err := authorize(ctx, offer); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("memory ActionOffer is not currently authorized: %s", id)
}

// mutation finds who executes an authorised offer and with what.
func (g *generation) mutation(ctx context.Context, view *View, offer *jsonvalue.Object, input any, bound bool) (Mutator, *MutateRequest, error) {
	key, _ := offer.Text("sourceInstanceKey")
	var mutator Mutator
	ok := false
	if m := g.source(key); m != nil {
		mutator, ok = offers[Mutator](m.source, "mutate")
	}
	if !ok {
		return nil, nil, fmt.Errorf("memory Source cannot execute ActionOffer: %s", key)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	cloned, err := jsonvalue.Clone(input, actionInput)
	if err != nil {
		return nil, nil, err
	}
	return mutator, &MutateRequest{
		View:  view.bound(),
		Offer: offer,
		Grant: find(view.grants(), "sourceInstanceKey", key),
		Input: cloned,
		Bound: bound,
	}, nil
}
