//go:build linux

package cordiscmd_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An agent gets the seven tools and those of its plugins, and is told when they
// change.
func TestMCP(t *testing.T) {
	g := newGround(t)
	changed := make(chan struct{}, 64)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case changed <- struct{}{}:
			default:
			}
		},
	})
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: g.command("mcp", "--autostart")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	names := func() (list []string) {
		tools, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			list = append(list, tool.Name)
		}
		return list
	}
	if list := names(); len(list) != 7 || !slices.Contains(list, "cordis_define") {
		t.Fatalf("at first there are %q", list)
	}
	call := func(tool string, args any) (string, bool) {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError
	}
	source := `const t = harness.defineTool({ name: 'twice', description: 'd', parameters: { word: { type: 'string', required: true } },
  output: { schema: { type: 'string' }, render: (a, v) => [{ type: 'text', text: v }] }, execute: ({ word }) => word + word })
return { apply(ctx) { ctx.tools.register(t) } }`
	if text, failed := call("cordis_define", map[string]any{
		"plugin": map[string]any{"kind": "new", "idPrefix": "twice"}, "name": "N", "purpose": "P", "code": map[string]any{"host": source},
	}); failed {
		t.Fatal(text)
	}
	if text, failed := call("cordis_run", map[string]any{"pluginId": "twice-1", "packageId": "pkg-1", "mode": "run"}); failed {
		t.Fatal(text)
	}
	await(t, changed, func() bool { return slices.Contains(names(), "twice") })
	if text, failed := call("twice", map[string]any{"word": "ha"}); failed || text != "haha" {
		t.Errorf("the tool answers %q, failed: %v", text, failed)
	}
	if text, failed := call("twice", map[string]any{}); !failed || !strings.Contains(text, "word") {
		t.Errorf("without its argument it answers %q, failed: %v", text, failed)
	}
	if _, failed := call("cordis_stop", map[string]any{"pluginId": "twice-1"}); failed {
		t.Error("it does not stop")
	}
	await(t, changed, func() bool { return !slices.Contains(names(), "twice") })

	// A host that went away is found again, or started.
	g.run("host", "stop")
	if text, failed := call("cordis_inspect_self", map[string]any{}); failed {
		t.Errorf("after the host was stopped: %s", text)
	}
}

// await waits until something holds, looking at each change.
func await(t *testing.T, changed <-chan struct{}, holds func() bool) {
	t.Helper()
	for !holds() {
		select {
		case <-changed:
		case <-time.After(30 * time.Second):
			t.Fatal("no change was told in 30 s")
		}
	}
}
