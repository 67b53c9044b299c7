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
	var errs [2]error
	out.Compacted, errs[0] = m.Compact(ctx, CompactOptions{Due: true})
	if m.PruneDue() {
		out.Pruned, errs[1] = m.Prune(ctx, PruneOptions{Due: true})
	}
	return out, errors.Join(errs[:]...)
}
