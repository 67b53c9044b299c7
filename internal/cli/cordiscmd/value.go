package cordiscmd

import (
	"iter"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// objects yields the objects of a list.
func objects(v any) iter.Seq[*jsonvalue.Object] {
	list, _ := v.([]any)
	return func(yield func(*jsonvalue.Object) bool) {
		for _, e := range list {
			if o, ok := jsonvalue.Map(e); ok && !yield(o) {
				return
			}
		}
	}
}

// text is a member that is a text, else "".
func text(o *jsonvalue.Object, key string) string {
	s, _ := o.Text(key)
	return s
}

// texts are the texts of a list.
func texts(list []any) (out []string) {
	for _, v := range list {
		if s, ok := jsonvalue.Text(v); ok {
			out = append(out, s)
		}
	}
	return out
}
