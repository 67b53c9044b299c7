package host

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Page is one connected page: the twelve verbs of spec/cordis.md 5.1.
//
// The owner that a verb names is the Session of the plugin. A page that was
// bound to Sessions when it connected reaches those alone.
type Page struct {
	host    *Host
	id      registry.PageID
	options PageOptions
}

// PageOptions say who connects.
type PageOptions struct {
	Name     string
	Sessions []SessionID // that it is bound to; nil: all
	// Events takes the events of 5.3, in their order. It must not block, nor call
	// the host.
	Events func(Event)
	// Carry hands the page a request that was approved by shell, or left behind by
	// another page, to carry out as if it had been approved there. It must not
	// block, nor call the host. nil: the page takes none.
	Carry func(Request)
}

// Request is a pending request for a page (spec/cordis.md 2.6).
type Request struct {
	RequestID        RequestID `json:"requestId"`
	AgentID          SessionID `json:"agentId"`
	PluginID         PluginID  `json:"pluginId"`
	PackageID        PackageID `json:"packageId"`
	PluginRunID      RunID     `json:"pluginRunId"`
	Mode             string    `json:"mode"`
	Name             string    `json:"name"`
	Purpose          string    `json:"purpose"`
	RequiresApproval bool      `json:"requiresApproval"` // still
	Page             string    `json:"page,omitempty"`   // who carries it out
}

func requestOf(p registry.Pending) Request {
	return Request{
		RequestID: p.RequestID, AgentID: p.AgentID, PluginID: p.PluginID, PackageID: p.PackageID, PluginRunID: p.PluginRunID,
		Mode: string(p.Mode), Name: p.Name, Purpose: p.Purpose, RequiresApproval: p.RequiresApproval, Page: string(p.Page),
	}
}

// AddPage connects a page. It takes over requests that wait for one.
func (h *Host) AddPage(o PageOptions) *Page {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	p := &Page{host: h, id: registry.PageID(fmt.Sprintf("page-%d", h.last)), options: o}
	h.pages[p.id] = p
	if o.Carry != nil { // else no request is for it
		h.carryOut(h.registry.PageJoined(p.id, o.Sessions, h.config.Now()))
	}
	return p
}

// Close takes the page away. What it carried out goes to another one.
func (p *Page) Close() {
	h := p.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.pages[p.id] == nil {
		return
	}
	delete(h.pages, p.id)
	h.carryOut(h.registry.PageLeft(p.id, h.config.Now()))
}

// serves says whether the page may act for a Session; the empty one is everybody's.
func (p *Page) serves(s SessionID) bool {
	return p.options.Sessions == nil || s == "" || slices.Contains(p.options.Sessions, s)
}

// foreign is what a page hears of a plugin of a Session that it is not bound to.
func foreign(plugin PluginID) *registry.Refusal {
	return &registry.Refusal{Reason: registry.PluginMissing, Rule: registry.RulePlugin, PluginID: plugin}
}

// Renew prolongs the lease of a request that the page carries out; false says
// that another page has it, or nobody needs it any more.
func (p *Page) Renew(id RequestID) bool {
	h := p.host
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.registry.Renew(id, p.id, h.config.Now())
	h.schedule()
	return ok
}

// HostHalfOptions are the arguments of runHostHalf. Request is empty for a
// gesture of the panel.
type HostHalfOptions struct {
	Agent         SessionID
	Plugin        PluginID
	Package       PackageID
	Mode          string
	Request       RequestID
	ApproveFuture bool
}

// HostHalfAnswer is what runHostHalf answers.
type HostHalfAnswer struct {
	OK          bool      `json:"ok"`
	PluginID    PluginID  `json:"pluginId,omitempty"`
	PackageID   PackageID `json:"packageId,omitempty"`
	PluginRunID RunID     `json:"pluginRunId,omitempty"`
	WaitingFor  []string  `json:"waitingFor,omitempty"` // not nil when OK
	StartedHere bool      `json:"startedHere,omitempty"`
	Reason      string    `json:"reason,omitempty"`
	Message     string    `json:"message,omitempty"`
	Stack       string    `json:"stack,omitempty"`
}

// RunHostHalf starts the Host half, or joins a start in flight.
func (p *Page) RunHostHalf(_ context.Context, o HostHalfOptions) HostHalfAnswer {
	if !p.serves(o.Agent) {
		return hostHalfAnswer(registry.HostHalf{}, foreign(o.Plugin))
	}
	return hostHalfAnswer(p.host.runHostHalf(o, p.id))
}

func (h *Host) runHostHalf(o HostHalfOptions, page registry.PageID) (registry.HostHalf, error) {
	return ask[registry.HostHalf](h, func(r *registry.Registry, t registry.Ticket) registry.Decision {
		return r.RunHostHalf(t, registry.HostHalfCommand{
			Session: o.Agent, PluginID: o.Plugin, PackageID: o.Package, Mode: registry.Mode(o.Mode),
			RequestID: o.Request, Future: o.ApproveFuture, Page: page, Now: h.config.Now(),
		})
	})
}

