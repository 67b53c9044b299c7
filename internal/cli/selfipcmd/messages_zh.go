package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

var chinese = cli.Table{}
