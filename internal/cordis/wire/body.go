package wire

import (
	"fmt"
	"reflect"
)

// Marshal writes a body: a struct of texts, numbers, truths, lists, structs and
// values, member by member. One body has one form.
func Marshal(body any) ([]byte, error) {
	text, _, err := marshal(body)
	return text, err
}

// marshal says, too, what the body lends.
func marshal(body any) ([]byte, []lent, error) {
	var w writer
	w.body(reflect.ValueOf(body))
	if w.err == nil && len(w.text) > MaxFrame {
		w.err = ErrTooLarge
	}
	return w.text, w.lent, w.err
}

// Unmarshal reads into a pointer to a body of the same type.
func Unmarshal(text []byte, into any) error { return unmarshal(text, nil, into) }

// unmarshal gives what was lent its leases.
func unmarshal(text []byte, leases map[Handle]*Lease, into any) error {
	r := reader{text: text, leases: leases}
	r.body(reflect.ValueOf(into).Elem())
	if r.err == nil && len(r.text) > 0 {
		r.fail()
	}
	if r.err != nil {
		return fmt.Errorf("%w: no %T", r.err, into)
	}
	return nil
}

// isLeaf says that a type is written as a value, with its tag.
func isLeaf(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Func](), reflect.TypeFor[Promise](), reflect.TypeFor[*Thrown]():
		return true
	}
	return t.Kind() == reflect.Interface
}

func (w *writer) body(v reflect.Value) {
	if isLeaf(v.Type()) {
		w.value(v.Interface())
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			w.body(v.Field(i))
		}
	case reflect.Slice:
		w.uvarint(uint64(v.Len()))
		for i := range v.Len() {
			w.body(v.Index(i))
		}
	case reflect.String:
		w.string(v.String())
	case reflect.Bool:
		w.bool(v.Bool())
	case reflect.Int64:
		w.uvarint(uint64(v.Int()))
	case reflect.Uint64:
		w.uvarint(v.Uint())
	default:
		w.fail("a %s is no part of a body", v.Type())
	}
}

func (r *reader) body(v reflect.Value) {
	if isLeaf(v.Type()) {
		r.into(v)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			r.body(v.Field(i))
		}
	case reflect.Slice:
		r.list(v)
	case reflect.String:
		v.SetString(r.string())
	case reflect.Bool:
		v.SetBool(r.bool())
	case reflect.Int64:
		v.SetInt(int64(r.uvarint()))
	case reflect.Uint64:
		v.SetUint(r.uvarint())
	default:
		r.fail()
	}
}

// into reads a value into a member of its very type, or of type any.
func (r *reader) into(v reflect.Value) {
	got := r.value()
	if got == nil || r.err != nil {
		return
	}
	value := reflect.ValueOf(got)
	if !value.Type().AssignableTo(v.Type()) {
		r.fail()
		return
	}
	v.Set(value)
}

// list leaves an empty one nil.
func (r *reader) list(v reflect.Value) {
	for n := r.count(); n > 0 && r.err == nil; n-- {
		element := reflect.New(v.Type().Elem()).Elem()
		r.body(element)
		v.Set(reflect.Append(v, element))
	}
}
