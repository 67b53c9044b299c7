package selfipcmd

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/pkg/text"
)

func newInject(env *cli.Env) *cobra.Command {
	var explain bool
	cmd := &cobra.Command{
		Use:  "inject",
		Args: cli.ArgCount(0, 0),
		RunE: func(*cobra.Command, []string) error { return runInject(env, explain) },
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "")
	return cmd
}

func runInject(env *cli.Env, explain bool) error {
	m, err := openMemory(env)
	if err != nil {
		return err
	}
	b := m.Inject(selfip.InjectOptions{Explain: explain})
	for _, d := range m.Damaged() {
		env.Warn("damage", d.Err)
	}
	for _, n := range b.Notes {
		env.Note("block-"+string(n), m.Settings.InjectChars)
	}
	if b.Blocked > 0 {
		env.Note("block-blocked", b.Blocked)
	}
	return env.Report(injectReport{b, m.Settings.InjectChars, explain})
}

type injectReport struct {
	block.Block
	budget  int
	explain bool
}

// InjectJSON is what inject --json writes.
type InjectJSON struct {
	Text    string          `json:"text"`
	Chars   int             `json:"injectionChars"` // UTF-16 code units
	Bytes   int             `json:"bytes"`
	Budget  int             `json:"injectChars"`
	Shown   int             `json:"shown"`
	Hidden  int             `json:"hidden"`
	Blocked int             `json:"injectionBlocked"`
	Dropped []string        `json:"dropped"` // sections that found no room
	Notes   []block.Note    `json:"notes"`
	Entries []ExplainedJSON `json:"entries"` // with --explain every live entry, else the shown ones
}

// ExplainedJSON is what became of one entry.
type ExplainedJSON struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Library string    `json:"library"`
	Text    string    `json:"text"`
	Score   float64   `json:"score"`
	Parts   PartsJSON `json:"parts"`
	Chosen  bool      `json:"chosen"`
	Why     block.Why `json:"why"`
}

func (r injectReport) JSON() any {
	out := InjectJSON{
		Text: r.Block.Text, Chars: r.Chars, Bytes: r.Bytes, Budget: r.budget, Shown: r.Shown, Hidden: r.Hidden, Blocked: r.Blocked,
		Dropped: orNone(r.Dropped), Notes: orNone(r.Notes), Entries: []ExplainedJSON{},
	}
	for _, e := range r.Items {
		out.Entries = append(out.Entries, ExplainedJSON{
			e.ID, string(e.Kind), e.Library, e.Text, e.Score, PartsJSON{e.Parts.Importance, e.Parts.Recency, e.Parts.Uses}, e.Chosen, e.Why,
		})
	}
	return out
}

// orNone is a list that is never null in JSON.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (r injectReport) Text(w *cli.Writer) {
	if !r.explain {
		if r.Block.Text != "" {
			w.Print(r.Block.Text + "\n")
		}
		return
	}
	w.Say("explain-head", r.Chars, r.budget, r.Shown, r.Hidden, r.Blocked)
	rows := [][]string{{w.Phrase("col-score"), w.Phrase("col-parts"), w.Phrase("col-fate"), w.Phrase("col-kind"), w.Phrase("col-id"), w.Phrase("col-text")}}
	for _, e := range r.Items {
		parts := strconv.Itoa(e.Parts.Importance) + "+" + strconv.Itoa(e.Parts.Recency) + "+" + number(e.Parts.Uses)
		rows = append(rows, []string{
			number(e.Score), parts, w.Phrase("why-" + string(e.Why)), w.Word("kind-", string(e.Kind)), e.ID, text.Ellipsize(e.Text, 72),
		})
	}
	w.Columns(true, rows)
	for _, title := range r.Dropped {
		w.Say("explain-dropped", title)
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
