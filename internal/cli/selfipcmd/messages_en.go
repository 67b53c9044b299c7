package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

var english = cli.Table{}
