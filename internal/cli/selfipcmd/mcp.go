package selfipcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/mcpserve"
	"github.com/dshkit/dshkit/pkg/fault"
)

func newMCP(env *cli.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:  "mcp",
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), env) },
	}
	return cli.Exits(cmd, fault.NotFound)
}

// runMCP serves until standard input ends. Standard output belongs to the
// protocol from here on; what the commands would print goes nowhere.
func runMCP(ctx context.Context, env *cli.Env) error {
	d, err := openDesk(env)
	if err != nil {
		return err
	}
	return d.server().Serve(ctx, env.In, env.Out)
}

// desk is where an agent is served, or a page. It keeps nothing of a call: each
// opens its workspace anew, as a command does.
type desk struct{ env *cli.Env }

// openDesk is a desk whose workspace is there.
func openDesk(env *cli.Env) (desk, error) {
	start, err := open(env, env.Flags.Dir)
	if err != nil {
		return desk{}, err
	}
	if dir := start.workspace.Root; env.Flags.Dir != "" && dir != "" && !isDir(dir) {
		return desk{}, fault.New(fault.NotFound, "workspace-missing", dir) // better now than with each call
	}
	start.warn(env)
	return newDesk(env), nil
}

func newDesk(env *cli.Env) desk {
	env.Lang() // chosen now, for calls read it at the same time
	return desk{env}
}

func (d desk) server() *mcpserve.Server {
	s := mcpserve.New(mcpserve.Config{
		Name: "selfip", Title: d.env.Say("mcp-title"), Version: version(), Instructions: d.env.Say("mcp-instructions"),
		Explain: d.explain, Resources: d.resources,
	})
	s.Add(d.tools()...)
	s.AddPrompts(d.prompts()...)
	return s
}

// ToolFailureJSON is what a tool answers when it could not do what it should.
type ToolFailureJSON struct {
	OK     bool   `json:"ok"`     // false
	Detail string `json:"detail"` // the sentence that a command would print
	Error  any    `json:"error"`  // code, message, hint, details
}

func (d desk) explain(err error) (string, any) {
	sentence := d.env.Sentence(err)
	doc, failed := documentOf(ToolFailureJSON{Detail: sentence, Error: d.env.ErrorBody(err)})
	if failed != nil {
		return sentence, nil
	}
	return sentence, doc
}

// documentOf is a result in the form in which reports write JSON.
func documentOf(v any) (any, error) {
	doc, err := cli.Marshal(v)
	return json.RawMessage(bytes.TrimSpace(doc)), err
}

// visit is one call: an Env of its own, whose output is kept, and the workspace.
type visit struct {
	*opened
	env *cli.Env
	out *bytes.Buffer
}

// visit opens the workspace that a call names, or the one that the server was
// started in. A folder that an agent names is not one that the user named: a
// home directory is no workspace by it.
func (d desk) visit(workspace string) (visit, error) {
	var out bytes.Buffer
	env := d.env.Fork(&out, d.env.Err)
	env.Flags.JSON, env.Flags.DryRun = false, false
	named := env.Flags.Dir != ""
	if workspace != "" {
		env.Flags.Dir, named = workspace, false
	}
	o, err := openAt(env, env.Flags.Dir, named)
	return visit{o, env, &out}, err
}

// text is a report as a person reads it.
func (v visit) text(r cli.Report) (string, error) {
	v.out.Reset()
	if err := v.env.Report(r); err != nil {
		return "", err
	}
	return v.out.String(), nil
}

// line is a report of one line.
func (v visit) line(r cli.Report) (string, error) {
	s, err := v.text(r)
	return strings.TrimSpace(s), err
}
