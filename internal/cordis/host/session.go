package host

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/mention"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/service"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Session is the host as one Session of a model sees it: its own plugins, and
// the tools it can call. Plugins of others read as missing.
type Session struct {
	host *Host
	id   SessionID
}

// Session gives the view of one Session. It need not have been seen before.
func (h *Host) Session(id SessionID) *Session { return &Session{h, id} }

// DefineOptions are the arguments of cordis_define. Exactly one of Prefix and
// Plugin counts: Plugin if it is set, or Existing. A half that is nil is absent; an
// empty one is present.
type DefineOptions struct {
	Prefix        string
	Plugin        PluginID
	Existing      bool // a Plugin is meant, be its id empty
	Name, Purpose string
	Host, Client  *string
}

// RunOptions are the arguments of cordis_run.
type RunOptions struct {
	Plugin  PluginID
	Package PackageID
	Mode    string // run or update
}

// RunAnswer is what cordis_run answers: the synchronous shape, with Host and
// Client, or the asynchronous one (spec/cordis.md 3.4).
type RunAnswer struct {
	Status           string    `json:"status"` // awaiting-approval, starting, running
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	PluginRunID      RunID     `json:"pluginRunId"`
	Mode             string    `json:"mode,omitempty"` // of the asynchronous shape
	CurrentPackageID PackageID `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID `json:"nextPackageId,omitempty"`
	Host             *HostHalf `json:"host,omitempty"`
	Client           *HalfLook `json:"client,omitempty"`
}

// HostHalf is how a Host half stands.
type HostHalf struct {
	Status     string   `json:"status"`
	Provides   []string `json:"provides"`
	WaitingFor []string `json:"waitingFor"`
}

// HalfLook is how a Client half stands.
type HalfLook struct {
	Status     string   `json:"status"`
	WaitingFor []string `json:"waitingFor"`
}

// Define checks a package and keeps it. It evaluates nothing.
func (s *Session) Define(_ context.Context, o DefineOptions) (Defined, error) {
	h := s.host
	code := registry.Code{Host: source(o.Host), Client: source(o.Client)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return Defined{}, fault.New(fault.NoHost, codeClosed)
	}
	made, err := h.registry.Define(registry.Definition{
		Session: s.id, New: o.Plugin == "" && !o.Existing, Prefix: o.Prefix, PluginID: o.Plugin,
		Name: o.Name, Purpose: o.Purpose, Code: code,
	}, h.check)
	if err != nil {
		return Defined{}, err
	}
	h.journal("define", object(made).With("agentId", string(s.id), "code", object(code)))
	return made, nil
}

func source(text *string) *registry.Source {
	if text == nil {
		return nil
	}
	s := registry.Source(*text)
	return &s
}

// Run activates a package, or asks for it when a page has to take part. A ctx
// that ends cancels a start that is in flight.
func (s *Session) Run(ctx context.Context, o RunOptions) (RunAnswer, error) {
	h := s.host
	answer, err := h.order(func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Run(t, registry.RunCommand{
			Session: s.id, PluginID: o.Plugin, PackageID: o.Package, Mode: registry.Mode(o.Mode), Cancelled: ctx.Err() != nil,
		})
	})
	if err != nil {
		return RunAnswer{}, err
	}
	var a registry.Answer
	select {
	case a = <-answer:
	case <-ctx.Done():
		h.abandon(s.id, o.Plugin, answer)
		a = <-answer
	}
	return runAnswer(a)
}

// abandon stops a start that its caller gave up, unless it has just ended.
func (h *Host) abandon(s SessionID, plugin PluginID, answer chan registry.Answer) {
	h.decide(func(r *registry.Registry) registry.Decision {
		if len(answer) > 0 {
			return registry.Decision{}
		}
		t, _ := h.ticket()
		return r.Stop(t, registry.StopCommand{Session: s, PluginID: plugin})
	})
}

func runAnswer(a registry.Answer) (RunAnswer, error) {
	switch v := a.Value.(type) {
	case registry.Ran:
		return RunAnswer{
			Status: string(v.Status), PluginID: v.PluginID, PackageID: v.PackageID, PluginRunID: v.PluginRunID,
			CurrentPackageID: v.CurrentPackageID, NextPackageID: v.NextPackageID,
			Host:   &HostHalf{string(v.Host.Status), v.Host.Provides, v.Host.WaitingFor},
			Client: &HalfLook{string(v.Client.Status), v.Client.WaitingFor},
		}, a.Err
	case registry.Requested:
		return RunAnswer{
			Status: string(v.Status), PluginID: v.PluginID, PackageID: v.PackageID, PluginRunID: v.PluginRunID,
			Mode: string(v.Mode), CurrentPackageID: v.CurrentPackageID, NextPackageID: v.NextPackageID,
		}, a.Err
	}
	return RunAnswer{}, a.Err
}

// Settled waits until the attempt with that run id is settled: no longer
// awaiting approval, starting or waiting for a page. It is for shells, never for
// a tool call. The value is the Attempt; that of another run says that this one
// was replaced.
func (s *Session) Settled(ctx context.Context, plugin PluginID, run RunID) (any, error) {
	h := s.host
	var row registry.Row
	var found bool
	err := h.until(ctx, func(r *registry.Registry) bool {
		row, found = r.Plugin(plugin)
		return !found || row.AgentID != s.id || row.LatestRun == nil || row.LatestRun.PluginRunID != run || !open(row.LatestRun.Status)
	})
	switch {
	case err != nil:
		return nil, err
	case !found || row.AgentID != s.id || row.LatestRun == nil:
		return nil, &registry.Refusal{Reason: registry.PluginMissing, Rule: registry.RulePlugin, PluginID: plugin}
	}
	return row.LatestRun, nil
}

func open(s registry.Status) bool {
	return s == registry.AwaitingApproval || s == registry.StartingHost || s == registry.ClientPending
}

// Stop ends what is active or asked for, a start in flight included, and keeps
// the definitions. The fault not-running says that there was nothing.
func (s *Session) Stop(_ context.Context, plugin PluginID) error {
	_, err := ask[registry.StopResult](s.host, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Stop(t, registry.StopCommand{Session: s.id, PluginID: plugin})
	})
	return err
}

// Undefine stops a plugin and forgets it.
func (s *Session) Undefine(_ context.Context, plugin PluginID) (Undefined, error) {
	return ask[registry.UndefineResult](s.host, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.Undefine(t, registry.StopCommand{Session: s.id, PluginID: plugin})
	})
}

// InspectSelf is one of the layers of cordis_inspect_self: the empty ids ask for
// less.
func (s *Session) InspectSelf(plugin PluginID, pkg PackageID) (any, error) {
	h := s.host
	h.catchUp()
	live := h.liveOf(plugin)
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case plugin == "" && pkg == "":
		return h.registry.SelfPlugins(s.id), nil
	case plugin == "":
		return nil, fault.New(fault.Usage, codeNoPkg)
	case pkg == "":
		return orNil(h.registry.SelfPlugin(s.id, plugin))
	}
	return orNil(h.registry.SelfPackage(s.id, plugin, pkg, func(run RunID) registry.Live { return live[run] }))
}

func orNil[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// liveOf looks at what the runs of a plugin are like now. It is not called under
// the lock, because the kernel is asked.
func (h *Host) liveOf(plugin PluginID) map[RunID]registry.Live {
	h.mu.Lock()
	runs := values(h.runs)
	h.mu.Unlock()
	out := map[RunID]registry.Live{}
	for _, a := range runs {
		if a.plugin == plugin {
			out[a.id] = a.live()
		}
	}
	return out
}

// Mention gives the context messages for the plugins that a user's texts name
// (spec/cordis.md 3.9). texts are those of one step.
func (s *Session) Mention(texts []string) []string {
	h := s.host
	h.catchUp()
	h.mu.Lock()
	defer h.mu.Unlock()
	out := []string{}
	for _, id := range mention.Scan(texts...) {
		ref, err := h.registry.Reference(s.id, id)
		if err != nil {
			out = append(out, mention.Unavailable(id, h.config.Language))
			continue
		}
		out = append(out, mention.Text(ref, h.config.Language))
	}
	return out
}

// FeedbackOptions say which messages of a Session are wanted.
type FeedbackOptions struct {
	Kind string        // steer or context; "": both
	Keep bool          // leave them in the queue
	Wait time.Duration // for the first one; 0: do not wait
}

// Feedback is what FeedbackOptions ask for.
func (s *Session) Feedback(ctx context.Context, o FeedbackOptions) ([]Message, error) {
	s.host.catchUp()
	if o.Wait > 0 {
		timed, cancel := context.WithTimeout(ctx, o.Wait)
		defer cancel()
		s.host.awaitFeedback(timed, s.id, feedback.Kind(o.Kind))
	}
	h := s.host
	h.mu.Lock()
	defer h.mu.Unlock()
	queue, ok := h.feedback[s.id] // only what has a message has a queue
	if !ok {
		return []Message{}, context.Cause(ctx)
	}
	messages := queue.Messages(feedback.Kind(o.Kind))
	if !o.Keep {
		h.feedback[s.id], messages = queue.Drain(feedback.Kind(o.Kind))
	}
	return append([]Message{}, messages...), context.Cause(ctx)
}

// awaitFeedback returns when there is a message, or ctx ends.
func (h *Host) awaitFeedback(ctx context.Context, s SessionID, k feedback.Kind) {
	_ = h.until(ctx, func(*registry.Registry) bool { // who waited in vain gets none
		q, ok := h.feedback[s]
		return ok && len(q.Messages(k)) > 0
	})
}

// Status is the host in a few numbers.
type Status struct {
	Workspace string    `json:"workspace"`
	Started   time.Time `json:"started"`
	Plugins   int       `json:"plugins"`
	Running   int       `json:"running"`   // active runs
	Approvals int       `json:"approvals"` // requests that nobody has settled
	Pages     int       `json:"pages"`
	Bridges   int       `json:"bridges"`
	Sessions  []string  `json:"sessions"` // those that own a plugin, in the order of their first one
}

// Status counts what there is.
func (h *Host) Status() Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	counts := h.registry.Counts()
	s := Status{
		Workspace: h.config.Workspace, Started: h.started, Plugins: counts.Plugins, Running: counts.Running,
		Approvals: counts.Approvals, Pages: len(h.pages), Bridges: len(h.bridges), Sessions: []string{},
	}
	seen := map[SessionID]bool{}
	for _, row := range h.registry.Inventory() {
		if !seen[row.AgentID] {
			seen[row.AgentID] = true
			s.Sessions = append(s.Sessions, string(row.AgentID))
		}
	}
	return s
}

// Inventory is the rows of all plugins (spec/cordis.md 5.2), as JSON.
func (h *Host) Inventory() []any {
	out := []any{}
	for _, row := range h.Rows() {
		out = append(out, object(row))
	}
	return out
}

// Rows is the Inventory as values.
func (h *Host) Rows() []Row {
	h.catchUp()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.registry.Inventory()
}

// Prompt is what plugins have added to the prompt of the agent, as it is now. It
// asks the plugins for it, each for a bounded time.
func (h *Host) Prompt(ctx context.Context) (service.Prompt, error) { return h.services.Prompt(ctx) }
