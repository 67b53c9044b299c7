package selfip

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// event is one row of a session's file: what a hook was told, written down by
// one append before anything else is done with it. The file goes when the
// session has been learned from (docs/formats/session-events.md).
type event struct {
	Time       time.Time          `json:"t"`
	Op         string             `json:"op"`
	Harness    string             `json:"harness,omitempty"`
	Session    string             `json:"session,omitempty"`
	Dir        string             `json:"dir,omitempty"` // where the session works
	Transcript string             `json:"transcript,omitempty"`
	Reason     string             `json:"reason,omitempty"`
	Agent      string             `json:"agent,omitempty"`   // a delegated session that this is about
	Process    string             `json:"process,omitempty"` // of the harness, as Memory.Alive knows it
	Due        time.Time          `json:"due,omitzero"`      // when a retro of the running session may start
	Record     *transcript.Record `json:"record,omitempty"`
}

// The operations of events.
const (
	opStart    = "start"
	opRecord   = "record"
	opSubagent = "subagent" // a delegated session ended
	opSnapshot = "snapshot" // the snapshot holds everything up to here
	opEnd      = "end"
	opQueued   = "queued" // the session's row is in the queue
	opDue      = "due"    // an error asks for a retro
	opRetro    = "retro"  // a retro of the running session begins; its kind is the reason
)

// Bounds of what one event keeps, in UTF-16 code units.
const (
	promptLength = 4000
	replyLength  = 2000
	outputLength = 1000
	inputLength  = 1000
	errorLength  = 500
)

// safeRecord passes a record through the gate and cuts it to what is kept.
func safeRecord(r transcript.Record) transcript.Record {
	limit := outputLength
	switch r.Kind {
	case transcript.Prompt, transcript.Feedback:
		limit = promptLength
	case transcript.Reply:
		limit = replyLength
	case transcript.Fault:
		limit = errorLength
	}
	r.Text = text.Head(gate.Block(r.Text).Text, limit)
	r.Input = text.Head(gate.Block(r.Input).Text, inputLength)
	return r
}

// SafeName is a name that somebody else gave, of a session, a tool, an event, as
// it may be stored and be part of the name of a file. One that holds a
// credential or gives orders is known by its hash from then on.
func SafeName(name string) string {
	if v := gate.Note(name); len(v.Redactions) == 0 && v.Poison == nil {
		return name
	}
	return "hidden-" + snapshot.Hash(name)
}

// line writes the row as encoding/json would.
func (e event) line() []byte {
	r := newJSONRow()
	r.time("t", e.Time)
	r.text("op", e.Op)
	r.some("harness", e.Harness)
	r.some("session", e.Session)
	r.some("dir", e.Dir)
	r.some("transcript", e.Transcript)
	r.some("reason", e.Reason)
	r.some("agent", e.Agent)
	r.some("process", e.Process)
	if !e.Due.IsZero() {
		r.time("due", e.Due)
	}
	if e.Record != nil {
		r.record("record", *e.Record)
	}
	return r.end()
}

func (r *jsonRow) record(name string, what transcript.Record) {
	r.key(name)
	r.open('{')
	r.text("kind", string(what.Kind))
	if !what.Time.IsZero() {
		r.time("time", what.Time)
	}
	r.some("id", what.ID)
	r.some("tool", what.Tool)
	r.some("input", what.Input)
	r.some("text", what.Text)
	if what.Failed {
		r.key("failed")
		*r = append(*r, "true"...)
	}
	if what.Good {
		r.key("good")
		*r = append(*r, "true"...)
	}
	r.close('}')
}

// parseEvents reads a session's file. Rows that cannot be read, as a torn last
// one, and records without a record are passed over.
func parseEvents(data []byte) []event {
	var events []event
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var e event
		if len(line) == 0 || json.Unmarshal(line, &e) != nil || e.Op == "" || e.Op == opRecord && e.Record == nil {
			continue
		}
		events = append(events, e)
	}
	return events
}

// account is what the events of a session add up to.
type account struct {
	session    snapshot.Session
	harness    string
	dir        string
	transcript string
	process    string
	last       time.Time // when the harness was last heard
	end        time.Time // when it ended
	records    []transcript.Record
	started    bool // we were told of its start
	ended      bool
	queued     bool
	dirty      bool // something has happened since the last snapshot
	size       int  // of its events, in bytes: what is heard later makes them longer

	due         time.Time // when the retro of an error may start; zero when none waits
	retros      int       // retros of the running session, of every kind
	errorRetros int       // those that an error asked for
	lastRetro   time.Time // when the last of these began
}

// accountOf adds up events. Hooks can be registered twice and run at the same
// time, so a tool call counts once, and so does a prompt that comes again at
// once (spec/harness-hooks.md 1, rule 13).
func accountOf(id string, events []event) account {
	a := account{session: snapshot.Session{ID: id}}
	heard := repetitions{calls: map[string]bool{}}
	for _, e := range events {
		a.locate(e)
		switch e.Op {
		case opStart:
			a.started, a.ended = true, false // it may be resumed
		case opEnd:
			if !a.ended {
				a.ended, a.end = true, e.Time
			}
		case opQueued:
			a.queued, a.dirty = true, false
		case opSnapshot:
			a.dirty = false
		case opDue:
			a.due = e.Due
		case opRetro:
			a.began(e)
		case opSubagent:
			a.session.SubagentFails = append(a.session.SubagentFails, snapshot.SubagentFail{Time: e.Time, Provider: e.Agent, Reason: e.Reason})
			a.dirty = true
		case opRecord:
			if !heard.before(e) {
				a.add(e)
			}
		}
	}
	return a
}

