// Cordis runs dynamic plugins: code that a model defines, that a person allows,
// and that is undone without a trace.
package main

import (
	"os"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/cordiscmd"
)

func main() {
	os.Exit(cordiscmd.Run(cli.System()))
}
