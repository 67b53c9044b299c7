package selfipcmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

type compactOptions struct {
	partition int // -1: all
	local     bool
	due       bool
}

func newCompact(env *cli.Env) *cobra.Command {
	opts := compactOptions{partition: -1}
	cmd := &cobra.Command{
		Use:               "compact [FILE|KIND]",
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: cli.ArgWords(partitionNames()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				p, ok := selfip.PartitionNamed(args[0])
				if !ok {
					return fault.New(fault.Usage, "no-partition", args[0])
				}
				opts.partition = p
			}
			return runCompact(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.local, "local", false, "")
	cmd.Flags().BoolVar(&opts.due, "due", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged, fault.Conflict)
}

// partitionNames are the names of the four files.
func partitionNames() (names []string) {
	for _, p := range selfip.Partitions {
		names = append(names, p.Name)
	}
	return names
}

func runCompact(ctx context.Context, env *cli.Env, opts compactOptions) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	ask := selfip.CompactOptions{Local: opts.local || env.Flags.DryRun, Due: opts.due} // a dry run costs nothing
	if opts.partition >= 0 {
		ask.Partitions = []int{opts.partition}
	}
	got, err := m.Compact(ctx, ask)
	if err != nil {
		return err // what was done stands in the journal and in logs/compact.md
	}
	return env.Report(compactReport{got, env.Flags.DryRun, env.Sentence})
}

type compactReport struct {
	files []selfip.Compacted
	dry   bool
	say   func(error) string
}

// CompactJSON is what compact writes with --json.
type CompactJSON struct {
	OK    bool            `json:"ok"` // no answer was rejected
	Files []CompactedJSON `json:"files"`
}

// CompactedJSON is what became of one file. Lengths are UTF-16 code units.
type CompactedJSON struct {
	File     string   `json:"file"`
	Status   string   `json:"status"`            // done, nothing or rejected
	Reason   string   `json:"reason,omitempty"`  // of a rejection
	Instead  string   `json:"instead,omitempty"` // why the built-in engine stood in for the model
	By       string   `json:"by"`                // provider/model, or local
	Before   int      `json:"before"`
	After    int      `json:"after"`
	Entries  int      `json:"entries"` // live ones before
	Left     int      `json:"left"`    // live ones after
	Twins    int      `json:"twins"`
	Merged   int      `json:"merged"`
	Lines    int      `json:"lines"`
	Archived int      `json:"archived"`
	Missing  int      `json:"missing"` // not in the answer; they stay
	Stale    int      `json:"stale"`   // merges that did not fit any more
	Low      []string `json:"low"`     // entries that left and are hardly found in the answer
	Backup   string   `json:"backup,omitempty"`
	Change   string   `json:"change,omitempty"`
}

func (r compactReport) JSON() any { return CompactJSON{r.ok(), compactedJSON(r.say, r.files)} }

func (r compactReport) ok() bool {
	return !slices.ContainsFunc(r.files, func(c selfip.Compacted) bool { return c.Status == selfip.CompactRejected })
}

func compactedJSON(say func(error) string, files []selfip.Compacted) []CompactedJSON {
	out := make([]CompactedJSON, 0, len(files))
	for _, c := range files {
		instead := ""
		if c.Instead != nil {
			instead = say(c.Instead)
		}
		out = append(out, CompactedJSON{
			File: c.File, Status: string(c.Status), Reason: c.Reason, Instead: instead, By: c.By, Before: c.Before, After: c.After,
			Entries: c.Entries, Left: c.Left, Twins: c.Twins, Merged: c.Merged, Lines: c.Lines, Archived: c.Archived,
			Missing: c.Missing, Stale: c.Stale, Low: orNone(c.Low), Backup: c.Backup, Change: c.Change,
		})
	}
	return out
}

func (r compactReport) Text(w *cli.Writer) {
	if len(r.files) == 0 {
		w.Say("compact-none")
	}
	for _, c := range r.files {
		sayCompacted(w, c, r.dry)
	}
}

// sayCompacted tells what became of one file.
func sayCompacted(w *cli.Writer, c selfip.Compacted, dry bool) {
	if c.Instead != nil {
		w.Say("compact-stood-in", c.Instead)
	}
	switch c.Status {
	case selfip.CompactNothing:
		w.Say("compact-nothing", c.File)
	case selfip.CompactRejected:
		w.Say("compact-rejected", c.File, c.By, w.Word("compact-why-", c.Reason))
	case selfip.CompactDone:
		w.Say("compact-done", c.File, c.Before, c.After, c.Entries, c.Left, c.By)
		w.Say("compact-parts", c.Twins, c.Merged, c.Lines, c.Archived)
	}
	if c.Missing > 0 {
		w.Say("compact-missing", c.Missing)
	}
	if c.Stale > 0 {
		w.Say("compact-stale", c.Stale)
	}
	for _, s := range c.Low {
		w.Say("compact-low", s)
	}
	if c.Change != "" && !dry {
		w.Say("compact-undo", c.Backup, c.Change)
	}
}
