// Selfip carries what an agent learned from one conversation to the next.
package main

import (
	"os"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cli/selfipcmd"
)

func main() { os.Exit(cli.Run(cli.System(), selfipcmd.New)) }
