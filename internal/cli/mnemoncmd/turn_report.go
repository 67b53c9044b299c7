package mnemoncmd

import (
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mnemon"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TurnJSON is what turn begin and show write with --json: a turn with its View.
type TurnJSON struct {
	Turn     string            `json:"turn"`
	Begun    string            `json:"begun"`
	Ended    bool              `json:"ended"`
	Agent    string            `json:"agent,omitempty"`
	Session  string            `json:"session,omitempty"`
	Scenario string            `json:"scenario"`
	View     *jsonvalue.Object `json:"view"` // as spec/mnemon.md 3.12 has it
}

type turnReport struct{ *mnemon.Turn }

func (r turnReport) JSON() any {
	return TurnJSON{r.ID, r.Begun.Format(time.RFC3339), r.Ended, r.Agent, r.Session, r.Scenario, r.View.Raw()}
}

func (r turnReport) Text(w *cli.Writer) {
	w.Say(openness(r.Turn), r.ID, r.Begun.Format(time.DateTime))
	writeView(w, r.View.Raw())
}

func openness(t *mnemon.Turn) string {
	if t.Ended {
		return "turn-ended-row"
	}
	return "turn-open-row"
}

type turnsReport struct{ turns []*mnemon.Turn }

// TurnRowJSON is a turn in a list.
type TurnRowJSON struct {
	Turn  string `json:"turn"`
	Begun string `json:"begun"`
	Ended bool   `json:"ended"`
	Agent string `json:"agent,omitempty"`
	View  string `json:"view"` // its id
}

// TurnListJSON is what turn list writes with --json.
type TurnListJSON struct {
	Turns []TurnRowJSON `json:"turns"`
}

func (r turnsReport) JSON() any {
	rows := []TurnRowJSON{}
	for _, t := range r.turns {
		rows = append(rows, TurnRowJSON{t.ID, t.Begun.Format(time.RFC3339), t.Ended, t.Agent, t.View.ID()})
	}
	return TurnListJSON{rows}
}

func (r turnsReport) Text(w *cli.Writer) {
	if len(r.turns) == 0 {
		w.Say("turns-none")
	}
	for _, t := range r.turns {
		w.Say(openness(t), t.ID, t.Begun.Format(time.DateTime))
	}
}

type endReport struct {
	id   string
	open bool
}

// EndJSON is what turn end writes with --json.
type EndJSON struct {
	Turn     string `json:"turn"`
	Released bool   `json:"released"` // false: it was released before
}

func (r endReport) JSON() any { return EndJSON{r.id, r.open} }

func (r endReport) Text(w *cli.Writer) {
	if r.open {
		w.Say("turn-released-now", r.id)
		return
	}
	w.Say("turn-released-before", r.id)
}

// writeView tells what a View holds, without its texts.
func writeView(w *cli.Writer, view *jsonvalue.Object) {
	text := func(o *jsonvalue.Object, key string) string {
		s, _ := o.Text(key)
		return s
	}
	w.Say("view-head", text(view, "id"), text(view, "strategyTypeId"))
	each(view, "projection", func(o *jsonvalue.Object) {
		w.Say("view-fragment", text(o, "sourceInstanceKey"), text(o, "mode"), jsonvalue.Len(text(o, "text")))
	})
	each(view, "routes", func(o *jsonvalue.Object) { w.Say("view-route", text(o, "id"), text(o, "description")) })
	each(view, "actionOffers", func(o *jsonvalue.Object) { w.Say("view-action", text(o, "id"), text(o, "description")) })
	each(view, "diagnostics", func(o *jsonvalue.Object) { w.Say("view-diagnostic", text(o, "code"), text(o, "message")) })
}

func each(o *jsonvalue.Object, key string, f func(*jsonvalue.Object)) {
	list, _ := o.Array(key)
	for _, v := range list {
		if member, ok := jsonvalue.Map(v); ok {
			f(member)
		}
	}
}
