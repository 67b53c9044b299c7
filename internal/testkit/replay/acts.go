package replay

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// act is what a step does.
type act func(ctx context.Context, p *player, s *jsonvalue.Object) outcome

// acts are the steps that a model, a harness and an onlooker take; pageActs those
// of pages.
func acts() map[string]act {
	all := map[string]act{
		"define": define,
		"run":    run,
		"stop": func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
			return p.tool(ctx, s, tool.Stop, ids(s))
		},
		"undefine": func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
			return p.tool(ctx, s, tool.Undefine, ids(s))
		},
		"call":             callTool,
		"self":             self,
		"inspectList":      inspectList,
		"inspectQuery":     inspectQuery,
		"abort":            abort,
		"inventory":        inventory,
		"invoke":           invoke,
		"tools":            tools,
		"schema":           schema,
		"mention":          mention,
		"service":          service,
		"callService":      callService,
		"emit":             emit,
		"waterfall":        waterfall,
		"registerHostTool": registerHostTool,
		"wait":             wait,
		"feedback":         heard,
		"events":           events,
		"logs":             logs,
		"uncaught":         uncaught,
		"globals":          func(context.Context, *player, *jsonvalue.Object) outcome { return outcome{show: nothing{}} },
	}
	for name, f := range pageActs() {
		all[name] = f
	}
	return all
}

func session(s *jsonvalue.Object) string { return or(text(s, "session"), "S-a") }

// shown is the outcome of what a step saw.
func shown(v any, err error) outcome {
	if err != nil {
		return failed(err)
	}
	return outcome{show: v}
}

// ids are the arguments of a tool that a step names.
func ids(s *jsonvalue.Object) *jsonvalue.Object {
	args := jsonvalue.Of()
	for _, pair := range [][2]string{{"plugin", "pluginId"}, {"package", "packageId"}} {
		if v, ok := s.Get(pair[0]); ok && v != nil {
			args.Set(pair[1], v)
		}
	}
	return args
}

// tool calls one of the seven.
func (p *player) tool(ctx context.Context, s *jsonvalue.Object, name tool.Name, args any) outcome {
	if lacksReference(s) {
		return outcome{show: jsonvalue.Of("error", "tool execution arguments must be losslessly JSON-serializable")}
	}
	if ctx.Err() != nil { // who has given up does not even ask; the tool says so
		_, err := tool.Execute(ctx, nil, tool.Call{Name: string(name), Session: session(s), Args: args})
		return failed(err)
	}
	v, err := p.ask(ctx, "callCordisTool", control.ToolParams{Session: session(s), Name: string(name), Args: control.Given(args)})
	return toolOutcome(v, err)
}

// lacksReference says whether a step is about something that an earlier one was to
// give and did not: what the reference's harness then hands on is undefined.
func lacksReference(s *jsonvalue.Object) bool {
	switch text(s, "do") {
	case "define":
		return !s.Has("new") && !s.Has("plugin")
	case "run":
		return !s.Has("plugin") || !s.Has("package")
	case "stop", "undefine":
		return !s.Has("plugin")
	}
	return false
}

func toolOutcome(v any, err error) outcome {
	if err != nil {
		return failed(err)
	}
	o, _ := jsonvalue.Map(v)
	value, _ := o.Get("value")
	show := jsonvalue.Of("value", clean(value))
	if meta, ok := o.Get("meta"); ok {
		show.Set("meta", clean(meta))
	}
	return outcome{show: show, value: value}
}

func define(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	selector := jsonvalue.Of("kind", "existing", "pluginId", text(s, "plugin"))
	if s.Has("new") {
		selector = jsonvalue.Of("kind", "new", "idPrefix", text(s, "new"))
	}
	code := jsonvalue.Of()
	for _, half := range []string{"host", "client"} {
		if name := text(s, half); name != "" {
			source, err := p.sample.source(name)
			if err != nil {
				return outcome{err: err}
			}
			code.Set(half, source)
		}
	}
	return p.tool(ctx, s, tool.Define, jsonvalue.Of(
		"plugin", selector, "name", given(s, "name", "sample"), "purpose", given(s, "purpose", "sample purpose"), "code", code,
	))
}

// given is a member, or a text in its place.
func given(s *jsonvalue.Object, key, other string) any {
	if v, ok := s.Get(key); ok {
		return v
	}
	return other
}

func run(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args := ids(s)
	args.Set("mode", given(s, "mode", "run"))
	return p.tool(ctx, s, tool.Run, args)
}

func callTool(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args, ok := s.Get("args")
	if !ok {
		args = jsonvalue.Of()
	}
	name := text(s, "tool")
	if tool.Known(name) {
		return p.tool(ctx, s, tool.Name(name), args)
	}
	return toolOutcome(p.ask(ctx, "callTool", control.ToolParams{Session: session(s), Name: name, Args: control.Given(args)}))
}

func self(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	o := p.tool(ctx, s, tool.InspectSelf, ids(s))
	show, _ := jsonvalue.Map(o.show)
	if value, ok := show.Map("value"); ok {
		if code, ok := value.Map("code"); ok {
			o.show = replaced(show, "value", replaced(value, "code", sized(code)))
		}
	}
	return o
}

