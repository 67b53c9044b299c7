// Package fiber is the lifecycle of plugins: Context, Fiber, inject, effects,
// events (spec/cordis.md 8). It knows neither scripts nor files.
//
// A tree of Fibers hangs below a root. It may be used from any goroutine. What
// changes in it changes under one lock, and plugin code (Apply, setups,
// disposers, listeners) never runs under that lock, so it may call back.
//
// Verbs of a Context run what they are given on the caller's goroutine, with the
// caller's ctx. What nobody called for (Apply, the disposers of a Fiber that
// unloads) runs on goroutines of the kernel, piece by piece: such pieces take
// turns in the order in which they became due, as in one queue. A piece's turn
// is over when it returns, when it waits in a verb of this package with the ctx
// it was given, when it returns Later, or when it has had Config.Patience. So
// quick code has an order that can be relied on, and slow code stops nobody.
//
// A ctx tells the kernel in whose code it is. Pass it on: a wait that could not
// end, because what is waited for waits for the waiting code, is then not begun.
// Dispose of a Fiber from within that Fiber marks it and returns.
package fiber

import (
	"context"
	"time"
)

// State is where a Fiber is in its life.
type State int

// The states of spec/cordis.md 8.1.
const (
	Pending   State = iota // waits for services, or for its turn
	Loading                // Apply runs
	Active                 // Apply has ended
	Failed                 // Apply failed; its effects are undone
	Disposed               // removed for good
	Unloading              // disposers run
)

// String is the name of the state, in lower case.
func (s State) String() string {
	names := [...]string{"pending", "loading", "active", "failed", "disposed", "unloading"}
	if s < 0 || int(s) >= len(names) {
		return "unknown"
	}
	return names[s]
}

// Plugin is what can be mounted. The same Plugin may be mounted many times.
type Plugin struct {
	// Name is told to people. A Plugin without one goes by its parent's.
	Name string
	// Inject names the services that must be there before Apply. A name that
	// stands twice counts once.
	Inject []string
	// Provides names services that Apply is going to provide. It binds nobody: it
	// lets Waiting say who could provide what is missing.
	Provides []string
	// Apply makes the plugin's effects through c. It runs on a goroutine of the
	// kernel, after the call that mounted it, once all services are there, and
	// again whenever they are there anew. It is never interrupted; ctx ends when
	// the Fiber begins to unload or is disposed of. An error undoes the effects
	// and makes the Fiber Failed, until a service changes. Later is not an error:
	// Apply then goes on.
	Apply func(ctx context.Context, c *Context) error
}

// Disposer undoes something. The kernel calls it once. One that has begun and
// needs more time may return Later, so that it holds up nobody.
type Disposer func(ctx context.Context) error

// Config is what the kernel is given. The zero Config works.
type Config struct {
	// Log is told what went wrong where nobody waits for an error: an Apply, a
	// disposer of a Fiber that unloads, what an async listener came to. It is
	// called from any goroutine, never under the lock.
	Log func(f *Fiber, label string, err error)
	// Changed is told each change of a state, one at a time, in the order of the
	// changes; by then the state may be another one.
	Changed func(f *Fiber, from, to State)
	// DisposeTimeout bounds how long the disposal of one effect, or an Apply whose
	// Fiber is disposed of, is waited for. What takes longer is given up and named
	// (see HangError). Zero waits for ever.
	DisposeTimeout time.Duration
	// Patience is how long a piece of plugin code may hold its turn. Zero is a
	// tenth of a second, less than zero for ever.
	Patience time.Duration
}

// Fiber is one mounted plugin.
//
// It loads when every service in its Inject has a provider that is Active, and
// unloads when one of them leaves or becomes another. A transition in flight is
// not interrupted: when it ends, the providers of then are compared with those
// that it began with, and the opposite transition begins if they differ.
type Fiber struct {
	tree     *tree
	id       int
	plugin   Plugin
	inject   []string // without what stands twice
	parent   *Fiber
	children map[*Fiber]struct{}
	context  *Context
	mount    *Effect // the parent's, nil at the root

	// All below is guarded by the tree's lock.

	state    State
	effects  row[*Effect]        // oldest first
	services row[*service]       // what it provides, oldest first
	named    rows[*service]      // the same, by name
	listed   []listing           // where the tree knows it
	seen     map[string]*service // what it injects, of Active providers, as last looked at
	store    map[string]*service // what it was given when it loaded
	provided map[string]bool     // what it has ever provided

	want     key     // what it should be loaded with, from the providers there are
	have     key     // what it is loaded with, or failed with
	failed   bool    // the load with have failed
	sweep    bool    // an unload is due, whatever the keys say
	disposed bool    // for good
	flight   *flight // what is in flight, nil when nothing is
	draining bool    // it waits for the last effect to be undone
	exit     *turn   // the turn in which the unload is to end, once that is so
	err      error   // of the last start
	faults   []error // of the last unload
	cancel   context.CancelCauseFunc
	halt     chan struct{} // closed when disposed of
}

// Name is the plugin's name, else that of the nearest ancestor that has one,
// else "root".
func (f *Fiber) Name() string {
	for ; f != nil; f = f.parent {
		if f.plugin.Name != "" {
			return f.plugin.Name
		}
	}
	return "root"
}

// ID is a number that no other Fiber of the tree has or had; the root's is 0.
func (f *Fiber) ID() int { return f.id }

// Parent is the Fiber that it was mounted below, nil for the root.
func (f *Fiber) Parent() *Fiber { return f.parent }

// Context is the view that the Fiber has of the whole.
func (f *Fiber) Context() *Context { return f.context }

// State is the state at this moment.
func (f *Fiber) State() State {
	f.tree.lock()
	defer f.tree.unlock()
	return f.state
}

// Err is the error of the last start, nil if there was none.
func (f *Fiber) Err() error {
	f.tree.lock()
	defer f.tree.unlock()
	return f.err
}

// Faults are what the disposers of the last unload failed with, in the order in
// which they did.
func (f *Fiber) Faults() []error {
	f.tree.lock()
	defer f.tree.unlock()
	return append([]error(nil), f.faults...)
}
