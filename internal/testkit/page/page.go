// Package page is a page without a browser: it speaks the verbs of a real one
// over the socket of a host, and does with a Client half what its script says.
// Tests of commands use it where a person would have a page open.
package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
)

// Outcome is what comes of a Client half on the page.
type Outcome struct {
	WaitingFor []string // it loaded, and waits for these
	Failure    string   // it did not load: "evaluate: no plugin"; "" when it did
	Stack      string
	Vanish     bool // the page is gone before it says anything
}

// Script says what comes of a Client half. It is handed the source, as a page is.
type Script func(code host.ClientCode) Outcome

// Loads is the Script of a page on which all goes well.
func Loads(host.ClientCode) Outcome { return Outcome{} }

// Options say who opens.
type Options struct {
	Name     string
	Sessions []string // that the page is bound to; nil: all
	Script   Script   // nil: Loads
	Idle     bool     // it does nothing by itself: neither what needs no approval nor what a shell approved
}

// Page is one open page.
type Page struct {
	opts Options
	conn *control.Conn // from when open is closed
	open chan struct{}
	ctx  context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	requests map[string]host.Request
	events   []control.EventParams
	changed  chan struct{}
	problems []error
	data     control.Optional // of the answer to each inspect query
}

// Open connects with the host of a workspace.
func Open(ctx context.Context, workspace string, o Options) (*Page, error) {
	if o.Script == nil {
		o.Script = Loads
	}
	p := &Page{opts: o, open: make(chan struct{}), requests: map[string]host.Request{}, changed: make(chan struct{})}
	p.ctx, p.end = context.WithCancel(context.WithoutCancel(ctx))
	conn, _, err := control.At(workspace).Dial(ctx, control.Hello{Role: control.Page, Name: o.Name, Sessions: o.Sessions}, control.Handlers{Notify: p.heard})
	if err != nil {
		p.end()
		return nil, err
	}
	p.conn = conn
	close(p.open)
	return p, p.reconcile(ctx)
}

// heard takes what the host tells.
func (p *Page) heard(method string, params json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case "event":
		var e control.EventParams
		if json.Unmarshal(params, &e) == nil {
			p.takeEvent(e)
		}
	case "carry":
		var r host.Request
		if json.Unmarshal(params, &r) == nil && !p.opts.Idle {
			p.requests[string(r.RequestID)] = r
			p.start(r, false) // what was allowed is in the host
		}
	}
}

func (p *Page) takeEvent(e control.EventParams) {
	p.events = append(p.events, e)
	close(p.changed)
	p.changed = make(chan struct{})
	if e.Name == "cordis/inspect-query" {
		p.answerQuery(e)
	}
	if e.Name != "cordis/request-run" {
		return
	}
	var r host.Request
	if text, err := e.Payload.MarshalJSON(); err != nil || json.Unmarshal(text, &r) != nil {
		return
	}
	p.requests[string(r.RequestID)] = r
	if !r.RequiresApproval && !p.opts.Idle {
		p.start(r, false)
	}
}

// opened waits until the page has a connection: a host may hand a request over
// before it says hello. It is false when there will be none.
func (p *Page) opened() bool {
	select {
	case <-p.open:
		return true
	case <-p.ctx.Done():
		return false
	}
}

// start carries a request out in the background.
func (p *Page) start(r host.Request, future bool) {
	p.work.Go(func() {
		if !p.opened() {
			return
		}
		if err := p.carry(p.ctx, r, future); err != nil && p.ctx.Err() == nil {
			p.mu.Lock()
			p.problems = append(p.problems, err)
			p.mu.Unlock()
		}
	})
}

// row is what the page reads of a row of the inventory.
type row struct {
	PluginID  host.PluginID  `json:"pluginId"`
	AgentID   host.SessionID `json:"agentId"`
	LatestRun *struct {
		PackageID        host.PackageID `json:"packageId"`
		Mode             string         `json:"mode"`
		Status           string         `json:"status"`
		RequestID        host.RequestID `json:"approvalRequestId"`
		RequiresApproval bool           `json:"requiresApproval"`
	} `json:"latestRun"`
}

// reconcile picks up requests from before the page was there.
func (p *Page) reconcile(ctx context.Context) error {
	var answer struct {
		Rows []row `json:"rows"`
	}
	if err := p.conn.Call(ctx, "inventory", struct{}{}, &answer); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range answer.Rows {
		if r.LatestRun == nil || r.LatestRun.RequestID == "" {
			continue
		}
		request := host.Request{
			RequestID: r.LatestRun.RequestID, AgentID: r.AgentID, PluginID: r.PluginID, PackageID: r.LatestRun.PackageID,
			Mode: r.LatestRun.Mode, RequiresApproval: r.LatestRun.RequiresApproval,
		}
		_, known := p.requests[string(request.RequestID)]
		p.requests[string(request.RequestID)] = request
		if !known && !request.RequiresApproval && !p.opts.Idle {
			p.start(request, false)
		}
	}
	return nil
}

// ErrNoRequest says that the page has not heard of a request.
var ErrNoRequest = errors.New("the page knows no such request")