func hostHalfAnswer(v registry.HostHalf, err error) HostHalfAnswer {
	if err != nil {
		reason, message, stack := refused(err)
		return HostHalfAnswer{Reason: reason, Message: message, Stack: stack}
	}
	return HostHalfAnswer{
		OK: true, PluginID: v.PluginID, PackageID: v.PackageID, PluginRunID: v.PluginRunID,
		WaitingFor: v.WaitingFor, StartedHere: v.StartedHere,
	}
}

// refused is an error as the answers to pages carry it.
func refused(err error) (reason, message, stack string) {
	if r, ok := errors.AsType[*registry.Refusal](err); ok {
		return string(r.Reason), r.Error(), r.Stack
	}
	return fault.CodeOf(err), err.Error(), ""
}

// ClientCode gives the source of the Client half of exactly the active run.
func (p *Page) ClientCode(agent SessionID, plugin PluginID, run RunID) (ClientCode, error) {
	if !p.serves(agent) {
		return ClientCode{}, foreign(plugin)
	}
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	return p.host.registry.ClientCode(agent, plugin, run)
}

// ResolveRequest settles a request that a model made.
func (p *Page) ResolveRequest(_ context.Context, id RequestID, r Resolution) (accepted bool) {
	h := p.host
	a, err := ask[registry.Accepted](h, func(reg *registry.Registry, t registry.Ticket) registry.Decision {
		if q, ok := reg.Request(id); ok && !p.serves(q.AgentID) {
			id = "" // it is not there for this page
		}
		return reg.ResolveRequest(t, registry.ResolveCommand{RequestID: id, Resolution: r, Page: p.id, Now: h.config.Now()})
	})
	return err == nil && a.Accepted
}

// RunResponse is what settleUserRun answers (spec/cordis.md 5.1).
type RunResponse struct {
	OK               bool      `json:"ok"`
	Status           string    `json:"status,omitempty"`
	PluginID         PluginID  `json:"pluginId,omitempty"`
	PackageID        PackageID `json:"packageId,omitempty"`
	PluginRunID      RunID     `json:"pluginRunId,omitempty"`
	WaitingFor       []string  `json:"waitingFor,omitempty"`
	ClientWaitingFor []string  `json:"clientWaitingFor,omitempty"`
	CurrentPackageID PackageID `json:"currentPackageId,omitempty"`
	NextPackageID    PackageID `json:"nextPackageId,omitempty"`
	Mode             string    `json:"mode,omitempty"`
	Reason           string    `json:"reason,omitempty"`
	Message          string    `json:"message,omitempty"`
	Stack            string    `json:"stack,omitempty"`
}

// SettleUserRun settles a gesture of the panel.
func (p *Page) SettleUserRun(_ context.Context, agent SessionID, plugin PluginID, r Resolution) RunResponse {
	if !p.serves(agent) {
		return runResponse(registry.RunResponse{}, foreign(plugin))
	}
	return runResponse(ask[registry.RunResponse](p.host, func(reg *registry.Registry, t registry.Ticket) registry.Decision {
		return reg.SettleUserRun(t, agent, plugin, r)
	}))
}

func runResponse(v registry.RunResponse, err error) RunResponse {
	if err != nil {
		reason, message, stack := refused(err)
		return RunResponse{Reason: reason, Message: message, Stack: stack}
	}
	return RunResponse{
		OK: true, Status: string(v.Status), PluginID: v.PluginID, PackageID: v.PackageID, PluginRunID: v.PluginRunID,
		WaitingFor: v.WaitingFor, ClientWaitingFor: v.ClientWaitingFor,
		CurrentPackageID: v.CurrentPackageID, NextPackageID: v.NextPackageID, Mode: string(v.Mode),
	}
}

// Inventory is the rows of all plugins that the page may see, as JSON.
func (p *Page) Inventory() []any {
	out := []any{}
	for _, row := range p.host.Rows() {
		if p.serves(row.AgentID) {
			out = append(out, object(row))
		}
	}
	return out
}

// ReportRender takes a crash. A report that is stale is dropped.
func (p *Page) ReportRender(agent SessionID, plugin PluginID, run RunID, f RenderFailure) {
	if p.serves(agent) {
		p.host.decide(func(r *registry.Registry) registry.Decision { return r.RenderFailed(agent, plugin, run, f) })
	}
}

// ReportGuard takes what the guard of a page refused.
func (p *Page) ReportGuard(agent SessionID, plugin PluginID, run RunID, message, stack string) {
	if p.serves(agent) {
		f := registry.Failure{Message: message, Stack: stack}
		p.host.decide(func(r *registry.Registry) registry.Decision { return r.ClientGuardRejected(agent, plugin, run, f) })
	}
}

// ReportClient takes the news that a Client half that runs waits for other services
// than before: for none, that it has woken.
func (p *Page) ReportClient(agent SessionID, plugin PluginID, run RunID, waitingFor []string) {
	if p.serves(agent) {
		p.host.decide(func(r *registry.Registry) registry.Decision { return r.ClientChanged(agent, plugin, run, waitingFor) })
	}
}
