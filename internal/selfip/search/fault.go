package search

import "github.com/dshkit/dshkit/pkg/fault"

// The codes of this package. The first two mean: build the index again.
const (
	codeForeign  = "search-index-foreign"   // the search index is of another kind or version
	codeDamaged  = "search-index-damaged"   // the search index is cut or damaged in its %s
	codeTooLarge = "search-index-too-large" // there are too many notes for one search index
)

func errForeign() error { return fault.New(fault.Damaged, codeForeign) }

func errTooLarge() error { return fault.New(fault.Failed, codeTooLarge) }

func errDamaged(part string) *fault.Error { return fault.New(fault.Damaged, codeDamaged, part) }
