package host

import (
	"context"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// Bridge is one connection of a program that offers things to plugins: a
// harness. All that it did is undone when it closes.
type Bridge struct {
	host *Host
	id   wire.Home
}

// BridgeOptions say who connects.
type BridgeOptions struct {
	Name string
	// Remote reaches what the bridge holds. nil: it holds nothing, and its values
	// may not name handles of it.
	Remote Remote
}

// Remote calls what a bridge handed in: functions, promises, tools. A half.Half
// looks the same.
type Remote interface {
	Call(ctx context.Context, f wire.Func, args []any) (any, error)
	Await(ctx context.Context, p wire.Promise) (any, error)
}

// AddBridge connects a bridge. Home is what its Handles bear.
func (h *Host) AddBridge(o BridgeOptions) *Bridge { return &Bridge{host: h} }

// Home names the bridge in the Handles of what it hands in.
func (b *Bridge) Home() wire.Home { return b.id }

// Close withdraws all that the bridge did, and returns when it is undone.
func (b *Bridge) Close(ctx context.Context) error { return errNotBuilt }

// Provide makes a service of the bridge. The value may be any wire value.
func (b *Bridge) Provide(ctx context.Context, name string, value any) error { return errNotBuilt }

// Withdraw takes a service back and returns when its users have come to rest.
func (b *Bridge) Withdraw(ctx context.Context, name string) error { return errNotBuilt }

// Register makes a tool of the bridge callable. run is called with the checked
// arguments, and may answer with a promise of the Remote.
func (b *Bridge) Register(tool half.ToolDefinition, run func(ctx context.Context, args any) (half.ToolResult, error)) error {
	return errNotBuilt
}

// Unregister removes a tool of the bridge.
func (b *Bridge) Unregister(name string) error { return errNotBuilt }

// Emit tells the listeners of an event, those of plugins included. Control
// events, cordis/*, are refused.
func (b *Bridge) Emit(ctx context.Context, event string, args []any) error { return errNotBuilt }

// Waterfall asks the listeners of an event in turn; inner is the value of the
// last.
func (b *Bridge) Waterfall(ctx context.Context, event string, args []any, inner any) (any, error) {
	return nil, errNotBuilt
}

// Service reads a live service.
func (b *Bridge) Service(ctx context.Context, name string) (value any, ok bool) { return nil, false }

// CallService calls a method of a live service, and waits for a promise that it
// gives.
func (b *Bridge) CallService(ctx context.Context, name, method string, args []any) (any, error) {
	return nil, errNotBuilt
}

// Call calls a function that came with a value.
func (b *Bridge) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	return nil, errNotBuilt
}

// Await waits for a promise that came with a value.
func (b *Bridge) Await(ctx context.Context, p wire.Promise) (any, error) { return nil, errNotBuilt }
