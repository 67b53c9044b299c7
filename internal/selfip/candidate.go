package selfip

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/text"
)

// Candidate is an entry that somebody other than the user would store, and that
// waits for the user's word: one JSON object a line
// (docs/formats/candidates.md).
type Candidate struct {
	ID       string   `json:"id"` // of the entry that it would be
	Time     string   `json:"t"`  // when it was drawn
	Status   Status   `json:"status"`
	Op       string   `json:"op"` // of the change that would have stored it
	By       string   `json:"by"` // tool, retro, sleep
	Session  string   `json:"session,omitempty"`
	Line     string   `json:"line"`               // as it would be stored
	Replaces []string `json:"replaces,omitempty"` // ids of entries that it overturns
	Evidence []Quote  `json:"evidence,omitempty"` // what it was drawn from
	At       string   `json:"at,omitempty"`       // when the user decided
	Note     string   `json:"note,omitempty"`     // why
}

// Status is what became of a candidate.
type Status string

// The statuses.
const (
	Waiting  Status = "waiting"
	Accepted Status = "accepted" // it is an entry now
	Rejected Status = "rejected" // the same is not proposed again
	Dropped  Status = "dropped"  // the change that drew it was undone
)

// Bounds of the list.
const (
	maxWaiting = 1000 // what is drawn beyond is not kept, and told
	maxDecided = 2000 // the oldest decisions beyond are forgotten
)

// Entry is the entry that the candidate would be, as it may be shown and stored,
// and whether it may be at all. A line of the file is not believed about who
// wrote it.
func (c Candidate) Entry() (e entry.Entry, v gate.Verdict, ok bool) {
	e, ok = entry.ParseLine(c.Line)
	if !ok {
		return e, v, false
	}
	v = gate.Note(e.Text)
	origin := "tool"
	if c.By == "retro" || c.By == "sleep" {
		origin = c.By
	}
	said := e.Get("src") == "user" // whoever accepts it says so
	if e = gate.Meta(e, origin, "by"); said {
		e = e.With("src", "user")
	}
	e.Text = v.Text
	if k, known := entry.ParseKind(string(e.Kind)); known {
		e.Kind = k
	}
	return gate.SafeMeta(e), v, v.Text != ""
}

// line writes the row with a line end, as encoding/json would.
func (c Candidate) line() []byte {
	r := newJSONRow()
	r.text("id", c.ID)
	r.text("t", c.Time)
	r.text("status", string(c.Status))
	r.text("op", c.Op)
	r.text("by", c.By)
	r.some("session", c.Session)
	r.text("line", c.Line)
	if len(c.Replaces) > 0 {
		r.key("replaces")
		r.open('[')
		for i, id := range c.Replaces {
			if i > 0 {
				*r = append(*r, ',')
			}
			*r = text.AppendJSON(*r, id)
		}
		r.close(']')
	}
	if len(c.Evidence) > 0 {
		r.key("evidence")
		r.open('[')
		for _, q := range c.Evidence {
			r.quote(q)
		}
		r.close(']')
	}
	r.some("at", c.At)
	r.some("note", c.Note)
	return r.end()
}

// candidateRow is a line of the file: a candidate, or something that cannot be
// read and is kept as it is.
type candidateRow struct {
	Candidate
	raw []byte // without line end; nil: write the candidate
}

func (r candidateRow) line() []byte {
	if r.raw != nil {
		return append(bytes.Clone(r.raw), '\n')
	}
	return r.Candidate.line()
}

// parseCandidates reads the file. bad counts the lines that cannot be read.
func parseCandidates(data []byte) (rows []candidateRow, bad int) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		row := candidateRow{raw: line}
		if json.Unmarshal(line, &row.Candidate) != nil || row.ID == "" {
			row.Candidate = Candidate{}
			bad++
		}
		rows = append(rows, row)
	}
	return rows, bad
}

// formatCandidates writes the rows, the oldest decisions over the bound left out.
func formatCandidates(rows []candidateRow) []byte {
	decided := 0
	for _, r := range rows {
		if r.ID != "" && r.Status != Waiting {
			decided++
		}
	}
	var out []byte
	for _, r := range rows {
		if r.ID != "" && r.Status != Waiting && decided > maxDecided {
			decided--
			continue
		}
		out = append(out, r.line()...)
	}
	return out
}

// saying returns the row of a candidate that says the same as e, the last one
// that has been decided before one that has been dropped.
func saying(rows []candidateRow, e entry.Entry) (Candidate, bool) {
	folded := text.Fold(e.Text)
	for _, r := range slices.Backward(rows) {
		if r.ID == "" || r.Status == Dropped {
			continue
		}
		if r.ID == e.ID() {
			return r.Candidate, true
		}
		if old, ok := entry.ParseLine(r.Line); ok && text.Fold(old.Text) == folded {
			return r.Candidate, true
		}
	}
	return Candidate{}, false
}
