// Package lossless copies JavaScript values that JSON can hold without loss, and
// refuses all others with the path of the first thing that it cannot hold
// (spec/cordis.md 11.2, 24#13).
//
// It walks with a stack of its own: how deep a value nests is bounded by its size
// alone. It must be called on the goroutine that owns the runtime.
package lossless

import (
	"fmt"
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// MaxSize bounds the text that a value would be as JSON, in bytes.
const MaxSize = 16 << 20

// Error says which member JSON cannot hold.
type Error struct {
	Path string // root.key[index]
}

// Error is the one text of these refusals.
func (e *Error) Error() string { return Text(e.Path) }

// Text is what a refusal says of the member at a path.
func Text(path string) string { return path + " must be lossless JSON data" }

// SizeError says that a value is too large to cross.
type SizeError struct {
	Root  string
	Limit int // in bytes
}

// Error names the value and the limit.
func (e *SizeError) Error() string {
	return fmt.Sprintf("%s is larger than %d MiB as JSON", e.Root, e.Limit>>20)
}

// Clone copies a value; root is what paths in errors begin with. An error is an
// *Error, a *SizeError, or what an accessor or a proxy has thrown, unchanged. The
// copy shares nothing with the runtime.
func Clone(vm *jsrun.VM, v jsrun.Value, root string) (any, error) {
	w := &walker{vm: vm, root: root, refuse: true}
	return w.walk(v)
}

// Read copies a value and refuses nothing but what is too large: what JSON cannot
// hold is a jsonvalue.Foreign in its place, and so is, as HiddenKeys, an object
// with keys that are symbols or not enumerable.
func Read(vm *jsrun.VM, v jsrun.Value, root string) (any, error) {
	w := &walker{vm: vm, root: root}
	return w.walk(v)
}

func finite(f float64) bool {
	return !math.IsNaN(f) && !math.IsInf(f, 0) && (f != 0 || !math.Signbit(f))
}

// sizeOf is how long a scalar is as JSON, nearly.
func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v) + 2
	case float64:
		return len(jsonvalue.FormatNumber(v))
	}
	return 5
}
