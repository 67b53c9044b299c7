package host

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Page is one connected page: the twelve verbs of spec/cordis.md 5.1.
//
// The owner that a verb names is the Session of the plugin. A page that was
// bound to Sessions when it connected reaches those alone.
type Page struct {
	host *Host
	id   uint64
}

// PageOptions say who connects.
type PageOptions struct {
	Name     string
	Sessions []SessionID // that it is bound to; nil: all
	// Events takes the events of 5.3, in their order. It must not block.
	Events func(Event)
	// Carry hands the page a request that was approved by shell, to carry out as
	// if it had been approved there. It must not block. nil: the page takes none.
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
	RequiresApproval bool      `json:"requiresApproval"`
	Approved         bool      `json:"approved"` // by a shell; it waits for a page
	Future           bool      `json:"future"`   // with all later versions
	Page             string    `json:"page,omitempty"`
}

// AddPage connects a page. It takes over requests that wait for one.
func (h *Host) AddPage(o PageOptions) *Page { return &Page{host: h} }

// Close takes the page away. What it carried out goes to another one.
func (p *Page) Close() {}

// Renew prolongs the lease of a request that the page carries out; false says
// that another page has it, or nobody needs it any more.
func (p *Page) Renew(id RequestID) bool { return false }

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
func (p *Page) RunHostHalf(ctx context.Context, o HostHalfOptions) HostHalfAnswer {
	return HostHalfAnswer{Message: errNotBuilt.Error()}
}

// ClientCode is what getClientCode answers.
type ClientCode struct {
	Code        string    `json:"code"`
	Name        string    `json:"name"`
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
}

// ClientCode gives the source of the Client half of exactly the active run.
func (p *Page) ClientCode(agent SessionID, plugin PluginID, run RunID) (ClientCode, error) {
	return ClientCode{}, errNotBuilt
}

// Resolution is what a page says came of a Client half (spec/cordis.md 4.6).
type Resolution struct {
	OK          bool     `json:"ok"`
	PluginRunID RunID    `json:"pluginRunId,omitempty"`
	WaitingFor  []string `json:"waitingFor,omitempty"`
	Reason      string   `json:"reason,omitempty"` // rejected, host-half-failed, client-half-failed
	StartedHere *bool    `json:"startedHere,omitempty"`
	Message     string   `json:"message,omitempty"`
	Stack       string   `json:"stack,omitempty"`
	Phase       string   `json:"phase,omitempty"` // client-load or client-apply, when the page knows
}

// ResolveRequest settles a request that a model made.
func (p *Page) ResolveRequest(ctx context.Context, id RequestID, r Resolution) (accepted bool) {
	return false
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
func (p *Page) SettleUserRun(ctx context.Context, agent SessionID, plugin PluginID, r Resolution) RunResponse {
	return RunResponse{Message: errNotBuilt.Error()}
}

// PanelAnswer is what stopFromPanel and undefineFromPanel answer.
type PanelAnswer struct {
	OK         bool   `json:"ok"`
	WasRunning *bool  `json:"wasRunning,omitempty"` // of undefineFromPanel
	Reason     string `json:"reason,omitempty"`
	Message    string `json:"message,omitempty"`
}

// Stop is stopFromPanel.
func (p *Page) Stop(ctx context.Context, agent SessionID, plugin PluginID) PanelAnswer {
	return PanelAnswer{Message: errNotBuilt.Error()}
}

// Undefine is undefineFromPanel.
func (p *Page) Undefine(ctx context.Context, agent SessionID, plugin PluginID) PanelAnswer {
	return PanelAnswer{Message: errNotBuilt.Error()}
}

// Inventory is the rows of all plugins that the page may see, as JSON.
func (p *Page) Inventory() []any { return nil }

// SyncManifest says which providers the page has.
func (p *Page) SyncManifest(manifests []inspect.Manifest) error { return errNotBuilt }

// ResolveQuery answers a query of a Session to the Client.
func (p *Page) ResolveQuery(agent SessionID, id string, a inspect.Answer) (accepted bool) {
	return false
}

// RenderFailure is a crash while a page rendered.
type RenderFailure struct {
	Slot      string `json:"slot"`
	Message   string `json:"message"`
	Stack     string `json:"stack,omitempty"`
	Abdicated bool   `json:"abdicated"`
}

// ReportRender takes a crash. A report that is stale is dropped.
func (p *Page) ReportRender(agent SessionID, plugin PluginID, run RunID, f RenderFailure) {}

// ReportGuard takes what the guard of a page refused.
func (p *Page) ReportGuard(agent SessionID, plugin PluginID, run RunID, message, stack string) {}

// Invoke calls a handler of the Host half.
func (p *Page) Invoke(ctx context.Context, plugin PluginID, run RunID, method string, args any) InvokeAnswer {
	return InvokeAnswer{Message: errNotBuilt.Error()}
}

// InvokeAnswer is what a handler came to (spec/cordis.md 11.1).
type InvokeAnswer struct {
	OK      bool   `json:"ok"`
	Value   any    `json:"value,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

// Invoke is Page.Invoke for a shell. An empty run stands for the active one.
func (h *Host) Invoke(ctx context.Context, plugin PluginID, run RunID, method string, args any) InvokeAnswer {
	return InvokeAnswer{Message: errNotBuilt.Error()}
}

// Inventory is the rows of all plugins (spec/cordis.md 5.2), as JSON.
func (h *Host) Inventory() []any { return nil }

// Approvals are the requests that wait for a person or a page.
func (h *Host) Approvals() []Request { return nil }

// Approve allows what a request asks for, with all later versions if future is
// set, and hands it to a page. Without one it fails with the fault no-page, and
// the request is carried out by the first page that connects.
func (h *Host) Approve(ctx context.Context, id RequestID, future bool) (Request, error) {
	return Request{}, errNotBuilt
}

// Decline rejects what a request asks for.
func (h *Host) Decline(ctx context.Context, id RequestID) error { return errNotBuilt }

// PanelRun starts a package as a person's gesture, from a shell: the Host half
// here, a Client half by a page.
func (h *Host) PanelRun(ctx context.Context, o RunOptions) (RunResponse, error) {
	return RunResponse{}, errNotBuilt
}

// PanelStop stops a plugin as a person's gesture.
func (h *Host) PanelStop(ctx context.Context, plugin PluginID) PanelAnswer { return PanelAnswer{} }

// PanelRemove removes a plugin as a person's gesture.
func (h *Host) PanelRemove(ctx context.Context, plugin PluginID) PanelAnswer { return PanelAnswer{} }

var _ = jsonvalue.Of
