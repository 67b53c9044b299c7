package selfipcmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

type memoryOptions struct {
	query string
	kind  string
	all   bool
}

func newMemory(env *cli.Env) *cobra.Command {
	var opts memoryOptions
	cmd := &cobra.Command{
		Use:  "memory [QUERY...]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.query = strings.TrimSpace(strings.Join(args, " "))
			if opts.query != "" && opts.kind == "" && !opts.all {
				return runSearch(cmd.Context(), env, searchOptions{query: opts.query, limit: commandLimit})
			}
			return runMemory(env, opts)
		},
	}
	cmd.Flags().StringVarP(&opts.kind, "kind", "k", "", "")
	cli.FlagWords(cmd, "kind", kindNames()...)
	cmd.Flags().BoolVarP(&opts.all, "all", "a", false, "")
	return cmd
}

func runMemory(env *cli.Env, opts memoryOptions) error {
	var kind entry.Kind
	if opts.kind != "" {
		var ok bool
		if kind, ok = entry.ParseKind(opts.kind); !ok {
			return unknownKind(opts.kind)
		}
	}
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	listed, err := m.List(func(e entry.Entry) bool {
		return (opts.all || e.Live()) && (kind == "" || e.Kind == kind) && strings.Contains(text.Fold(e.Text), text.Fold(opts.query))
	})
	if err != nil {
		return err
	}
	return env.Report(memoryReport{listed})
}

type memoryReport struct{ libraries []selfip.Listing }

// MemoryJSON is what memory --json writes without a query.
type MemoryJSON struct {
	Libraries []LibraryJSON `json:"libraries"`
}

// LibraryJSON is one library with its entries.
type LibraryJSON struct {
	Library string      `json:"library"`
	Path    string      `json:"path"`
	Entries []EntryJSON `json:"entries"`
}

func (r memoryReport) JSON() any {
	out := MemoryJSON{Libraries: []LibraryJSON{}}
	for _, l := range r.libraries {
		out.Libraries = append(out.Libraries, LibraryJSON{string(l.Library), l.Path, entriesJSON(l.Entries)})
	}
	return out
}

func (r memoryReport) Text(w *cli.Writer) {
	for _, l := range r.libraries {
		live := 0
		for _, e := range l.Entries {
			if e.Entry.Live() {
				live++
			}
		}
		w.Line(w.Bold(w.Phrase("library-head", w.Phrase("library-"+string(l.Library)), live, l.Path)))
		for _, e := range l.Entries {
			writeEntry(w, e)
		}
	}
	if len(r.libraries) == 0 {
		w.Say("no-library")
	}
}

func newPromote(env *cli.Env) *cobra.Command {
	return cli.Exits(&cobra.Command{
		Use:  "promote [COUNT]",
		Args: cli.ArgCount(0, 1),
		RunE: func(*cobra.Command, []string) error { return fault.New(fault.Refused, "promote-refused") },
	}, fault.Refused)
}
