package jsonvalue

import (
	"errors"
	"math"
	"unsafe"
)

// levels is how deep a value may be nested: the value itself is level 0.
const levels = 48

// Check says whether a value may cross the border between a plugin and the rest.
// It looks depth-first, at the members of an object in the order of CompareKeys
// and at an array by index, and refuses with the first thing it meets:
//
//	<label> contains a non-finite number
//	<label> contains a non-JSON value      undefined, function, symbol, bigint
//	<label> contains a non-JSON object     neither plain nor an array
//	<label> contains a cycle
//	<label> is nested too deeply           more than 48 levels
//
// A hole is passed over, and the same value in two places is no cycle.
func Check(v any, label string) error {
	if plain(v, 0) {
		return nil
	}
	return checker{label}.value(v, place{})
}

// Clone checks a value and copies it in depth. Members keep their order, holes
// stay, and objects without a prototype get the usual one.
func Clone(v any, label string) (any, error) {
	if err := Check(v, label); err != nil {
		return nil, err
	}
	return clone(v), nil
}

func clone(v any) any {
	switch v := v.(type) {
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = clone(item)
		}
		return items
	case *Object:
		c := v.Copy()
		for i, item := range c.values {
			c.values[i] = clone(item)
		}
		return c
	}
	return v
}

// plain says whether there is nothing to refuse. Only if there is, the order in
// which one looks matters, and it costs a sort of each object.
func plain(v any, depth int) bool {
	if depth > levels {
		return false
	}
	switch v := v.(type) {
	case nil, bool, string:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		for _, item := range v {
			if _, hole := item.(Hole); !hole && !plain(item, depth+1) {
				return false
			}
		}
		return true
	case *Object:
		for _, member := range v.All() {
			if !plain(member, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

type checker struct{ label string }

// place is where the visit stands: how deep, and below what.
type place struct {
	depth  int
	holder unsafe.Pointer // the array or object that is looked at
	parent *place
}

func (c checker) refuse(problem string) error { return errors.New(c.label + " " + problem) }

func (c checker) value(v any, at place) error {
	if at.depth > levels {
		return c.refuse(tooDeep(at))
	}
	switch v := v.(type) {
	case nil, bool, string:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return c.refuse("contains a non-finite number")
		}
		return nil
	case []any:
		return c.array(v, at)
	case *Object:
		return c.object(v, at)
	case Foreign:
		return c.refuse(foreignProblem(v.Kind))
	}
	return c.refuse("contains a non-JSON value")
}

func (c checker) array(items []any, at place) error {
	at.holder = unsafe.Pointer(unsafe.SliceData(items))
	for _, item := range items {
		if _, hole := item.(Hole); hole {
			continue
		}
		if err := c.value(item, place{depth: at.depth + 1, parent: &at}); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) object(o *Object, at place) error {
	at.holder = unsafe.Pointer(o)
	for _, i := range o.sorted() {
		if err := c.value(o.values[i], place{depth: at.depth + 1, parent: &at}); err != nil {
			return err
		}
	}
	return nil
}

// tooDeep tells a cycle of Go values, which a conversion from JavaScript would
// have marked, from mere depth: what leads to the place holds itself.
func tooDeep(at place) string {
	seen := map[unsafe.Pointer]bool{}
	for p := at.parent; p != nil; p = p.parent {
		if seen[p.holder] {
			return foreignProblem(Cycle)
		}
		seen[p.holder] = true
	}
	return foreignProblem(Deep)
}

func foreignProblem(kind Kind) string {
	switch kind {
	case Exotic, HiddenKeys:
		return "contains a non-JSON object"
	case Cycle:
		return "contains a cycle"
	case Deep:
		return "is nested too deeply"
	}
	return "contains a non-JSON value"
}
