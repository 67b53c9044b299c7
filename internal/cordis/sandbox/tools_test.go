package sandbox_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// tool calls a tool by its name.
func (w *world) tool(ctx context.Context, name string, args any) (wire.ToolResult, error) {
	w.t.Helper()
	var result wire.ToolResult
	w.mu.Lock()
	id := uint64(0)
	for n, t := range w.tools {
		if t.Name == name {
			id = n
		}
	}
	w.mu.Unlock()
	if id == 0 {
		w.t.Fatalf("no tool %s", name)
	}
	err := w.peer.Call(ctx, w.chain(), wire.VerbExecute, wire.Execute{Tool: id, Args: args}, &result)
	return result, err
}

// sample 02
func TestFunctionForm(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	started, err := w.start(sample(t, "02-function-form", "host.js"))
	if want := (wire.Started{Name: "reverser", Function: true}); err != nil || !cmp.Equal(started, want) {
		t.Fatalf("%+v, %v", started, err)
	}
	if err := w.load(); err != nil {
		t.Fatal(err)
	}
	const schema = `{"type":"object","properties":{"text":{"type":"string","description":"Words to reverse."}},"required":["text"]}`
	if got := jsonvalue.Format(w.toolList().Tools[0].Parameters); got != schema {
		t.Errorf("%s", got)
	}
	result, err := w.tool(w.ctx, "reverse_words", jsonvalue.Of("text", "one two three"))
	if err != nil {
		t.Fatal(err)
	}
	got := jsonvalue.Format([]any{result.Value, result.Content, result.Meta})
	if want := `[{"text":"three two one","count":3},[{"type":"text","text":"three two one"}],{"count":3}]`; got != want {
		t.Errorf("%s", got)
	}
	w.mustUnload()
	if len(w.tools) > 0 {
		t.Error("the tool is still there")
	}
}

// A name that is taken is refused by the host, and nothing is left behind.
func TestDuplicateTool(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.tools[99] = wire.ToolDefinition{Name: "reverse_words"}
	if _, err := w.start(sample(t, "02-function-form", "host.js")); err != nil {
		t.Fatal(err)
	}
	if err := w.load(); err == nil || !strings.Contains(err.Error(), `tool "reverse_words" is already registered`) {
		t.Errorf("load: %v", err)
	}
	if len(w.tools) != 1 {
		t.Errorf("%+v", w.tools)
	}
}

// sample 08: CR-S1, CR-S2, CR-X11, CR-N11
func TestToolBoundary(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "08-tool-schema", "host.js"))
	w.expect(golden(t, "08-tool-schema", 0))
	for name, want := range map[string][2]string{
		"bad_render":  {"ToolOutputError INVALID_TOOL_OUTPUT", `tool.render-shape("not blocks")`},
		"bad_value":   {"ToolOutputError INVALID_TOOL_OUTPUT", `tool.output(bad_value: value:type string)`},
		"lossy_value": {"TypeError ", `json.lossy(harness.defineTool execute result)`},
		"throws":      {"Error ", "tool failed"},
	} {
		_, err := w.tool(w.ctx, name, jsonvalue.Of())
		thrown, ok := errors.AsType[*wire.Thrown](err)
		if !ok || gist(thrown.Message) != want[1] || thrown.Name+" "+thrown.Code != want[0] {
			t.Errorf("%s: %+v", name, err)
		}
	}
	result, err := w.tool(w.ctx, "peek", jsonvalue.Of())
	if want := jsonvalue.Of("view", []any{"description", "name", "parameters"}, "none", true, "count", false); err != nil || !jsonvalue.Equal(want, result.Value) {
		t.Errorf("%s, %v", jsonvalue.Format(result.Value), err)
	}
}

const toolHead = `const tool = over => harness.defineTool({ name: 't', description: 'd', parameters: {}, output: { schema: { type: 'json' }, render: () => [] }, execute: () => 1, ...over })
`