func (p *Page) request(ctx context.Context, id string) (host.Request, error) {
	if err := p.reconcile(ctx); err != nil {
		return host.Request{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.requests[id]
	if !ok {
		return r, fmt.Errorf("%w: %s", ErrNoRequest, id)
	}
	return r, nil
}

// Approve allows a request, with all later versions if future is set, and
// carries it out.
func (p *Page) Approve(ctx context.Context, id string, future bool) error {
	r, err := p.request(ctx, id)
	if err != nil {
		return err
	}
	return p.carry(ctx, r, future)
}

// Decline rejects a request.
func (p *Page) Decline(ctx context.Context, id string) error {
	return p.resolve(ctx, host.RequestID(id), host.Resolution{Reason: "rejected", Message: "declined"})
}

// carry does what a page does with a request: the Host half, the source, the
// Client half, one answer. Meanwhile it renews its lease.
func (p *Page) carry(ctx context.Context, r host.Request, future bool) error {
	stop := p.renew(r.RequestID)
	defer stop()
	resolution, err := p.activate(ctx, r, &r.RequestID, future)
	if err != nil {
		return err
	}
	return p.resolve(ctx, r.RequestID, resolution)
}

// activate brings both halves up. A nil request is a gesture of the panel.
func (p *Page) activate(ctx context.Context, r host.Request, request *host.RequestID, future bool) (host.Resolution, error) {
	params := control.RunHostHalfParams{
		Agent: string(r.AgentID), Plugin: string(r.PluginID), Package: string(r.PackageID), Mode: r.Mode, Request: (*string)(request), Future: future,
	}
	var half host.HostHalfAnswer
	if err := p.conn.Call(ctx, "runHostHalf", params, &half); err != nil {
		return host.Resolution{}, err
	}
	if !half.OK {
		return host.Resolution{Reason: "host-half-failed", Message: half.Message, Stack: half.Stack}, nil
	}
	var code host.ClientCode
	if err := p.conn.Call(ctx, "getClientCode", control.ClientCodeParams{Agent: string(r.AgentID), Plugin: string(r.PluginID), Run: string(half.PluginRunID)}, &code); err != nil {
		return p.failed(half, Outcome{Failure: err.Error()}), nil
	}
	outcome := p.opts.Script(code)
	switch {
	case outcome.Vanish:
		p.Vanish()
		return host.Resolution{}, errVanished
	case outcome.Failure != "":
		return p.failed(half, outcome), nil
	}
	return host.Resolution{OK: true, PluginRunID: half.PluginRunID, WaitingFor: outcome.WaitingFor}, nil
}

var errVanished = errors.New("the page has vanished")

func (p *Page) failed(half host.HostHalfAnswer, o Outcome) host.Resolution {
	return host.Resolution{Reason: "client-half-failed", PluginRunID: half.PluginRunID, StartedHere: &half.StartedHere, Message: o.Failure, Stack: o.Stack}
}

func (p *Page) resolve(ctx context.Context, id host.RequestID, r host.Resolution) error {
	return p.conn.Call(ctx, "resolveRequestRun", control.ResolveRequestParams{Request: string(id), Resolution: r}, nil)
}

// renewal is how often a lease is renewed, well within its time.
const renewal = 3 * time.Second

// renew keeps the lease of a request until stop.
func (p *Page) renew(id host.RequestID) (stop func()) {
	ctx, cancel := context.WithCancel(p.ctx)
	p.work.Go(func() {
		tick := time.NewTicker(renewal)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = p.conn.Call(ctx, "renewRequest", control.RenewParams{Request: string(id)}, nil) // the answer will say
			case <-ctx.Done():
				return
			}
		}
	})
	return cancel
}

// Run is a gesture of the panel: it brings a Package up without a request.
func (p *Page) Run(ctx context.Context, session, plugin, pkg, mode string) (host.RunResponse, error) {
	r := host.Request{AgentID: host.SessionID(session), PluginID: host.PluginID(plugin), PackageID: host.PackageID(pkg), Mode: mode}
	resolution, err := p.activate(ctx, r, nil, false)
	if err != nil {
		return host.RunResponse{}, err
	}
	var response host.RunResponse
	err = p.conn.Call(ctx, "settleUserRun", control.SettleParams{Agent: session, Plugin: plugin, Resolution: resolution}, &response)
	return response, err
}

// Crash reports that something of a run crashed while it was drawn.
func (p *Page) Crash(ctx context.Context, session, plugin, run string, f host.RenderFailure) error {
	return p.conn.Call(ctx, "reportRenderFailure", control.RenderParams{Agent: session, Plugin: plugin, Run: run, Failure: f}, nil)
}

// Refused reports what the guard of the page refused a run.
func (p *Page) Refused(ctx context.Context, session, plugin, run, message string) error {
	return p.conn.Call(ctx, "reportClientGuardFailure", control.GuardParams{Agent: session, Plugin: plugin, Run: run, Failure: control.GuardFailure{Message: message}}, nil)
}

// State reports what a Client half that runs waits for now: nothing, when it woke.
func (p *Page) State(ctx context.Context, session, plugin, run string, waitingFor []string) error {
	return p.conn.Call(ctx, "reportClientState", control.ClientStateParams{Agent: session, Plugin: plugin, Run: run, WaitingFor: waitingFor}, nil)
}

// Invoke is host.call of a Client half.
func (p *Page) Invoke(ctx context.Context, plugin, run, method string, args any) (answer control.InvokeResult, err error) {
	err = p.conn.Call(ctx, "invoke", control.InvokeParams{Plugin: plugin, Run: run, Method: method, Args: control.Lossless{Optional: control.Given(args)}}, &answer)
	return answer, err
}

// Events are those that the page has heard.
func (p *Page) Events() []control.EventParams {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.events)
}

// Await waits until the page has heard an event that is wanted.
func (p *Page) Await(ctx context.Context, wanted func(control.EventParams) bool) error {
	for seen := 0; ; {
		p.mu.Lock()
		events, changed := p.events, p.changed
		p.mu.Unlock()
		if slices.ContainsFunc(events[seen:], wanted) {
			return nil
		}
		seen = len(events)
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Vanish is a tab that is closed: it says nothing, it is gone.
func (p *Page) Vanish() {
	p.end()
	_ = p.conn.Close()
}

// Close closes the page, and says what went wrong in the background.
func (p *Page) Close() error {
	p.Vanish()
	p.work.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.problems...)
}
