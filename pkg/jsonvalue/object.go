package jsonvalue

import (
	"iter"
	"slices"
)

// small is how many members an object may have before it is worth a map:
// up to here a look at each key is faster, and most objects stay below.
const small = 8

// Object is an object with its members in their own order. The zero Object is
// empty and ready for Set.
type Object struct {
	keys   []string
	values []any
	places map[string]int // key to its place, in objects that are not small
	bare   bool
}

// Of returns an object of the given keys and values, in that order. It panics
// when a key is not a string or the last value is missing.
func Of(pairs ...any) *Object {
	o := sized(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// sized returns an empty object with room for n members.
func sized(n int) *Object {
	return &Object{keys: make([]string, 0, n), values: make([]any, 0, n)}
}

// find returns where the member stands, or -1.
func (o *Object) find(key string) int {
	if o.places != nil {
		if i, ok := o.places[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Get returns the member and whether there is one. A nil Object has none.
func (o *Object) Get(key string) (any, bool) {
	if o == nil {
		return nil, false
	}
	i := o.find(key)
	if i < 0 {
		return nil, false
	}
	return o.values[i], true
}

// Has says whether there is such a member.
func (o *Object) Has(key string) bool {
	_, ok := o.Get(key)
	return ok
}

// Set adds the member at the end, or replaces it where it stands. It is for
// whoever builds the object, before it is handed on.
func (o *Object) Set(key string, v any) {
	if i := o.find(key); i >= 0 {
		o.values[i] = v
		return
	}
	o.keys = append(o.keys, key)
	o.values = append(o.values, v)
	switch {
	case o.places != nil:
		o.places[key] = len(o.keys) - 1
	case len(o.keys) > small:
		o.index()
	}
}

// index makes the map of an object that is not small any more.
func (o *Object) index() {
	o.places = make(map[string]int, 2*len(o.keys))
	for i, key := range o.keys {
		o.places[key] = i
	}
}

// Keys returns the names of the members in their order. The caller must not
// change the slice.
func (o *Object) Keys() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

// All gives the members in their order.
func (o *Object) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i, key := range o.Keys() {
			if !yield(key, o.values[i]) {
				return
			}
		}
	}
}

// Len returns how many members there are.
func (o *Object) Len() int { return len(o.Keys()) }

// Copy returns a new object with the same members, which Set may change. Its
// prototype is the usual one, as that of {...o} is.
func (o *Object) Copy() *Object { return o.copyFor(0) }

// copyFor is Copy with room for n more members.
func (o *Object) copyFor(n int) *Object {
	c := sized(o.Len() + n)
	if o == nil {
		return c
	}
	c.keys, c.values = append(c.keys, o.keys...), append(c.values, o.values...)
	if len(c.keys) > small {
		c.index()
	}
	return c
}

// With returns a copy with the given keys and values set in turn, as
// {...o, key: value} does. It panics as Of does.
func (o *Object) With(pairs ...any) *Object {
	c := o.copyFor(len(pairs) / 2)
	for i := 0; i < len(pairs); i += 2 {
		c.Set(pairs[i].(string), pairs[i+1])
	}
	return c
}

// Without returns a copy that lacks the given members.
func (o *Object) Without(keys ...string) *Object {
	c := sized(o.Len())
	for key, v := range o.All() {
		if !slices.Contains(keys, key) {
			c.Set(key, v)
		}
	}
	return c
}

// Merge returns a copy with all members of the others set in turn, as
// {...o, ...other} does.
func (o *Object) Merge(others ...*Object) *Object {
	c := o.Copy()
	for _, other := range others {
		for key, v := range other.All() {
			c.Set(key, v)
		}
	}
	return c
}

// Bare says that the object has no prototype, so that names such as toString
// do not count as inherited.
func (o *Object) Bare() bool { return o != nil && o.bare }

// SetBare marks an object without a prototype.
func (o *Object) SetBare() { o.bare = true }
