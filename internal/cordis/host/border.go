package host

import (
	"github.com/dshkit/dshkit/internal/cordis/gate"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/schema"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// checkArgs says whether arguments fit the schema of a tool, and names all that is
// wrong.
func checkArgs(s, args any) error {
	if args == nil {
		args = jsonvalue.Of()
	}
	if wrong := schema.Validate(s, args, ""); len(wrong) > 0 {
		return fault.New(fault.Usage, codeArgs, wrong.Text())
	}
	return nil
}

// checkOutput says whether what a bridge gave for a tool fits the tool's schema.
// What a plugin gave its sandbox has checked.
func checkOutput(d half.ToolDefinition, r half.ToolResult) error {
	if d.Output == nil {
		return nil
	}
	if wrong := schema.Validate(d.Output, r.Value, "output"); len(wrong) > 0 {
		return fault.New(fault.Plugin, codeOutput, d.Name, wrong.Text())
	}
	return nil
}

// compileTool makes the parameters of a bridge's tool a schema that is enforced.
// Those of a plugin its sandbox has compiled.
func compileTool(d half.ToolDefinition) (half.ToolDefinition, error) {
	refused := fault.New(fault.Usage, codeSchema, d.Name)
	parameters, err := schema.Parameters(d.Parameters)
	if err != nil {
		return d, refused.Because(err)
	}
	d.Parameters = parameters
	if d.Output != nil {
		if err := schema.Check(d.Output); err != nil {
			return d, refused.Because(err)
		}
	}
	return d, nil
}

// check is the syntax gate of definitions.
func (h *Host) check(side registry.Side, source string) error {
	if h.config.Check != nil {
		return h.config.Check(side, source)
	}
	return gate.Check(gate.Half(side), source)
}
