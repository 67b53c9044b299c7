package sandbox

import (
	"strconv"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

func (b *box) lossless(v jsrun.Value, label string) (any, error) {
	out, err := b.vm.ToJSON(v)
	if err != nil {
		return nil, err
	}
	if err := jsonvalue.Check(out, label); err != nil {
		return nil, b.failure("TypeError", err.Error())
	}
	return out, nil
}

func quote(s string) string { return strconv.Quote(s) }

func (b *box) compileParameters(v jsrun.Value) (any, error) { return b.lossless(v, "parameters") }
func (b *box) compileOutput(v jsrun.Value) (any, error)     { return b.lossless(v, "output.schema") }
func violations(schema, value any) string                   { return "" }