// CR-S1, CR-S2, CR-N6
func TestDefineTool(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(toolHead + `return ctx => {
		const tries = { number: () => harness.defineTool(42), empty: () => harness.defineTool({ parameters: {} }), name: () => tool({ name: '' }), description: () => tool({ description: 5 }),
			undescribed: () => tool({ description: undefined }), foreign: () => harness.registerTool({}, tool({})) }
		for (const [label, f] of Object.entries(tries)) try { f(); console.log(label, 'taken') } catch (e) { console.log(label, e.message) }
		harness.registerTool(ctx, tool({ name: 'long', output: { schema: { type: 'json' }, render: () => ['x'.repeat(500)] } }))
		harness.registerTool(ctx, tool({ name: 'render throws', output: { schema: { type: 'json' }, render: () => { throw new Error('r') } } }))
		harness.registerTool(ctx, tool({ name: 'lossy meta', output: { schema: { type: 'json' }, render: () => [], presentationMeta: () => undefined } }))
		harness.registerTool(ctx, tool({ name: 'limit', timeoutMs: 1500 }))
	}`)
	want := []string{
		"number harness.defineTool: the definition must be an object",
		"empty harness.defineTool: output must declare { schema, render, presentationMeta? }",
		"name harness.defineTool: name must be a non-empty text",
		"description harness.defineTool: description must be a text",
		"undescribed taken",
		"foreign harness.registerTool wants the ctx that apply was given",
	}
	if diff := cmp.Diff(want, w.logs()); diff != "" {
		t.Error(diff)
	}
	for name, start := range map[string]string{
		"long": `output.render gave ["` + strings.Repeat("x", 118) + "…:", "render throws": "output.render failed: r", "lossy meta": "output.presentationMeta failed: ",
	} {
		_, err := w.tool(w.ctx, name, jsonvalue.Of())
		thrown, ok := errors.AsType[*wire.Thrown](err)
		if !ok || thrown.Code != "INVALID_TOOL_OUTPUT" || !strings.HasPrefix(thrown.Message, start) {
			t.Errorf("%s: %+v", name, err)
		}
	}
	i := slices.IndexFunc(w.toolList().Tools, func(d wire.ToolDefinition) bool { return d.Name == "limit" })
	if limit := w.toolList().Tools[i].Timeout; limit != 1500*time.Millisecond {
		t.Errorf("the limit is %s", limit)
	}
}

// sample 14, CR-S7
func TestToolArguments(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "14-node-globals", "host.js"))
	result, err := w.tool(w.ctx, "realm_check", jsonvalue.Of("items", []any{"a"}))
	want := jsonvalue.Of("array", true, "object", true, "own", true, "isArray", true, "frozen", true, "sameProto", true, "fn", true)
	if err != nil || !jsonvalue.Equal(want, result.Value) {
		t.Errorf("%s, %v", jsonvalue.Format(result.Value), err)
	}
}

// CR-X5, CR-X10
func TestServiceInTool(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.probe()
	w.run(sample(t, "13-undeclared-service", "lazy.host.js"))
	if _, err := w.tool(w.ctx, "lazy_probe", jsonvalue.Of()); err == nil || gist(err.Error()) != "guard.undeclared(probe)" {
		t.Errorf("%v", err)
	}
	if len(w.reports) != 1 || w.reports[0].Guard != "undeclared" {
		t.Errorf("%+v", w.reports)
	}
}

// A caller that waits no longer aborts the signal of the tool.
func TestToolIsAborted(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(toolHead + `return ctx => { ctx.tools.register(tool({ execute: (args, { signal }) => new Promise((ok, no) => {
		console.log('waits', signal.aborted); signal.addEventListener('abort', () => { console.log('aborted', signal.aborted, signal.reason.name); ok(1) }) }) })) }`)
	ctx, cancel := context.WithCancel(w.ctx)
	ended := make(chan error, 1)
	go func() { _, err := w.tool(ctx, "t", jsonvalue.Of()); ended <- err }()
	w.untilLine("waits false")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	w.untilLine("aborted true AbortError")
}

// The signal of a call that has ended takes no place.
func TestSignalsOfToolsAreLetGo(t *testing.T) {
	w := newWorld(t, sandbox.Config{Limits: sandbox.Limits{Handles: 4}})
	w.services["s"] = w.function("s", func(context.Context, []any) (any, error) { return nil, nil })
	w.run(toolHead + `return ctx => { ctx.tools.register(tool({ execute: (args, { signal }) => { ctx.get('s')(signal); return 1 } })) }`)
	for range 20 {
		if _, err := w.tool(w.ctx, "t", jsonvalue.Of()); err != nil {
			t.Fatal(err)
		}
	}
}
