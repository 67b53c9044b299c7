package cli

import (
	"runtime"

	"github.com/spf13/cobra"
)

// NewVersion returns the command version, which every program has.
func NewVersion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return env.Report(versionReport{env.name}) },
	}
}

type versionReport struct{ program string }

// VersionJSON is what version --json writes.
type VersionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (versionReport) JSON() any {
	v, revision := BuildVersion()
	return VersionJSON{v, revision, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
}

func (r versionReport) Text(w *Writer) {
	v, _ := BuildVersion()
	w.Line(r.program + " " + v)
}
