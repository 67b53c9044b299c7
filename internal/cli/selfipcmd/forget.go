package selfipcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newForget(env *cli.Env) *cobra.Command {
	return newChanger(env, "forget TEXT|ID", "forgotten", (*selfip.Memory).Forget)
}

func newRestore(env *cli.Env) *cobra.Command {
	return newChanger(env, "restore TEXT|ID", "restored", (*selfip.Memory).Restore)
}

// newChanger is a command that changes every entry its argument means.
func newChanger(env *cli.Env, use, said string, change func(*selfip.Memory, context.Context, string, selfip.Author) (selfip.Changed, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.ArgCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := openForChange(env)
			if err != nil {
				return err
			}
			got, err := change(m, cmd.Context(), strings.Join(args, " "), author(env))
			if err != nil {
				return err
			}
			return env.Report(changedReport{said, env.Flags.DryRun, got})
		},
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Refused, fault.Busy, fault.Damaged)
}

type changedReport struct {
	said string
	dry  bool
	selfip.Changed
}

// ChangedJSON is what forget and restore write with --json.
type ChangedJSON struct {
	OK      bool        `json:"ok"`
	Entries []EntryJSON `json:"entries"`
	Changes []string    `json:"changes"`
}

func (r changedReport) JSON() any {
	return ChangedJSON{OK: true, Entries: entriesJSON(r.Entries), Changes: r.Changes}
}

func (r changedReport) Text(w *cli.Writer) {
	for _, e := range r.Entries {
		w.Say(r.said, e.ID, w.Phrase("library-"+string(e.Library)), e.Text)
	}
	if r.dry {
		return // there is nothing to take back
	}
	for _, id := range r.Changes {
		w.Say("take-back", id)
	}
}
