package compose

import (
	"slices"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// diagnosticsRaw is diagnostics as JSON.
func diagnosticsRaw(diagnostics []diagnostic) []any {
	out := make([]any, len(diagnostics))
	for i, d := range diagnostics {
		out[i] = d.value()
	}
	return out
}

// sortDiagnostics puts them in the order of their keys, then codes.
func sortDiagnostics(diagnostics []diagnostic) {
	slices.SortStableFunc(diagnostics, func(a, b diagnostic) int {
		if order := jsonvalue.CompareKeys(a.key, b.key); order != 0 {
			return order
		}
		return jsonvalue.CompareKeys(a.code, b.code)
	})
}
