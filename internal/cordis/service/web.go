package service

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of requests.
const (
	webTimeout   = 30 * time.Second
	maxBody      = 2 << 20
	maxRedirects = 10
	maxURL       = 8 << 10
)

// web fetches pages from granted hosts; searching is for providers.
type web struct {
	grants func() grant.List
	root   string

	mu      sync.Mutex
	fetches []*provider
	finds   []*provider
}

func newWeb(settings Settings) *web {
	return &web{grants: settings.granted, root: settings.Workspace}
}

// provider is what a plugin has registered: a function of it.
type provider struct {
	peer Peer
	ask  wire.Func
}

// register adds a provider; the newest is asked.
func (w *web) register(list *[]*provider, name string) handler {
	return func(c *call) (any, error) {
		f, ok := member(c.object(c.arg(0), "provider"), name).(wire.Func)
		if !ok {
			c.wrong("provider."+name, "a function")
		}
		if c.bad != nil {
			return nil, c.bad
		}
		p := &provider{c.caller.Peer, f}
		w.mu.Lock()
		*list = append(*list, p)
		w.mu.Unlock()
		return c.disposer(func(context.Context) {
			w.mu.Lock()
			*list = slices.DeleteFunc(*list, func(q *provider) bool { return q == p })
			w.mu.Unlock()
		})
	}
}

func (w *web) newest(list *[]*provider) *provider {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(*list) == 0 {
		return nil
	}
	return (*list)[len(*list)-1]
}

// fetch gets a page: from the provider that was registered last, else by itself.
func (w *web) fetch(c *call) (any, error) {
	text := c.text(member(c.object(c.arg(0), "request"), "url"), "request.url")
	if c.bad != nil {
		return nil, c.bad
	}
	u, err := address(text)
	if err != nil {
		return nil, err
	}
	if p := w.newest(&w.fetches); p != nil {
		return p.result(c, jsonvalue.Of("url", text), fetched)
	}
	if err := c.held.fetching.take(maxFetching); err != nil {
		return nil, err
	}
	defer c.held.fetching.give()
	ctx, cancel := context.WithTimeoutCause(c.ctx, webTimeout, errTimeout)
	defer cancel()
	page, err := w.get(ctx, c, u)
	if err != nil && errors.Is(context.Cause(ctx), errTimeout) {
		return nil, errTimeout
	}
	return page, err
}

// address is a URL that can be fetched.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || len(text) > maxURL || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, argumentError("request.url must be an absolute URL of http or https")
	case u.User != nil:
		return nil, argumentError("request.url must hold no name or password")
	}
	return u, nil
}

// search asks the provider that was registered last.
func (w *web) search(c *call) (any, error) {
	request := c.object(c.arg(0), "request")
	o := jsonvalue.Of("query", c.text(member(request, "query"), "request.query"))
	if n := member(request, "maxResults"); n != nil {
		o.Set("maxResults", float64(c.whole(n, "request.maxResults", 100)))
	}
	if c.bad != nil {
		return nil, c.bad
	}
	p := w.newest(&w.finds)
	if p == nil {
		return nil, &wire.Thrown{Name: "Error", Code: "no-provider", Message: "nobody can search here: a plugin has to register a provider with web.registerSearchProvider"}
	}
	return p.result(c, o, found)
}

// result asks a provider and checks the shape of what it gives.
func (p *provider) result(c *call, request *jsonvalue.Object, fits func(o *jsonvalue.Object) bool) (any, error) {
	ctx, cancel := context.WithTimeoutCause(c.ctx, webTimeout, errTimeout)
	defer cancel()
	args := []any{request}
	if signal, ok := c.signal(); ok && signal.Home == wire.Host {
		args = append(args, signal)
	}
	value, err := ask(ctx, p.peer, p.ask, args...)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, err
	}
	o, ok := value.(*jsonvalue.Object)
	if !ok || !plain(o) || !fits(o) {
		return nil, &wire.Thrown{Name: "Error", Code: "bad-provider", Message: "the registered provider gave something else than it should"}
	}
	return o, nil
}

func fetched(o *jsonvalue.Object) bool {
	_, hasURL := o.Text("url")
	_, hasStatus := o.Number("statusCode")
	body, _ := o.Map("body")
	kind, _ := body.Text("kind")
	_, hasContent := body.Text("content")
	_, hasTruncated := o.Truth("truncated")
	return hasURL && hasStatus && hasContent && hasTruncated && (kind == "html" || kind == "text")
}

func found(o *jsonvalue.Object) bool {
	sources, ok := o.Array("sources")
	_, hasTruncated := o.Truth("truncated")
	return ok && hasTruncated && !slices.ContainsFunc(sources, func(v any) bool {
		source, _ := jsonvalue.Map(v)
		_, ok := source.Text("url")
		return !ok
	})
}
