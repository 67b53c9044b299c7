package selfipcmd

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newSleep(env *cli.Env) *cobra.Command {
	var due bool
	cmd := &cobra.Command{
		Use:  "sleep",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runSleep(cmd.Context(), env, due) },
	}
	cmd.Flags().BoolVar(&due, "due", false, "")
	cli.DryRunFlag(env, cmd)
	return cli.Exits(cmd, fault.Refused, fault.Busy, fault.Damaged)
}

// runSleep consolidates the library that the scope writes. A dry run asks no
// model: that would cost something.
func runSleep(ctx context.Context, env *cli.Env, due bool) error {
	m, err := openForChange(env)
	if err != nil {
		return err
	}
	if env.Flags.DryRun {
		m.Model = nil
	}
	got, err := m.Sleep(ctx, due)
	if err != nil {
		return err
	}
	return env.Report(sleepReport{got, env})
}

// rest is what a worker does when the queue is done: it sleeps, when that is due.
// That the budget is spent, or that the model's service wants a pause, is no
// failure; the model is asked later.
func rest(ctx context.Context, m *selfip.Memory) error {
	got, err := m.Sleep(ctx, true)
	switch fault.KindOf(got.Failed) {
	case fault.Refused, fault.Busy:
		return err
	}
	return errors.Join(err, got.Failed)
}

type sleepReport struct {
	selfip.Slept
	env *cli.Env
}

// SleepJSON is what sleep writes with --json.
type SleepJSON struct {
	OK          bool             `json:"ok"`
	Library     string           `json:"library,omitempty"`
	Awake       string           `json:"awake,omitempty"` // why nothing was done: not-due, nothing-new, no-entries, queue-runs, asleep, read-only
	By          []string         `json:"by"`              // local, provider/model
	Merged      []MergedJSON     `json:"merged"`
	Confirmed   []EntryJSON      `json:"confirmed"`
	Principles  []string         `json:"principles"` // new ones
	Hypotheses  []HypothesisJSON `json:"hypotheses"` // new ones
	Prefetch    []string         `json:"prefetch"`   // new ones
	Review      []DueJSON        `json:"review"`
	More        int              `json:"more"`        // due for review, beyond these
	Waiting     int              `json:"waiting"`     // contradictions for which the list had no room
	Candidates  int              `json:"candidates"`  // merges that wait for the user's word
	Quarantined int              `json:"quarantined"` // lines that a detector fired on
	Refused     []RefusedJSON    `json:"refused"`     // lines of a model that were not taken over
	Stale       int              `json:"stale"`       // merges that no longer fitted what was on disk
	Dropped     []string         `json:"dropped"`     // sections of an answer that was cut
	Calls       int              `json:"calls"`       // of the model
	Failed      string           `json:"failed,omitempty"`
	Changes     []string         `json:"changes"` // ids for undo
}

// MergedJSON is an entry with those that were withdrawn in its favour.
type MergedJSON struct {
	Entry EntryJSON   `json:"entry"`
	Of    []EntryJSON `json:"of"`
	By    string      `json:"by"`
}

// DueJSON is an entry that is due for review.
type DueJSON struct {
	Entry EntryJSON `json:"entry"`
	Days  int       `json:"days"` // since then
}

// RefusedJSON is a line of a model that was not taken over.
type RefusedJSON struct {
	Text string `json:"text"`
	Why  string `json:"why"` // invented, reversed, reworded
}

func (r sleepReport) JSON() any {
	out := SleepJSON{
		OK: r.Failed == nil, Library: string(r.Library), Awake: string(r.Awake), By: orNone(r.By), Merged: []MergedJSON{},
		Confirmed: entriesJSON(r.Confirmed), Principles: orNone(r.Principles), Hypotheses: []HypothesisJSON{}, Prefetch: orNone(r.Prefetch),
		Review: []DueJSON{}, More: r.More, Waiting: r.Waiting, Candidates: r.Candidates, Quarantined: r.Aside, Refused: []RefusedJSON{},
		Stale: r.Stale, Dropped: orNone(r.Dropped), Calls: r.Calls, Changes: orNone(r.Changes),
	}
	if r.Failed != nil {
		out.Failed = r.env.Sentence(r.Failed)
	}
	for _, m := range r.Merged {
		out.Merged = append(out.Merged, MergedJSON{entryJSON(m.Entry), entriesJSON(m.Of), m.By})
	}
	for _, h := range r.Hypotheses {
		out.Hypotheses = append(out.Hypotheses, hypothesisJSON(selfip.Hypothesis{Hypothesis: h, Library: r.Library}))
	}
	for _, d := range r.Review {
		out.Review = append(out.Review, DueJSON{entryJSON(d.Entry), d.Days})
	}
	for _, f := range r.Refused {
		out.Refused = append(out.Refused, RefusedJSON{f.Text, string(f.Why)})
	}
	return out
}

func (r sleepReport) Text(w *cli.Writer) {
	if r.Awake != "" {
		w.Say("sleep-awake", w.Phrase("awake-"+string(r.Awake)))
		return
	}
	w.Say("slept", w.Phrase("library-"+string(r.Library)), strings.Join(r.By, ", "))
	for _, m := range r.Merged {
		w.Say("sleep-merged", w.Dim(m.Entry.ID), m.Entry.Text)
		for _, old := range m.Of {
			w.Say("sleep-merged-of", w.Dim(old.ID), old.Text)
		}
	}
	for _, e := range r.Confirmed {
		w.Say("sleep-confirmed", w.Dim(e.ID), e.Text)
	}
	for _, p := range r.Principles {
		w.Say("sleep-principle", p)
	}
	for _, h := range r.Hypotheses {
		w.Say("sleep-hypothesis", w.Dim(h.ID), h.Text)
	}
	for _, p := range r.Prefetch {
		w.Say("sleep-prefetch", p)
	}
	for _, d := range r.Review {
		w.Say("sleep-due", d.Days, w.Dim(d.Entry.ID), d.Entry.Text)
	}
	r.counts(w)
}

// counts tells of what is only counted, and of what went wrong.
func (r sleepReport) counts(w *cli.Writer) {
	for _, c := range []struct {
		id string
		n  int
	}{
		{"sleep-more", r.More},
		{"sleep-waiting", r.Waiting},
		{"sleep-candidates", r.Candidates},
		{"sleep-aside", r.Aside},
		{"sleep-stale", r.Stale},
	} {
		if c.n > 0 {
			w.Say(c.id, c.n)
		}
	}
	for _, f := range r.Refused {
		w.Say("sleep-refused", w.Phrase("refused-"+string(f.Why)), f.Text)
	}
	if len(r.Dropped) > 0 {
		w.Say("sleep-dropped", strings.Join(r.Dropped, ", "))
	}
	if r.Failed != nil {
		w.Say("sleep-failed", r.Failed)
	}
	if len(r.Changes) == 0 {
		w.Say("sleep-nothing")
	}
}
