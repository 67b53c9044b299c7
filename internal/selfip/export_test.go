package selfip

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/pkg/transcript"
)

// EventRow is the row of an event, and the value that encoding/json would make
// the same of.
func EventRow(at time.Time, op string, h Heard, r *transcript.Record) (row []byte, value any) {
	e := event{
		Time: at, Op: op, Harness: h.Harness, Session: h.Session, Dir: h.Dir, Transcript: h.Transcript,
		Reason: h.Reason, Agent: h.Agent, Process: h.Process, Record: r,
	}
	return e.line(), e
}

// JournalRow is the row of a change in the journal.
func JournalRow(j Journal) []byte { return j.line() }

// AskModel puts a question as the use cases do.
func (m *Memory) AskModel(ctx context.Context, lib *Library, q Question) (Answer, error) {
	return m.ask(ctx, lib, q)
}

// ErrNoModel says that no model is set up.
var ErrNoModel = errNoModel

// ReformatCandidates reads and writes a list of candidates.
func ReformatCandidates(data []byte) (out []byte, bad int) {
	rows, bad := parseCandidates(data)
	return formatCandidates(rows), bad
}
