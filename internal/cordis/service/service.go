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
	"sync"

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
	// NextID gives handles of the home "host" their numbers; nil: the services
	// count for themselves, from 1.
	NextID func() uint64
	// Emit tells of a change: system-prompt/change. nil: nobody wants to know.
	Emit func(event string, args ...any)
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

// Services are those of one workspace. Its methods may be called from any
// goroutine.
type Services struct {
	settings Settings
	tables   []*table
	static   map[uint64]*method // by the id of its Func; never changed

	mu   sync.Mutex
	last uint64
	runs map[string]*run // what activations hold, by run id
}

// Names are the services that plugin code can have of us, timer and tools
// included: what the kernel provides for gating, in the order of the catalogue.
func (s *Services) Names() []string {
	var names []string
	for _, t := range s.tables {
		names = append(names, t.service.Key)
	}
	return names
}

// Value is a service as it crosses to a half. ok is false of an unknown one, and
// of timer and tools, which live in the sandbox.
func (s *Services) Value(name string) (value wire.Object, ok bool) {
	for _, t := range s.tables {
		if t.service.Key == name && !t.described {
			return t.value(), true
		}
	}
	return wire.Object{}, false
}

// Catalog is what the services are, and the events that a host emits.
func (s *Services) Catalog() catalog.Catalog {
	c := catalog.Catalog{Events: events(), Builtins: catalog.HostBuiltins()}
	for _, t := range s.tables {
		c.Services = append(c.Services, t.catalogued())
		c.Types = append(c.Types, t.types...)
	}
	return c
}

// Call calls a method, or a function that an earlier result holds. It blocks
// until the result is there; only functions that are Async take their time. ctx
// ends it early.
//
// The error is a *wire.Thrown for plugin code. One that a missing grant caused
// wraps a *grant.Denied.
func (s *Services) Call(ctx context.Context, c Caller, f wire.Func, args []any) (any, error) {
	call, err := s.find(ctx, c, f, args)
	if err != nil {
		return nil, thrown(err)
	}
	value, err := call.do()
	if err != nil {
		return nil, thrown(err)
	}
	return value, nil
}

// Await waits for a promise that an earlier result holds.
func (s *Services) Await(ctx context.Context, c Caller, p wire.Promise) (any, error) {
	value, err := s.await(ctx, c, p)
	if err != nil {
		return nil, thrown(err)
	}
	return value, nil
}

// Owns says whether a handle is of these services, for a host that has others.
func (s *Services) Owns(h wire.Handle) bool {
	if h.Home != wire.Host {
		return false
	}
	if s.static[h.ID] != nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.things[h.ID] != nil {
			return true
		}
	}
	return false
}

// Forget lets go of a handle that the half no longer knows.
func (s *Services) Forget(runID string, id uint64) { s.take(runID, id).close() }

// Release ends all that an activation holds: processes, streams, registrations,
// the last first. It returns when they have ended.
func (s *Services) Release(runID string) {
	s.mu.Lock()
	r := s.runs[runID]
	delete(s.runs, runID)
	s.mu.Unlock()
	r.close()
}

// Close releases all activations.
func (s *Services) Close() {
	s.mu.Lock()
	runs := s.runs
	s.runs = nil
	s.mu.Unlock()
	for _, r := range runs {
		r.close()
	}
}
