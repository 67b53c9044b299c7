package replay

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// harness is the bridge of a sample's world: it offers the service "probe", whose
// members do what a guard must see through, and acts for the steps emit, waterfall,
// service, callService and registerHostTool.
type harness struct{ conn *control.Conn }

// The functions of probe, by their handles.
const (
	probeEcho = iota + 1
	probeLater
	probeLeak
	probeLeakLater
	probeBoom
)

func openHarness(ctx context.Context, w *world) (*harness, error) {
	conn, err := w.dial(ctx, control.Bridge, control.Handlers{Request: probeRequest})
	if err != nil {
		return nil, err
	}
	h := &harness{conn}
	return h, h.conn.Call(ctx, "provide", control.ProvideParams{Name: "probe", Value: control.Live{V: probe()}}, nil)
}

func probe() wire.Object {
	f := func(name string, id uint64, async bool) wire.Member {
		return wire.Member{Name: name, Value: wire.Func{Handle: wire.Handle{ID: id}, Name: name, Async: async}}
	}
	return wire.Object{Members: []wire.Member{
		{Name: "plain", Value: float64(7)},
		f("echo", probeEcho, false),
		f("later", probeLater, true),
		f("leak", probeLeak, false),
		f("leakLater", probeLeakLater, true),
		{Name: "self", Value: wire.Context{}},
		f("boom", probeBoom, false),
	}}
}

func probeRequest(method string) (control.Handler, error) {
	switch method {
	case "call":
		return probeCall, nil
	case "execute": // of a tool that a step has registered
		return func(context.Context, json.RawMessage) (any, error) { return control.BridgeToolAnswer{}, nil }, nil
	}
	return nil, errors.New("the harness has no " + method)
}

func probeCall(_ context.Context, params json.RawMessage) (any, error) {
	var p control.BridgeCall
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	f, _ := p.Func.V.(wire.Func)
	var first any = wire.Undefined{}
	if len(p.Args) > 0 {
		first = p.Args[0].V
	}
	switch f.ID {
	case probeEcho, probeLater:
		return control.BridgeValue{Value: control.Live{V: first}}, nil
	case probeLeak, probeLeakLater:
		return control.BridgeValue{Value: control.Live{V: wire.Context{}}}, nil
	case probeBoom:
		return nil, &wire.Thrown{Name: "Error", Message: "probe exploded"}
	}
	return nil, errors.New("the harness has no such function")
}

func lives(values []any) (list []control.Live) {
	for _, v := range values {
		list = append(list, control.Live{V: v})
	}
	return list
}

func (h *harness) emit(ctx context.Context, event string, args []any) error {
	return h.conn.Call(ctx, "emit", control.EmitParams{Event: event, Args: lives(args)}, nil)
}

func (h *harness) waterfall(ctx context.Context, event string, args []any, inner any) (any, error) {
	var v control.BridgeValue
	err := h.conn.Call(ctx, "waterfall", control.WaterfallParams{Event: event, Args: lives(args), Inner: control.Live{V: inner}}, &v)
	return v.Value.V, err
}

func (h *harness) callService(ctx context.Context, name, method string, args []any) (any, error) {
	var v control.BridgeValue
	err := h.conn.Call(ctx, "callService", control.CallServiceParams{Name: name, Method: method, Args: lives(args)}, &v)
	return v.Value.V, err
}

func (h *harness) registerTool(ctx context.Context, name string) error {
	return h.conn.Call(ctx, "registerTool", control.RegisterParams{
		Name: name, Description: "host tool",
		Parameters: control.Value{V: jsonvalue.Of("type", "object", "properties", jsonvalue.Of())},
		Output:     control.Value{V: jsonvalue.Of("type", "null")},
	}, nil)
}

// reading is what is seen of a live service: its kind, and its value or the names
// of its members.
func (h *harness) reading(ctx context.Context, name string) (any, error) {
	var r control.ServiceResult
	if err := h.conn.Call(ctx, "service", control.NameParams{Name: name}, &r); err != nil {
		return nil, err
	}
	switch {
	case !r.OK:
		return "absent", nil
	case r.Value == nil:
		return jsonvalue.Of("type", "object", "value", nil), nil
	}
	switch v := r.Value.V.(type) {
	case wire.Undefined:
		return "absent", nil
	case wire.Func:
		return jsonvalue.Of("type", "function"), nil
	case wire.Object:
		var keys []string
		for _, m := range v.Members {
			keys = append(keys, m.Name)
		}
		return keysOf(keys), nil
	case []any:
		var keys []string
		for i := range v {
			keys = append(keys, strconv.Itoa(i))
		}
		return keysOf(keys), nil
	case *jsonvalue.Object:
		return keysOf(slices.Clone(v.Keys())), nil
	case string:
		return jsonvalue.Of("type", "string", "value", v), nil
	case bool:
		return jsonvalue.Of("type", "boolean", "value", v), nil
	case float64:
		return jsonvalue.Of("type", "number", "value", v), nil
	}
	return jsonvalue.Of("type", "object", "value", nil), nil
}

func keysOf(keys []string) any {
	slices.Sort(keys)
	return jsonvalue.Of("type", "object", "keys", jsonvalue.Texts(keys))
}
