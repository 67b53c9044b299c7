package control

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
)

var bridges = []Role{Bridge}

// The params and results of the operations of a bridge, and of what the host asks
// it.
type (
	ProvideParams struct {
		Name  string `json:"name"`
		Value Live   `json:"value"`
	}
	NameParams struct {
		Name string `json:"name"`
	}
	ServiceResult struct {
		OK    bool  `json:"ok"`
		Value *Live `json:"value,omitempty"`
	}
	CallServiceParams struct {
		Name   string `json:"name"`
		Method string `json:"method"`
		Args   []Live `json:"args,omitempty"`
	}
	BridgeCall struct {
		Func Live   `json:"func"`
		Args []Live `json:"args"`
	}
	BridgeAwait struct {
		Promise Live `json:"promise"`
	}
	BridgeValue struct {
		Value Live `json:"value"`
	}
	RegisterParams struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Parameters  Value  `json:"parameters"` // a JSON Schema
		Output      Value  `json:"output"`     // a JSON Schema
		TimeoutMS   int64  `json:"timeoutMs,omitempty"`
	}
	EmitParams struct {
		Event string `json:"event"`
		Args  []Live `json:"args,omitempty"`
	}
	WaterfallParams struct {
		Event string `json:"event"`
		Args  []Live `json:"args,omitempty"`
		Inner Live   `json:"inner"` // the value of the last
	}
	BridgeExecute struct {
		Tool string `json:"tool"`
		Args Value  `json:"args"`
	}
	BridgeToolAnswer struct {
		Value   Value    `json:"value"`
		Content []Value  `json:"content"`
		Meta    Optional `json:"meta,omitzero"`
	}
)

// own makes wire values of what a bridge hands in.
func (s *seat) own(l Live) any { return rehomed(l.V, "", s.bridge.Home()) }

func (s *seat) ownAll(list []Live) []any {
	args := make([]any, len(list))
	for i, l := range list {
		args[i] = s.own(l)
	}
	return args
}

// shown makes of a wire value what its bridge knows.
func (s *seat) shown(v any) Live {
	s.kept.keep(v)
	return Live{rehomed(v, s.bridge.Home(), "")}
}

func (s *seat) shownAll(list []any) []Live {
	args := make([]Live, len(list))
	for i, v := range list {
		args[i] = s.shown(v)
	}
	return args
}

func bridgeMethods() []Method {
	return []Method{
		on("provide", bridges, func(ctx context.Context, s *seat, p ProvideParams) (nothing, error) {
			return nothing{}, s.bridge.Provide(ctx, p.Name, s.own(p.Value))
		}),
		on("withdraw", bridges, func(ctx context.Context, s *seat, p NameParams) (nothing, error) {
			return nothing{}, s.bridge.Withdraw(ctx, p.Name)
		}),
		on("service", bridges, func(ctx context.Context, s *seat, p NameParams) (ServiceResult, error) {
			v, ok := s.bridge.Service(ctx, p.Name)
			if !ok {
				return ServiceResult{}, nil
			}
			shown := s.shown(v)
			return ServiceResult{true, &shown}, nil
		}),
		on("callService", bridges, func(ctx context.Context, s *seat, p CallServiceParams) (BridgeValue, error) {
			v, err := s.bridge.CallService(ctx, p.Name, p.Method, s.ownAll(p.Args))
			return BridgeValue{s.shown(v)}, err
		}),
		on("callFunction", bridges, func(ctx context.Context, s *seat, p BridgeCall) (BridgeValue, error) {
			f, ok := s.own(p.Func).(wire.Func)
			if !ok {
				return BridgeValue{}, errLeaf
			}
			v, err := s.bridge.Call(ctx, f, s.ownAll(p.Args))
			return BridgeValue{s.shown(v)}, err
		}),
		on("awaitPromise", bridges, func(ctx context.Context, s *seat, p BridgeAwait) (BridgeValue, error) {
			promise, ok := s.own(p.Promise).(wire.Promise)
			if !ok {
				return BridgeValue{}, errLeaf
			}
			v, err := s.bridge.Await(ctx, promise)
			return BridgeValue{s.shown(v)}, err
		}),
		on("release", bridges, func(_ context.Context, s *seat, p ReleaseParams) (nothing, error) {
			s.release(p)
			return nothing{}, nil
		}),
		on("registerTool", bridges, func(_ context.Context, s *seat, p RegisterParams) (nothing, error) {
			return nothing{}, s.bridge.Register(half.ToolDefinition{
				Name: p.Name, Description: p.Description, Parameters: p.Parameters.V, Output: p.Output.V, Timeout: time.Duration(p.TimeoutMS) * time.Millisecond,
			}, s.executor(p.Name))
		}),
		on("unregisterTool", bridges, func(_ context.Context, s *seat, p NameParams) (nothing, error) {
			return nothing{}, s.bridge.Unregister(p.Name)
		}),
		on("emit", bridges, func(ctx context.Context, s *seat, p EmitParams) (nothing, error) {
			return nothing{}, s.bridge.Emit(ctx, p.Event, s.ownAll(p.Args))
		}),
		on("waterfall", bridges, func(ctx context.Context, s *seat, p WaterfallParams) (BridgeValue, error) {
			v, err := s.bridge.Waterfall(ctx, p.Event, s.ownAll(p.Args), s.own(p.Inner))
			return BridgeValue{s.shown(v)}, err
		}),
	}
}

// executor runs a tool of a bridge over its connection.
func (s *seat) executor(tool string) func(ctx context.Context, args any) (half.ToolResult, error) {
	return func(ctx context.Context, args any) (half.ToolResult, error) {
		var a BridgeToolAnswer
		if err := s.conn.Call(ctx, methodExecute, BridgeExecute{tool, Value{args}}, &a); err != nil {
			return half.ToolResult{}, ofBridge(err)
		}
		result := half.ToolResult{Value: a.Value.V, Content: []any{}, Meta: wire.Undefined{}}
		for _, c := range a.Content {
			result.Content = append(result.Content, c.V)
		}
		if a.Meta.Given {
			result.Meta = a.Meta.V
		}
		return result, nil
	}
}

// remote calls what a bridge handed in, over its connection.
type remote struct{ *seat }

// Call calls a function of the bridge.
func (r remote) Call(ctx context.Context, f wire.Func, args []any) (any, error) {
	var a BridgeValue
	err := r.conn.Call(ctx, methodCall, BridgeCall{r.shown(f), r.shownAll(args)}, &a)
	return r.own(a.Value), ofBridge(err)
}

// Await waits for a promise of the bridge.
func (r remote) Await(ctx context.Context, p wire.Promise) (any, error) {
	var a BridgeValue
	err := r.conn.Call(ctx, methodAwait, BridgeAwait{r.shown(p)}, &a)
	return r.own(a.Value), ofBridge(err)
}

// ofBridge is what plugin code is told when the connection, not the bridge's own
// code, is why a call failed.
func ofBridge(err error) error {
	switch fault.CodeOf(err) {
	case codeGone, codeSlow:
		return &wire.Thrown{Name: "Error", Message: "the bridge that this belongs to is gone", Code: "GONE"}
	case codeAnswer:
		return &wire.Thrown{Name: "Error", Message: "the bridge gave an answer that cannot be read"}
	case codeLong:
		return &wire.Thrown{Name: "Error", Message: "what would cross to the bridge is too large"}
	}
	return err
}
