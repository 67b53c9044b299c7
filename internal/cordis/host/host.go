// Package host is the one authority of a workspace: it owns the registry of
// plugins, runs their Host halves below one kernel, and tells Sessions, pages
// and bridges what becomes of them (spec/cordis.md 1).
//
// It promises that no call waits for a person or a page, that no lock is held
// while plugin code runs, that a start ends in time, and that all that an
// activation did is undone when it stops, whatever comes of the plugin's code.
// Nothing is kept on disk: when the host ends, all is gone.
//
// What is decided is decided by the registry, under one lock. What is decided is
// then done: events, feedback and answers at once, starts and retracts on
// goroutines of their own, which report back to the registry.
package host

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/fiber"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Config is what a host is given. Starter and Now must be there.
type Config struct {
	Workspace string   // its real path
	Private   []string // folders that no grant covers
	Environ   []string // of programs that plugins run: PATH, HOME and LANG count
	Starter   half.Starter
	Circle    *half.Circle      // that the Starter's halves belong to; nil: signals of plugins are not followed
	Grants    func() grant.List // what is allowed now; nil: nothing
	Now       func() time.Time
	Language  string // of the texts for models: "en" or "zh-CN"

	// Check is the syntax gate of definitions; nil: the one of package gate.
	Check registry.Check
	// Journal is told what happened, for reading later. It must not call the host.
	// nil: nobody is told.
	Journal func(kind string, at time.Time, body *jsonvalue.Object)
	// Log is told each line, beside the bounded log of the host. It must not call
	// the host. nil: nobody is told.
	Log func(LogLine)

	Limits Limits
}

// Limits bound what plugins can make the host wait for and keep. A zero means
// the default.
type Limits struct {
	Eval     time.Duration // of the synchronous part of an evaluation: 5 s
	Start    time.Duration // of a whole start: 30 s
	Stop     time.Duration // of an unload, what takes longer is given up: 30 s
	Drain    time.Duration // for calls that run when their plugin stops: 5 s
	Tool     time.Duration // of a tool that names none itself: 2 min
	Log      int           // lines kept: 2000
	Events   int           // events kept: 1000
	Feedback int           // messages kept for each Session: 200
}

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		at    *time.Duration
		value time.Duration
	}{
		{&l.Eval, 5 * time.Second},
		{&l.Start, 30 * time.Second},
		{&l.Stop, 30 * time.Second},
		{&l.Drain, 5 * time.Second},
		{&l.Tool, 2 * time.Minute},
	} {
		if *d.at <= 0 {
			*d.at = d.value
		}
	}
	for _, d := range []struct {
		at    *int
		value int
	}{{&l.Log, 2000}, {&l.Events, 1000}, {&l.Feedback, 200}} {
		if *d.at <= 0 {
			*d.at = d.value
		}
	}
	return l
}

// The codes of this package, each with its English sentence.
const (
	codeClosed   = "host-closed"                 // the host is ending
	codeNoPage   = "no-page"                     // no page is connected for %s
	codeTool     = "tool-missing"                // there is no tool %q
	codeArgs     = "invalid-args"                // invalid arguments: %s
	codeAborted  = "aborted-before-dispatch"     // the tool call was given up before it was dispatched
	codeNoPkg    = "self-package-without-plugin" // packageId needs pluginId
	codeService  = "service-missing"             // there is no service %q
	codeMethod   = "service-method-missing"      // the service %q has no method %q
	codeLate     = "tool-timeout"                // tool %q was given up, or took too long
	codeBroken   = "tool-failed"                 // tool %q came to no answer: %s
	codeOutput   = "invalid-tool-output"         // tool %q gave what its output schema does not allow: %s
	codeSchema   = "unsupported-schema"          // the schemas of the tool %q cannot be enforced
	codeReserved = "event-reserved"              // the event %q is the host's own
)

