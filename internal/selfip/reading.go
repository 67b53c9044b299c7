package selfip

import (
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
)

// Handoff returns what the last session left for the next, the zero Handoff when
// there is nothing or it is too old to be shown.
func (m *Memory) Handoff() handoff.Handoff {
	if m.Workspace == nil {
		return handoff.Handoff{}
	}
	now := m.Now()
	h := m.Workspace.handoff(now)
	if _, show := h.Age(now); !show {
		return handoff.Handoff{}
	}
	return h
}

// PlaybookText returns the text of a playbook as it may be shown: without its
// front matter, and none when a detector fires on it.
func (m *Memory) PlaybookText(name string) (string, error) {
	lib, err := m.workspace()
	if err != nil {
		return "", err
	}
	p, err := lib.findPlaybook(name)
	if err != nil {
		return "", err
	}
	return gate.Block(p.Body).Text, nil
}
