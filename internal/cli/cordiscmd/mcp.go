package cordiscmd

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/guide"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/internal/mcpserve"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// callTime is how long a tool may take: a start is bounded by the host, a query to
// a page by this.
const callTime = 2 * time.Minute

// parallelCalls is how many calls run at once: a query that waits for a page must
// not hold up the rest.
const parallelCalls = 16

func newMCP(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "mcp", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		return runMCP(cmd.Context(), env, o)
	}}
	sessionFlags(cmd, &o)
	return asks(cmd)
}

// runMCP serves until standard input ends. Standard output belongs to the protocol
// from here on. A host that is not there when the server starts is looked for, and
// with --autostart started, at each call.
func runMCP(ctx context.Context, env *cli.Env, o clientOptions) error {
	if _, err := open(env); err != nil { // better now than with each call
		return err
	}
	env.Lang() // chosen now, for calls read it at the same time
	version, _ := cli.BuildVersion()
	d := &desk{env: env, o: o, again: make(chan struct{}, 1)}
	d.server = mcpserve.New(mcpserve.Config{
		Name: "cordis", Title: env.Say("mcp-title"), Version: version, Instructions: guide.Prompt(string(env.Lang())),
		Timeout: callTime, Parallel: parallelCalls, Explain: d.explain,
	})
	d.server.Set(d.fixed()...)
	d.server.AddPrompts(d.prompt())
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stop()
	defer d.leave()
	if _, err := d.client(ctx); err == nil { // calls say why it fails
		d.server.Set(append(d.fixed(), d.dynamic(ctx)...)...) // so that the first list has the tools of plugins
	}
	watching.Go(func() { d.watch(ctx) })
	return d.server.Serve(ctx, env.In, env.Out)
}

// desk serves one agent: it keeps one connection with the host while there is one.
type desk struct {
	env    *cli.Env
	o      clientOptions
	server *mcpserve.Server
	again  chan struct{} // the tools may have changed

	mu   sync.Mutex
	conn *client
}

// client is the connection with the host, made anew when there is none.
func (d *desk) client(ctx context.Context) (*client, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn != nil && d.conn.Err() == nil {
		return d.conn, nil
	}
	conn, err := connect(ctx, d.env, d.o, control.Handlers{Notify: func(method string, _ json.RawMessage) {
		if method == "toolsChanged" {
			d.look()
		}
	}})
	if err != nil {
		return nil, err
	}
	d.conn = conn
	go func() {
		_ = conn.Call(context.Background(), "watchTools", nil, nil) // it ends with the connection
		d.look()
	}()
	return conn, nil
}

// look says that the tools are to be looked at.
func (d *desk) look() {
	select {
	case d.again <- struct{}{}:
	default:
	}
}

func (d *desk) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.conn != nil {
		_ = d.conn.Close()
	}
}

// watch keeps the table of tools as the Session sees it.
func (d *desk) watch(ctx context.Context) {
	for {
		select {
		case <-d.again:
			d.server.Set(append(d.fixed(), d.dynamic(ctx)...)...)
		case <-ctx.Done():
			return
		}
	}
}

// fixed are the seven tools.
func (d *desk) fixed() (tools []mcpserve.Tool) {
	for _, t := range tool.All(string(d.env.Lang())) {
		form := json.RawMessage(jsonvalue.Format(t.Parameters))
		tools = append(tools, mcpserve.Tool{
			Name: string(t.Name), Title: t.Title, About: t.Description, Form: form,
			ReadOnly: t.ReadOnly, Idempotent: t.Idempotent, Destructive: t.Destructive, OpenWorld: t.OpenWorld,
			CallRaw: func(ctx context.Context, args json.RawMessage) (any, error) {
				var r control.CordisToolResult
				err := d.call(ctx, "callCordisTool", string(t.Name), args, &r)
				if t.ReadOnly && fault.CodeOf(err) == "host-gone" { // the host was about to end: its successor answers
					err = d.call(ctx, "callCordisTool", string(t.Name), args, &r)
				}
				if err != nil {
					return nil, err
				}
				return mcpserve.Rendered{Text: r.Text, Document: document(r.Value)}, nil
			},
		})
	}
	return tools
}

// prompt is what plugins add to the prompt, for a user to put to the agent.
func (d *desk) prompt() mcpserve.Prompt {
	return mcpserve.Prompt{
		Name: "plugins", Title: d.env.Say("prompt-title"), About: d.env.Say("prompt-about"),
		Get: func(ctx context.Context, _ mcpserve.Arguments) (string, error) {
			c, err := d.client(ctx)
			if err != nil {
				return "", err
			}
			var r control.PromptResult
			if err := c.Call(ctx, "prompt", nil, &r); err != nil {
				return "", thrown(err)
			}
			return orElse(promptText(r), d.env.Say("prompt-none")), nil
		},
	}
}

// dynamic are the tools that plugins have registered; none without a host.
func (d *desk) dynamic(ctx context.Context) (tools []mcpserve.Tool) {
	d.mu.Lock()
	conn := d.conn
	d.mu.Unlock()
	if conn == nil || conn.Err() != nil {
		return nil
	}
	var r control.ToolsResult
	if _, err := conn.ask(ctx, "tools", control.SessionParams{Session: conn.session}, &r); err != nil {
		return nil
	}
	for _, t := range r.Tools {
		tools = append(tools, mcpserve.Tool{
			Name: t.Name, Title: t.Name, About: t.Description, Form: json.RawMessage(jsonvalue.Format(t.Parameters.V)), OpenWorld: true, Destructive: true,
			CallRaw: func(ctx context.Context, args json.RawMessage) (any, error) {
				var r control.ToolResult
				if err := d.call(ctx, "callTool", t.Name, args, &r); err != nil {
					return nil, err
				}
				return mcpserve.Rendered{Text: contentText(r), Document: document(r.Value)}, nil
			},
		})
	}
	return tools
}

// document is a result for programs; MCP wants an object.
func document(v control.Value) any {
	if _, ok := jsonvalue.Map(v.V); !ok {
		return nil
	}
	return json.RawMessage(jsonvalue.Format(v.V))
}

// call calls a tool of the host.
func (d *desk) call(ctx context.Context, method, name string, args json.RawMessage, result any) error {
	c, err := d.client(ctx)
	if err != nil {
		return err
	}
	p := control.ToolParams{Session: c.session, Name: name}
	if len(bytes.TrimSpace(args)) > 0 {
		v, err := jsonvalue.ParseExact(args)
		if err != nil {
			return badInput(err)
		}
		p.Args = control.Given(v)
	}
	if err := c.Call(ctx, method, p, result); err != nil {
		return placeOnce(d.env, thrown(err))
	}
	return nil
}

// ToolFailureJSON is what a tool answers over MCP when it could not do what it
// should.
type ToolFailureJSON struct {
	OK     bool   `json:"ok"`     // false
	Detail string `json:"detail"` // the sentence that a command would print
	Error  any    `json:"error"`  // code, message, hint, details
}

func (d *desk) explain(err error) (string, any) {
	sentence := d.env.Sentence(err)
	doc, failed := cli.Marshal(ToolFailureJSON{Detail: sentence, Error: d.env.ErrorBody(err)})
	if failed != nil {
		return sentence, nil
	}
	return sentence, json.RawMessage(bytes.TrimSpace(doc))
}
