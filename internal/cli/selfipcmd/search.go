package selfipcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// commandLimit is how many hits `memory QUERY` shows (spec/selfip.md 8).
const commandLimit = 10

type searchOptions struct {
	query string
	limit int
	exact bool // the limit was asked for: it alone bounds the list
	count bool // hits count as used
}

func newSearch(env *cli.Env) *cobra.Command {
	opts := searchOptions{count: true}
	cmd := &cobra.Command{
		Use:     "search QUERY...",
		Aliases: []string{"recall"},
		Args:    cli.ArgCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.query = strings.Join(args, " ")
			opts.exact = cmd.Flags().Changed("limit")
			if opts.limit < 1 {
				return fault.New(fault.Usage, "bad-limit", opts.limit)
			}
			return runSearch(cmd.Context(), env, opts)
		},
	}
	cmd.Flags().IntVarP(&opts.limit, "limit", "n", selfip.SearchLimit, "")
	return cmd
}

func runSearch(ctx context.Context, env *cli.Env, opts searchOptions) error {
	o, err := open(env, env.Flags.Dir)
	if err != nil {
		return err
	}
	o.warn(env)
	return env.Report(searchReport{opts.query, search(ctx, env, o, opts)})
}

// search finds entries, counts their use when that is asked for, and has an
// index made when the search missed one.
func search(ctx context.Context, env *cli.Env, o *opened, opts searchOptions) []selfip.Hit {
	m := o.memory
	if opts.exact {
		m.Settings.SearchChars = 0
	}
	hits := m.Search(opts.query, opts.limit)
	var err error
	if opts.count {
		// Counting is a by-product: a library that is read-only or busy is
		// searched all the same.
		if err = m.CountUses(ctx, hits); err != nil {
			env.Log().Debug("uses not counted", "err", err)
		}
	}
	if dir := o.workspace.Root; err == nil && m.IndexWanted && o.settings.Background && dir != "" {
		startWorker(env, dir, o.modelVariables()...)
	}
	return hits
}

type searchReport struct {
	query string
	hits  []selfip.Hit
}

// SearchJSON is what search --json writes.
type SearchJSON struct {
	Hits  []HitJSON `json:"hits"`
	Count int       `json:"count"`
}

// HitJSON is one hit, best first.
type HitJSON struct {
	EntryJSON
	Score    float64  `json:"score"`
	Marks    []string `json:"marks"` // external, induced, expired
	Archived bool     `json:"archived"`
}

func (r searchReport) JSON() any {
	out := SearchJSON{Hits: make([]HitJSON, 0, len(r.hits)), Count: len(r.hits)}
	for _, h := range r.hits {
		out.Hits = append(out.Hits, HitJSON{entryJSON(h.Entry), h.Score, marks(h), h.Archived})
	}
	return out
}

// marks says what a reader should know before relying on a hit.
func marks(h selfip.Hit) []string {
	out := []string{}
	switch h.Trust {
	case entry.External:
		out = append(out, "external")
	case entry.Induced:
		out = append(out, "induced")
	}
	if h.Expired {
		out = append(out, "expired")
	}
	return out
}

func (r searchReport) Text(w *cli.Writer) {
	if len(r.hits) == 0 {
		w.Say("no-hits", r.query)
	}
	for _, h := range r.hits {
		var b strings.Builder
		if h.Library == selfip.GlobalLabel {
			b.WriteString(w.Phrase("global-prefix"))
		}
		b.WriteString(h.Entry.Text)
		for _, mark := range marks(h) {
			b.WriteString(" " + w.Phrase("mark-"+mark))
		}
		w.Line(w.Dim(h.ID) + "  " + w.Word("kind-", string(h.Kind)) + "  " + b.String())
	}
}
