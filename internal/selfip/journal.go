package selfip

import (
	"bytes"
	"encoding/json"
)

// Journal is one row of the journal: a change of entries, who made it and when.
// The journal is append-only, one JSON object a line (docs/formats/journal.md).
type Journal struct {
	ID      string          `json:"id"`
	Time    string          `json:"t"`
	Op      string          `json:"op"` // remember, forget, restore, replace, retro, import, undo
	By      string          `json:"by"` // tool, command, retro, sleep, import
	Session string          `json:"session,omitempty"`
	Undoes  string          `json:"undoes,omitempty"` // the id of the change that this one takes back
	Changes []JournalChange `json:"changes"`
}

// JournalChange is what happened to one entry. Without Before it is new. Of a
// decision it names the proposal, with its status before and after.
type JournalChange struct {
	File   string `json:"file"`
	Entry  string `json:"entry"`
	Before string `json:"before,omitempty"` // its line until then
	After  string `json:"after,omitempty"`  // its line from then on
	// Evidence is what the line was drawn from, when it was drawn from a session.
	Evidence []Quote `json:"evidence,omitempty"`
}

// Quote is a place in a session and its words.
type Quote struct {
	Record int    `json:"record"` // number of the record, the first is 1
	Time   string `json:"t,omitempty"`
	Kind   string `json:"kind"` // prompt, reply, call, result, fault, feedback
	Text   string `json:"text"`
}

// line writes the row with a line end, as encoding/json would.
func (j Journal) line() []byte {
	r := newJSONRow()
	r.text("id", j.ID)
	r.text("t", j.Time)
	r.text("op", j.Op)
	r.text("by", j.By)
	r.some("session", j.Session)
	r.some("undoes", j.Undoes)
	r.key("changes")
	r.open('[')
	for _, c := range j.Changes {
		r.change(c)
	}
	r.close(']')
	return r.end()
}

func (r *jsonRow) change(c JournalChange) {
	r.open('{')
	r.text("file", c.File)
	r.text("entry", c.Entry)
	r.some("before", c.Before)
	r.some("after", c.After)
	if len(c.Evidence) > 0 {
		r.key("evidence")
		r.open('[')
		for _, q := range c.Evidence {
			r.quote(q)
		}
		r.close(']')
	}
	r.close('}')
}

func (r *jsonRow) quote(q Quote) {
	r.open('{')
	r.number("record", q.Record)
	r.some("t", q.Time)
	r.text("kind", q.Kind)
	r.text("text", q.Text)
	r.close('}')
}

// parseJournal reads a journal. Lines that cannot be read are counted and
// passed over: a journal cut by a crash still tells what it can.
func parseJournal(data []byte) (rows []Journal, bad int) {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var row Journal
		if json.Unmarshal(line, &row) != nil || row.ID == "" {
			bad++
			continue
		}
		rows = append(rows, row)
	}
	return rows, bad
}
