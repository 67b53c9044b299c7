package sandbox

import (
	"github.com/dshkit/dshkit/internal/cordis/lossless"
	"github.com/dshkit/dshkit/internal/cordis/schema"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// compileParameters makes a JSON Schema of what a plugin gave as parameters.
func (b *box) compileParameters(v jsrun.Value) (any, error) {
	return b.compiled(v, "parameters", schema.Parameters)
}

// compileOutput makes one of what it gave as the schema of the output.
func (b *box) compileOutput(v jsrun.Value) (any, error) {
	return b.compiled(v, "output.schema", schema.Output)
}

func (b *box) compiled(v jsrun.Value, label string, compile func(any) (*jsonvalue.Object, error)) (any, error) {
	read, err := lossless.Read(b.vm, v, "harness.defineTool "+label)
	if err != nil {
		return nil, b.exception(err)
	}
	out, err := compile(read)
	if err != nil {
		return nil, b.vm.Throw(b.coded("TypeError", err.Error(), codeOf(err)))
	}
	return out, nil
}

// codeOf is the stable code of an error that has one.
func codeOf(err error) string {
	if coder, ok := err.(interface{ Code() string }); ok {
		return coder.Code()
	}
	return ""
}

// violations says what of an output its schema refuses; "" is nothing.
func violations(of, value any) string { return schema.Validate(of, value, "value").Text() }

// quote is a text in the quotes of JavaScript.
func quote(s string) string { return jsonvalue.Quote(s) }
