package cordiscmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newCheck(env *cli.Env) *cobra.Command {
	var client bool
	cmd := &cobra.Command{Use: "check FILE", Args: cli.ArgCount(1, 1), RunE: func(_ *cobra.Command, args []string) error {
		code, err := readSource(env, args[0])
		if err != nil {
			return err
		}
		half := "host"
		if client {
			half = "client"
		}
		if err := cordis.Check(half, code); err != nil {
			return explained(env, err)
		}
		return env.Report(checkReport{CheckJSON{args[0], half, true}})
	}}
	cmd.Flags().BoolVar(&client, "client", false, "")
	return cli.Exits(cmd, fault.Refused, fault.NotFound, fault.Damaged)
}

// CheckJSON is what check writes with --json.
type CheckJSON struct {
	File string `json:"file"`
	Half string `json:"half"` // host or client
	OK   bool   `json:"ok"`   // true: else there is an error
}

type checkReport struct{ CheckJSON }

func (r checkReport) JSON() any          { return r.CheckJSON }
func (r checkReport) Text(w *cli.Writer) { w.Say("checked", r.File) }
