package registry

import "time"

// Definition is a Package to be kept. Either Prefix or PluginID is given.
type Definition struct {
	Session       Session
	New           bool     // a new Plugin, with Prefix; else one more Package of PluginID
	Prefix        string   // idPrefix
	PluginID      PluginID // of an existing Plugin
	Name, Purpose string
	Code          Code
}

// Defined is the Package that a Definition made.
type Defined struct {
	PluginID      PluginID  `json:"pluginId"`
	PackageID     PackageID `json:"packageId"`
	Name          string    `json:"name"`
	Purpose       string    `json:"purpose"`
	HasHostHalf   bool      `json:"hasHostHalf"`
	HasClientHalf bool      `json:"hasClientHalf"`
}

// Check says what is wrong with the syntax of a half.
type Check func(half Side, source string) error

// Define keeps a Package, and makes a new Plugin for it if asked (3.2). The error
// is a *Refusal or what check said. No event follows, nothing runs.
func (r *Registry) Define(d Definition, check Check) (Defined, error) { return Defined{}, &Refusal{} }

// RunCommand asks for a run (3.3).
type RunCommand struct {
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	Mode      Mode
	Cancelled bool // the caller has already given up
}

// Run runs a Package for a model: Ran once its Host half has come to rest, or
// Requested at once if a page is needed.
func (r *Registry) Run(t Ticket, c RunCommand) Decision { return Decision{} }

// HostHalfCommand is a page that wants the Host half of a run started (4.3).
type HostHalfCommand struct {
	Session   Session
	PluginID  PluginID
	PackageID PackageID
	Mode      Mode
	RequestID RequestID // empty: the user ran it by hand
	Future    bool      // approve all later versions too
	Page      PageID
	Now       time.Time // for the lease of the request
}

// RunHostHalf starts the Host half for a page, or joins or attaches to what is
// there. The Answer is a HostHalf.
func (r *Registry) RunHostHalf(t Ticket, c HostHalfCommand) Decision { return Decision{} }

// ClientCode is what a page evaluates.
type ClientCode struct {
	Code        Source    `json:"code"`
	Name        string    `json:"name"`
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId"`
	PluginRunID RunID     `json:"pluginRunId"`
}

// ClientCode gives the source of the Client half of exactly this active run.
func (r *Registry) ClientCode(s Session, plugin PluginID, run RunID) (ClientCode, error) {
	return ClientCode{}, &Refusal{}
}

// Resolution is what a page says came of a run.
type Resolution struct {
	OK          bool     `json:"ok"`
	PluginRunID RunID    `json:"pluginRunId,omitempty"`
	WaitingFor  []string `json:"waitingFor,omitempty"`
	Reason      Reason   `json:"reason,omitempty"` // rejected, host-half-failed, client-half-failed
	StartedHere *bool    `json:"startedHere,omitempty"`
	Message     string   `json:"message,omitempty"`
	Stack       string   `json:"stack,omitempty"`
}

// ResolveCommand is a page's answer to a request.
type ResolveCommand struct {
	RequestID  RequestID
	Resolution Resolution
	Page       PageID
	Now        time.Time
}

// ResolveRequest takes the answer of a page to a request (4.6). The Answer is
// Accepted, after what had to be undone was undone.
func (r *Registry) ResolveRequest(t Ticket, c ResolveCommand) Decision { return Decision{} }

// SettleUserRun takes what a page says came of a run that its user started by
// hand. The Answer is a RunResponse.
func (r *Registry) SettleUserRun(t Ticket, s Session, plugin PluginID, res Resolution) Decision {
	return Decision{}
}

// StopCommand names a Plugin to stop or to remove.
type StopCommand struct {
	Session  Session
	PluginID PluginID
	Panel    bool // a person did it: the owner is told
}

// Stop ends what runs, starts or is requested of a Plugin (3.5). The Answer is a
// StopResult when all is at rest, or the Refusal not-running.
func (r *Registry) Stop(t Ticket, c StopCommand) Decision { return Decision{} }

// Undefine stops a Plugin and forgets it (3.6). From here on it is missing for
// everybody; the Answer, an UndefineResult, comes when all is at rest.
func (r *Registry) Undefine(t Ticket, c StopCommand) Decision { return Decision{} }

// Invocable says whether a handler of exactly this run may be called (11.1): the
// Refusal is not-running or stale-run.
func (r *Registry) Invocable(plugin PluginID, run RunID) error { return &Refusal{} }

// Owner is the Session of a Plugin.
func (r *Registry) Owner(plugin PluginID) (Session, bool) { return "", false }

// Request finds a request that can be answered.
func (r *Registry) Request(id RequestID) (Pending, bool) { return Pending{}, false }
