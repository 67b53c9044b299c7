// Package jsontext reads JSON as text with places in it, in two ways.
//
// A Value is a lazy span of somebody else's JSON, possibly broken: what is not
// asked for is stepped over, not decoded, so a row of many megabytes costs
// little when only its type is wanted. It forgives odd types, unknown members,
// broken UTF-8 and raw control characters (spec/harness-hooks.md 1.4).
//
// A Node is a strictly parsed document whose every part knows its offsets, so
// that a file can be changed at one place with all its other bytes kept
// (spec/harness-hooks.md 4.1).
//
// A Scanner finds the end of the first document in a stream.
package jsontext

import (
	"bytes"
	"iter"
)

// Value is the text of one JSON value without blanks around it; nil when there
// is none.
type Value []byte

// First returns the first value of data and the bytes after it. A byte order
// mark and blanks in front are passed over. ok is false when data ends inside
// the value or holds none; then v is what there is of it.
func First(data []byte) (v Value, rest []byte, ok bool) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	begin := blanks(data, 0)
	if begin == len(data) {
		return nil, nil, false
	}
	end := skip(data, begin)
	if end < 0 {
		return Value(data[begin:]), nil, false
	}
	return Value(data[begin:end]), data[end:], true
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// IsObject reports whether v is an object, whole or cut.
func (v Value) IsObject() bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array, whole or cut.
func (v Value) IsArray() bool { return len(v) > 0 && v[0] == '[' }

// IsString reports whether v is a string.
func (v Value) IsString() bool { return len(v) > 0 && v[0] == '"' }

// IsNull reports whether v is the literal null.
func (v Value) IsNull() bool { return string(v) == "null" }

// IsTrue reports whether v is the literal true.
func (v Value) IsTrue() bool { return string(v) == "true" }

// IsNumber reports whether v begins as a number does.
func (v Value) IsNumber() bool {
	return len(v) > 0 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9')
}

// Members yields the members of an object in the order of the text: the key as
// it is written between its quotes, and the value. It ends where the text
// breaks off, after the last whole member.
func (v Value) Members() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if !v.IsObject() {
			return
		}
		for i := blanks(v, 1); i < len(v) && v[i] == '"'; {
			end := skipString(v, i)
			if end < 0 {
				return
			}
			key := v[i+1 : end-1]
			if i = blanks(v, end); i >= len(v) || v[i] != ':' {
				return
			}
			i = blanks(v, i+1)
			if end = skip(v, i); end < 0 || !yield(key, Value(v[i:end])) {
				return
			}
			i = next(v, end)
		}
	}
}

// Items yields the elements of an array, up to where the text breaks off.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if !v.IsArray() {
			return
		}
		for i := blanks(v, 1); i < len(v) && v[i] != ']'; {
			end := skip(v, i)
			if end <= i || !yield(Value(v[i:end])) {
				return
			}
			i = next(v, end)
		}
	}
}

// Get returns the value of the named member, the last one if there are several,
// as JavaScript would; nil when there is none. Several names walk inwards.
func (v Value) Get(path ...string) Value {
	for _, name := range path {
		var found Value
		for key, value := range v.Members() {
			if string(key) == name {
				found = value
			}
		}
		v = found
	}
	return v
}

// Open returns the offset in v after the bracket that opens the array of the
// named member, also when v is cut inside that array; -1 when v is no object or
// no whole members lead to such an array.
func (v Value) Open(name string) int {
	if !v.IsObject() {
		return -1
	}
	for i := blanks(v, 1); i < len(v) && v[i] == '"'; {
		end := skipString(v, i)
		if end < 0 {
			return -1
		}
		key := v[i+1 : end-1]
		if i = blanks(v, end); i >= len(v) || v[i] != ':' {
			return -1
		}
		if i = blanks(v, i+1); string(key) == name && i < len(v) && v[i] == '[' {
			return i + 1
		}
		if end = skip(v, i); end < 0 {
			return -1
		}
		i = next(v, end)
	}
	return -1
}

// next steps over blanks and one comma.
func next(b []byte, i int) int {
	if i = blanks(b, i); i < len(b) && b[i] == ',' {
		i = blanks(b, i+1)
	}
	return i
}

func blanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skip returns the offset after the value that begins at i, or -1 when the text
// ends inside it or no value begins there.
func skip(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	case '}', ']', ',', ':':
		return -1
	}
	for i < len(b) && !isBlank(b[i]) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] != ':' && b[i] != '"' {
		i++
	}
	return i
}

func skipNested(b []byte, i int) int {
	for depth := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := skipString(b, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skipString returns the offset after the string whose quote stands at i. Long
// strings are most of a transcript, so it leaps from quote to quote.
func skipString(b []byte, i int) int {
	begin := i + 1
	for i = begin; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := i
		for slashes > begin && b[slashes-1] == '\\' {
			slashes--
		}
		if i++; (i-1-slashes)%2 == 0 {
			return i
		}
	}
}
