package jsonvalue

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Canonical writes a value in the one form that does not depend on the order of
// members: no spaces, members in the order of CompareKeys, texts and numbers as
// Format writes them, nothing for a hole. It refuses what Check refuses.
func Canonical(v any, label string) (string, error) {
	if err := Check(v, label); err != nil {
		return "", err
	}
	return string(appendCanonical(nil, v)), nil
}

// Digest returns the SHA-256 of the canonical form in hex. Refusals call the
// value "memory value".
func Digest(v any) (string, error) { return DigestLabelled(v, "memory value") }

// DigestLabelled is Digest with a name of the value for refusals.
func DigestLabelled(v any, label string) (string, error) {
	if err := Check(v, label); err != nil {
		return "", err
	}
	sum := sha256.Sum256(appendCanonical(nil, v))
	return hex.EncodeToString(sum[:]), nil
}

func appendCanonical(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return append(dst, boolText(v)...)
	case float64:
		return append(dst, FormatNumber(v)...)
	case string:
		return appendQuoted(dst, v)
	case []any:
		return appendCanonicalArray(dst, v)
	case *Object:
		return appendCanonicalObject(dst, v)
	}
	return dst // a hole
}

func appendCanonicalArray(dst []byte, items []any) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCanonical(dst, item)
	}
	return append(dst, ']')
}

func appendCanonicalObject(dst []byte, o *Object) []byte {
	dst = append(dst, '{')
	for n, i := range o.sorted() {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, o.keys[i]), ':')
		dst = appendCanonical(dst, o.values[i])
	}
	return append(dst, '}')
}

// sorted returns the places of the members in canonical order. Keys that compare
// alike stay in the order they have.
func (o *Object) sorted() []int {
	order := make([]int, o.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return CompareKeys(o.keys[i], o.keys[j]) })
	return order
}

// Equal says whether two values have the same canonical form: members in any
// order, -0 as 0. Unlike there a hole equals nothing but a hole, and values that
// JSON cannot hold may be equal too, if they are of one kind and text.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case *Object:
		b, ok := b.(*Object)
		return ok && a.Equal(b)
	}
	switch b.(type) {
	case []any, *Object:
		return false
	}
	return a == b
}

// Equal says of two objects what the function Equal says of values.
func (o *Object) Equal(other *Object) bool {
	if o.Len() != other.Len() {
		return false
	}
	for i, key := range o.Keys() {
		v, ok := other.Get(key)
		if !ok || !Equal(o.values[i], v) {
			return false
		}
	}
	return slices.Equal(o.Keys(), other.Keys()) || sameOrder(o, other)
}

// sameOrder says whether the canonical order of the members is the same, which it
// is but for keys that compare alike.
func sameOrder(a, b *Object) bool {
	left, right := a.sorted(), b.sorted()
	for n := range left {
		if a.keys[left[n]] != b.keys[right[n]] {
			return false
		}
	}
	return true
}
