package host

import "github.com/dshkit/dshkit/internal/cordis/registry"

// checkArgs says whether arguments fit the schema of a tool.
func checkArgs(schema, args any) error { return nil }

// gate is the syntax gate of definitions.
func (h *Host) gate(side registry.Side, source string) error {
	if h.config.Check != nil {
		return h.config.Check(side, source)
	}
	return nil
}
