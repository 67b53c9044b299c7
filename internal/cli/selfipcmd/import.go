package selfipcmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/pkg/fault"
)

type importOptions struct {
	paths   []string // "-": standard input; none: the store of a tool, where that keeps it
	format  string   // empty: what the name of a file says
	project string   // of a tool that keeps all in one store
	all     bool     // of every project
}

func newImport(env *cli.Env) *cobra.Command {
	var opts importOptions
	cmd := &cobra.Command{
		Use:  "import [FILE...|-]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.paths, opts.all = args, opts.project == "*"
			if err := opts.check(); err != nil {
				return err
			}
			return runImport(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().StringVar(&opts.format, "format", "", "")
	cli.FlagWords(cmd, "format", formats()...)
	cmd.Flags().StringVar(&opts.project, "project", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.NotFound, fault.Refused, fault.Busy, fault.Timeout, fault.Damaged)
}

// formats lists what can be imported.
func formats() []string {
	names := []string{formatJSONL, formatMarkdown}
	for _, s := range exchange.Stores {
		names = append(names, s.Name)
	}
	return names
}

func storeNamed(name string) (exchange.Store, bool) {
	for _, s := range exchange.Stores {
		if s.Name == name {
			return s, true
		}
	}
	return exchange.Store{}, false
}

func (o importOptions) check() error {
	_, isStore := storeNamed(o.format)
	switch {
	case o.format != "" && o.format != formatJSONL && o.format != formatMarkdown && !isStore:
		return fault.New(fault.Usage, "unknown-format", o.format, strings.Join(formats(), ", "))
	case len(o.paths) == 0 && !isStore:
		return fault.New(fault.Usage, "import-nothing")
	case o.project != "" && !isStore:
		return fault.New(fault.Usage, "import-project")
	}
	return nil
}

// formatOf is the format of a file that has not been told.
func formatOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".markdown", ".mdx", ".mdc":
		return formatMarkdown
	}
	return formatJSONL
}

func runImport(ctx context.Context, env *cli.Env, opts importOptions) error {
	o, err := openedForChange(env)
	if err != nil {
		return err
	}
	if err := o.memory.Imports(author(env)); err != nil {
		return err
	}
	lines, err := opts.read(ctx, env, o)
	if err != nil {
		return err
	}
	got, err := o.memory.Import(ctx, lines)
	if err != nil {
		return err
	}
	if dir := o.workspace.Root; dir != "" && o.settings.Background && !env.Flags.DryRun && o.memory.NeedsUpkeep() {
		startWorker(env, dir, o.modelVariables()...) // the first search need not make the index
	}
	return env.Report(importReport{got})
}

// read returns the lines of all inputs.
func (o importOptions) read(ctx context.Context, env *cli.Env, in *opened) ([]exchange.Line, error) {
	if store, ok := storeNamed(o.format); ok {
		return o.readStores(ctx, env, store, in.workspace.Root)
	}
	var lines []exchange.Line
	for _, path := range o.paths {
		more, err := o.readFile(env, path)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

func (o importOptions) readFile(env *cli.Env, path string) ([]exchange.Line, error) {
	in, name := env.In, env.Say("standard-input")
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fault.New(fault.NotFound, "no-input", path).Because(err)
		}
		defer f.Close()
		in, name = io.Reader(f), path
	}
	format := o.format
	if format == "" {
		format = formatOf(path)
	}
	if format == formatJSONL {
		return exchange.Read(name, in)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxRules+1))
	switch {
	case err != nil:
		return nil, fault.New(fault.Failed, "read-input", name).Because(err)
	case len(data) > maxRules || bytes.IndexByte(data, 0) >= 0:
		return nil, fault.New(fault.Usage, "import-not-text", name, maxRules>>20)
	}
	lines := exchange.ParseMarkdown(string(data))
	for _, line := range lines {
		if err := line.CheckText(name); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// maxRules is the longest file of notes or rules that is read, in bytes.
const maxRules = 16 << 20

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
