package selfipcmd

import "github.com/dshkit/dshkit/internal/cli"

func version() string {
	v, _ := cli.BuildVersion()
	return v
}
