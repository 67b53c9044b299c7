package selfipcmd

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

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
	f.Dir = ev.Dir
	if dir := strays(env); dir != nil {
		_ = selfip.AppendFailure(dir, strayFailures, f) // there is no third place
	}
}

// recordWorker writes down what went wrong in a worker, and returns it.
func recordWorker(env *cli.Env, m *selfip.Memory, session string, err error) error {
	f := selfip.Failure{Where: "worker", Session: session, Code: fault.CodeOf(err), Error: env.Sentence(err)}
	return errors.Join(err, m.RecordFailure(f))
}

// failures lists what went wrong in hooks and workers of a workspace, newest
// last: what is written down there, and what could not be.
func failures(env *cli.Env, o *opened) ([]selfip.Failure, error) {
	list, err := o.memory.Failures()
	var data []byte
	if dir := strays(env); dir != nil {
		data, _ = dir.Read(strayFailures)
	}
	for _, f := range selfip.ParseFailures(data) {
		if f.Dir == "" || o.workspace.Root != "" && below(f.Dir, o.workspace.Root) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b selfip.Failure) int { return cmp.Compare(instant(a.Time), instant(b.Time)) })
	return list, err
}

// instant is the time of a failure, in nanoseconds.
func instant(stamp string) int64 {
	t, _ := entry.ParseTime(stamp, time.UTC)
	return t.UnixNano()
}

// strays is the folder of failures that belong to no workspace, nil when nobody
// knows the user's home.
func strays(env *cli.Env) *filestore.Dir {
	dir := env.OwnFolder("XDG_STATE_HOME", ".local", "state")
	if dir == "" {
		return nil
	}
	return filestore.Open(dir, filestore.Options{Private: []string{"."}})
}

// noticed records that a whole file of memory cannot be read. A bad line is not
// worth a record at every start; status and doctor tell of it.
func (s *serving) noticed(d selfip.Damage) {
	if d.Line == 0 {
		s.fail(d.Err)
	}
}

// recovered turns a panic into a failure like any other: the harness gets the
// answer that says nothing.
func (s *serving) recovered(said *string) {
	p := recover()
	if p == nil {
		return
	}
	*said = ""
	if s.env.Getenv("DSHKIT_DEBUG") != "" {
		_, _ = s.env.Err.Write(debug.Stack())
	}
	s.fail(fault.New(fault.Internal, "panic", fmt.Sprint(p)))
}

// heartbeat notes that the event arrived, if it is one that we know: names that a
// payload makes up shall not make files.
func (s *serving) heartbeat() {
	if s.event.Kind != harness.Ignore {
		s.memory.Beat(string(s.event.Harness), s.event.Name)
	}
}
