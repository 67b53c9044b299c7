package host

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
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
// Plugin is set. A half that is nil is absent; an empty one is present.
type DefineOptions struct {
	Prefix        string
	Plugin        PluginID
	Name, Purpose string
	Host, Client  *string
}

// Defined is what cordis_define answers.
type Defined struct {
	PluginID      PluginID  `json:"pluginId"`
	PackageID     PackageID `json:"packageId"`
	Name          string    `json:"name"`
	Purpose       string    `json:"purpose"`
	HasHostHalf   bool      `json:"hasHostHalf"`
	HasClientHalf bool      `json:"hasClientHalf"`
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

// Undefined is what cordis_undefine answers.
type Undefined struct {
	PluginID   PluginID `json:"pluginId"`
	WasRunning bool     `json:"wasRunning"`
}

// Define checks a package and keeps it. It evaluates nothing.
func (s *Session) Define(ctx context.Context, o DefineOptions) (Defined, error) {
	return Defined{}, errNotBuilt
}

// Run activates a package, or asks for it when a page has to take part. A ctx
// that ends cancels a start that is in flight.
func (s *Session) Run(ctx context.Context, o RunOptions) (RunAnswer, error) {
	return RunAnswer{}, errNotBuilt
}

// Settled waits until the attempt with that run id is settled: no longer
// awaiting approval, starting or waiting for a page. It is for shells, never for
// a tool call.
func (s *Session) Settled(ctx context.Context, plugin PluginID, run RunID) (any, error) {
	return nil, errNotBuilt
}

// Stop ends what is active or asked for, a start in flight included, and keeps
// the definitions. The fault not-running says that there was nothing.
func (s *Session) Stop(ctx context.Context, plugin PluginID) error { return errNotBuilt }

// Undefine stops a plugin and forgets it.
func (s *Session) Undefine(ctx context.Context, plugin PluginID) (Undefined, error) {
	return Undefined{}, errNotBuilt
}

// InspectList is the providers of cordis_inspect_list, as JSON.
func (s *Session) InspectList() []any { return nil }

// InspectQuery asks a provider and returns its data. One of the Client is waited
// for until ctx ends.
func (s *Session) InspectQuery(ctx context.Context, q inspect.Question) (any, error) {
	return nil, errNotBuilt
}

// InspectSelf is one of the layers of cordis_inspect_self, as JSON: the empty
// ids ask for less.
func (s *Session) InspectSelf(plugin PluginID, pkg PackageID) (any, error) { return nil, errNotBuilt }

// Mention gives the context messages for the plugins that a user's texts name
// (spec/cordis.md 3.9). texts are those of one step.
func (s *Session) Mention(texts []string) []string { return nil }

// Feedback is what FeedbackOptions ask for.
func (s *Session) Feedback(ctx context.Context, o FeedbackOptions) ([]Message, error) {
	return nil, errNotBuilt
}

// FeedbackOptions say which messages of a Session are wanted.
type FeedbackOptions struct {
	Kind string        // steer or context; "": both
	Keep bool          // leave them in the queue
	Wait time.Duration // for the first one; 0: do not wait
}

// Message is one message for a Session (spec/cordis.md 14.6).
type Message struct {
	Seq         uint64    `json:"seq"`
	Kind        string    `json:"kind"`
	Topic       string    `json:"topic"`
	Text        string    `json:"text"`
	PluginID    PluginID  `json:"pluginId"`
	PackageID   PackageID `json:"packageId,omitempty"`
	PluginRunID RunID     `json:"pluginRunId,omitempty"`
	At          time.Time `json:"at"`
}

// Tool is a tool as a model sees it.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"`
	Plugin      string `json:"plugin,omitempty"` // "" of a tool that a bridge registered
}

// ToolAnswer is what a tool came to. Value is JSON, Meta wire.Undefined{} for
// none.
type ToolAnswer struct {
	Value   any
	Content []any
	Meta    any
}

// Tools are the tools that the Session can call, the seven of cordis not among
// them, in the order of their registration.
func (s *Session) Tools() []Tool { return nil }

// CallTool calls one of Tools. The error of plugin code is a *wire.Thrown, one of
// the host a fault: tool-missing, invalid-args, aborted-before-dispatch.
func (s *Session) CallTool(ctx context.Context, name string, args any) (ToolAnswer, error) {
	return ToolAnswer{}, errNotBuilt
}

// ToolChange gives a number that grows whenever the tools change, and a channel
// that is closed at the next change.
func (h *Host) ToolChange() (revision uint64, changed <-chan struct{}) { return 0, nil }
