package mcpserve

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	for _, p := range prompts {
		d := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.About}
		for _, f := range p.Fields {
			d.Arguments = append(d.Arguments, &mcp.PromptArgument{Name: f.Name, Description: f.About, Required: f.Required})
		}
		s.mcp.AddPrompt(d, s.prompter(p))
	}
}

func (s *Server) prompter(p Prompt) mcp.PromptHandler {
	return func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		raw, err := json.Marshal(req.Params.Arguments)
		if err != nil {
			return nil, err
		}
		args, err := Schema{Type: Object, Fields: p.Fields}.Check(raw)
		if err != nil {
			return nil, s.protocolError(err)
		}
		text, err := guarded(ctx, s, p.Name, func(ctx context.Context) (string, error) { return p.Get(ctx, args) })
		if err != nil {
			return nil, s.protocolError(err)
		}
		return &mcp.GetPromptResult{
			Description: p.About,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	}
}
