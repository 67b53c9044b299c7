package compose

import (
	"fmt"
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// contribution is what a Source gave for a View (3.6), validated.
type contribution struct {
	fragments    []*jsonvalue.Object
	grant        *jsonvalue.Object // nil: none
	presentation *jsonvalue.Object // nil: none
}

// normalizeContribution validates an answer to a projection request. A refusal
// is a mistake of the Source, never an outage.
func normalizeContribution(m *mounted, spec sourceSpec, v any) (*contribution, error) {
	o, err := members(v, "memory Source contribution of "+spec.key)
	if err != nil {
		return nil, err
	}
	var c contribution
	if c.fragments, err = fragments(o, spec); err != nil {
		return nil, err
	}
	if c.grant, err = grant(o, m); err != nil {
		return nil, err
	}
	if len(spec.routeIDs) > 0 && c.grant == nil {
		return nil, fmt.Errorf("memory Source did not return a ReadGrant for selected Routes: %s", spec.key)
	}
	c.presentation, err = presentation(o, "memory Source presentation for "+spec.key)
	return &c, err
}

func fragments(o *jsonvalue.Object, spec sourceSpec) ([]*jsonvalue.Object, error) {
	list, ok := member(o, "fragments").([]any)
	if !ok {
		return nil, fmt.Errorf("memory View fragments must be an array: %s", spec.key)
	}
	out := make([]*jsonvalue.Object, len(list))
	for i, v := range list {
		f, ok := jsonvalue.Map(v)
		if !ok {
			return nil, fmt.Errorf("memory View fragment must be an object: %s", spec.key)
		}
		var err error
		if out[i], err = fragment(f, i, spec); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func fragment(f *jsonvalue.Object, i int, spec sourceSpec) (*jsonvalue.Object, error) {
	if owner := member(f, "sourceInstanceKey"); owner != spec.key {
		return nil, fmt.Errorf("memory View fragment Source mismatch: %s", printed(owner))
	}
	if !spec.projects {
		return nil, fmt.Errorf("memory Source returned projection without a Strategy request: %s", spec.key)
	}
	if member(f, "mode") != spec.mode {
		return nil, fmt.Errorf("memory View fragment mode mismatch: %s", spec.key)
	}
	text, _ := f.Text("text")
	if jsonvalue.Len(text) > spec.maxCharacters {
		return nil, fmt.Errorf("memory View fragment exceeds Source projection budget: %s", spec.key)
	}
	id, err := requiredText(member(f, "id"), fmt.Sprintf("memory View fragment id %d", i), 300)
	if err != nil {
		return nil, err
	}
	revision, err := requiredText(member(f, "revision"), "memory View fragment revision", 500)
	if err != nil {
		return nil, err
	}
	return cloneObject(f.With("id", id, "text", text, "revision", revision), "memory View fragment for "+spec.key)
}

// grant reads the ReadGrant, which is the Source's own and promises no more
// than its manifest.
func grant(o *jsonvalue.Object, m *mounted) (*jsonvalue.Object, error) {
	v := member(o, "readGrant")
	if isUndefined(v) {
		return nil, nil
	}
	g, ok := jsonvalue.Map(v)
	if !ok {
		return nil, fmt.Errorf("memory ReadGrant must be an object: %s", m.key())
	}
	if owner := member(g, "sourceInstanceKey"); owner != m.key() {
		return nil, fmt.Errorf("memory ReadGrant Source mismatch: %s", printed(owner))
	}
	if member(g, "consistency") != m.manifest().Consistency {
		return nil, fmt.Errorf("memory ReadGrant consistency expands Source manifest: %s", m.key())
	}
	out := g
	for _, text := range []struct {
		name string
		max  int
	}{{"id", 300}, {"schema", 300}, {"revision", 500}} {
		s, err := requiredText(member(g, text.name), "memory ReadGrant "+text.name, text.max)
		if err != nil {
			return nil, err
		}
		out = out.With(text.name, s)
	}
	return cloneObject(out, "memory ReadGrant for "+m.key())
}

// Limits of a presentation.
const (
	maxItems    = 1e9
	maxPreviews = 24
)

// presentation reads what a Source shows a person of its part.
func presentation(o *jsonvalue.Object, label string) (*jsonvalue.Object, error) {
	v := member(o, "presentation")
	if isUndefined(v) {
		return nil, nil
	}
	p, err := members(v, label)
	if err != nil {
		return nil, err
	}
	visible, ok := count(member(p, "visibleItems"), 0)
	if !ok {
		return nil, fmt.Errorf("%s visibleItems must be a non-negative safe integer", label)
	}
	out := jsonvalue.Of("visibleItems", visible)
	if v := member(p, "totalItems"); !isUndefined(v) {
		total, ok := count(v, visible)
		if !ok {
			return nil, fmt.Errorf("%s totalItems must be a safe integer no smaller than visibleItems", label)
		}
		out.Set("totalItems", total)
	}
	items, err := previews(member(p, "items"), visible, label)
	if err != nil {
		return nil, err
	}
	if len(items) > 0 {
		out.Set("items", items)
	}
	return out, nil
}

func count(v any, least float64) (float64, bool) {
	f, ok := v.(float64)
	return f, ok && math.Trunc(f) == f && f >= least && f <= maxItems
}

func previews(v any, visible float64, label string) ([]any, error) {
	if isNullish(v) {
		return nil, nil
	}
	list, ok := v.([]any)
	if !ok || len(list) > maxPreviews || float64(len(list)) > visible {
		return nil, fmt.Errorf("%s items must be a preview of at most %d visible items", label, maxPreviews)
	}
	out := make([]any, len(list))
	seen := map[string]bool{}
	for i, v := range list {
		var err error
		if out[i], err = preview(v, i, label, seen); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func preview(v any, i int, label string, seen map[string]bool) (any, error) {
	o, err := members(v, fmt.Sprintf("%s item %d", label, i))
	if err != nil {
		return nil, err
	}
	id, err := requiredText(member(o, "id"), fmt.Sprintf("%s item id %d", label, i), 300)
	if err != nil {
		return nil, err
	}
	if seen[id] {
		return nil, fmt.Errorf("%s item id is duplicated: %s", label, id)
	}
	seen[id] = true
	title, err := requiredText(member(o, "title"), fmt.Sprintf("%s item title %d", label, i), 160)
	if err != nil {
		return nil, err
	}
	item := jsonvalue.Of("id", id, "title", title)
	if v := member(o, "excerpt"); !isUndefined(v) {
		excerpt, err := requiredText(v, fmt.Sprintf("%s item excerpt %d", label, i), 600)
		if err != nil {
			return nil, err
		}
		item.Set("excerpt", excerpt)
	}
	return item, nil
}
