package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Method is one method that a host answers.
type Method struct {
	Name  string
	Roles []Role
	// Params and Result are zero values of what is asked and answered, for the
	// page that describes them.
	Params, Result any

	call func(ctx context.Context, s *seat, params json.RawMessage) (any, error)
}

// nothing is the params of a method that takes none, and the result of one that
// has none to give.
type nothing struct{}

// Value is a JSON value as it is: texts with lone surrogates, -0 and the order of
// members included.
type Value struct{ V any }

// MarshalJSON writes the value; one that Go has as a struct by its tags.
func (v Value) MarshalJSON() ([]byte, error) {
	plain, err := jsonvalue.From(v.V)
	if err != nil {
		return nil, fault.New(fault.Usage, codeNumber, "a value") // nothing else is refused
	}
	return []byte(jsonvalue.Format(plain)), nil
}

// UnmarshalJSON reads a value.
func (v *Value) UnmarshalJSON(data []byte) (err error) {
	v.V, err = jsonvalue.Parse(data)
	return err
}

// Optional is a Value that may be left out, which is not the same as null.
type Optional struct {
	V     any
	Given bool
}

// Given is a value that is not left out.
func Given(v any) Optional { return Optional{v, true} }

// IsZero reports whether it is left out.
func (o Optional) IsZero() bool { return !o.Given }

// MarshalJSON writes the value.
func (o Optional) MarshalJSON() ([]byte, error) { return Value{o.V}.MarshalJSON() }

// UnmarshalJSON reads a value, null too.
func (o *Optional) UnmarshalJSON(data []byte) error {
	var v Value
	err := v.UnmarshalJSON(data)
	*o = Given(v.V)
	return err
}

// on makes a Method of a function.
func on[P, R any](name string, roles []Role, f func(ctx context.Context, s *seat, p P) (R, error)) Method {
	var params P
	var result R
	return Method{Name: name, Roles: roles, Params: params, Result: result, call: func(ctx context.Context, s *seat, raw json.RawMessage) (any, error) {
		var p P
		if err := decode(raw, &p); err != nil {
			return nil, fault.New(fault.Usage, codeParams, name).Because(err)
		}
		return f(ctx, s, p)
	}}
}

// decode reads params; what nobody knows is refused.
func decode(raw json.RawMessage, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil
	}
	if err := exact(raw); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return misfit(dec.Decode(into)) // of a message that has been parsed: nothing follows
}

// misfit says in words of our own what the decoder of Go says of values that it
// cannot read.
func misfit(err error) error {
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return fault.New(fault.Usage, codeMember, wrong.Field)
	}
	if quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		if name, err := strconv.Unquote(quoted); err == nil {
			return fault.New(fault.Usage, codeNoMember, name)
		}
	}
	return fault.New(fault.Usage, codeShape)
}

// Methods lists what a host answers, sorted by role.
func Methods() []Method { return slices.Clone(methods()) }

// methods is the one table of methods.
var methods = sync.OnceValue(func() []Method {
	return slices.Concat(commonMethods(), clientMethods(), pageMethods(), bridgeMethods())
})

// methodsByName finds them.
var methodsByName = sync.OnceValue(func() map[string]Method {
	m := map[string]Method{}
	for _, method := range methods() {
		m[method.Name] = method
	}
	return m
})

// Told is something that a host tells, or asks, without being asked.
type Told struct {
	Name   string
	Roles  []Role
	Params any
	Result any // nil: it is a notification
}

// Tellings lists them.
func Tellings() []Told {
	return []Told{
		{methodEvent, []Role{Client, Page}, EventParams{}, nil},
		{methodCarry, []Role{Page}, host.Request{}, nil},
		{methodToolsChanged, []Role{Client}, ToolsChanged{}, nil},
		{methodCall, []Role{Bridge}, BridgeCall{}, BridgeValue{}},
		{methodAwait, []Role{Bridge}, BridgeAwait{}, BridgeValue{}},
		{methodExecute, []Role{Bridge}, BridgeExecute{}, BridgeToolAnswer{}},
		{methodBye, Roles, byeParams{}, nil},
	}
}

const (
	methodEvent        = "event"
	methodCarry        = "carry"
	methodToolsChanged = "toolsChanged"
	methodCall         = "call"
	methodAwait        = "await"
	methodExecute      = "execute"
)

// orObject is the arguments of a tool; none are {}.
func orObject(v Optional) any {
	if !v.Given {
		return jsonvalue.Of()
	}
	return v.V
}
