package sandbox_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// anything is a value that plugins may hand to each other.
func anything(depth int) *rapid.Generator[any] {
	text := rapid.Map(rapid.SliceOfN(rapid.Uint16(), 0, 4), func(units []uint16) any { return jsonvalue.FromUTF16(units) })
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Just[any](wire.Undefined{}), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }), text,
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 4), func(b []byte) any { return wire.Bytes(append([]byte{}, b...)) }),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	inner := anything(depth - 1)
	list := rapid.Map(rapid.SliceOfN(inner, 0, 3), func(list []any) any { return append([]any{}, list...) })
	key := rapid.OneOf(rapid.SampledFrom([]string{"__proto__", "constructor", "then ", "0", "7", "-1", "Home", "a"}), rapid.String())
	record := rapid.Custom(func(t *rapid.T) any {
		o := &jsonvalue.Object{}
		for range rapid.IntRange(0, 3).Draw(t, "members") {
			o.Set(jsonvalue.WellFormed(key.Draw(t, "key")), inner.Draw(t, "value"))
		}
		return o
	})
	return rapid.OneOf(append(leaves, list, record)...)
}

// marshalled is a value as it crosses, with its members in one order.
func marshalled(t *rapid.T, v any) string {
	text, err := wire.Marshal(wire.Value{Value: sorted(v)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sorted(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, one := range v {
			out = append(out, sorted(one))
		}
		return out
	case *jsonvalue.Object:
		// JavaScript puts keys that are numbers first.
		out := &jsonvalue.Object{}
		for _, key := range slices.Sorted(slices.Values(v.Keys())) {
			one, _ := v.Get(key)
			out.Set(key, sorted(one))
		}
		return out
	}
	return v
}

// Whatever goes into a half as data comes out as it was.
func TestDataGoesThrough(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(`return ctx => { ctx.provide('s', { same: x => x }) }`)
	same := w.member("s", "same")
	rapid.Check(t, func(t *rapid.T) {
		v := anything(3).Draw(t, "value")
		got, err := w.callBack(same, v)
		if err != nil {
			t.Fatal(err)
		}
		if marshalled(t, v) != marshalled(t, got) {
			t.Fatalf("%#v became %#v", v, got)
		}
	})
}

// What crosses to a service arrives there.
func TestArgumentsGoThrough(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	var got any
	w.services["s"] = w.function("take", func(_ context.Context, args []any) (any, error) { got = args[0]; return args[0], nil })
	w.run(`let s; harness.handle('go', x => { const y = s(x); return JSON.stringify(x) === JSON.stringify(y) }); return { inject: ['s'], apply(ctx) { s = ctx.s } }`)
	v := jsonvalue.Of("a", []any{1.0, nil, "\xed\xa0\x80"})
	if ok, err := w.invoke("go", v); err != nil || ok != true || !jsonvalue.Equal(v, got) {
		t.Errorf("%v, %v, %v", ok, err, got)
	}
}
