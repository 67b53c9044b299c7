package control

import (
	"encoding/base64"
	"encoding/json"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Live is a value that may hold what is no data: functions, promises, undefined
// and the other leaves of package wire. As JSON a leaf is an object whose member
// "$" names its kind; data that has such a member itself is wrapped in one of the
// kind "data". Handles of the bridge itself bear no home.
type Live struct{ V any }

// leafKey marks an object that stands for a leaf.
const leafKey = "$"

// errLeaf says that an object with the member "$" is no leaf.
var errLeaf = fault.New(fault.Usage, codeLeaf)

// MarshalJSON writes the value.
func (l Live) MarshalJSON() ([]byte, error) { return []byte(jsonvalue.Format(plainOf(l.V))), nil }

// UnmarshalJSON reads a value.
func (l *Live) UnmarshalJSON(data []byte) error {
	v, err := jsonvalue.Parse(data)
	if err == nil {
		l.V, err = liveOf(v)
	}
	return err
}

// plainOf replaces the leaves of a value by objects.
func plainOf(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = plainOf(e)
		}
		return list
	case *jsonvalue.Object:
		return plainObject(v)
	case wire.Undefined:
		return leaf("undefined")
	case wire.Bytes:
		return leaf("bytes", "base64", base64.StdEncoding.EncodeToString(v))
	case wire.Context:
		return leaf("context")
	case wire.Func:
		return funcLeaf(v)
	case wire.Promise:
		return leaf("promise", "home", string(v.Home), "id", float64(v.ID))
	case wire.Iterator:
		return leaf("iterator", "next", funcLeaf(v.Next), "return", funcLeaf(v.Return))
	case wire.Signal:
		return leaf("signal", "home", string(v.Home), "id", float64(v.ID), "aborted", v.Aborted)
	case wire.Object:
		return objectLeaf(v)
	case *wire.Thrown:
		return leaf("error", "name", v.Name, "message", v.Message, "stack", v.Stack, "code", v.Code)
	}
	return v
}

func leaf(kind string, pairs ...any) *jsonvalue.Object {
	return jsonvalue.Of(append([]any{leafKey, kind}, pairs...)...)
}

func funcLeaf(f wire.Func) *jsonvalue.Object {
	return leaf("func", "home", string(f.Home), "id", float64(f.ID), "name", f.Name, "async", f.Async, "effect", f.Effect)
}

func plainObject(o *jsonvalue.Object) any {
	copied := jsonvalue.Of()
	for key, v := range o.All() {
		copied.Set(key, plainOf(v))
	}
	if _, marked := o.Get(leafKey); marked {
		return leaf("data", "value", copied)
	}
	return copied
}

func objectLeaf(o wire.Object) any {
	members := []any{}
	for _, m := range o.Members {
		member := jsonvalue.Of("name", m.Name)
		if m.Getter != nil {
			member.Set("getter", funcLeaf(*m.Getter))
		} else {
			member.Set("value", plainOf(m.Value))
		}
		if m.Inherited {
			member.Set("inherited", true)
		}
		if m.Hidden {
			member.Set("hidden", true)
		}
		members = append(members, member)
	}
	l := leaf("object", "members", members)
	if o.Call != nil {
		l.Set("call", funcLeaf(*o.Call))
	}
	return l
}

// liveOf makes leaves of the objects that stand for them.
func liveOf(v any) (any, error) {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			live, err := liveOf(e)
			if err != nil {
				return nil, err
			}
			list[i] = live
		}
		return list, nil
	case *jsonvalue.Object:
		if kind, marked := v.Get(leafKey); marked {
			return liveLeaf(kind, v)
		}
		return liveObject(v)
	}
	return v, nil
}

func liveObject(o *jsonvalue.Object) (any, error) {
	copied := jsonvalue.Of()
	for key, v := range o.All() {
		live, err := liveOf(v)
		if err != nil {
			return nil, err
		}
		copied.Set(key, live)
	}
	return copied, nil
}

