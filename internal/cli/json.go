package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/dshkit/dshkit/pkg/text"
)

// writeJSON writes v as one JSON document and a newline. Characters of HTML are
// not escaped and a list that is nil is written as []. An object of a dry run is
// marked as one.
func writeJSON(out io.Writer, v any, dryRun bool) error {
	doc, err := marked(v, dryRun)
	if err != nil {
		return err
	}
	return write(out, doc)
}

// marked is Marshal that marks an object of a dry run as one.
func marked(v any, dryRun bool) ([]byte, error) {
	doc, err := Marshal(v)
	if rest, ok := bytes.CutPrefix(doc, []byte(`{"`)); dryRun && ok {
		doc = append([]byte(`{"dryRun":true,"`), rest...)
	}
	return doc, err
}

// joined adds the keys of more to a document that is an object and has others.
func joined(doc []byte, more any) ([]byte, error) {
	added, err := Marshal(more)
	if err != nil {
		return nil, err
	}
	return append(append(bytes.TrimSuffix(doc, []byte("}\n")), ','), added[1:]...), nil
}

// Marshal returns v as reports are written: one JSON document and a newline, the
// characters of HTML as they are, a list that is nil as [].
func Marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(withLists(v)); err != nil {
		return nil, err
	}
	return text.EscapeControls(buf.Bytes()), nil
}

// withLists returns a copy of v in which every nil list is an empty one. What
// v points to is not changed.
func withLists(v any) any {
	if v == nil {
		return nil
	}
	return fill(reflect.ValueOf(v)).Interface()
}

var (
	marshaler = reflect.TypeFor[json.Marshaler]()
	rawJSON   = reflect.TypeFor[json.RawMessage]()
)

func fill(v reflect.Value) reflect.Value {
	if v.Type() == rawJSON || v.Type().Implements(marshaler) {
		return v
	}
	switch v.Kind() {
	case reflect.Slice:
		return fillSlice(v)
	case reflect.Map:
		return fillMap(v)
	case reflect.Struct:
		return fillStruct(v)
	case reflect.Array:
		out := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			out.Index(i).Set(fill(v.Index(i)))
		}
		return out
	case reflect.Pointer:
		if !v.IsNil() {
			out := reflect.New(v.Type().Elem())
			out.Elem().Set(fill(v.Elem()))
			return out
		}
	case reflect.Interface:
		if !v.IsNil() {
			return fill(v.Elem())
		}
	}
	return v
}

func fillSlice(v reflect.Value) reflect.Value {
	if v.Type().Elem().Kind() == reflect.Uint8 { // a string for JSON
		return v
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		out.Index(i).Set(fill(v.Index(i)))
	}
	return out
}

func fillMap(v reflect.Value) reflect.Value {
	if v.IsNil() {
		return v
	}
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		out.SetMapIndex(it.Key(), fill(it.Value()))
	}
	return out
}

// fillStruct copies the exported fields: JSON shows no others. A nil list that
// the tag lets out stays out, for an empty one is let out too.
func fillStruct(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out.Field(i).Set(fill(v.Field(i)))
		}
	}
	return out
}
