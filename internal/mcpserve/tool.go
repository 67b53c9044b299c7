package mcpserve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Tool is something that the model may have done.
type Tool struct {
	Name  string // A-Z a-z 0-9 _ - . , at most 64 characters
	Title string // for a person
	About string // for the model: what it does, and when to use it

	Input  Schema // an object of plain values
	Output Schema // an object; only its first level is told, Open ones may hold more

	// Form is a JSON Schema in the place of Input, for a tool that checks its
	// arguments itself: they come to CallRaw, which is then there in the place of
	// Call, as they were sent.
	Form    json.RawMessage
	CallRaw func(ctx context.Context, args json.RawMessage) (any, error)

	ReadOnly    bool // changes nothing
	Idempotent  bool // the same call twice changes no more than once
	Destructive bool // may take something away
	OpenWorld   bool // reaches beyond what belongs to the server

	// Call does the work. Its arguments have been checked. The result becomes JSON;
	// an error is told to the model. It should return soon when ctx ends, which it
	// does after the timeout and when the client gives up; if it does not, its
	// result is thrown away.
	Call func(ctx context.Context, args Arguments) (any, error)
}

// Rendered is a result whose text is not its document: what a model reads, and what
// a program does; a nil Document is none.
type Rendered struct {
	Text     string
	Document any
}

// Set replaces all tools. The client is told when that changes the list.
func (s *Server) Set(tools ...Tool) {
	table := map[string]Tool{}
	for _, t := range tools {
		table[t.Name] = t
	}
	s.mu.Lock()
	same := sameList(s.tools, table)
	if same { // how they are called may have changed
		s.tools = table
	}
	s.mu.Unlock()
	if !same {
		s.toolsChange(func() { s.tools = table })
	}
}

// sameList reports whether two tables read the same in tools/list.
func sameList(a, b map[string]Tool) bool {
	if len(a) != len(b) {
		return false
	}
	for name, t := range a {
		x, errX := t.MarshalJSON()
		y, errY := b[name].MarshalJSON()
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			return false
		}
	}
	return true
}

// Add adds tools, or replaces those of the same name.
func (s *Server) Add(tools ...Tool) {
	s.toolsChange(func() {
		for _, t := range tools {
			s.tools[t.Name] = t
		}
	})
}

// Remove removes tools. A name that is not known is none to remove.
func (s *Server) Remove(names ...string) {
	s.toolsChange(func() {
		for _, name := range names {
			delete(s.tools, name)
		}
	})
}

func (s *Server) toolsChange(do func()) {
	s.change("notifications/tools/list_changed", func(l listener) bool { return l.Tools }, do)
}

// MarshalJSON writes what tools/list tells of a tool.
func (t Tool) MarshalJSON() ([]byte, error) {
	var o, hints ordered
	o.add("name", t.Name)
	o.add("title", t.Title)
	o.add("description", t.About)
	if t.Form != nil {
		o.add("inputSchema", t.Form)
	} else {
		o.add("inputSchema", t.Input)
	}
	if t.Output.Type != "" {
		o.add("outputSchema", t.Output)
	}
	hints.add("title", t.Title)
	hints.add("readOnlyHint", t.ReadOnly)
	hints.add("destructiveHint", t.Destructive)
	hints.add("idempotentHint", t.Idempotent)
	hints.add("openWorldHint", t.OpenWorld)
	o.add("annotations", &hints)
	return o.bytes()
}

func (s *Server) listTools(r call) (any, *protocolError) {
	if err := r.onePage(); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []Tool{}
	for _, name := range names(s.tools) {
		list = append(list, s.tools[name])
	}
	return r.list(func(o *ordered) { o.add("tools", list) }), nil
}

// content is a text of a result.
type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// callTool answers a call of a tool. What goes wrong is a result too, for the
// model to read; only the protocol's own mistakes are errors of the protocol.
func (s *Server) callTool(ctx context.Context, r call) (any, *protocolError) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := r.read(&p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	t, ok := s.tools[p.Name]
	s.mu.Unlock()
	if !ok {
		return nil, refusal(invalidParams, "unknown tool %q", shortened(p.Name))
	}
	text, doc, err := s.work(ctx, t, p.Arguments)
	if err != nil {
		text, doc = s.failed(err)
	}
	return r.result(func(o *ordered) {
		o.add("content", []content{{"text", text}})
		if doc != nil {
			o.add("structuredContent", doc)
		}
		if err != nil {
			o.add("isError", true)
		}
	}), nil
}

// work checks the arguments, calls the tool, and makes text and document of its
// result.
func (s *Server) work(ctx context.Context, t Tool, given json.RawMessage) (text string, doc json.RawMessage, err error) {
	call := func(ctx context.Context) (any, error) { return t.CallRaw(ctx, given) }
	if t.CallRaw == nil {
		args, err := t.Input.Check(given)
		if err != nil {
			return "", nil, err
		}
		call = func(ctx context.Context) (any, error) { return t.Call(ctx, args) }
	}
	result, err := s.run(ctx, t.Name, call)
	if err != nil {
		return "", nil, err
	}
	if r, ok := result.(Rendered); ok {
		if r.Document != nil {
			doc, err = encode(r.Document)
		}
		return r.Text, doc, err
	}
	doc, err = encode(result)
	return string(doc), doc, err
}

// failed is what the model is told of a call that did not do what it should.
func (s *Server) failed(err error) (sentence string, doc json.RawMessage) {
	sentence, document := s.explain(err)
	if document == nil {
		return sentence, nil
	}
	doc, err = encode(document)
	if err != nil {
		return sentence, nil
	}
	return sentence, doc
}

// outcome is what a call came to.
type outcome struct {
	result any
	err    error
}

// run waits for a free slot, then for the call, no longer than the timeout. A
// call that goes on all the same keeps its slot, so that their number is bounded.
func (s *Server) run(ctx context.Context, name string, call func(context.Context) (any, error)) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, s.ended(ctx, name)
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-s.slots }()
		done <- safely(ctx, call)
	}()
	select {
	case o := <-done:
		if o.err != nil && ctx.Err() != nil {
			return nil, s.ended(ctx, name)
		}
		return o.result, o.err
	case <-ctx.Done():
		return nil, s.ended(ctx, name)
	}
}

// safely calls a tool; a panic is an error of the call alone.
func safely(ctx context.Context, call func(context.Context) (any, error)) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{err: fault.New(fault.Internal, codePanic, fmt.Sprint(p))}
		}
	}()
	result, err := call(ctx)
	return outcome{result, err}
}

// ended says why a call was given up.
func (s *Server) ended(ctx context.Context, tool string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Timeout, codeCallTimeout, tool, s.config.Timeout.String())
	}
	return fault.New(fault.Timeout, codeCallCancelled, tool)
}
