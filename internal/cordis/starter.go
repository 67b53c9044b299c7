package cordis

import (
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/pkg/fault"
)

// newStarter makes what starts halves.
func newStarter(o Options, trusted bool) (half.Starter, func(), error) {
	return nil, nil, fault.New(fault.Failed, "not-built-yet")
}
