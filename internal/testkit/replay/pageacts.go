package replay

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// pageActs are the steps of pages: those that a real page takes, and those that
// speak its verbs by hand.
func pageActs() map[string]act {
	return map[string]act{
		"page":           openPage,
		"closePage":      gesture("vanish", "closed", nil),
		"pageEmit":       gesture("emit", "emitted", func(s *jsonvalue.Object) []any { return members(s, "event", "args") }),
		"approve":        answerRequest("approve"),
		"decline":        answerRequest("decline"),
		"panelRun":       gesture("panelRun", "done", panelRun),
		"panelStop":      panel("stopFromPanel"),
		"panelRemove":    panel("undefineFromPanel"),
		"reconcile":      gesture("reconcile", "reconciled", nil),
		"runCard":        gesture("runCard", "shown", runCard),
		"click":          gesture("click", "clicked", func(s *jsonvalue.Object) []any { return members(s, "selector") }),
		"html":           html,
		"styles":         look("styles"),
		"theme":          look("theme"),
		"pageState":      look("state"),
		"hostHalf":       hostHalf,
		"clientCode":     clientCode,
		"resolveRequest": resolveRequest,
		"settleUser":     settleUser,
		"reportRender":   reportRender,
	}
}

// onPage has a real page do something.
func onPage(ctx context.Context, p *player, s *jsonvalue.Object, verb string, pairs ...any) (any, error) {
	node, err := p.page()
	if err != nil {
		return nil, err
	}
	return node.do(ctx, verb, append([]any{"page", pageName(s)}, pairs...)...)
}

func pageName(s *jsonvalue.Object) string { return or(or(text(s, "page"), text(s, "name")), "main") }

func openPage(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	hello := jsonvalue.Of("protocol", float64(control.Protocol), "role", string(control.Page), "name", pageName(s))
	_, err := onPage(ctx, p, s, "open", "socket", control.At(p.workspace()).Path(control.SocketName), "hello", hello)
	return broken("opened", err)
}

// broken is the outcome of what a page did: what it threw is seen, all else means
// that the world broke.
func broken(show any, err error) outcome {
	if p, ok := errors.AsType[*pageProblem](err); ok {
		return outcome{show: jsonvalue.Of("threw", Gist(p.text))}
	}
	return outcome{show: show, err: err}
}

func gesture(verb, show string, pairs func(*jsonvalue.Object) []any) act {
	return func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
		var more []any
		if pairs != nil {
			more = pairs(s)
		}
		_, err := onPage(ctx, p, s, verb, more...)
		return broken(show, err)
	}
}

func look(verb string) act {
	return func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
		v, err := onPage(ctx, p, s, verb)
		return broken(clean(v), err)
	}
}

// members are pairs of what a step says.
func members(s *jsonvalue.Object, names ...string) (pairs []any) {
	for _, name := range names {
		if v, ok := s.Get(name); ok {
			pairs = append(pairs, name, v)
		}
	}
	return pairs
}

func panelRun(s *jsonvalue.Object) []any {
	hasClient, given := s.Truth("hasClientHalf")
	return []any{"run", jsonvalue.Of(
		"agentId", session(s), "pluginId", text(s, "plugin"), "packageId", text(s, "package"),
		"mode", or(text(s, "mode"), "run"), "hasClientHalf", hasClient || !given,
	)}
}

func runCard(s *jsonvalue.Object) []any {
	return []any{"card", jsonvalue.Of("pluginId", text(s, "plugin"), "packageId", text(s, "package"), "pluginRunId", text(s, "run"))}
}

// answerRequest approves or declines the request that a step names, or that its
// plugin has.
func answerRequest(verb string) act {
	return func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
		request := text(s, "request")
		if request == "" {
			var err error
			if request, err = p.requestOf(ctx, text(s, "plugin")); err != nil {
				return outcome{err: err}
			}
		}
		_, err := onPage(ctx, p, s, verb, append([]any{"request", request}, members(s, "future")...)...)
		return broken("answered", err)
	}
}

func (p *player) requestOf(ctx context.Context, plugin string) (string, error) {
	rows, err := p.rows(ctx)
	for _, row := range rows {
		o, _ := jsonvalue.Map(row)
		if latest, ok := o.Map("latestRun"); ok && text(o, "pluginId") == plugin {
			return text(latest, "approvalRequestId"), err
		}
	}
	return "", err
}

var (
	buttons = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(<button[^>]*>[^<]*</button>){4,}`) })
	told    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`error: ([^<]*)`) })
)

// html is what each slot shows.
func html(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	v, err := onPage(ctx, p, s, "html")
	entries, _ := jsonvalue.Array(v)
	slots := jsonvalue.Of()
	for _, entry := range entries {
		pair, _ := jsonvalue.Array(entry)
		if len(pair) != 2 {
			return outcome{err: fmt.Errorf("the page shows %s", jsonvalue.Format(v))}
		}
		slot, _ := jsonvalue.Text(pair[0])
		inner, _ := jsonvalue.Text(pair[1])
		inner = told().ReplaceAllStringFunc(inner, func(m string) string { return "error: " + Gist(m[len("error: "):]) })
		slots.Set(slot, buttons().ReplaceAllString(inner, "<buttons>"))
	}
	return broken(slots, err)
}

// settled lets pages do what comes of a verb that was spoken by hand.
func (p *player) settled(ctx context.Context, v any, err error) outcome {
	if err != nil {
		return failed(err)
	}
	return outcome{show: clean(v), err: p.settle(ctx)}
}

func panel(verb string) act {
	return func(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
		v, err := p.verb(ctx, verb, control.PagePluginParams{Agent: session(s), Plugin: text(s, "plugin")})
		return p.settled(ctx, v, err)
	}
}

func hostHalf(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	params := control.RunHostHalfParams{Agent: session(s), Plugin: text(s, "plugin"), Package: text(s, "package"), Mode: or(text(s, "mode"), "run")}
	if request := text(s, "request"); request != "" {
		params.Request = &request
	}
	params.Future, _ = s.Truth("future")
	v, err := p.verb(ctx, "runHostHalf", params)
	return shown(clean(v), err)
}

func clientCode(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	v, err := p.verb(ctx, "getClientCode", control.ClientCodeParams{Agent: session(s), Plugin: text(s, "plugin"), Run: text(s, "run")})
	if o, ok := jsonvalue.Map(v); ok && err == nil {
		v = replaced(o, "code", fmt.Sprintf("<%d chars>", jsonvalue.Len(text(o, "code"))))
	}
	return shown(v, err)
}

// spoken are the params of a verb with a part that a step writes out.
func spoken(s *jsonvalue.Object, part string, pairs ...any) *jsonvalue.Object {
	v, _ := s.Get(part)
	return jsonvalue.Of(append(pairs, part, v)...)
}

func resolveRequest(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	v, err := p.verb(ctx, "resolveRequestRun", spoken(s, "resolution", "requestId", text(s, "request")))
	return p.settled(ctx, v, err)
}

func settleUser(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	v, err := p.verb(ctx, "settleUserRun", spoken(s, "resolution", "agentId", session(s), "pluginId", text(s, "plugin")))
	return p.settled(ctx, v, err)
}

func reportRender(ctx context.Context, p *player, s *jsonvalue.Object) outcome {
	_, err := p.verb(ctx, "reportRenderFailure", spoken(s, "failure", "agentId", session(s), "pluginId", text(s, "plugin"), "pluginRunId", text(s, "run")))
	return shown(nil, err)
}

func sorted(names []string) []any {
	slices.Sort(names)
	return jsonvalue.Texts(names)
}
