package harness

import "github.com/dshkit/dshkit/pkg/text"

// crush is Crush, after its sources of August 2026 (spec/harness-hooks.md 19). It
// has one event, before a tool runs: what a session is to know can be said there,
// and nothing can be learned, for how the tool ends is not told.
type crush struct{}

func (crush) wrappers() []string { return nil }

// event takes the event for the sign that a session goes on: the first of a
// session is shown the whole block, later ones only what is new.
func (crush) event(p Payload, ev *Event) {
	if ev.Name = p.text("event"); ev.Name == "PreToolUse" {
		ev.Kind, ev.Source = Start, "resume"
	}
}

func (crush) injects(ev Event) bool { return ev.Kind == Start }

// reply leaves the decision to the person: to allow would skip the question that
// Crush asks.
func (crush) reply(_ Event, context string) []byte {
	b := append(room(context), `{"version":1,"decision":null,"context":`...)
	return append(text.AppendJSON(b, context), "}\n"...)
}

func (crush) row() rowReader { return &crushRows{} }