// locate takes over where and when a session runs; the last word counts.
func (a *account) locate(e event) {
	if a.session.Start.IsZero() {
		a.session.Start = e.Time
	}
	if !isOwn(e.Op) {
		a.last = e.Time
	}
	a.process = cmp.Or(e.Process, a.process)
	a.harness = cmp.Or(e.Harness, a.harness)
	a.dir = cmp.Or(e.Dir, a.dir)
	a.transcript = cmp.Or(e.Transcript, a.transcript)
}

// isOwn reports whether an event is of our own making: it does not show that the
// harness lives.
func isOwn(op string) bool { return op == opQueued || op == opSnapshot || op == opRetro || op == opDue }

// began counts a retro of the running session.
func (a *account) began(e event) {
	a.retros++
	if e.Reason == ErrorRetro {
		a.errorRetros, a.lastRetro, a.due = a.errorRetros+1, e.Time, time.Time{}
	}
}

// repetitions tells records that were heard before.
type repetitions struct {
	calls  map[string]bool // kinds and ids
	prompt event           // the last one
	fault  event           // the last one, while nothing else was heard after it
}

// sameBreath is how soon a prompt has to come again to be the same one.
const sameBreath = 2 * time.Second

// sameTrouble is how soon a fault has to come again to be the same one. A harness
// tells of each attempt at one request: Copilot of six, Cursor of two
// (spec/harness-hooks.md 2.2).
const sameTrouble = 2 * time.Minute

// before reports whether the record of e was heard before, and remembers it.
func (h *repetitions) before(e event) bool {
	if h.faultBefore(e) {
		return true
	}
	r, last := e.Record, h.prompt.Record
	key := string(r.Kind) + " " + r.ID
	isPrompt := r.Kind == transcript.Prompt
	again := isPrompt && last != nil && r.Text == last.Text && e.Time.Sub(h.prompt.Time) < sameBreath
	if again || r.ID != "" && h.calls[key] {
		return true
	}
	h.calls[key] = true
	if isPrompt {
		h.prompt = e
	}
	return false
}

// faultBefore reports whether e is one more attempt that failed in the same way.
func (h *repetitions) faultBefore(e event) bool {
	last := h.fault
	if h.fault = (event{}); e.Record.Kind != transcript.Fault {
		return false
	}
	h.fault = e
	return last.Record != nil && last.Record.Text == e.Record.Text && last.Agent == e.Agent && e.Time.Sub(last.Time) < sameTrouble
}

// add counts a record.
func (a *account) add(e event) {
	r := *e.Record
	a.records = append(a.records, r)
	a.dirty = true
	a.queued = false
	s := &a.session
	switch r.Kind {
	case transcript.Prompt:
		s.Talk = append(s.Talk, snapshot.Turn{Time: e.Time, Role: snapshot.User, Text: r.Text})
	case transcript.Reply:
		s.Talk = append(s.Talk, snapshot.Turn{Time: e.Time, Role: snapshot.Assistant, Text: r.Text})
	case transcript.Result:
		s.ToolCalls++
		if r.Failed {
			s.ToolErrors++
			s.Errors = append(s.Errors, snapshot.Error{Time: e.Time, Kind: a.kindOf(e, snapshot.ToolError), Tool: r.Tool, Text: r.Text})
		}
	case transcript.Fault:
		s.Errors = append(s.Errors, snapshot.Error{Time: e.Time, Kind: a.kindOf(e, snapshot.AgentError), Text: r.Text})
	case transcript.Feedback:
		if r.Good {
			return // the log has a place for bad judgements alone
		}
		s.Feedback = append(s.Feedback, snapshot.FeedbackLine(r.Text, lastReply(s.Talk)))
	}
}

// lastReply is what the agent said last: a judgement is about it.
func lastReply(talk []snapshot.Turn) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == snapshot.Assistant {
			return talk[i].Text
		}
	}
	return ""
}

// kindOf books an error of a delegated session as such.
func (a *account) kindOf(e event, kind snapshot.ErrorKind) snapshot.ErrorKind {
	if e.Agent != "" {
		return snapshot.SubagentError
	}
	return kind
}

// prompts is how often a person has spoken.
func (a *account) prompts() int {
	n := 0
	for _, r := range a.records {
		if r.Kind == transcript.Prompt {
			n++
		}
	}
	return n
}

// empty reports whether nothing happened that is worth a log. Of a session that
// we were not told of from its start, the harness's own log may know more.
func (a *account) empty() bool {
	return len(a.records) == 0 && (a.started || a.transcript == "")
}

// eventFile is the file of a session's events.
func eventFile(session string) string { return sessionDir + "/" + sessionKey(session) + ".jsonl" }

// stateFile is the file of what a running session has been shown.
func stateFile(session string) string { return sessionDir + "/" + sessionKey(session) + ".shown" }

// sessionKey is a session id as a file name.
func sessionKey(session string) string {
	name := snapshot.PartialName(session)
	return strings.TrimSuffix(strings.TrimPrefix(name, logDir+"/partial-"), ".md")
}
