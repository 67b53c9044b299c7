package control

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

var (
	clients   = []Role{Client}
	onlookers = []Role{Client, Page}
)

// Status is what host.status answers.
type Status struct {
	PID       int      `json:"pid"`
	Version   string   `json:"version"`
	Protocol  int      `json:"protocol"`
	Workspace string   `json:"workspace"`
	Socket    string   `json:"socket"`
	Page      string   `json:"page,omitempty"` // its address
	Started   string   `json:"started"`        // RFC 3339
	Plugins   int      `json:"plugins"`
	Running   int      `json:"running"`   // active runs
	Approvals int      `json:"approvals"` // requests that nobody has settled
	Pages     int      `json:"pages"`
	Bridges   int      `json:"bridges"`
	Sessions  []string `json:"sessions"`
	Vitals    Vitals   `json:"vitals"`
}

// The params of the methods of a client. Session is the Session for which it
// asks, "default" when it is empty.
type (
	SessionParams struct {
		Session string `json:"session,omitempty"`
	}
	DefineParams struct {
		Session string  `json:"session,omitempty"`
		Prefix  string  `json:"idPrefix,omitempty"` // of a new plugin
		Plugin  string  `json:"pluginId,omitempty"` // or an existing one
		Name    string  `json:"name"`
		Purpose string  `json:"purpose"`
		Host    *string `json:"host,omitempty"`
		Client  *string `json:"client,omitempty"`
	}
	RunParams struct {
		Session string `json:"session,omitempty"`
		Plugin  string `json:"pluginId"`
		Package string `json:"packageId"`
		Mode    string `json:"mode"` // run or update
	}
	PluginParams struct {
		Session string `json:"session,omitempty"`
		Plugin  string `json:"pluginId"`
	}
	SettledParams struct {
		Session string `json:"session,omitempty"`
		Plugin  string `json:"pluginId"`
		Run     string `json:"pluginRunId"`
	}
	QueryParams struct {
		Session  string   `json:"session,omitempty"`
		Platform string   `json:"platform"` // host or client
		Provider string   `json:"provider"`
		Method   string   `json:"method"`
		Input    Optional `json:"input,omitzero"`
	}
	SelfParams struct {
		Session string `json:"session,omitempty"`
		Plugin  string `json:"pluginId,omitempty"`
		Package string `json:"packageId,omitempty"`
	}
	MentionParams struct {
		Session string   `json:"session,omitempty"`
		Texts   []string `json:"texts"` // the user's, of one step
	}
	ApproveParams struct {
		Request string `json:"requestId"`
		Future  bool   `json:"future,omitempty"` // with all later versions
	}
	DeclineParams struct {
		Request string `json:"requestId"`
	}
	PanelRunParams struct {
		Plugin  string `json:"pluginId"`
		Package string `json:"packageId"`
		Mode    string `json:"mode"`
	}
	PanelParams struct {
		Plugin string `json:"pluginId"`
	}
	InvokeParams struct {
		Plugin string   `json:"pluginId"`
		Run    string   `json:"pluginRunId,omitempty"` // a client may leave it out: the active one
		Method string   `json:"method"`
		Args   Lossless `json:"args,omitzero"` // null when left out
	}
	ToolParams struct {
		Session string   `json:"session,omitempty"`
		Name    string   `json:"name"`
		Args    Optional `json:"args,omitzero"` // {} when left out
	}
	FeedbackParams struct {
		Session string `json:"session,omitempty"`
		Kind    string `json:"kind,omitempty"` // steer or context; both when left out
		Keep    bool   `json:"keep,omitempty"` // leave them in the queue
		WaitMS  int64  `json:"waitMs,omitempty"`
	}
	EventsParams struct {
		Since  uint64 `json:"since,omitempty"`  // those after this number
		Follow bool   `json:"follow,omitempty"` // go on until the request is given up
	}
)

