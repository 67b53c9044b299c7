package cordiscmd

import (
	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/child"
)

// Child runs the process of one Host half, if that is what the arguments ask for,
// and gives its exit code. main asks it first: hundreds of these processes may be
// started, and none needs the tree of commands.
func Child(env *cli.Env) (code int, ok bool) {
	if !child.IsChild(env.Args) {
		return 0, false
	}
	return child.Main(child.Machine{Now: env.Now, Random: env.Chance}), true
}
