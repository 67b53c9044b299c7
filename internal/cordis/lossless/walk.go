package lossless

import (
	"strconv"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// walker copies one value.
type walker struct {
	vm     *jsrun.VM
	root   string
	refuse bool // else what JSON cannot hold is marked

	stack []*frame
	above map[*jsrun.Object]bool // the objects of the stack
	size  int
	seen  int
}

// frame is an object that is being copied: the members from next on are to come.
type frame struct {
	from   *jsrun.Object
	keys   []string // nil for an array
	next   int
	list   []any             // of an array
	object *jsonvalue.Object // of an object
}

func (w *walker) walk(v jsrun.Value) (out any, err error) {
	w.above = map[*jsrun.Object]bool{}
	thrown := w.vm.Try(func() {
		out, err = w.enter(v)
		for err == nil && len(w.stack) > 0 {
			err = w.step(&out)
		}
	})
	if thrown != nil {
		return nil, thrown
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// step copies the next member of the innermost object, or leaves it. A member
// that is an object becomes the innermost one; out is set when the last is left.
func (w *walker) step(out *any) error {
	f := w.stack[len(w.stack)-1]
	if f.next == f.length() {
		w.leave(f, out)
		return nil
	}
	v, err := w.enter(w.vm.Member(f.from, f.key()))
	if err != nil {
		return err
	}
	if w.stack[len(w.stack)-1] == f { // a scalar
		f.take(v)
	}
	return nil
}

func (w *walker) leave(f *frame, out *any) {
	w.stack = w.stack[:len(w.stack)-1]
	delete(w.above, f.from)
	if len(w.stack) == 0 {
		*out = f.value()
		return
	}
	w.stack[len(w.stack)-1].take(f.value())
}

// enter gives a scalar, or puts an object on the stack.
func (w *walker) enter(v jsrun.Value) (any, error) {
	if w.seen++; w.seen&1023 == 0 {
		w.vm.Passed()
	}
	o, ok := v.(*jsrun.Object)
	if !ok {
		return w.scalar(v)
	}
	f, kind := w.frame(o)
	if f == nil {
		return w.foreign(kind)
	}
	if err := w.grow(2 + f.length()); err != nil {
		return nil, err
	}
	w.stack = append(w.stack, f)
	w.above[o] = true
	return nil, nil
}

func (w *walker) scalar(v jsrun.Value) (any, error) {
	out := w.vm.Scalar(v)
	if foreign, ok := out.(jsonvalue.Foreign); ok {
		return w.foreign(foreign.Kind)
	}
	if f, ok := out.(float64); ok && w.refuse && !finite(f) {
		return nil, w.lossy()
	}
	return out, w.grow(sizeOf(out))
}

// frame looks at an object; nil and why it cannot be copied.
func (w *walker) frame(o *jsrun.Object) (*frame, jsonvalue.Kind) {
	class := w.vm.ClassOf(o)
	switch class {
	case jsrun.Func:
		return nil, jsonvalue.Function
	case jsrun.Exotic:
		return nil, jsonvalue.Exotic
	}
	if w.above[o] {
		return nil, jsonvalue.Cycle
	}
	keys, others := w.vm.Own(o)
	if class == jsrun.Plain {
		if others {
			return nil, jsonvalue.HiddenKeys
		}
		out := &jsonvalue.Object{}
		if w.vm.Bare(o) {
			out.SetBare()
		}
		return &frame{from: o, keys: append([]string{}, keys...), object: out}, ""
	}
	if others || !dense(keys, int(w.vm.Member(o, "length").ToInteger())) {
		return nil, jsonvalue.Exotic
	}
	return &frame{from: o, list: make([]any, 0, len(keys))}, ""
}

// dense says whether keys are the indexes of an array without holes and nothing
// else. The engine lists indexes first, by number.
func dense(keys []string, length int) bool {
	return len(keys) == length && (length == 0 || keys[length-1] == strconv.Itoa(length-1))
}

func (w *walker) foreign(kind jsonvalue.Kind) (any, error) {
	if w.refuse {
		return nil, w.lossy()
	}
	return jsonvalue.Foreign{Kind: kind, Text: string(kind)}, w.grow(5)
}

func (w *walker) grow(n int) error {
	if len(w.stack) > 0 {
		if f := w.stack[len(w.stack)-1]; f.keys != nil {
			n += len(f.keys[f.next]) + 3
		}
	}
	if w.size += n; w.size > MaxSize {
		return &SizeError{Root: w.root, Limit: MaxSize}
	}
	return nil
}

// lossy names the member that is being looked at.
func (w *walker) lossy() error {
	path := []byte(w.root)
	for _, f := range w.stack {
		if f.keys == nil {
			path = append(path, '[')
			path = strconv.AppendInt(path, int64(f.next), 10)
			path = append(path, ']')
			continue
		}
		path = append(path, '.')
		path = append(path, f.keys[f.next]...)
	}
	return &Error{Path: string(path)}
}

func (f *frame) length() int {
	if f.keys != nil {
		return len(f.keys)
	}
	return cap(f.list)
}

func (f *frame) key() string {
	if f.keys != nil {
		return f.keys[f.next]
	}
	return strconv.Itoa(f.next)
}

func (f *frame) take(v any) {
	if f.keys != nil {
		f.object.Set(f.keys[f.next], v)
	} else {
		f.list = append(f.list, v)
	}
	f.next++
}

func (f *frame) value() any {
	if f.keys != nil {
		return f.object
	}
	return f.list
}