func liveLeaf(kind any, o *jsonvalue.Object) (any, error) {
	switch kind {
	case "data":
		inner, _ := o.Map("value")
		if inner == nil {
			return nil, errLeaf
		}
		return liveObject(inner)
	case "undefined":
		return wire.Undefined{}, nil
	case "bytes":
		text, _ := o.Text("base64")
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, errLeaf
		}
		return wire.Bytes(data), nil
	case "context":
		return wire.Context{}, nil
	case "func":
		return liveFunc(o)
	case "promise":
		h, err := liveHandle(o)
		return wire.Promise{Handle: h}, err
	case "iterator":
		return liveIterator(o)
	case "signal":
		h, err := liveHandle(o)
		aborted, _ := o.Truth("aborted")
		return wire.Signal{Handle: h, Aborted: aborted}, err
	case "object":
		return liveMembers(o)
	case "error":
		t := &wire.Thrown{}
		t.Name, _ = o.Text("name")
		t.Message, _ = o.Text("message")
		t.Stack, _ = o.Text("stack")
		t.Code, _ = o.Text("code")
		return t, nil
	}
	return nil, errLeaf
}

func liveHandle(o *jsonvalue.Object) (wire.Handle, error) {
	home, _ := o.Text("home")
	n, ok := o.Number("id")
	if !ok || n < 0 || n != float64(uint64(n)) {
		return wire.Handle{}, errLeaf
	}
	return wire.Handle{Home: wire.Home(home), ID: uint64(n)}, nil
}

func liveFunc(o *jsonvalue.Object) (wire.Func, error) {
	if o == nil {
		return wire.Func{}, errLeaf
	}
	h, err := liveHandle(o)
	f := wire.Func{Handle: h}
	f.Name, _ = o.Text("name")
	f.Async, _ = o.Truth("async")
	f.Effect, _ = o.Truth("effect")
	return f, err
}

func liveIterator(o *jsonvalue.Object) (any, error) {
	next, _ := o.Map("next")
	back, _ := o.Map("return")
	a, err := liveFunc(next)
	if err != nil {
		return nil, err
	}
	b, err := liveFunc(back)
	return wire.Iterator{Next: a, Return: b}, err
}

func liveMembers(o *jsonvalue.Object) (any, error) {
	object := wire.Object{}
	list, _ := o.Array("members")
	for _, e := range list {
		m, ok := jsonvalue.Map(e)
		if !ok {
			return nil, errLeaf
		}
		member, err := liveMember(m)
		if err != nil {
			return nil, err
		}
		object.Members = append(object.Members, member)
	}
	if call, ok := o.Map("call"); ok {
		f, err := liveFunc(call)
		if err != nil {
			return nil, err
		}
		object.Call = &f
	}
	return object, nil
}

func liveMember(m *jsonvalue.Object) (member wire.Member, err error) {
	member.Name, _ = m.Text("name")
	member.Inherited, _ = m.Truth("inherited")
	member.Hidden, _ = m.Truth("hidden")
	if getter, ok := m.Map("getter"); ok {
		f, err := liveFunc(getter)
		member.Getter = &f
		return member, err
	}
	v, _ := m.Get("value")
	member.Value, err = liveOf(v)
	return member, err
}

// rehomed replaces the homes of handles: what the one side calls its own bears
// the name that the other side knows it by.
func rehomed(v any, from, to wire.Home) any {
	home := func(h wire.Handle) wire.Handle {
		if h.Home == from {
			h.Home = to
		}
		return h
	}
	f := func(f wire.Func) wire.Func { f.Handle = home(f.Handle); return f }
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = rehomed(e, from, to)
		}
		return list
	case *jsonvalue.Object:
		copied := jsonvalue.Of()
		for key, e := range v.All() {
			copied.Set(key, rehomed(e, from, to))
		}
		return copied
	case wire.Func:
		return f(v)
	case wire.Promise:
		return wire.Promise{Handle: home(v.Handle)}
	case wire.Iterator:
		return wire.Iterator{Next: f(v.Next), Return: f(v.Return)}
	case wire.Signal:
		v.Handle = home(v.Handle)
		return v
	case wire.Object:
		return rehomedObject(v, from, to)
	}
	return v
}

func rehomedObject(o wire.Object, from, to wire.Home) wire.Object {
	members := make([]wire.Member, len(o.Members))
	for i, m := range o.Members {
		m.Value = rehomed(m.Value, from, to)
		if m.Getter != nil {
			g := rehomed(*m.Getter, from, to).(wire.Func)
			m.Getter = &g
		}
		members[i] = m
	}
	o.Members = members
	if o.Call != nil {
		call := rehomed(*o.Call, from, to).(wire.Func)
		o.Call = &call
	}
	return o
}

var (
	_ json.Marshaler   = Live{}
	_ json.Unmarshaler = (*Live)(nil)
)
