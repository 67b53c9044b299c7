package cordis_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// A bridge that goes in the middle of a call, or answers with nonsense, is an error
// to plugin code that tells nothing of sockets and decoders.
func TestABridgeThatIsNoHelp(t *testing.T) {
	c := gather(t)
	defer c.stop()
	asked := make(chan struct{})
	bridge := c.connect(control.Bridge, control.Handlers{Request: func(string) (control.Handler, error) {
		return func(ctx context.Context, params json.RawMessage) (any, error) {
			var call control.BridgeCall
			if err := json.Unmarshal(params, &call); err != nil || len(call.Args) == 0 {
				return map[string]any{"value": map[string]any{"$": "nonsense"}}, err
			}
			close(asked)
			<-ctx.Done()
			return nil, ctx.Err()
		}, nil
	}})
	service := control.Live{V: wire.Object{Members: []wire.Member{{Name: "f", Value: wire.Func{Handle: wire.Handle{ID: 1}}}}}}
	ask := func(conn *control.Conn, method string, params, result any) {
		t.Helper()
		if err := conn.Call(t.Context(), method, params, result); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	ask(bridge, "provide", control.ProvideParams{Name: "probe", Value: service}, nil)
	client := c.connect(control.Client, control.Handlers{})
	source := `let probe
		const told = (...args) => { try { probe.f(...args) } catch (e) { return e.message } }
		harness.handle("nonsense", () => told())
		harness.handle("silence", () => told(1))
		return {inject: ["probe"], apply(ctx) { probe = ctx.probe }}`
	var made struct{ PluginID, PackageID string }
	ask(client, "define", control.DefineParams{Prefix: "abc", Name: "n", Purpose: "p", Host: &source}, &made)
	ask(client, "run", control.RunParams{Plugin: made.PluginID, Package: made.PackageID, Mode: "run"}, nil)
	invoke := func(method string) (r control.InvokeResult) {
		t.Helper()
		ask(client, "invoke", control.InvokeParams{Plugin: made.PluginID, Method: method}, &r)
		return r
	}
	if diff := cmp.Diff(any("the bridge gave an answer that cannot be read"), invoke("nonsense").Value.V); diff != "" {
		t.Errorf("nonsense: (-want +got)\n%s", diff)
	}
	go func() {
		<-asked
		_ = bridge.Close()
	}()
	if diff := cmp.Diff(any("the bridge that this belongs to is gone"), invoke("silence").Value.V); diff != "" {
		t.Errorf("silence: (-want +got)\n%s", diff)
	}
}

func (c *crowd) connect(role control.Role, handlers control.Handlers) *control.Conn {
	c.t.Helper()
	conn, _, err := c.space.Connect(c.over, role, handlers)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	return conn
}
