package mnemoncmd

import (
	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newWake(env *cli.Env) *cobra.Command {
	var turn string
	cmd := &cobra.Command{
		Use:  "wake",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			t, err := turnNamed(env, turn)
			if err != nil {
				return err
			}
			return env.Report(wakeReport{t.Wake()})
		},
	}
	turnFlag(cmd, &turn)
	return cli.Exits(cmd, fault.NotFound, fault.Damaged)
}

// wakeReport is what a prompt gets of a turn.
type wakeReport struct{ wake *jsonvalue.Object }

func (r wakeReport) JSON() any { return r.wake }

// Text prints the Strategy's guidance and then what the Sources say, the one
// trusted, the other quoted data.
func (r wakeReport) Text(w *cli.Writer) {
	guidance, _ := r.wake.Map("guidance")
	for _, key := range []string{"system", "routing"} {
		if text, ok := guidance.Text(key); ok {
			w.Print(text + "\n\n")
		}
	}
	text, _ := r.wake.Text("text")
	w.Print(text + "\n")
}
