package selfip

import (
	"bytes"
	"encoding/json"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
)

// failureFile records what went wrong where nobody was looking: in hooks and
// workers. It can be deleted at any time.
const failureFile = "run/failures.jsonl"

// Failure is one thing that went wrong.
type Failure struct {
	Time    string `json:"t"`
	Where   string `json:"where"` // the harness and its event, or worker
	Session string `json:"session,omitempty"`
	Code    string `json:"code,omitempty"`
	Error   string `json:"error"`
}

// Line writes a failure as one line with a line end. Secrets are taken out of
// its text.
func (f Failure) Line() []byte {
	f.Error = gate.Note(f.Error).Text
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(f) // a struct of strings always encodes
	return b.Bytes()
}

// RecordFailure writes a failure down in the workspace, without the lock.
func (m *Memory) RecordFailure(f Failure) error {
	lib, err := m.workspace()
	if err != nil {
		return err
	}
	if f.Time == "" {
		f.Time = entry.Stamp(m.Now())
	}
	return lib.dir.AppendLog(failureFile, f.Line())
}

// parseFailures reads the file; lines that cannot be read are passed over.
func parseFailures(data []byte) []Failure {
	var out []Failure
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var f Failure
		if len(line) > 0 && json.Unmarshal(line, &f) == nil {
			out = append(out, f)
		}
	}
	return out
}

// heartbeatDir holds a file for each kind of event that a harness has sent, with
// the time of the last one, for doctor.
const heartbeatDir = "run/heartbeat"

// Beat notes that an event of a harness arrived.
func (m *Memory) Beat(harness, event string) {
	if m.Workspace == nil || harness == "" || event == "" {
		return
	}
	name := heartbeatDir + "/" + sessionKey(harness+"."+event)
	_ = m.Workspace.dir.WriteDerived(name, []byte(entry.Stamp(m.Now()))) // it can be lost
}

// Beats returns the last time of each event of a harness, by event.
func (m *Memory) Beats(harness string) map[string]string {
	out := map[string]string{}
	if m.Workspace == nil {
		return out
	}
	for _, name := range m.Workspace.listed(heartbeatDir, harness+".") {
		data, err := m.Workspace.dir.Read(heartbeatDir + "/" + name)
		if err == nil {
			out[name[len(harness)+1:]] = string(data)
		}
	}
	return out
}
