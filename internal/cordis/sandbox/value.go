package sandbox

import (
	"reflect"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// isClass says whether a value is an object of a class of the engine, which no
// script can forge.
func isClass(vm *jsrun.VM, v jsrun.Value, class string) bool {
	o, ok := v.(*jsrun.Object)
	return ok && vm.ClassName(o) == class
}

// isPromise says whether a value is a promise of the engine.
func isPromise(v jsrun.Value) bool {
	o, ok := v.(*jsrun.Object)
	return ok && o.ExportType() != nil && o.ExportType().String() == "*goja.Promise"
}

// isUndefined tells undefined from all else, null included.
func isUndefined(v jsrun.Value) bool {
	if v == nil {
		return true
	}
	if _, ok := v.(*jsrun.Object); ok {
		return false
	}
	return v.Export() == nil && v.String() == "undefined"
}

// isSymbol says whether a value is a symbol, which the engine would export as
// its description.
func isSymbol(v jsrun.Value) bool { return reflect.TypeOf(v).String() == "*goja.Symbol" }

// isNull says that a value is null or undefined.
func isNull(v jsrun.Value) bool {
	if v == nil {
		return true
	}
	_, object := v.(*jsrun.Object)
	return !object && v.Export() == nil
}

// asText is a value that is a text.
func (b *box) asText(v jsrun.Value) (string, bool) {
	if v == nil {
		return "", false
	}
	if _, object := v.(*jsrun.Object); object {
		return "", false
	}
	if _, ok := v.Export().(string); !ok || isSymbol(v) {
		return "", false
	}
	return b.vm.Text(v), true
}

// bytesOf are the bytes of a Uint8Array, shared with it.
func bytesOf(v jsrun.Value) []byte {
	o, ok := v.(*jsrun.Object)
	if !ok {
		return nil
	}
	text, _ := o.Export().([]byte)
	return text
}

// bytes is a fresh Uint8Array.
func (p *prelude) bytes(text string) (jsrun.Value, error) {
	v, err := p.call("bytes", p.vm.FromJSON(float64(len(text))))
	if err != nil {
		return nil, err
	}
	copy(bytesOf(v), text)
	return v, nil
}

func (b *box) typeOf(v jsrun.Value) string { return b.js.text("typeOf", v) }

// asNumber is a value that is a number.
func asNumber(v jsrun.Value) (float64, bool) {
	if _, object := v.(*jsrun.Object); object || v == nil {
		return 0, false
	}
	switch n := v.Export().(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}
