package jsonvalue

import (
	"encoding/json"
	"fmt"
	"math"
)

// From makes a value of what Go code has at hand. Booleans, texts, numbers and
// arrays of them are taken as they are, all else as encoding/json writes it: maps
// by their sorted keys, structs by their tags. Integers become the nearest float64.
// It refuses what that package refuses, such as NaN or a channel.
func From(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool, string, Hole, Foreign:
		return v, nil
	case *Object:
		return fromObject(v)
	case []any:
		return fromItems(v)
	case []string:
		return Texts(v), nil
	case int:
		return float64(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("unsupported number: %v", v)
		}
		return v, nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

func fromItems(items []any) (any, error) {
	out := make([]any, len(items))
	for i, item := range items {
		v, err := From(item)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

// fromObject makes values of members that someone set to what Go has at hand.
func fromObject(o *Object) (any, error) {
	if o == nil {
		return nil, nil
	}
	c := o.Copy()
	c.bare = o.bare
	for i, member := range c.values {
		v, err := From(member)
		if err != nil {
			return nil, err
		}
		c.values[i] = v
	}
	return c, nil
}

// MarshalJSON writes the object for encoding/json, with its members in their order.
func (o *Object) MarshalJSON() ([]byte, error) {
	if o == nil {
		return []byte("null"), nil
	}
	return []byte(Format(o)), nil
}

// UnmarshalJSON reads an object for encoding/json, as Parse does.
func (o *Object) UnmarshalJSON(text []byte) error {
	v, err := Parse(text)
	if err != nil {
		return err
	}
	parsed, ok := v.(*Object)
	if !ok {
		return fmt.Errorf("not an object: %.20s", text)
	}
	*o = *parsed
	return nil
}
