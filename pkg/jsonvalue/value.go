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
	// HiddenKeys is an object with keys that are symbols or not enumerable.
	HiddenKeys Kind = "hidden keys"
)

// Foreign stands in a converted value where JavaScript had something that JSON
// cannot hold. Text is what String(x) would print, for messages.
type Foreign struct {
	Kind Kind
	Text string
}
