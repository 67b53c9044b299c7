package mcpserve

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Arguments are the checked arguments of a call: what is there has the type that
// the schema says.
type Arguments map[string]any

// Text returns a text, "" when it was not given.
func (a Arguments) Text(name string) string {
	s, _ := a[name].(string)
	return s
}

// Whole returns a whole number and whether it was given.
func (a Arguments) Whole(name string) (n int, given bool) {
	n, given = a[name].(int)
	return n, given
}

// Truth returns a truth value and whether it was given.
func (a Arguments) Truth(name string) (value, given bool) {
	value, given = a[name].(bool)
	return value, given
}

// Has reports whether an argument was given.
func (a Arguments) Has(name string) bool {
	_, ok := a[name]
	return ok
}

// Check reads the arguments of a call and holds them against s, an object of
// plain values. A field that is null counts as not given. The error is a fault
// of kind usage that names the argument.
func (s Schema) Check(raw json.RawMessage) (Arguments, error) {
	given := map[string]any{}
	if len(bytes.TrimSpace(raw)) > 0 {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&given); err != nil {
			return nil, usage(codeNoObject)
		}
	}
	out := Arguments{}
	for _, name := range names(given) {
		i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
		switch {
		case given[name] == nil:
		case i < 0 && !s.Open && len(s.Fields) == 0:
			return nil, usage(codeNoneKnown, shortened(name))
		case i < 0 && !s.Open:
			return nil, usage(codeUnknown, shortened(name), s.fieldNames())
		case i < 0:
			out[name] = given[name]
		default:
			v, err := s.Fields[i].check(given[name])
			if err != nil {
				return nil, err
			}
			out[name] = v
		}
	}
	for _, f := range s.Fields {
		if f.Required && !out.Has(f.Name) {
			return nil, usage(codeMissing, f.Name)
		}
	}
	return out, nil
}

func (s Schema) fieldNames() string {
	list := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		list[i] = f.Name
	}
	return strings.Join(list, ", ")
}

// check returns the value of a field in the type that Arguments promise.
func (f Field) check(v any) (any, error) {
	switch f.Type {
	case Text:
		if s, ok := v.(string); ok {
			return f.checkText(s)
		}
	case Whole:
		if n, ok := whole(v); ok {
			if f.High != 0 && (n < f.Low || n > f.High) {
				return nil, usage(codeOutOfRange, f.Name, n, f.Low, f.High)
			}
			return n, nil
		}
	case Truth:
		if b, ok := v.(bool); ok {
			return b, nil
		}
	default:
		return v, nil
	}
	return nil, usage(codeWrongType, f.Name, string(f.Type), described(v))
}

func (f Field) checkText(s string) (any, error) {
	if f.Length > 0 && utf8.RuneCountInString(s) > f.Length {
		return nil, usage(codeTooLong, f.Name, f.Length)
	}
	if len(f.Words) > 0 && !slices.Contains(f.Words, s) {
		return nil, usage(codeUnknownWord, f.Name, shortened(s), strings.Join(f.Words, ", "))
	}
	return s, nil
}

// whole returns a number that is whole, also when it is written as 6.0.
func whole(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// described is a value as an error shows it.
func described(v any) string {
	b, err := marshal(v)
	if err != nil {
		return ""
	}
	return shortened(string(b))
}

// shownLength is how much of what was given an error repeats, in characters.
const shownLength = 60

func shortened(s string) string {
	if utf8.RuneCountInString(s) <= shownLength {
		return s
	}
	return string([]rune(s)[:shownLength]) + "…"
}
