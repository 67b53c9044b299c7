package mnemoncmd

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
)

func newVersion(env *cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return env.Report(versionReport{}) },
	}
}

type versionReport struct{}

// VersionJSON is what version --json writes.
type VersionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (versionReport) JSON() any {
	v, revision := cli.BuildVersion()
	return VersionJSON{v, revision, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func (versionReport) Text(w *cli.Writer) {
	v, _ := cli.BuildVersion()
	w.Line("dsh-mnemon " + v)
}
