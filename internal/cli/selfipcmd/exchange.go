package selfipcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

// formatJSONL is the one format of export and import.
const formatJSONL = "jsonl"

func newExport(env *cli.Env) *cobra.Command {
	var all bool
	var format string
	cmd := &cobra.Command{
		Use:  "export",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error {
			if format != formatJSONL {
				return fault.New(fault.Usage, "unknown-format", format, formatJSONL)
			}
			return runExport(env, all)
		},
	}
	cmd.Flags().BoolVarP(&all, "all", "a", false, "")
	cmd.Flags().StringVar(&format, "format", formatJSONL, "")
	return cmd
}

func runExport(env *cli.Env, all bool) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	w := env.Writer()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = m.Export(all, func(line selfip.Line) error {
		b.Reset()
		if err := enc.Encode(line); err != nil {
			return err
		}
		w.Print(string(cli.EscapeControls(b.Bytes())))
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

type importOptions struct {
	path string // "-": standard input
}

func newImport(env *cli.Env) *cobra.Command {
	var opts importOptions
	var format string
	cmd := &cobra.Command{
		Use:  "import FILE|-",
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != formatJSONL {
				return fault.New(fault.Usage, "unknown-format", format, formatJSONL)
			}
			opts.path = args[0]
			return runImport(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().StringVar(&format, "format", formatJSONL, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Refused, fault.Busy, fault.Damaged)
}

func runImport(ctx context.Context, env *cli.Env, opts importOptions) error {
	in, name := env.In, env.Say("standard-input")
	if opts.path != "-" {
		f, err := os.Open(opts.path)
		if err != nil {
			return fault.New(fault.NotFound, "no-input", opts.path).Because(err)
		}
		defer f.Close()
		in, name = io.Reader(f), opts.path
	}
	lines, err := selfip.ReadLines(name, in)
	if err != nil {
		return err
	}
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	got, err := o.memory.Import(ctx, lines)
	if err != nil {
		return err
	}
	if dir := o.workspace.Root; dir != "" && o.settings.Background && !env.Flags.DryRun && o.memory.NeedsUpkeep() {
		startWorker(env, dir) // the first search need not make the index
	}
	return env.Report(importReport{got})
}

type importReport struct{ selfip.Imported }

// ImportJSON is what import --json writes.
type ImportJSON struct {
	OK          bool        `json:"ok"`
	Library     string      `json:"library"`
	Added       int         `json:"added"`
	Duplicates  int         `json:"duplicates"`
	Replaced    int         `json:"replaced"`
	Redacted    int         `json:"redacted"`
	Archived    int         `json:"archived"`
	Quarantined []AsideJSON `json:"quarantined"`
	Change      string      `json:"change"`
}

// AsideJSON is a line of the input that went to quarantine.
type AsideJSON struct {
	Line     int    `json:"line"`
	Detector int    `json:"detector"`
	File     string `json:"file"`
}

func (r importReport) JSON() any {
	out := ImportJSON{
		OK: true, Library: string(r.Library), Added: r.Added, Duplicates: r.Repeated, Replaced: r.Replaced,
		Redacted: r.Redacted, Archived: r.Archived, Quarantined: []AsideJSON{}, Change: r.Change,
	}
	for _, a := range r.Quarantined {
		out.Quarantined = append(out.Quarantined, AsideJSON(a))
	}
	return out
}

func (r importReport) Text(w *cli.Writer) {
	w.Say("imported", r.Added, w.Phrase("library-"+string(r.Library)), r.Repeated)
	if r.Replaced > 0 {
		w.Say("import-replaced", r.Replaced)
	}
	if r.Redacted > 0 {
		w.Say("import-redacted", r.Redacted)
	}
	if r.Archived > 0 {
		w.Say("import-archived", r.Archived)
	}
	for _, a := range r.Quarantined {
		w.Say("import-quarantined", a.Line, a.Detector, a.File)
	}
}
