package tool

import (
	"github.com/dshkit/dshkit/internal/cordis/schema"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Check says whether arguments fit a tool: a fault that names every violation,
// in the order of spec/cordis.md 24#10.
func Check(name string, args any) error {
	if found := schema.Validate(parameters("")[Name(name)], args, ""); len(found) > 0 {
		return fault.New(fault.Usage, codeArgs, found.Text())
	}
	return nil
}
