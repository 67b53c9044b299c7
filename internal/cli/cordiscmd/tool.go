package cordiscmd

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func newTool(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "tool"}
	list := newToolList(env)
	cmd.AddCommand(list, newToolRun(env))
	cmd.Args, cmd.RunE = cli.Subcommands, list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	return asks(cmd)
}

func newToolList(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "list", Args: cli.ArgCount(0, 0), RunE: func(cmd *cobra.Command, _ []string) error {
		var r control.ToolsResult
		raw, err := ask(cmd.Context(), env, o, "tools", func(session string) any { return control.SessionParams{Session: session} }, &r)
		if err != nil {
			return err
		}
		return env.Report(answer{raw, func(w *cli.Writer) { writeTools(w, r.Tools) }})
	}}
	sessionFlags(cmd, &o)
	return asks(cmd)
}

func writeTools(w *cli.Writer, tools []control.ToolInfo) {
	if len(tools) == 0 {
		w.Say("tools-none")
		return
	}
	rows := [][]string{{w.Phrase("col-tool"), w.Phrase("col-plugin"), w.Phrase("col-about")}}
	for _, t := range tools {
		rows = append(rows, []string{t.Name, dash(t.Plugin), t.Description})
	}
	w.Columns(true, rows)
}

// newToolRun makes tool call: a tool that a plugin or a bridge has registered.
func newToolRun(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{Use: "call NAME [JSON]", Args: cli.ArgCount(1, 2), RunE: func(cmd *cobra.Command, args []string) error {
		p := control.ToolParams{Name: args[0]}
		if err := toolArguments(env, args, &p); err != nil {
			return err
		}
		return runToolCall(cmd.Context(), env, o, p)
	}}
	sessionFlags(cmd, &o)
	return completes(env, asks(cmd, fault.NotFound, fault.Plugin), toolWords)
}

func toolArguments(env *cli.Env, args []string, p *control.ToolParams) error {
	if len(args) < 2 {
		return nil
	}
	v, err := jsonArgument(env, args[1])
	p.Args = control.Given(v)
	return err
}

func runToolCall(ctx context.Context, env *cli.Env, o clientOptions, p control.ToolParams) error {
	var r control.ToolResult
	raw, err := ask(ctx, env, o, "callTool", func(session string) any { p.Session = session; return p }, &r)
	if err != nil {
		return err
	}
	return env.Report(answer{raw, func(w *cli.Writer) { w.Line(contentText(r)) }})
}

// contentText is what a tool renders for a model, else its value.
func contentText(r control.ToolResult) string {
	var parts []string
	for o := range objects(r.Content.V) {
		if text(o, "type") == "text" {
			parts = append(parts, text(o, "text"))
			continue
		}
		parts = append(parts, jsonvalue.Format(o))
	}
	if len(parts) == 0 {
		return indented(r.Value.V)
	}
	return strings.Join(parts, "\n")
}

// newToolCall makes tool-call: one of the seven tools by its name on the wire.
func newToolCall(env *cli.Env) *cobra.Command {
	var o clientOptions
	cmd := &cobra.Command{
		Use: "tool-call NAME [JSON]", Args: cli.ArgCount(1, 2), ValidArgsFunction: cli.ArgWords(toolNames()),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkToolName(args[0]); err != nil {
				return err
			}
			p := control.ToolParams{Name: args[0]}
			if err := toolArguments(env, args, &p); err != nil {
				return err
			}
			return runCordisTool(cmd.Context(), env, o, p)
		},
	}
	sessionFlags(cmd, &o)
	return asks(cmd, fault.NotFound, fault.Plugin)
}

func toolNames() (names []string) {
	for _, n := range tool.Names() {
		names = append(names, string(n))
	}
	return names
}

func checkToolName(name string) error {
	if !slices.Contains(toolNames(), name) {
		return fault.New(fault.NotFound, "no-cordis-tool", name, strings.Join(toolNames(), ", "))
	}
	return nil
}

func runCordisTool(ctx context.Context, env *cli.Env, o clientOptions, p control.ToolParams) error {
	var r control.CordisToolResult
	_, err := ask(ctx, env, o, "callCordisTool", func(session string) any { p.Session = session; return p }, &r)
	if err != nil {
		return err
	}
	return env.Report(cordisToolReport{r})
}

type cordisToolReport struct{ control.CordisToolResult }

func (r cordisToolReport) JSON() any          { return r.Value }
func (r cordisToolReport) Text(w *cli.Writer) { w.Line(r.CordisToolResult.Text) }

func newSchema(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use: "schema [NAME]", Args: cli.ArgCount(0, 1), ValidArgsFunction: cli.ArgWords(toolNames()),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return env.Report(schemasReport{tool.All(string(env.Lang()))})
			}
			if err := checkToolName(args[0]); err != nil {
				return err
			}
			t, _ := tool.Find(args[0], string(env.Lang()))
			return env.Report(schemaReport{t})
		},
	}
	return cli.Exits(cmd, fault.NotFound)
}

// SchemasJSON is what schema writes with --json without a name.
type SchemasJSON struct {
	Tools []ToolSchemaJSON `json:"tools"`
}

// ToolSchemaJSON is one of the seven tools as a model is told of it.
type ToolSchemaJSON struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Parameters  any    `json:"parameters"` // a JSON Schema
}

func toolSchema(t tool.Tool) ToolSchemaJSON {
	return ToolSchemaJSON{string(t.Name), t.Title, t.Description, t.Parameters}
}

type schemasReport struct{ tools []tool.Tool }

func (r schemasReport) JSON() any {
	list := []ToolSchemaJSON{}
	for _, t := range r.tools {
		list = append(list, toolSchema(t))
	}
	return SchemasJSON{list}
}

func (r schemasReport) Text(w *cli.Writer) {
	for i, t := range r.tools {
		if i > 0 {
			w.Line("")
		}
		schemaReport{t}.Text(w)
	}
}

type schemaReport struct{ tool tool.Tool }

func (r schemaReport) JSON() any { return r.tool.Parameters }

func (r schemaReport) Text(w *cli.Writer) {
	w.Line(w.Bold(string(r.tool.Name)))
	w.Line(r.tool.Description)
	w.Line(indented(r.tool.Parameters))
}
