package control

import (
	"context"
	"encoding/json"
)

// MethodNamed is a method as it reads its params, for nobody.
func MethodNamed(name string) Handler {
	m := methodsByName()[name]
	return func(ctx context.Context, params json.RawMessage) (any, error) { return m.call(ctx, nil, params) }
}
