package jsfeatures

import (
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// given is what the programs of this module give a trusted script.
func given(dir string) (jsrun.Config, []jsrun.Module) {
	return jsrun.Config{Now: func() time.Time { return time.Unix(1_700_000_000, 0) }, Random: func() float64 { return 0.5 }}, nil
}
