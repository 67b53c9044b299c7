// Package service is the services that a host offers to plugin code in Go: fs,
// shell (also as bash), web, systemPrompt, skills and storage; timer and tools,
// which live in the sandbox, it only describes.
//
// Each service is one table. From it come the value that plugin code finds on
// its ctx, the dispatch of its calls and its place in the catalogue, so that
// they cannot drift apart. What leaves the plugin's own data needs a grant of
// the user, which is looked up at each call.
//
// It promises that a call ends: work is bounded in time or by the ctx of the
// caller, and output and files in size. What an activation began, a process, a
// stream, a registration, ends with Release. It does not promise what a granted
// program does.
package service

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Settings are what the services of one workspace need.
type Settings struct {
	Workspace string   // its real path
	Private   []string // folders that no grant covers: the user's own; .cordis of the workspace is always one
	Environ   []string // PATH, HOME and LANG of programs, as NAME=value; others are dropped

	// Grants are what is allowed now; nil: nothing.
	Grants func() grant.List
	// Emit tells of a change: system-prompt/change. Its ctx is that of the call that
	// made the change. nil: nobody wants to know.
	Emit func(ctx context.Context, event string, args ...any)
}

// Peer is the half that a call comes from, for functions and promises that it
// hands in. A half.Half is one.
type Peer interface {
	Call(ctx context.Context, f wire.Func, args []any) (any, error)
	Await(ctx context.Context, p wire.Promise) (any, error)
}

// Caller says who calls.
type Caller struct {
	PluginID, RunID string
	Peer            Peer
	// Watch calls aborted, once, when a signal that was handed in is aborted. nil:
	// only what the signal said when it was handed in counts.
	Watch func(s wire.Signal, aborted func()) (stop func())
}

// Services are those of one workspace. Their methods may be called from any
// goroutine.
type Services struct {
	settings Settings
	tables   []*table
	static   map[uint64]*method // by the id of its Func; never changed
	prompt   *prompt
	held     held
}

// New makes the services of a workspace. It looks at nothing there.
func New(settings Settings) *Services {
	s := &Services{settings: settings, static: map[uint64]*method{}}
	s.held.runs = map[string]*run{}
	s.prompt = &prompt{emit: s.emit}
	files := newFiles(settings)
	s.tables = []*table{
		files.table(),
		newShell(settings, files).table(),
		newSkills(settings, files).table(),
		newStorage(settings).table(),
		s.prompt.table(),
		timerTable(),
		toolsTable(),
		newWeb(settings).table(),
	}
	for _, t := range s.tables {
		t.number(s.held.next, s.static)
	}
	return s
}

func (s *Services) emit(ctx context.Context, event string, args ...any) {
	if s.settings.Emit != nil {
		s.settings.Emit(ctx, event, args...)
	}
}

// Names are the services that plugin code can have of us, timer and tools
// included: what the kernel provides for gating, in the order of the alphabet.
func (s *Services) Names() []string {
	var names []string
	for _, t := range s.tables {
		names = append(names, t.keys()...)
	}
	slices.Sort(names)
	return names
}

// Value is a service as it crosses to a half. ok is false of an unknown one, and
// of timer and tools, which live in the sandbox.
func (s *Services) Value(name string) (value wire.Object, ok bool) {
	for _, t := range s.tables {
		if slices.Contains(t.keys(), name) && !t.described {
			return t.value(), true
		}
	}
	return wire.Object{}, false
}

// Catalog is what the services are, the events that a host emits, and the names
// that a half has without asking.
func (s *Services) Catalog() catalog.Catalog {
	c := catalog.Catalog{Events: events(), Builtins: catalog.HostBuiltins(), Types: sharedTypes()}
	for _, t := range s.tables {
		for _, key := range t.keys() {
			c.Services = append(c.Services, t.catalogued(key))
		}
		c.Types = append(c.Types, t.types...)
	}
	slices.SortFunc(c.Services, func(a, b catalog.Service) int { return strings.Compare(a.Key, b.Key) })
	return c
}

// Call calls a method, or a function that an earlier result holds. It blocks
// until the result is there; only functions that are Async take their time. ctx
// ends it early, and so does a signal among the arguments.
//
// The error is a *wire.Thrown for plugin code. One that a missing grant caused
// is a *grant.Denied too.
func (s *Services) Call(ctx context.Context, c Caller, f wire.Func, args []any) (value any, err error) {
	call := &call{caller: c, args: args, services: s}
	defer func() {
		if p := recover(); p != nil {
			value, err = nil, thrown(call.title, fmt.Errorf("internal error: %v", p))
		}
	}()
	do, err := s.find(call, f)
	if err != nil {
		return nil, thrown(call.title, err)
	}
	call.held = s.held.run(c.RunID)
	end := call.begin(ctx)
	defer end()
	if err := context.Cause(call.ctx); err != nil {
		return nil, thrown(call.title, err)
	}
	if value, err = do(call); err != nil {
		return nil, thrown(call.title, call.cause(err))
	}
	return value, nil
}

// find is the handler behind a function.
func (s *Services) find(c *call, f wire.Func) (handler, error) {
	if f.Home != wire.Host {
		return nil, errNoFunction
	}
	if m := s.static[f.ID]; m != nil {
		c.title = m.title
		return m.run, nil
	}
	if t := s.held.thing(c.caller.RunID, f.ID); t != nil && t.run != nil {
		c.title = t.title
		return t.run, nil
	}
	return nil, errNoFunction
}

// Await waits for a promise that an earlier result holds.
func (s *Services) Await(ctx context.Context, c Caller, p wire.Promise) (any, error) {
	t := s.held.thing(c.RunID, p.ID)
	if p.Home != wire.Host || t == nil || t.done == nil {
		return nil, thrown("", errNoFunction)
	}
	select {
	case <-t.done:
		return t.value(), nil
	case <-ctx.Done():
		return nil, thrown(t.title, context.Cause(ctx))
	}
}

// Forget lets go of a handle that the half no longer knows.
func (s *Services) Forget(runID string, id uint64) { s.held.drop(runID, id) }

// Release ends all that an activation holds: processes, streams, registrations,
// the last first. It returns when they have ended. It comes after the last call
// of that activation has begun.
func (s *Services) Release(runID string) { s.held.release(runID) }

// Close releases all activations.
func (s *Services) Close() { s.held.close() }
