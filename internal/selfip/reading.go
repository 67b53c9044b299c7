package selfip

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
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

// Effective is the library that is written, and so the one that a panel shows:
// the global one in scope global, else the workspace's. Nil: there is neither.
func (m *Memory) Effective() *Library {
	if m.Workspace == nil || m.Scope.WriteGlobal && m.Global != nil {
		return m.Global
	}
	return m.Workspace
}

// ListBoth is List for both libraries, whatever the scope reads.
func (m *Memory) ListBoth(keep func(entry.Entry) bool) ([]Listing, error) {
	both := *m
	both.Scope.ReadWorkspace, both.Scope.ReadGlobal = true, true
	return both.List(keep)
}

// Principles returns the principles as they may be shown: without metadata, "" when
// there are none.
func (l *Library) Principles() string { return l.sheetText(principlesFile) }

// Hypotheses is Principles for the open hypotheses, each with its id.
func (l *Library) Hypotheses() string { return l.sheetText(hypothesesFile) }

// Pulse identifies the state of everything that a panel shows, by looks at files
// alone: when it is the same, nothing needs to be read again.
func (m *Memory) Pulse() string {
	b := append([]byte(m.ScopeName), m.Settings.Language...)
	for _, lib := range []*Library{m.Workspace, m.Global} {
		if lib == nil {
			continue
		}
		for _, p := range Partitions {
			b = lib.source(p.File).AppendState(b)
		}
		for _, name := range []string{principlesFile, hypothesesFile, handoffFile, queueFile, stateFileName, decisionsFile, candidatesFile, failureFile} {
			b = lib.source(name).AppendState(b)
		}
		names, _ := lib.dir.List(proposalDir)
		b = append(b, strings.Join(names, "\n")...)
	}
	return sumOf(string(b))
}
