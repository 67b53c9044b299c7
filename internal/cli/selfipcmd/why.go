package selfipcmd

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newWhy(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "why TEXT|ID",
		Args: cli.ArgCount(1, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := openMemory(env)
			if err != nil {
				return err
			}
			found, err := m.Why(strings.Join(args, " "))
			if err != nil {
				return err
			}
			return env.Report(whyReport{found})
		},
	}
	return cli.Exits(cmd, fault.NotFound)
}

type whyReport struct{ found []selfip.Provenance }

// ProvenanceJSON is one entry with where it comes from and how it stands.
type ProvenanceJSON struct {
	EntryJSON
	Origin   string       `json:"origin,omitempty"` // which way it came in
	Source   string       `json:"source,omitempty"` // where the knowledge is from
	By       string       `json:"by,omitempty"`     // which engine or model wrote it
	Verified string       `json:"verified,omitempty"`
	TTL      int          `json:"ttl,omitempty"` // days
	Reason   string       `json:"why,omitempty"` // why it was withdrawn
	Score    float64      `json:"score"`
	Parts    PartsJSON    `json:"parts"`
	Standing string       `json:"standing"` // live, expired, withdrawn, blocked or archived
	History  []LoggedJSON `json:"history"`
}

// PartsJSON is what a score is made of.
type PartsJSON struct {
	Importance int     `json:"importance"`
	Recency    int     `json:"recency"`
	Uses       float64 `json:"uses"`
}

// WhyListJSON is what why writes with --json.
type WhyListJSON struct {
	Entries []ProvenanceJSON `json:"entries"`
}

func (r whyReport) JSON() any {
	out := []ProvenanceJSON{}
	for _, p := range r.found {
		e := p.Entry.Entry
		ttl, _ := e.Int("ttl")
		row := ProvenanceJSON{
			EntryJSON: entryJSON(p.Entry), Origin: e.Get("origin"), Source: e.Get("src"), By: e.Get("by"),
			Verified: e.Get("vfy"), TTL: ttl, Reason: e.Get("why"), Score: p.Weight.Score(),
			Parts:    PartsJSON{p.Weight.Importance, p.Weight.Recency, p.Weight.Uses},
			Standing: string(p.Standing), History: []LoggedJSON{},
		}
		for _, l := range p.History {
			row.History = append(row.History, loggedJSON(l))
		}
		out = append(out, row)
	}
	return WhyListJSON{out}
}

func (r whyReport) Text(w *cli.Writer) {
	for i, p := range r.found {
		if i > 0 {
			w.Line("")
		}
		e := p.Entry.Entry
		writeEntry(w, p.Entry)
		w.Say("why-place", w.Phrase("library-"+string(p.Library)), p.Path)
		w.Say("why-origin", w.Word("origin-", orElse(e.Get("origin"), "hand")), w.Word("source-", orElse(e.Get("src"), "none")), w.Phrase(trustID(e)))
		w.Say("why-score", strconv.FormatFloat(p.Weight.Score(), 'g', -1, 64), p.Weight.Importance, p.Weight.Recency, strconv.FormatFloat(p.Weight.Uses, 'g', -1, 64))
		w.Say("why-standing", w.Phrase("standing-"+string(p.Standing)))
		for _, l := range p.History {
			w.Say("log-row", w.Dim(l.ID), l.Time, w.Word("op-", l.Op), w.Word("by-", l.By))
			writeEvidence(w, l, p.ID)
		}
	}
}

// writeEvidence shows what a change of an entry was drawn from.
func writeEvidence(w *cli.Writer, l selfip.Logged, id string) {
	for _, c := range l.Changes {
		if !strings.EqualFold(c.Entry, id) {
			continue
		}
		for _, q := range c.Evidence {
			w.Say("evidence", q.Record, w.Word("record-", q.Kind), q.Text)
		}
	}
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func trustID(e entry.Entry) string {
	switch e.Trust() {
	case entry.External:
		return "trust-external"
	case entry.Induced:
		return "trust-induced"
	}
	return "trust-trusted"
}
