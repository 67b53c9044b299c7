package replay

import (
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// clean makes a result comparable: stacks are only there or not, and messages are
// their keys.
func clean(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = clean(e)
		}
		return list
	case *jsonvalue.Object:
		copied := jsonvalue.Of()
		for key, e := range v.All() {
			message, isText := e.(string)
			switch {
			case key == "stack":
				copied.Set(key, "<present>")
			case isText && (key == "message" || key == "error"):
				copied.Set(key, Gist(message))
			default:
				copied.Set(key, clean(e))
			}
		}
		return copied
	}
	return v
}

// sized replaces sources by their length.
func sized(o *jsonvalue.Object) *jsonvalue.Object {
	copied := jsonvalue.Of()
	for key, v := range o.All() {
		s, _ := jsonvalue.Text(v)
		copied.Set(key, fmt.Sprintf("<%d chars>", jsonvalue.Len(s)))
	}
	return copied
}

// replaced is an object with another value in one place.
func replaced(o *jsonvalue.Object, key string, v any) *jsonvalue.Object {
	copied := o.Copy()
	copied.Set(key, v)
	return copied
}
