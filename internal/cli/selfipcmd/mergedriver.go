package selfipcmd

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip/merge"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newMergeDriver(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "merge-driver BASE OURS THEIRS [PATH]",
		Args: cli.ArgCount(3, 4),
		RunE: func(_ *cobra.Command, args []string) error { return runMergeDriver(env, args) },
	}
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound)
}

// runMergeDriver joins two sides into the file of ours, as git wants it. The three
// files are git's own copies: there is nobody else to lock them against.
func runMergeDriver(env *cli.Env, args []string) error {
	var sides [3][]byte
	for i, path := range args[:3] {
		data, err := os.ReadFile(path)
		if err != nil {
			return fault.New(fault.NotFound, "no-input", path).Because(err)
		}
		sides[i] = data
	}
	merged, report := merge.Merge(sides[0], sides[1], sides[2])
	name := args[1]
	if len(args) == 4 {
		name = args[3]
	}
	if !env.Flags.DryRun {
		if err := os.WriteFile(args[1], merged, 0o644); err != nil {
			return fault.New(fault.Failed, "merge-unwritten", args[1]).Because(err)
		}
	}
	return env.Report(mergeReport{report, name})
}

type mergeReport struct {
	merge.Report
	name string
}

// MergeJSON is what merge-driver writes with --json.
type MergeJSON struct {
	OK        bool   `json:"ok"`
	File      string `json:"file"`
	Entries   int    `json:"entries"`
	Added     int    `json:"added"`
	Withdrawn int    `json:"withdrawn"`
	Removed   int    `json:"removed"`
	Joined    int    `json:"joined"`
}

func (r mergeReport) JSON() any {
	return MergeJSON{true, r.name, r.Entries, r.Added, r.Withdrawn, r.Removed, r.Joined}
}

func (r mergeReport) Text(w *cli.Writer) {
	w.Say("merged", r.name, r.Entries, r.Added, r.Withdrawn, r.Removed, r.Joined)
}
