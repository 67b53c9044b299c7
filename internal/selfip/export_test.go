package selfip

import (
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
