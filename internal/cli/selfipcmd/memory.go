package selfipcmd

import (
	"slices"
	"strings"
	"time"

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
	asOf  time.Time // zero: now
}

func newMemory(env *cli.Env) *cobra.Command {
	var opts memoryOptions
	var asOf string
	cmd := &cobra.Command{
		Use:  "memory [QUERY...]",
		Args: cli.ArgCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.query = strings.TrimSpace(strings.Join(args, " "))
			var err error
			if opts.asOf, err = parseInstant(asOf, env.Now()); err != nil {
				return err
			}
			if opts.query != "" && opts.kind == "" && !opts.all && opts.asOf.IsZero() {
				return runSearch(cmd.Context(), env, searchOptions{query: opts.query, limit: commandLimit})
			}
			return runMemory(env, opts)
		},
	}
	cmd.Flags().StringVarP(&opts.kind, "kind", "k", "", "")
	cli.FlagWords(cmd, "kind", kindNames()...)
	cmd.Flags().BoolVarP(&opts.all, "all", "a", false, "")
	cmd.Flags().StringVar(&asOf, "as-of", "", "")
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
	keep := func(e entry.Entry) bool {
		return (opts.all || e.Live()) && (kind == "" || e.Kind == kind) && strings.Contains(text.Fold(e.Text), text.Fold(opts.query))
	}
	listed, err := list(m, opts.asOf, keep)
	if err != nil {
		return err
	}
	if isAgent(env) {
		leaveOut(env, listed)
	}
	return env.Report(memoryReport{listed, opts.asOf})
}

// leaveOut takes out of lists what no agent may be shown.
func leaveOut(env *cli.Env, listed []selfip.Listing) {
	n := 0
	for i := range listed {
		all := len(listed[i].Entries)
		listed[i].Entries = slices.DeleteFunc(listed[i].Entries, func(e selfip.Entry) bool { return e.Blocked })
		n += all - len(listed[i].Entries)
	}
	if n > 0 {
		env.Note("left-out-blocked", n)
	}
}

func list(m *selfip.Memory, asOf time.Time, keep func(entry.Entry) bool) ([]selfip.Listing, error) {
	if asOf.IsZero() {
		return m.List(keep)
	}
	return m.AsOf(asOf, keep)
}

type memoryReport struct {
	libraries []selfip.Listing
	asOf      time.Time
}

// MemoryJSON is what memory --json writes without a query.
type MemoryJSON struct {
	Libraries []LibraryJSON `json:"libraries"`
	AsOf      string        `json:"asOf,omitempty"` // the instant of which it tells
}

// LibraryJSON is one library with its entries.
type LibraryJSON struct {
	Library string      `json:"library"`
	Path    string      `json:"path"`
	Entries []EntryJSON `json:"entries"`
}

func (r memoryReport) JSON() any {
	out := MemoryJSON{Libraries: []LibraryJSON{}}
	if !r.asOf.IsZero() {
		out.AsOf = entry.Stamp(r.asOf)
	}
	for _, l := range r.libraries {
		out.Libraries = append(out.Libraries, LibraryJSON{string(l.Library), l.Path, entriesJSON(l.Entries)})
	}
	return out
}

func (r memoryReport) Text(w *cli.Writer) {
	if !r.asOf.IsZero() {
		w.Say("as-of", entry.Stamp(r.asOf))
	}
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
		RunE: func(*cobra.Command, []string) error { return promoteRefused() },
	}, fault.Refused)
}

func promoteRefused() error { return fault.New(fault.Refused, "promote-refused") }
