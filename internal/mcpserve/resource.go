package mcpserve

import (
	"context"
	"slices"
)

// Resource is a text that a client may read.
type Resource struct {
	URI   string `json:"uri"`
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	About string `json:"description,omitempty"`
	Form  string `json:"mimeType,omitempty"` // MIME type

	Read func(context.Context) (string, error) `json:"-"`
}

// resources are those that there are now.
func (s *Server) resources(ctx context.Context) []Resource {
	if s.config.Resources == nil {
		return []Resource{}
	}
	list := append([]Resource{}, s.config.Resources(ctx)...)
	slices.SortStableFunc(list, func(a, b Resource) int {
		switch {
		case a.URI < b.URI:
			return -1
		case a.URI > b.URI:
			return 1
		}
		return 0
	})
	return list
}

func (s *Server) listResources(ctx context.Context, r call) (any, *protocolError) {
	if err := r.onePage(); err != nil {
		return nil, err
	}
	list := s.resources(ctx)
	return r.list(func(o *ordered) { o.add("resources", list) }), nil
}

// readResource reads one of the resources that there are now: an address of a
// client's making is looked up, never followed.
func (s *Server) readResource(ctx context.Context, r call) (any, *protocolError) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := r.read(&p); err != nil {
		return nil, err
	}
	list := s.resources(ctx)
	i := slices.IndexFunc(list, func(one Resource) bool { return one.URI == p.URI })
	if i < 0 {
		code := resourceNotFound
		if r.modern {
			code = invalidParams
		}
		return nil, &protocolError{code, "there is no such resource", map[string]any{"uri": p.URI}}
	}
	text, err := guarded(ctx, s, p.URI, list[i].Read)
	if err != nil {
		return nil, s.mistake(err)
	}
	return r.list(func(o *ordered) {
		o.add("contents", []map[string]string{{"uri": p.URI, "mimeType": list[i].Form, "text": text}})
	}), nil
}

// guarded reads a text under the limits of a call.
func guarded(ctx context.Context, s *Server, name string, read func(context.Context) (string, error)) (string, error) {
	got, err := s.run(ctx, name, func(ctx context.Context) (any, error) { return read(ctx) })
	text, _ := got.(string)
	return text, err
}

// mistake is an error where the protocol has no result for one.
func (s *Server) mistake(err error) *protocolError {
	sentence, _ := s.explain(err)
	return refusal(invalidParams, "%s", sentence)
}
