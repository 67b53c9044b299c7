package selfipcmd

import (
	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
)

// LearnedJSON is what the retrospective of one session came to.
type LearnedJSON struct {
	Key         string      `json:"key"`
	Session     string      `json:"session,omitempty"`
	Entries     []EntryJSON `json:"entries"`
	Waiting     []EntryJSON `json:"waiting"`  // candidates: they wait for the user's word
	Unwanted    int         `json:"unwanted"` // rejected before, or too many wait
	Quarantined int         `json:"quarantined"`
	Handoff     bool        `json:"handoff"`
	Left        []string    `json:"left"` // what was seen and not kept, and why
	Kind        string      `json:"kind"` // error-retro, session-retro, manual-retro
	By          string      `json:"by"`   // provider/model, or local
	Instead     string      `json:"instead,omitempty"`
	Withdrawn   int         `json:"withdrawn"`
	Playbooks   []string    `json:"playbooks"`
	Proposal    string      `json:"proposal,omitempty"`
	Unclear     bool        `json:"unclear"` // no section could be recognised in the answer
	Dropped     []string    `json:"dropped"` // sections that the answer did not finish
}

func learnedJSON(say func(error) string, l selfip.Learned) LearnedJSON {
	out := LearnedJSON{
		Key: l.Key, Session: l.Session, Entries: entriesJSON(l.Entries), Waiting: entriesJSON(l.Waiting), Unwanted: l.Unwanted,
		Quarantined: l.Aside, Handoff: l.Handoff, Left: orNone(l.Left), Kind: l.Kind, By: l.By, Withdrawn: l.Withdrawn,
		Playbooks: orNone(l.Playbooks), Proposal: l.Proposal, Unclear: l.Unclear, Dropped: orNone(l.Dropped),
	}
	if l.Instead != nil {
		out.Instead = say(l.Instead)
	}
	return out
}

// writeLearned tells a person what a retrospective came to.
func writeLearned(w *cli.Writer, l selfip.Learned) {
	w.Say("learned", l.Key, len(l.Entries))
	for _, e := range l.Entries {
		writeEntry(w, e)
	}
	for _, name := range l.Playbooks {
		w.Say("learned-playbook", name)
	}
	if l.Proposal != "" {
		w.Say("learned-proposal", l.Proposal)
	}
	for _, count := range []struct {
		id string
		n  int
	}{
		{"learned-withdrawn", l.Withdrawn},
		{"learned-waiting", len(l.Waiting)},
		{"learned-unwanted", l.Unwanted},
		{"learned-aside", l.Aside},
		{"learned-dropped", len(l.Dropped)},
	} {
		if count.n > 0 {
			w.Say(count.id, count.n)
		}
	}
	if l.Unclear {
		w.Say("learned-unclear")
	}
	if l.Instead != nil {
		w.Say("learned-instead", l.Instead)
	}
}
