package selfip

import (
	"bytes"
	"encoding/json"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// failureFile records what went wrong where nobody was looking: in hooks and
// workers. It can be deleted at any time.
const failureFile = "run/failures.jsonl"

// Failure is one thing that went wrong.
type Failure struct {
	Time    string `json:"t"`
	Where   string `json:"where"` // the harness and its event, or worker
	Session string `json:"session,omitempty"`
	Dir     string `json:"dir,omitempty"` // of the session, when that is not known from the place of the file
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
	return AppendFailure(lib.dir, failureFile, f)
}

// maxFailures is the size, in bytes, above which the older half of a file of
// failures is let go: a hook that cannot write says so at every event.
const maxFailures = 256 << 10

// AppendFailure adds a failure to a file of them, without a lock.
func AppendFailure(dir *filestore.Dir, name string, f Failure) error {
	if info, err := dir.Stat(name); err == nil && info.Size > maxFailures {
		if data, err := dir.Read(name); err == nil {
			_, young, _ := bytes.Cut(data[len(data)/2:], []byte("\n"))
			_ = dir.WriteDerived(name, young) // else it is longer once more
		}
	}
	return dir.AppendLog(name, f.Line())
}

// ParseFailures reads a file of failures; lines that cannot be read are passed
// over.
func ParseFailures(data []byte) []Failure {
	var out []Failure
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		var f Failure
		if len(line) > 0 && json.Unmarshal(line, &f) == nil {
			out = append(out, f)
		}
	}
	return out
}
