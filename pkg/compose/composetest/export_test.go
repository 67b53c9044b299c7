package composetest

import (
	"context"

	"github.com/dshkit/dshkit/pkg/compose"
)

// Broken are the sentences of a contract that do not hold.
type Broken []string

func broken(ctx context.Context, sentences []sentence) Broken {
	var out Broken
	for _, s := range sentences {
		if err := s.try(ctx); err != nil {
			out = append(out, s.name)
		}
	}
	return out
}

// BrokenSource is CheckSource for a test of it.
func BrokenSource(ctx context.Context, define func() *compose.SourceDefinition, operations ...Operation) Broken {
	return broken(ctx, sourceContract(define, operations))
}

// BrokenStrategy is CheckStrategy for a test of it.
func BrokenStrategy(ctx context.Context, define func() *compose.StrategyDefinition, sources ...*compose.SourceDefinition) Broken {
	return broken(ctx, strategyContract(define, sources))
}

// BrokenExtension is CheckExtension for a test of it.
func BrokenExtension(ctx context.Context, define func() *compose.ExtensionDefinition, sources ...*compose.SourceDefinition) Broken {
	return broken(ctx, extensionContract(define, sources))
}
