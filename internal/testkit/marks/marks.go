// Package marks reads what recorded scenarios write as objects with one member:
// values that JSON cannot hold, and such as are too long to write.
package marks

import (
	"math"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Decode returns a copy of v in which each mark is the value that it stands for:
//
//	$undefined $fn $date $map   a jsonvalue.Foreign
//	$nan $inf $negzero          the number
//	$repeat [text, times]       the text
//	$nest levels                null below so many objects
//	$json text                  what the text holds
//
// An object with one member that is no mark stays.
func Decode(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = Decode(item)
		}
		return out
	case *jsonvalue.Object:
		if v.Len() == 1 {
			if marked, ok := decode(v.Keys()[0], v); ok {
				return marked
			}
		}
		out := &jsonvalue.Object{}
		for key, item := range v.All() {
			out.Set(key, Decode(item))
		}
		return out
	}
	return v
}

func decode(mark string, o *jsonvalue.Object) (any, bool) {
	switch mark {
	case "$undefined":
		return Foreign(jsonvalue.Undefined), true
	case "$fn":
		return Foreign(jsonvalue.Function), true
	case "$date", "$map":
		return Foreign(jsonvalue.Exotic), true
	case "$nan":
		return math.NaN(), true
	case "$inf":
		return math.Inf(1), true
	case "$negzero":
		return math.Copysign(0, -1), true
	case "$repeat":
		parts, _ := o.Array(mark)
		return strings.Repeat(parts[0].(string), int(parts[1].(float64))), true
	case "$json":
		text, _ := o.Text(mark)
		v, err := jsonvalue.Parse([]byte(text))
		return v, err == nil
	case "$nest":
		levels, _ := o.Number(mark)
		return Nest(int(levels)), true
	}
	return nil, false
}

// Foreign stands for something of a kind that JSON cannot hold.
func Foreign(kind jsonvalue.Kind) jsonvalue.Foreign {
	return jsonvalue.Foreign{Kind: kind, Text: string(kind)}
}

// Nest returns null below so many objects.
func Nest(levels int) any {
	var v any
	for range levels {
		v = jsonvalue.Of("nested", v)
	}
	return v
}