// The results of methods that have more than one value to give.
type (
	ProvidersResult struct {
		Providers Value `json:"providers"`
	}
	MessagesResult struct {
		Messages []string `json:"messages"`
	}
	RowsResult struct {
		Rows Value `json:"rows"` // of the inventory (spec/cordis.md 5.2)
	}
	RequestsResult struct {
		Requests []host.Request `json:"requests"`
	}
	InvokeResult struct {
		OK      bool     `json:"ok"`
		Value   Optional `json:"value,omitzero"`
		Code    string   `json:"code,omitempty"`
		Message string   `json:"message,omitempty"`
		Stack   string   `json:"stack,omitempty"`
	}
	ToolsResult struct {
		Tools []ToolInfo `json:"tools"`
	}
	ToolInfo struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Parameters  Value  `json:"parameters"` // a JSON Schema
		Plugin      string `json:"plugin,omitempty"`
	}
	ToolResult struct {
		Value   Value    `json:"value"`
		Content Value    `json:"content"`
		Meta    Optional `json:"meta,omitzero"`
	}
	CordisToolResult struct {
		Value Value      `json:"value"`
		Text  string     `json:"text"` // for a model
		Meta  *tool.Meta `json:"meta,omitempty"`
	}
	PromptResult struct {
		System  string         `json:"system"`  // sections of the system prompt
		Context string         `json:"context"` // what is said beside the conversation
		Tools   string         `json:"tools"`   // how tools are used
		Skipped []SkippedPiece `json:"skipped"`
	}
	SkippedPiece struct {
		Name    string `json:"name"`
		Message string `json:"message"` // why it could not be had
	}
	FeedbackResult struct {
		Messages []host.Message `json:"messages"`
	}
	EventsResult struct {
		Last uint64 `json:"last"` // the number of the last event
	}
	LogsParams struct {
		Since uint64 `json:"since,omitempty"` // those after this number
	}
	LogsResult struct {
		Lines []host.LogLine `json:"lines"`
	}
	ToolsChanged struct {
		Revision uint64 `json:"revision"`
	}
)

func (s *seat) session(name string) *host.Session {
	if name == "" {
		name = DefaultSession
	}
	return s.desk.Host.Session(host.SessionID(name))
}

// DefaultSession is the Session of who names none.
const DefaultSession = "default"

func commonMethods() []Method {
	return []Method{
		on("status", Roles, func(_ context.Context, s *seat, _ nothing) (Status, error) { return s.status(), nil }),
		on("inventory", onlookers, func(_ context.Context, s *seat, _ nothing) (RowsResult, error) {
			if s.page != nil {
				return RowsResult{Value{s.page.Inventory()}}, nil
			}
			return RowsResult{Value{s.desk.Host.Inventory()}}, nil
		}),
		on("invoke", onlookers, func(ctx context.Context, s *seat, p InvokeParams) (InvokeResult, error) {
			call := s.desk.Host.Invoke
			if s.page != nil {
				call = s.page.Invoke
			}
			return invoked(call(ctx, host.PluginID(p.Plugin), host.RunID(p.Run), p.Method, p.Args.V)), nil
		}),
	}
}

func (s *seat) status() Status {
	n, card := s.desk.Host.Status(), s.desk.Card
	status := Status{
		PID: card.PID, Version: card.Version, Protocol: Protocol, Workspace: n.Workspace, Socket: card.Socket, Started: card.Started,
		Plugins: n.Plugins, Running: n.Running, Approvals: n.Approvals, Pages: n.Pages, Bridges: n.Bridges, Sessions: n.Sessions,
		Vitals: vitals(s.desk.Processes),
	}
	if s.desk.Page != nil {
		status.Page = s.desk.Page()
	}
	return status
}

func invoked(a host.InvokeAnswer) InvokeResult {
	if a.OK {
		return InvokeResult{OK: true, Value: Given(a.Value)}
	}
	return InvokeResult{Code: a.Code, Message: a.Message, Stack: a.Stack}
}

