// Cordis runs dynamic plugins: code that a model defines, that a person allows,
// and that is undone without a trace.
package main

import (
	"os"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
)

func main() {
	env := cli.System()
	if code, ok := cordiscmd.Child(env); ok {
		os.Exit(code)
	}
	os.Exit(cli.Run(env, cordiscmd.New))
}
