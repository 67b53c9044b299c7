package compose

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// undefined is what an absent member reads as.
var undefined = jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}

func isUndefined(v any) bool {
	f, ok := v.(jsonvalue.Foreign)
	return ok && f.Kind == jsonvalue.Undefined
}

// isNullish says whether `v ?? other` is other.
func isNullish(v any) bool { return v == nil || isUndefined(v) }

// member reads o's member as a script does: undefined if there is none.
func member(o *jsonvalue.Object, key string) any {
	if v, ok := o.Get(key); ok {
		return v
	}
	return undefined
}

// members returns v for reading members off it. Reading off null or undefined
// is a mistake that a script would end in; other values have no members.
func members(v any, label string) (*jsonvalue.Object, error) {
	if isNullish(v) {
		return nil, fmt.Errorf("%s must be an object", label)
	}
	o, ok := v.(*jsonvalue.Object)
	if ok && o == nil {
		return nil, fmt.Errorf("%s must be an object", label)
	}
	return o, nil
}

// list returns v as a list; an absent one is empty.
func list(v any, label string) ([]any, error) {
	if isNullish(v) {
		return nil, nil
	}
	l, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("%s must be an array", label)
	}
	return l, nil
}

// printed is String(v), for messages.
func printed(v any) string { return printedAt(v, 0) }

// printedLevels is how deep lists are followed: none of use is deeper, and one
// that holds itself has an end.
const printedLevels = 48

func printedAt(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return v
	case []any:
		return printedList(v, depth+1)
	case *jsonvalue.Object:
		return "[object Object]"
	case jsonvalue.Foreign:
		if v.Kind == jsonvalue.Undefined {
			return undefined.Text
		}
		return v.Text
	case float64:
		return jsonvalue.FormatNumber(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return "undefined" // a hole
}

func printedList(list []any, depth int) string {
	if depth > printedLevels {
		return ""
	}
	out := make([]string, len(list))
	for i, v := range list {
		if _, hole := v.(jsonvalue.Hole); !hole && !isNullish(v) {
			out[i] = printedAt(v, depth)
		}
	}
	return strings.Join(out, ",")
}
