// Dsh-mnemon composes the memory of a workspace out of plugins.
package main

import (
	"os"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/mnemoncmd"
)

func main() { os.Exit(cli.Run(cli.System(), mnemoncmd.New)) }
