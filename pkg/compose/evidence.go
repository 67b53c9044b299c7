package compose

import (
	"errors"
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// bounds are the limits of one read.
type bounds struct{ results, characters int }

// narrowed is the route with these limits in place of its own.
func (b bounds) narrowed(route *jsonvalue.Object) *jsonvalue.Object {
	return route.With("maxCharacters", float64(b.characters), "maxResults", float64(b.results))
}

// normalizeEvidence validates Evidence (3.14) and cuts it to its bounds: by
// whole items, never inside a text.
func (g *generation) normalizeEvidence(v any, view *View, route *jsonvalue.Object, b bounds) (*jsonvalue.Object, error) {
	o, err := members(v, "memory Evidence")
	if err != nil {
		return nil, err
	}
	if member(o, "viewId") != view.ID() || member(o, "routeId") != member(route, "id") ||
		member(o, "sourceInstanceKey") != member(route, "sourceInstanceKey") {
		return nil, errors.New("memory Evidence is not bound to the requested View Route")
	}
	items, ok := member(o, "items").([]any)
	if !ok {
		return nil, errors.New("memory Evidence items must be an array")
	}
	kept, dropped, err := b.cut(items)
	if err != nil {
		return nil, err
	}
	out, err := g.evidenceHead(o)
	if err != nil {
		return nil, err
	}
	out.Set("items", kept)
	out.Set("truncated", truncated(member(o, "truncated"), dropped, len(items) > b.results))
	if reason := member(o, "unavailable"); !isUndefined(reason) {
		text, err := requiredText(reason, "memory Evidence unavailable reason", 2000)
		if err != nil {
			return nil, err
		}
		out.Set("unavailable", text)
	}
	return cloneObject(out, "memory Evidence")
}

func (g *generation) evidenceHead(o *jsonvalue.Object) (*jsonvalue.Object, error) {
	id, err := requiredText(member(o, "id"), "memory Evidence id", 500)
	if err != nil {
		return nil, err
	}
	observed, _ := o.Text("observedAt")
	if trim(observed) == "" {
		observed = timestamp(g.now())
	}
	return o.With("id", id, "observedAt", observed), nil
}

// truncated is what the Source said of it, if that means yes.
func truncated(said any, dropped, tooMany bool) any {
	if dropped {
		return true
	}
	if truthy(said) {
		return said
	}
	return tooMany
}

// truthy is what a script takes for true.
func truthy(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0 && !math.IsNaN(v)
	case string:
		return v != ""
	case jsonvalue.Foreign:
		return v.Kind != jsonvalue.Undefined && (v.Kind != jsonvalue.BigInt || v.Text != "0")
	case nil, jsonvalue.Hole:
		return false
	}
	return true
}

// cut keeps the items that fit, in their order. dropped says that one was too
// large for what was left; a smaller one after it may still fit.
func (b bounds) cut(items []any) (kept []any, dropped bool, err error) {
	kept = []any{}
	characters := 0
	for _, v := range items {
		if len(kept) >= b.results {
			break
		}
		o, err := members(v, "memory Evidence item")
		if err != nil {
			return nil, false, err
		}
		text, ok := o.Text("text")
		if !ok {
			return nil, false, errors.New("memory Evidence item text must be a string")
		}
		if !scored(o) {
			return nil, false, errors.New("memory Evidence score must be finite")
		}
		size := jsonvalue.Len(text)
		if characters+size > b.characters {
			dropped = true
			continue
		}
		id, err := requiredText(member(o, "id"), "memory Evidence item id", 500)
		if err != nil {
			return nil, false, err
		}
		item, err := cloneObject(o.With("id", id), "memory Evidence item")
		if err != nil {
			return nil, false, err
		}
		kept = append(kept, item)
		characters += size
	}
	return kept, dropped, nil
}

func scored(o *jsonvalue.Object) bool {
	v := member(o, "score")
	if isUndefined(v) {
		return true
	}
	f, ok := v.(float64)
	return ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}
