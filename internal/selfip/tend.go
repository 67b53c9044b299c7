package selfip

import (
	"context"
	"errors"
)

// Tended is what a worker did besides its queue.
type Tended struct {
	Compacted []Compacted
	Pruned    []Pruned
}

// Tend does what keeps the libraries small, when it is due: it compacts one file
// and prunes by age. Two workers at once do it once.
func (m *Memory) Tend(ctx context.Context) (Tended, error) {
	var out Tended
	var err error
	if _, refused := m.targets(); refused == nil {
		out.Compacted, err = m.Compact(ctx, CompactOptions{Due: true})
	}
	if m.PruneDue() {
		var failed error
		out.Pruned, failed = m.Prune(ctx, PruneOptions{Due: true})
		err = errors.Join(err, failed)
	}
	return out, err
}
