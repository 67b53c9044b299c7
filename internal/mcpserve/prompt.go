package mcpserve

import (
	"context"
	"encoding/json"
)

// Prompt is a message that the user may have put to the model, as clients offer
// them by a slash. Getting one must change nothing: clients do it to show it.
type Prompt struct {
	Name   string
	Title  string
	About  string
	Fields []Field // texts
	Get    func(ctx context.Context, args Arguments) (string, error)
}

// AddPrompts adds prompts, or replaces those of the same name.
func (s *Server) AddPrompts(prompts ...Prompt) {
	s.change("notifications/prompts/list_changed", func(l listener) bool { return l.Prompts }, func() {
		for _, p := range prompts {
			s.prompts[p.Name] = p
		}
	})
}

// promptField is an argument as prompts/list tells of it.
type promptField struct {
	Name     string `json:"name"`
	About    string `json:"description,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// MarshalJSON writes what prompts/list tells of a prompt.
func (p Prompt) MarshalJSON() ([]byte, error) {
	var o ordered
	o.add("name", p.Name)
	o.add("title", p.Title)
	o.add("description", p.About)
	var fields []promptField
	for _, f := range p.Fields {
		fields = append(fields, promptField{f.Name, f.About, f.Required})
	}
	if fields != nil {
		o.add("arguments", fields)
	}
	return o.bytes()
}

func (s *Server) listPrompts(r call) (any, *protocolError) {
	if err := r.onePage(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Prompt{}
	for _, name := range names(s.prompts) {
		list = append(list, s.prompts[name])
	}
	return r.list(func(o *ordered) { o.add("prompts", list) }), nil
}

func (s *Server) getPrompt(ctx context.Context, r call) (any, *protocolError) {
	var given struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := r.read(&given); err != nil {
		return nil, err
	}
	s.mu.Lock()
	p, ok := s.prompts[given.Name]
	s.mu.Unlock()
	if !ok {
		return nil, refusal(invalidParams, "unknown prompt %q", shortened(given.Name))
	}
	args, err := Schema{Type: Object, Fields: p.Fields}.Check(given.Arguments)
	if err != nil {
		return nil, s.mistake(err)
	}
	text, err := guarded(ctx, s, p.Name, func(ctx context.Context) (string, error) { return p.Get(ctx, args) })
	if err != nil {
		return nil, s.mistake(err)
	}
	return r.result(func(o *ordered) {
		o.add("description", p.About)
		o.add("messages", []map[string]any{{"role": "user", "content": content{"text", text}}})
	}), nil
}
