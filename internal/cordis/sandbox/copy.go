package sandbox

import (
	"errors"

	"github.com/dshkit/dshkit/internal/cordis/lossless"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// lossless copies a value that JSON can hold; a refusal names the path below the
// label. What an accessor throws is thrown on.
func (b *box) lossless(v jsrun.Value, label string) (any, error) {
	out, err := lossless.Clone(b.vm, v, label)
	if _, own := errors.AsType[*jsrun.Error](err); err == nil || own {
		return out, err
	}
	if errors.Is(err, jsrun.ErrLimit) || errors.Is(err, jsrun.ErrClosed) {
		return nil, err
	}
	return nil, b.failure("TypeError", err.Error())
}
