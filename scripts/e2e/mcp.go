package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// mcpInspector is a client of MCP that is not written in Go: its makers' own tool
// to look at servers. It starts `selfip mcp` and asks one thing each time.
func mcpInspector() harnessCase {
	return harnessCase{
		name: "mcp-inspector", npm: "@modelcontextprotocol/inspector", version: "0.15.0", program: "mcp-inspector",
		setup: func(*world) error { return nil },
		play:  inspect,
	}
}

// inspected is what the inspector prints, of all that it can be asked.
type inspected struct {
	Tools []struct {
		Name        string `json:"name"`
		Annotations struct {
			ReadOnly bool `json:"readOnlyHint"`
		} `json:"annotations"`
	} `json:"tools"`
	Content    []struct{ Text string } `json:"content"`
	Structured map[string]any          `json:"structuredContent"`
	IsError    bool                    `json:"isError"`
	Resources  []struct{ URI string }  `json:"resources"`
	Contents   []struct{ Text string } `json:"contents"`
	Prompts    []struct{ Name string } `json:"prompts"`
	Messages   []struct {
		Content struct{ Text string } `json:"content"`
	} `json:"messages"`
}

func (w *world) ask(ctx context.Context, words ...string) (got inspected, err error) {
	args := append([]string{"--cli", w.binary, "mcp", "--method"}, words...)
	out, err := w.run(ctx, []string{"SELFIP_BACKGROUND=false"}, w.program, args...)
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal([]byte(out), &got)
}

// want is an error unless ok.
func want(ok bool, err error, format string, args ...any) error {
	if err == nil && !ok {
		return fmt.Errorf(format, args...)
	}
	return err
}

func inspect(ctx context.Context, w *world, r *result) error {
	got, err := w.ask(ctx, "tools/list")
	r.check("it lists the six tools", want(len(got.Tools) == 6, err, "%d tools", len(got.Tools)))

	got, err = w.ask(ctx, "tools/call", "--tool-name", "remember", "--tool-arg", "note="+knownFact, "--tool-arg", "importance=8")
	r.check("remember stores", want(!got.IsError && got.Structured["ok"] == true, err, "%+v", got))
	memory, err := w.selfip(ctx, "memory")
	r.check("the command line finds it", want(strings.Contains(memory, knownFact), err, "%q", memory))

	got, err = w.ask(ctx, "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=build host")
	r.check("memory_search finds it", want(got.Structured["count"] == 1.0 && strings.Contains(fmt.Sprint(got.Structured), knownFact), err, "%+v", got))

	got, err = w.ask(ctx, "tools/call", "--tool-name", "remember", "--tool-arg", "note=x", "--tool-arg", "kind=nope")
	r.check("a mistake is a result that the model reads", want(got.IsError && len(got.Content) == 1 && strings.Contains(got.Content[0].Text, "nope"), err, "%+v", got))

	got, err = w.ask(ctx, "resources/list")
	r.check("it lists the resources", want(len(got.Resources) == 6, err, "%+v", got.Resources))
	got, err = w.ask(ctx, "resources/read", "--uri", "selfip://view")
	r.check("it reads what a session is given", want(len(got.Contents) == 1 && strings.Contains(got.Contents[0].Text, knownFact), err, "%+v", got))

	got, err = w.ask(ctx, "prompts/list")
	r.check("it lists the prompts", want(len(got.Prompts) == 7, err, "%+v", got.Prompts))
	got, err = w.ask(ctx, "prompts/get", "--prompt-name", "memory", "--prompt-args", "text=build host")
	r.check("it gets a prompt", want(len(got.Messages) == 1 && strings.Contains(got.Messages[0].Content.Text, knownFact), err, "%+v", got))
	return nil
}
