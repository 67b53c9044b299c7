// Package jsonvalue holds JSON values the way JavaScript has them: members in
// their own order, numbers as float64 with -0, strings that may hold a lone
// surrogate, arrays that may have holes. It decides what may cross between a
// plugin and the rest, gives the one canonical form of a value and its digest,
// and reads and writes JSON text as ECMAScript does.
//
// A value is nil, bool, float64, string, []any or *Object. A string is WTF-8: a
// lone surrogate is its three bytes (ED A0 80 and so on), all else is UTF-8.
// Two more kinds stand for what was met on the way from JavaScript and cannot
// cross: Hole (a missing element of an array) and Foreign (see there).
//
// Values are shared, not copied: whoever was handed one never changes it.
package jsonvalue

// Hole is a missing element of a sparse array.
type Hole struct{}

// Kind names what a Foreign stands for.
type Kind string

// What JavaScript has and JSON has not.
const (
	Undefined Kind = "undefined"
	Function  Kind = "function"
	Symbol    Kind = "symbol"
	BigInt    Kind = "bigint"
	Exotic    Kind = "object" // neither a plain object nor an array: Date, Map, a class instance
	Cycle     Kind = "cycle"  // an ancestor of itself
	Deep      Kind = "deep"   // nested deeper than a conversion follows
)

// Foreign stands in a converted value where JavaScript had something that JSON
// cannot hold. Text is what String(x) would print, for messages.
type Foreign struct {
	Kind Kind
	Text string
}

// Object is an object with its members in their own order. The zero Object is
// empty and ready for Set.
type Object struct {
	keys    []string
	members map[string]any
	bare    bool
}

// Of returns an object of the given keys and values, in that order. It panics
// when a key is not a string or the last value is missing.
func Of(pairs ...any) *Object {
	o := &Object{}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Get returns the member and whether there is one. A nil Object has none.
func (o *Object) Get(key string) (any, bool) {
	if o == nil {
		return nil, false
	}
	v, ok := o.members[key]
	return v, ok
}

// Set adds the member at the end, or replaces it where it stands. It is for
// whoever builds the object, before it is handed on.
func (o *Object) Set(key string, v any) {
	if o.members == nil {
		o.members = map[string]any{}
	}
	if _, ok := o.members[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.members[key] = v
}

// Keys returns the names of the members in their order. The caller must not
// change the slice.
func (o *Object) Keys() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

// Len returns how many members there are.
func (o *Object) Len() int { return len(o.Keys()) }

// Bare says that the object has no prototype, so that names such as toString
// do not count as inherited.
func (o *Object) Bare() bool { return o != nil && o.bare }

// SetBare marks an object without a prototype.
func (o *Object) SetBare() { o.bare = true }
