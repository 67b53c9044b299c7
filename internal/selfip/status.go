package selfip

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// stateFileName holds what outlives a process (spec/selfip.md 3.9).
const stateFileName = "logs/state.json"

// State reads the counters of a library. A file that cannot be understood gives
// what can be read of it, with the error.
func (l *Library) State() (state.State, error) {
	data, err := l.read(stateFileName)
	if err != nil {
		return state.State{}, err
	}
	return state.Parse(data)
}

// count adds to a counter of the library.
func (l *Library) count(tx *filestore.Tx, key string, n int) error {
	if n == 0 {
		return nil
	}
	return l.noteState(tx, func(s state.State) state.State { return s.Add(key, n) })
}

// noteState changes state.json in passing. A file that cannot be read, is damaged
// or of a newer version is left as it is: what is noted is not worth its loss, nor
// a failure of what has been done.
func (l *Library) noteState(tx *filestore.Tx, f func(state.State) state.State) error {
	s, err := l.State()
	if err != nil {
		return nil
	}
	return tx.Replace(stateFileName, f(s).Format(), filestore.NoSync)
}

// Health is what there is to know about a library.
type Health struct {
	Library   Label
	Path      string
	Exists    bool
	Count     Count
	State     state.State
	StateErr  error
	Blocked   int // live entries that a detector keeps out of prompts
	Expired   int // live entries whose review is due
	FromAhead int // entries with a stamp in the future
	Aside     int // files in quarantine
	Proposals []proposal.Proposal
	Decided   []string // proposals, "<id>=<status>" (spec/selfip.md 27.3)
	Waiting   int      // candidates that wait for the user's word
	Handoff   int      // length of the hand-off, UTF-16 code units
	Prefetch  int      // of what the last sleep says the next session should know
	Snapshots []string
	Sessions  []Running
}

// Running is a session that has not ended, as far as anybody has told us.
type Running struct {
	Session    string
	ToolCalls  int
	ToolErrors int
	Errors     int
	Prompts    int
	Shown      int // UTF-16 code units that it has been given to read
	Blocks     int // whole blocks among them
	Ended      bool
}

// maxSkew is how far ahead a stamp may be before the clock is doubted.
const maxSkew = 24 * time.Hour

// Health examines a library.
func (m *Memory) Health(lib *Library) Health {
	now := m.Now()
	h := Health{Library: lib.Label, Path: lib.Root, Count: m.Count(lib)}
	_, err := lib.dir.List("memory")
	h.Exists = err == nil && lib.source(readmeFile).Size >= 0 || h.Count.Live+h.Count.Withdrawn > 0
	h.State, h.StateErr = lib.State()
	for _, r := range lib.live(now).all() {
		if r.Has(catalog.Withdrawn) {
			continue
		}
		if r.Has(catalog.Blocked) {
			h.Blocked++
		}
		if r.Expired(now) {
			h.Expired++
		}
		if r.Stamp > now.Add(maxSkew).UnixMilli() {
			h.FromAhead++
		}
	}
	h.Aside = len(lib.quarantined())
	h.Proposals = lib.proposals()
	h.Decided = lib.decided()
	h.Waiting = lib.waiting()
	if note := lib.handoff(now); note.Text != "" {
		h.Handoff = text.Len(note.Text)
	}
	h.Prefetch = text.Len(strings.TrimSpace(lib.prefetch()))
	h.Snapshots = lib.listed(logDir, "partial-")
	h.Sessions = lib.running(m)
	return h
}

// listed returns the names in a folder that begin with prefix.
func (l *Library) listed(folder, prefix string) []string {
	names, _ := l.dir.List(folder)
	var out []string
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			out = append(out, name)
		}
	}
	return out
}

// running lists the sessions that hooks have told of and that have not been
// learned from yet.
func (l *Library) running(m *Memory) []Running {
	names, _ := l.dir.List(sessionDir)
	var out []Running
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") {
			continue
		}
		a, err := l.orphan(path.Join(sessionDir, name))
		if err != nil {
			continue
		}
		s := m.shown(a.session.ID)
		out = append(out, Running{
			Session: a.session.ID, ToolCalls: a.session.ToolCalls, ToolErrors: a.session.ToolErrors, Errors: len(a.session.Errors),
			Prompts: a.prompts(), Shown: s.Chars, Blocks: s.Blocks, Ended: a.ended,
		})
	}
	return out
}

// Failures is what went wrong in hooks and workers, newest last.
func (m *Memory) Failures() ([]Failure, error) {
	if m.Workspace == nil {
		return nil, nil
	}
	data, err := m.Workspace.read(failureFile)
	return ParseFailures(data), err
}

// Probe tells why a library cannot be changed now, nil when it can. It takes
// the lock for a moment and writes nothing else.
func (l *Library) Probe(ctx context.Context) error {
	return l.dir.With(ctx, func(*filestore.Tx) error { return nil })
}
