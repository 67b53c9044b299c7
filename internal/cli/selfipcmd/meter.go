package selfipcmd

import (
	"maps"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// MeterJSON is how the workspace stands with its model.
type MeterJSON struct {
	Provider    string                     `json:"provider"` // none, openai, anthropic or command
	Model       string                     `json:"model"`    // "": the service's own choice, or none
	Effort      string                     `json:"effort"`
	Uses        []string                   `json:"uses"`
	Day         string                     `json:"day"` // local date that spent and byKind are of
	Spent       int                        `json:"spent"`
	DailyTokens int                        `json:"dailyTokens"`
	ByKind      map[string]selfip.KindCost `json:"byKind"`
	LastCall    *selfip.LastCall           `json:"lastCall"`
	PausedUntil *string                    `json:"pausedUntil"`
}

// spending is the meter of the workspace, or of nothing where there is none.
func (r statusReport) spending() selfip.Spending {
	var h selfip.Health
	if r.workspace != nil {
		h = *r.workspace
	}
	return r.memory.Spending(h.State)
}

func (r statusReport) meter() MeterJSON {
	s := r.spending()
	out := MeterJSON{
		Provider: r.settings.ModelProvider, Model: r.memory.Route.Model, Effort: r.memory.Route.Effort, Uses: orNone(r.settings.Uses()),
		Day: s.Cost.Day, Spent: s.Cost.Spent, DailyTokens: s.Limit, ByKind: s.Cost.ByKind, LastCall: s.Last,
	}
	if !s.PausedUntil.IsZero() {
		at := entry.Stamp(s.PausedUntil)
		out.PausedUntil = &at
	}
	return out
}

// writeMeter tells of the model where one is set up or has been called today.
func (r statusReport) writeMeter(w *cli.Writer) {
	s := r.spending()
	on := usesModel(r.settings)
	if !on && s.Cost.Spent == 0 {
		return
	}
	if on {
		name := r.memory.Route.Model
		if name == "" {
			name = w.Phrase("model-first")
		}
		w.Say("status-model", r.settings.ModelProvider, name, r.settings.ModelUse)
	}
	w.Say("status-tokens", s.Cost.Spent, s.Limit)
	for _, kind := range slices.Sorted(maps.Keys(s.Cost.ByKind)) {
		k := s.Cost.ByKind[kind]
		w.Say("status-kind", kind, k.Calls, k.Input, k.Output)
	}
	if s.Last != nil {
		w.Say("status-last-call", s.Last.At, s.Last.Kind, strings.TrimSuffix(s.Last.Provider+"/"+s.Last.Model, "/"))
	}
	if !s.PausedUntil.IsZero() {
		w.Say("status-paused", entry.Stamp(s.PausedUntil))
	}
}
