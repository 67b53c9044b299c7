package selfipcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// The forms of memory outside of a library that are not the store of a tool.
const (
	formatJSONL    = "jsonl"
	formatMarkdown = "markdown"
)

type exportOptions struct {
	all    bool
	format string
	into   string // the file that gets the entries as a block of its own
}

func newExport(env *cli.Env) *cobra.Command {
	opts := exportOptions{}
	cmd := &cobra.Command{
		Use:  "export",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.into != "" && !cmd.Flags().Changed("format") {
				opts.format = formatMarkdown
			}
			switch {
			case opts.format != formatJSONL && opts.format != formatMarkdown:
				return fault.New(fault.Usage, "unknown-format", opts.format, formatJSONL+", "+formatMarkdown)
			case opts.into != "" && opts.format != formatMarkdown:
				return fault.New(fault.Usage, "into-format", formatMarkdown)
			}
			return runExport(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().BoolVarP(&opts.all, "all", "a", false, "")
	cmd.Flags().StringVar(&opts.format, "format", formatJSONL, "")
	cli.FlagWords(cmd, "format", formatJSONL, formatMarkdown)
	cmd.Flags().StringVar(&opts.into, "into", "", "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy)
}

func runExport(ctx context.Context, env *cli.Env, opts exportOptions) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	if opts.format == formatJSONL {
		return exportLines(env, m, opts.all)
	}
	var lines []exchange.Line
	blocked := 0
	err = m.Export(opts.all, func(line exchange.Line) error {
		if line.Blocked { // a rule file is read by agents
			blocked++
			return nil
		}
		lines = append(lines, line)
		return nil
	})
	if err != nil {
		return err
	}
	if blocked > 0 {
		env.Note("left-out-blocked", blocked)
	}
	if opts.into != "" {
		return exportInto(ctx, env, opts.into, lines)
	}
	return env.Report(markdownReport{lines})
}

func exportLines(env *cli.Env, m *selfip.Memory, all bool) error {
	w := env.Writer()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	agent, blocked := isAgent(env), 0
	err := m.Export(all, func(line exchange.Line) error {
		if agent && line.Blocked {
			blocked++
			return nil
		}
		b.Reset()
		if err := enc.Encode(line); err != nil {
			return err
		}
		w.Print(string(text.EscapeControls(b.Bytes())))
		return nil
	})
	if err != nil {
		return err
	}
	if blocked > 0 {
		env.Note("left-out-blocked", blocked)
	}
	return w.Flush()
}

// exportInto writes the block of an earlier export anew, or adds one.
func exportInto(ctx context.Context, env *cli.Env, file string, lines []exchange.Line) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return fault.New(fault.Failed, "no-current-folder").Because(err)
	}
	report := intoReport{file: path, entries: len(lines)}
	base, dir := filepath.Base(path), settingsDir(env, path)
	write := func(tx *filestore.Tx) error {
		old, err := tx.Read(base)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		next := exchange.Insert(old, lines)
		if report.changed = !bytes.Equal(old, next); !report.changed {
			return nil
		}
		return tx.Replace(base, next)
	}
	if env.Flags.DryRun {
		old, err := dir.Read(base)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		report.changed = !bytes.Equal(old, exchange.Insert(old, lines))
		return env.Report(report)
	}
	if err := dir.With(ctx, write); err != nil {
		return err
	}
	_ = os.Remove(dir.Path(lockName(path))) // a later holder makes its own
	return env.Report(report)
}

type intoReport struct {
	file    string
	entries int
	changed bool
}

// IntoJSON is what export --into writes with --json.
type IntoJSON struct {
	OK      bool   `json:"ok"`
	File    string `json:"file"`
	Entries int    `json:"entries"`
	Changed bool   `json:"changed"`
}

func (r intoReport) JSON() any { return IntoJSON{true, r.file, r.entries, r.changed} }

func (r intoReport) Text(w *cli.Writer) {
	if !r.changed {
		w.Say("into-same", r.file)
		return
	}
	w.Say("into-written", r.entries, r.file)
}

type markdownReport struct{ lines []exchange.Line }

// MarkdownJSON is what export --format markdown writes with --json.
type MarkdownJSON struct {
	Markdown string `json:"markdown"`
	Entries  int    `json:"entries"`
}

func (r markdownReport) JSON() any {
	return MarkdownJSON{exchange.FormatMarkdown(r.lines), len(r.lines)}
}

func (r markdownReport) Text(w *cli.Writer) { w.Print(exchange.FormatMarkdown(r.lines)) }
