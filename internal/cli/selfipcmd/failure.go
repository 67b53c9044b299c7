package selfipcmd

import (
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// strayFailures records failures for which the workspace has no place: it is
// not known, or it cannot be written.
const strayFailures = "selfip-failures.jsonl"

// recordFailure writes down what went wrong in a hook, where doctor and status
// find it.
func recordFailure(env *cli.Env, m *selfip.Memory, ev harness.Event, err error) {
	f := selfip.Failure{
		Time: entry.Stamp(env.Now()), Where: string(ev.Harness) + " " + ev.Name, Session: ev.Session,
		Code: fault.CodeOf(err), Error: env.Sentence(err),
	}
	if m != nil && m.RecordFailure(f) == nil {
		return
	}
	dir := filestore.Open(stateDir(env), filestore.Options{Private: []string{"."}})
	_ = dir.AppendLog(strayFailures, f.Line()) // there is no third place
}

// stateDir is where the user's state that belongs to no workspace goes.
func stateDir(env *cli.Env) string {
	if dir := env.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "dshkit")
	}
	return filepath.Join(env.Home(), ".local", "state", "dshkit")
}

// heartbeat notes that the event arrived.
func (s *serving) heartbeat() { s.memory.Beat(string(s.event.Harness), s.event.Name) }