func clientMethods() []Method {
	return []Method{
		on("stopHost", clients, func(_ context.Context, s *seat, _ nothing) (nothing, error) {
			s.desk.Stop()
			return nothing{}, nil
		}),
		on("define", clients, func(ctx context.Context, s *seat, p DefineParams) (host.Defined, error) {
			return s.session(p.Session).Define(ctx, host.DefineOptions{
				Prefix: p.Prefix, Plugin: host.PluginID(p.Plugin), Name: p.Name, Purpose: p.Purpose, Host: p.Host, Client: p.Client,
			})
		}),
		on("run", clients, func(ctx context.Context, s *seat, p RunParams) (host.RunAnswer, error) {
			return s.session(p.Session).Run(ctx, host.RunOptions{Plugin: host.PluginID(p.Plugin), Package: host.PackageID(p.Package), Mode: p.Mode})
		}),
		on("settled", clients, func(ctx context.Context, s *seat, p SettledParams) (Value, error) {
			v, err := s.session(p.Session).Settled(ctx, host.PluginID(p.Plugin), host.RunID(p.Run))
			return Value{v}, err
		}),
		on("stop", clients, func(ctx context.Context, s *seat, p PluginParams) (nothing, error) {
			return nothing{}, s.session(p.Session).Stop(ctx, host.PluginID(p.Plugin))
		}),
		on("undefine", clients, func(ctx context.Context, s *seat, p PluginParams) (host.Undefined, error) {
			return s.session(p.Session).Undefine(ctx, host.PluginID(p.Plugin))
		}),
		on("inspectList", clients, func(_ context.Context, s *seat, p SessionParams) (ProvidersResult, error) {
			return ProvidersResult{Value{s.session(p.Session).InspectList()}}, nil
		}),
		on("inspectQuery", clients, func(ctx context.Context, s *seat, p QueryParams) (Value, error) {
			v, err := s.session(p.Session).InspectQuery(ctx, inspect.Question{
				Platform: inspect.Platform(p.Platform), Provider: p.Provider, Method: p.Method, Input: p.Input.V, Given: p.Input.Given,
			})
			return Value{v}, err
		}),
		on("inspectSelf", clients, func(_ context.Context, s *seat, p SelfParams) (Value, error) {
			v, err := s.session(p.Session).InspectSelf(host.PluginID(p.Plugin), host.PackageID(p.Package))
			return Value{v}, err
		}),
		on("mention", clients, func(_ context.Context, s *seat, p MentionParams) (MessagesResult, error) {
			return MessagesResult{orEmpty(s.session(p.Session).Mention(p.Texts))}, nil
		}),
		on("prompt", clients, func(ctx context.Context, s *seat, _ nothing) (PromptResult, error) { return s.prompt(ctx) }),
		on("approvals", clients, func(_ context.Context, s *seat, _ nothing) (RequestsResult, error) {
			return RequestsResult{orEmpty(s.desk.Host.Approvals())}, nil
		}),
		on("approve", clients, func(ctx context.Context, s *seat, p ApproveParams) (host.Request, error) {
			return s.desk.Host.Approve(ctx, host.RequestID(p.Request), p.Future)
		}),
		on("decline", clients, func(ctx context.Context, s *seat, p DeclineParams) (nothing, error) {
			return nothing{}, s.desk.Host.Decline(ctx, host.RequestID(p.Request))
		}),
		on("panelRun", clients, func(ctx context.Context, s *seat, p PanelRunParams) (host.RunResponse, error) {
			return s.desk.Host.PanelRun(ctx, host.RunOptions{Plugin: host.PluginID(p.Plugin), Package: host.PackageID(p.Package), Mode: p.Mode})
		}),
		on("panelStop", clients, func(ctx context.Context, s *seat, p PanelParams) (host.PanelAnswer, error) {
			return s.desk.Host.PanelStop(ctx, host.PluginID(p.Plugin)), nil
		}),
		on("panelRemove", clients, func(ctx context.Context, s *seat, p PanelParams) (host.PanelAnswer, error) {
			return s.desk.Host.PanelRemove(ctx, host.PluginID(p.Plugin)), nil
		}),
		on("tools", clients, func(_ context.Context, s *seat, p SessionParams) (ToolsResult, error) {
			list := []ToolInfo{}
			for _, t := range s.session(p.Session).Tools() {
				list = append(list, ToolInfo{t.Name, t.Description, Value{t.Parameters}, t.Plugin})
			}
			return ToolsResult{list}, nil
		}),
		on("watchTools", clients, func(ctx context.Context, s *seat, _ nothing) (nothing, error) { return nothing{}, s.watchTools(ctx) }),
		on("callTool", clients, func(ctx context.Context, s *seat, p ToolParams) (ToolResult, error) {
			a, err := s.session(p.Session).CallTool(ctx, p.Name, orObject(p.Args))
			result := ToolResult{Value: Value{a.Value}, Content: Value{orEmpty(a.Content)}}
			if _, none := a.Meta.(wire.Undefined); !none && a.Meta != nil {
				result.Meta = Given(a.Meta)
			}
			return result, err
		}),
		on("callCordisTool", clients, func(ctx context.Context, s *seat, p ToolParams) (CordisToolResult, error) {
			return s.cordisTool(ctx, p)
		}),
		on("feedback", clients, func(ctx context.Context, s *seat, p FeedbackParams) (FeedbackResult, error) {
			list, err := s.session(p.Session).Feedback(ctx, host.FeedbackOptions{Kind: p.Kind, Keep: p.Keep, Wait: time.Duration(p.WaitMS) * time.Millisecond})
			return FeedbackResult{orEmpty(list)}, err
		}),
		on("logs", clients, func(_ context.Context, s *seat, p LogsParams) (LogsResult, error) {
			lines, _ := s.desk.Host.Logs(p.Since)
			return LogsResult{orEmpty(lines)}, nil
		}),
		on("events", clients, func(ctx context.Context, s *seat, p EventsParams) (EventsResult, error) { return s.events(ctx, p) }),
	}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// prompt is what plugins have added to the prompt of the agent.
func (s *seat) prompt(ctx context.Context) (PromptResult, error) {
	p, err := s.desk.Host.Prompt(ctx)
	if err != nil {
		return PromptResult{}, err
	}
	r := PromptResult{System: p.System, Context: p.Context, Tools: p.Tools, Skipped: []SkippedPiece{}}
	for _, piece := range p.Skipped {
		r.Skipped = append(r.Skipped, SkippedPiece(piece))
	}
	return r, nil
}

// cordisTool calls one of the seven tools by its name on the wire.
func (s *seat) cordisTool(ctx context.Context, p ToolParams) (CordisToolResult, error) {
	session := p.Session
	if session == "" {
		session = DefaultSession
	}
	call := tool.Call{Name: p.Name, Session: session, Language: s.desk.Language}
	if p.Args.Given {
		call.Args = p.Args.V
	}
	r, err := tool.Execute(ctx, s.desk.Host.ForTools(), call)
	if err != nil {
		return CordisToolResult{}, err
	}
	return CordisToolResult{Value{r.Value}, r.Text, r.Meta}, nil
}

// events tells the events that are kept, and with follow those that come.
func (s *seat) events(ctx context.Context, p EventsParams) (EventsResult, error) {
	last := p.Since
	for {
		events, changed := s.desk.Host.Events(last)
		for _, e := range events {
			if err := s.tellEvent(e); err != nil {
				return EventsResult{last}, err
			}
			last = e.Seq
		}
		if !p.Follow {
			return EventsResult{last}, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return EventsResult{last}, nil
		}
	}
}

// watchTools tells of each change of the tools until the request is given up.
func (s *seat) watchTools(ctx context.Context) error {
	for {
		revision, changed := s.desk.Host.ToolChange()
		if err := s.conn.Notify(methodToolsChanged, ToolsChanged{revision}); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}
