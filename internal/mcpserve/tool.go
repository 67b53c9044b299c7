package mcpserve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Tool is something that the model may have done.
type Tool struct {
	Name  string // A-Z a-z 0-9 _ - . , at most 64 characters
	Title string // for a person
	About string // for the model: what it does, and when to use it

	Input  Schema // an object of plain values
	Output Schema // an object; only its first level is told, Open ones may hold more

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

// Add adds tools, or replaces those of the same name.
func (s *Server) Add(tools ...Tool) {
	for _, t := range tools {
		s.mcp.AddTool(t.declared(), s.handler(t))
	}
}

// Remove removes tools. A name that is not known is none to remove.
func (s *Server) Remove(names ...string) { s.mcp.RemoveTools(names...) }

func (t Tool) declared() *mcp.Tool {
	destructive, open := t.Destructive, t.OpenWorld
	d := &mcp.Tool{
		Name: t.Name, Title: t.Title, Description: t.About, InputSchema: t.Input,
		Annotations: &mcp.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.ReadOnly, IdempotentHint: t.Idempotent,
			DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
	if t.Output.Type != "" {
		d.OutputSchema = t.Output
	}
	return d
}

// handler answers a call of a tool. What goes wrong is a result too, for the
// model to read; only the protocol's own mistakes are errors of the protocol.
func (s *Server) handler(t Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		args, err := t.Input.Check(req.Params.Arguments)
		var result any
		if err == nil {
			result, err = s.run(ctx, t, args)
		}
		var doc json.RawMessage
		if err == nil {
			doc, err = encode(result)
		}
		if err != nil {
			return s.failed(err), nil
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(doc)}},
			StructuredContent: doc,
		}, nil
	}
}

// failed is the result of a call that did not do what it should.
func (s *Server) failed(err error) *mcp.CallToolResult {
	sentence, document := s.explain(err)
	out := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: sentence}}}
	if doc, err := encode(document); err == nil && document != nil {
		out.StructuredContent = doc
	}
	return out
}

// outcome is what a call came to.
type outcome struct {
	result any
	err    error
}

// run waits for a free slot, then for the call, no longer than the timeout. A
// call that goes on all the same keeps its slot, so that their number is bounded.
func (s *Server) run(ctx context.Context, t Tool, args Arguments) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.Timeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, s.ended(ctx, t.Name)
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { <-s.slots }()
		done <- safely(ctx, t, args)
	}()
	select {
	case o := <-done:
		if o.err != nil && ctx.Err() != nil {
			return nil, s.ended(ctx, t.Name)
		}
		return o.result, o.err
	case <-ctx.Done():
		return nil, s.ended(ctx, t.Name)
	}
}

// safely calls a tool; a panic is an error of the call alone.
func safely(ctx context.Context, t Tool, args Arguments) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{err: fault.New(fault.Internal, codePanic, fmt.Sprint(p))}
		}
	}()
	result, err := t.Call(ctx, args)
	return outcome{result, err}
}

// ended says why a call was given up.
func (s *Server) ended(ctx context.Context, tool string) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Timeout, codeCallTimeout, tool, s.config.Timeout.String())
	}
	return fault.New(fault.Timeout, codeCallCancelled, tool)
}
