package mcpserve

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Resource is a text that a client may read.
type Resource struct {
	URI   string
	Name  string
	Title string
	About string
	Form  string // MIME type
	Read  func(context.Context) (string, error)
}

// same reports whether a client sees no difference.
func (r Resource) same(other Resource) bool {
	return r.URI == other.URI && r.Name == other.Name && r.Title == other.Title && r.About == other.About && r.Form == other.Form
}

// renewing brings the resources up to date before a client asks for them.
func (s *Server) renewing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch method {
		case "resources/list", "resources/read":
			s.renew(s.config.Resources(ctx))
		}
		return next(ctx, method, req)
	}
}

// renew makes the resources those of the list. A client is told of a change.
func (s *Server) renew(list []Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := map[string]Resource{}
	for uri, r := range s.shown {
		gone[uri] = r
	}
	for _, r := range list {
		delete(gone, r.URI)
		if old, ok := s.shown[r.URI]; ok && old.same(r) {
			continue
		}
		s.shown[r.URI] = r
		s.mcp.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.About, MIMEType: r.Form}, s.reader(r))
	}
	for uri := range gone {
		delete(s.shown, uri)
	}
	if len(gone) > 0 {
		s.mcp.RemoveResources(names(gone)...)
	}
}

func (s *Server) reader(r Resource) mcp.ResourceHandler {
	return func(ctx context.Context, _ *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := guarded(ctx, s, r.URI, r.Read)
		if err != nil {
			return nil, s.protocolError(err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.URI, MIMEType: r.Form, Text: text}}}, nil
	}
}

// guarded reads a text under the limits of a call.
func guarded(ctx context.Context, s *Server, name string, read func(context.Context) (string, error)) (string, error) {
	got, err := s.run(ctx, Tool{Name: name, Call: func(ctx context.Context, _ Arguments) (any, error) { return read(ctx) }}, nil)
	text, _ := got.(string)
	return text, err
}

// protocolError is an error where the protocol has no result for one.
func (s *Server) protocolError(err error) error {
	sentence, _ := s.explain(err)
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: sentence}
}
