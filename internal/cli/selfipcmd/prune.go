package selfipcmd

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newPrune(env *cli.Env) *cobra.Command {
	var opts selfip.PruneOptions
	cmd := &cobra.Command{
		Use:  "prune",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("days") && opts.Days < 1 {
				return fault.New(fault.Usage, "bad-days", opts.Days)
			}
			return runPrune(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().IntVar(&opts.Days, "days", 0, "")
	cmd.Flags().BoolVar(&opts.Due, "due", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy)
}

func runPrune(ctx context.Context, env *cli.Env, opts selfip.PruneOptions) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	if opts.Days == 0 {
		opts.Days = m.Settings.KeepDays
	}
	if opts.Days == 0 && !opts.Due {
		return fault.New(fault.Refused, "prune-off")
	}
	got, err := m.Prune(ctx, opts)
	if err != nil {
		return err
	}
	return env.Report(pruneReport{got, opts.Days, env.Flags.DryRun})
}

type pruneReport struct {
	list []selfip.Pruned
	days int
	dry  bool
}

// PruneJSON is what prune writes with --json.
type PruneJSON struct {
	OK     bool         `json:"ok"`
	Days   int          `json:"days"` // age from which
	Pruned []PrunedJSON `json:"pruned"`
	Bytes  int64        `json:"bytes"`
}

// PrunedJSON is what went of one kind in one library.
type PrunedJSON struct {
	Library string   `json:"library"`
	What    string   `json:"what"` // logs, snapshots, quarantine, backups, dead, rows, failures, heartbeats
	Files   []string `json:"files"`
	Rows    int      `json:"rows"` // of files that stay
	Bytes   int64    `json:"bytes"`
}

func (r pruneReport) JSON() any {
	out := PruneJSON{OK: true, Days: r.days, Pruned: prunedJSON(r.list)}
	for _, p := range r.list {
		out.Bytes += p.Bytes
	}
	return out
}

func prunedJSON(list []selfip.Pruned) []PrunedJSON {
	out := make([]PrunedJSON, 0, len(list))
	for _, p := range list {
		out = append(out, PrunedJSON{string(p.Library), string(p.What), orNone(p.Names), p.Rows, p.Bytes})
	}
	return out
}

func (r pruneReport) Text(w *cli.Writer) {
	if len(r.list) == 0 {
		w.Say("prune-nothing", r.days)
	}
	for _, p := range r.list {
		sayPruned(w, p)
		if r.dry {
			for _, name := range p.Names {
				w.Line("  " + name)
			}
		}
	}
}

// sayPruned tells what went of one kind.
func sayPruned(w *cli.Writer, p selfip.Pruned) {
	w.Say("pruned", w.Phrase("library-"+string(p.Library)), w.Word("prune-", string(p.What)), len(p.Names), p.Rows, p.Bytes)
}
