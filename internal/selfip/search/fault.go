package search

import "github.com/dshkit/dshkit/pkg/fault"

// The codes of this package. Both mean: delete nothing, build the index again.
const (
	codeForeign = "search-index-foreign" // the search index is of another kind or version
	codeDamaged = "search-index-damaged" // the search index is cut or damaged in its %s
)

func errForeign() error { return fault.New(fault.Damaged, codeForeign) }

func errDamaged(part string) error { return fault.New(fault.Damaged, codeDamaged, part) }
