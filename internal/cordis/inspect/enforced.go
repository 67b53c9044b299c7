package inspect

import (
	"github.com/dshkit/dshkit/internal/cordis/schema"
)

// Enforced is the Compiler of package schema.
func Enforced(source any) (check func(value any, root string) []string, err error) {
	if err := schema.Check(source); err != nil {
		return nil, err
	}
	return func(value any, root string) []string {
		var texts []string
		for _, v := range schema.Validate(source, value, root) {
			texts = append(texts, v.Text())
		}
		return texts
	}, nil
}
