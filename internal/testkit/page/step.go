package page

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Half starts the Host half, and nothing else: what a page that carries a request
// out has done when it is half way. request "" is a gesture of the panel.
func (p *Page) Half(ctx context.Context, session, plugin, pkg, mode, request string) (host.HostHalfAnswer, error) {
	params := control.RunHostHalfParams{Agent: session, Plugin: plugin, Package: pkg, Mode: mode}
	if request != "" {
		params.Request = &request
	}
	var half host.HostHalfAnswer
	if err := p.conn.Call(ctx, "runHostHalf", params, &half); err != nil {
		return half, err
	}
	if !half.OK {
		return half, fmt.Errorf("%s: %s", half.Reason, half.Message)
	}
	return half, nil
}

// Code asks for the source of the Client half of a run.
func (p *Page) Code(ctx context.Context, session, plugin, run string) (code host.ClientCode, err error) {
	err = p.conn.Call(ctx, "getClientCode", control.ClientCodeParams{Agent: session, Plugin: plugin, Run: run}, &code)
	return code, err
}

var errNotAccepted = errors.New("the host did not take the answer")

// Answer says what came of the Client half of a request that was begun with Half.
func (p *Page) Answer(ctx context.Context, request, run string, o Outcome) error {
	resolution := host.Resolution{OK: true, PluginRunID: host.RunID(run), WaitingFor: o.WaitingFor}
	if o.Failure != "" {
		resolution = p.failed(host.HostHalfAnswer{PluginRunID: host.RunID(run), StartedHere: true}, o)
	}
	var answer control.Accepted
	err := p.conn.Call(ctx, "resolveRequestRun", control.ResolveRequestParams{Request: request, Resolution: resolution}, &answer)
	if err == nil && !answer.Accepted {
		err = errNotAccepted
	}
	return err
}

// Offer tells the host of one inspect provider of the page, whose one method
// takes an object; each query is answered with data.
func (p *Page) Offer(ctx context.Context, provider, method string, data any) error {
	object := control.Value{V: jsonvalue.Of("type", "object", "additionalProperties", true)}
	p.mu.Lock()
	p.data = control.Given(data)
	p.mu.Unlock()
	m := control.ManifestMethod{Name: method, Description: method, Input: object, Output: object}
	info := control.ManifestInfo{ID: provider, Description: provider, Methods: []control.ManifestMethod{m}}
	return p.conn.Call(ctx, "syncInspectManifest", control.ManifestParams{Providers: []control.ManifestInfo{info}}, nil)
}

// answerQuery answers a question to the page when it has offered data.
func (p *Page) answerQuery(e control.EventParams) {
	var query struct {
		Request string `json:"requestId"`
		Agent   string `json:"agentId"`
	}
	text, err := e.Payload.MarshalJSON()
	if err != nil || json.Unmarshal(text, &query) != nil || !p.data.Given {
		return
	}
	params := control.ResolveQueryParams{Agent: query.Agent, Request: query.Request, Resolution: control.QueryResolution{OK: true, Data: p.data}}
	p.work.Go(func() {
		if p.opened() {
			_ = p.conn.Call(p.ctx, "resolveInspectQuery", params, nil) // who asked will say
		}
	})
}