func inspectList(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	o := p.tool(ctx, s, tool.InspectList, jsonvalue.Of())
	if o.err == nil && o.value != nil {
		o.show = directory(o.value)
	}
	return o
}

func inspectQuery(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args := jsonvalue.Of("platform", text(s, "platform"), "provider", text(s, "provider"), "method", text(s, "method"))
	if input, ok := s.Get("input"); ok {
		args.Set("input", input)
	}
	o := p.tool(ctx, s, tool.InspectQuery, args)
	if ctx.Err() != nil { // given up here, and soon in the host
		return outcome{show: o.show, err: p.await("cordis/inspect-query-resolved")}
	}
	show, _ := jsonvalue.Map(o.show)
	if value, ok := show.Map("value"); ok {
		data, _ := value.Get("data")
		o.show = replaced(show, "value", replaced(value, "data", reduced(data)))
	}
	return o
}

func abort(_ context.Context, p *player, s *jsonvalue.Object) outcome {
	if cancel, ok := p.cancels[text(s, "of")]; ok {
		cancel()
	}
	return outcome{show: "aborted"}
}

func (p *player) rows(ctx context.Context) ([]any, error) {
	v, err := p.ask(ctx, "inventory", struct{}{})
	o, _ := jsonvalue.Map(v)
	rows, _ := o.Array("rows")
	return rows, err
}

func inventory(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	rows, err := p.rows(ctx)
	list := []any{}
	for _, row := range rows {
		if o, _ := jsonvalue.Map(row); !s.Has("plugin") || text(o, "pluginId") == text(s, "plugin") {
			list = append(list, clean(row))
		}
	}
	return shown(list, err)
}

func invoke(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args, _ := s.Get("args")
	v, err := p.ask(ctx, "invoke", control.InvokeParams{Plugin: text(s, "plugin"), Run: text(s, "run"), Method: text(s, "method"), Args: control.Lossless{Optional: control.Given(args)}})
	return shown(clean(v), err)
}

func (p *player) toolInfos(ctx context.Context, s *jsonvalue.Object) ([]control.ToolInfo, error) {
	var r control.ToolsResult
	err := p.client.Call(ctx, "tools", control.SessionParams{Session: session(s)}, &r)
	return r.Tools, err
}

func tools(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	infos, err := p.toolInfos(ctx, s)
	names := []string{}
	for _, t := range infos {
		names = append(names, t.Name)
	}
	return shown(sorted(names), err)
}

func schema(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	infos, err := p.toolInfos(ctx, s)
	for _, t := range infos {
		if t.Name == text(s, "tool") {
			return shown(clean(t.Parameters.V), err)
		}
	}
	return shown(nil, err)
}

func mention(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	var r control.MessagesResult
	if or(text(s, "from"), "user") == "user" { // a host is only told what users wrote
		if err := p.client.Call(ctx, "mention", control.MentionParams{Session: session(s), Texts: []string{text(s, "text")}}, &r); err != nil {
			return failed(err)
		}
	}
	list := []any{}
	for _, message := range r.Messages {
		list = append(list, clean(mentionGist(message)))
	}
	return outcome{show: list}
}

func service(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	return shown(p.harness.reading(ctx, text(s, "name")))
}

func callService(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args, _ := s.Array("args")
	v, err := p.harness.callService(ctx, text(s, "name"), text(s, "method"), args)
	if _, none := v.(wire.Undefined); none {
		return shown(jsonvalue.Of(), err)
	}
	return shown(jsonvalue.Of("value", clean(v)), err)
}

func emit(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args, _ := s.Array("args")
	return shown("emitted", p.harness.emit(ctx, text(s, "event"), args))
}

func waterfall(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	args, _ := s.Array("args")
	inner, _ := s.Get("inner")
	v, err := p.harness.waterfall(ctx, text(s, "event"), args, inner)
	return shown(jsonvalue.Of("value", clean(v)), err)
}

func registerHostTool(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	return shown("registered", p.harness.registerTool(ctx, text(s, "name")))
}

// shortest is how long a step waits at least, for a busy machine.
const shortest = 60 * time.Millisecond

// wait gives timers of plugins and pages their time: what a step waits for is
// time itself. While something is under way it is exact, else it may be longer.
func wait(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	d := time.Duration(number(s, "ms")) * time.Millisecond
	if len(p.running) == 0 {
		d = max(d, shortest)
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return outcome{err: ctx.Err()}
	}
	return outcome{show: nothing{}, err: p.settle(ctx)}
}

func heard(ctx context.Context, p *player, _ *jsonvalue.Object) outcome {
	list, err := p.drainFeedback(ctx)
	return shown(list, err)
}

func events(ctx context.Context, p *player, _ *jsonvalue.Object) outcome {
	list, err := p.drainEvents(ctx)
	return shown(clean(list), err)
}

func logs(ctx context.Context, p *player, _ *jsonvalue.Object) outcome {
	list, err := p.drainLogs(ctx)
	return shown(list, err)
}

func uncaught(_ context.Context, p *player, _ *jsonvalue.Object) outcome {
	list, err := p.uncaught()
	return shown(list, err)
}

// uncaught is what nobody caught in pages; nothing in a host can come to that.
func (p *player) uncaught() ([]any, error) {
	if p.node == nil {
		return []any{}, nil
	}
	return append([]any{}, p.node.drainUncaught()...), nil
}