// Host is the authority of one workspace. Its methods may be called from any
// goroutine.
type Host struct {
	config   Config
	limits   Limits
	started  time.Time
	services *service.Services
	catalog  catalog.Catalog

	root  *fiber.Context
	group *fiber.Context // below which plugins are mounted
	tools *toolbox

	ctx  context.Context // ends with the host
	end  context.CancelCauseFunc
	jobs counter // the goroutines of the host

	events backlog[Event]
	lines  backlog[LogLine]
	moves  moves

	mu       sync.Mutex // guards all below; no plugin code, and nothing of the kernel, is called under it
	registry *registry.Registry
	inspect  *inspect.Registry
	tickets  map[registry.Ticket]chan registry.Answer
	last     uint64 // ticket, page or bridge
	runs     map[RunID]*activation
	pages    map[registry.PageID]*Page
	bridges  map[wire.Home]*Bridge
	queries  map[string]chan any // what a page answers
	feedback map[SessionID]feedback.Queue
	changed  chan struct{} // closed at the next decision
	lease    *time.Timer
	closing  bool
}

// New starts a host.
func New(c Config) (*Host, error) {
	if c.Starter == nil || c.Now == nil {
		return nil, errors.New("a host needs a starter and a clock")
	}
	h := &Host{
		config: c, limits: c.Limits.withDefaults(), started: c.Now(),
		registry: registry.New(registry.Limits{}), inspect: inspect.New(), tools: newToolbox(),
		tickets: map[registry.Ticket]chan registry.Answer{}, runs: map[RunID]*activation{},
		pages: map[registry.PageID]*Page{}, bridges: map[wire.Home]*Bridge{},
		queries: map[string]chan any{}, feedback: map[SessionID]feedback.Queue{}, changed: make(chan struct{}),
	}
	h.events.limit, h.lines.limit = h.limits.Events, h.limits.Log
	h.ctx, h.end = context.WithCancelCause(context.Background())
	for _, m := range inspect.HostManifests() {
		if _, err := h.inspect.Register(m); err != nil {
			return nil, err
		}
	}
	h.services = service.New(service.Settings{
		Workspace: c.Workspace, Private: c.Private, Environ: c.Environ, Grants: c.Grants, Emit: h.emitIn,
	})
	h.catalog = h.services.Catalog()
	if err := h.mountKernel(); err != nil {
		return nil, err
	}
	h.job(h.follow)
	return h, nil
}

// Close stops all plugins, undoes what they did and ends every connection. It
// returns when nothing of the host runs any more, or ctx ends.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	pages, bridges := values(h.pages), values(h.bridges)
	h.mu.Unlock()
	h.stopAll(ctx)
	for _, p := range pages {
		p.Close()
	}
	for _, b := range bridges {
		_ = b.Close(ctx) // what hangs in it is in the log
	}
	h.end(fault.New(fault.NoHost, codeClosed))
	err := h.root.Fiber().Dispose(ctx)
	h.services.Close()
	h.mu.Lock()
	if h.lease != nil {
		h.lease.Stop()
	}
	h.mu.Unlock()
	return errors.Join(err, h.jobs.wait(ctx))
}

// stopAll removes every plugin.
func (h *Host) stopAll(ctx context.Context) {
	var waits []chan registry.Answer
	h.decide(func(r *registry.Registry) registry.Decision {
		var all registry.Decision
		for _, row := range r.Inventory() {
			t, answer := h.ticket()
			waits = append(waits, answer)
			d := r.Undefine(t, registry.StopCommand{Session: row.AgentID, PluginID: row.PluginID})
			all = joined(all, d)
		}
		return all
	})
	for _, answer := range waits {
		select {
		case <-answer:
		case <-ctx.Done():
			return
		}
	}
}

func joined(a, b registry.Decision) registry.Decision {
	return registry.Decision{
		Events: append(a.Events, b.Events...), Do: append(a.Do, b.Do...), Notices: append(a.Notices, b.Notices...),
		Offers: append(a.Offers, b.Offers...), Answers: append(a.Answers, b.Answers...),
	}
}

func values[K comparable, V any](m map[K]V) []V {
	var out []V
	for _, v := range m {
		out = append(out, v)
	}
	return out
}
