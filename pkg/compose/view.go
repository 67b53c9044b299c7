package compose

import (
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// View is the immutable result of one composition.
type View struct{ raw *jsonvalue.Object }

// ParseView takes a View that was stored. It refuses one that does not have the
// digest that it names; whether somebody entitled made it, it cannot know.
func ParseView(raw any) (*View, error) {
	o, err := members(raw, "memory View")
	if err != nil {
		return nil, err
	}
	if o, err = cloneObject(o, "memory View"); err != nil {
		return nil, err
	}
	v := &View{o}
	for _, name := range []string{"id", "digest", "createdAt", "runtimeGeneration", "strategyInstanceKey", "strategyTypeId"} {
		if _, ok := o.Text(name); !ok {
			return nil, fmt.Errorf("memory View %s must be a string", name)
		}
	}
	for _, name := range []string{"projection", "routes", "readGrants", "actionOffers"} {
		if !isObjects(member(o, name)) {
			return nil, fmt.Errorf("memory View %s must be an array of objects", name)
		}
	}
	digest, err := jsonvalue.Digest(o.Without("id", "digest", "createdAt"))
	if err != nil {
		return nil, err
	}
	if v.Digest() != digest || v.ID() != "view:"+digest {
		return nil, errors.New("memory View does not have the digest that it names")
	}
	return v, nil
}

func isObjects(v any) bool {
	list, ok := v.([]any)
	for _, item := range list {
		if _, is := jsonvalue.Map(item); !is {
			return false
		}
	}
	return ok
}

// Raw is the View as JSON (3.12).
func (v *View) Raw() *jsonvalue.Object { return v.raw }

// ID names the View; equal compositions have equal ids.
func (v *View) ID() string { return v.text("id") }

// Digest is the digest of everything but the time of creation.
func (v *View) Digest() string { return v.text("digest") }

// CreatedAt is when the View was composed, as ISO 8601.
func (v *View) CreatedAt() string { return v.text("createdAt") }

// GenerationID names the generation that the View belongs to.
func (v *View) GenerationID() string { return v.text("runtimeGeneration") }

// StrategyInstanceKey names the Strategy that proposed it.
func (v *View) StrategyInstanceKey() string { return v.text("strategyInstanceKey") }

// StrategyTypeID names the kind of that Strategy.
func (v *View) StrategyTypeID() string { return v.text("strategyTypeId") }

// Explanation is why the Strategy proposed what it did.
func (v *View) Explanation() string { return v.text("explanation") }

// Scope is the scope of the request; nil if it was no object.
func (v *View) Scope() *jsonvalue.Object {
	o, _ := v.raw.Map("scope")
	return o
}

// Guidance is what the Strategy tells the model; nil if it says nothing.
func (v *View) Guidance() *jsonvalue.Object {
	o, _ := v.raw.Map("guidance")
	return o
}

// Projection are the fragments, in the order of the proposal.
func (v *View) Projection() []*jsonvalue.Object { return v.objects("projection") }

// Routes are the reads that the View offers.
func (v *View) Routes() []*jsonvalue.Object { return v.objects("routes") }

// Offers are the writes that the View offers. None is an authorisation.
func (v *View) Offers() []*jsonvalue.Object { return v.objects("actionOffers") }

// Diagnostics are the outages that the composition got over.
func (v *View) Diagnostics() []*jsonvalue.Object { return v.objects("diagnostics") }

func (v *View) grants() []*jsonvalue.Object { return v.objects("readGrants") }

func (v *View) text(name string) string {
	s, _ := v.raw.Text(name)
	return s
}

func (v *View) objects(name string) []*jsonvalue.Object {
	list, _ := v.raw.Array(name)
	out := make([]*jsonvalue.Object, 0, len(list))
	for _, item := range list {
		if o, ok := jsonvalue.Map(item); ok {
			out = append(out, o)
		}
	}
	return out
}

// find returns the first object whose members are those given.
func find(list []*jsonvalue.Object, pairs ...any) *jsonvalue.Object {
next:
	for _, o := range list {
		for i := 0; i < len(pairs); i += 2 {
			if member(o, pairs[i].(string)) != pairs[i+1] {
				continue next
			}
		}
		return o
	}
	return nil
}

// bound is all that a Source is told of a View.
func (v *View) bound() *jsonvalue.Object {
	return jsonvalue.Of("id", v.ID(), "scope", member(v.raw, "scope"))
}
