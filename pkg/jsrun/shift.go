package jsrun

import (
	"reflect"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
)

// shift moves every place in a tree to the left, and gives the tree a text of that
// many bytes less: what stands before it is not there for who reads a stack.
func shift(tree *ast.Program, name, text string, by int) {
	s := shifter{by: int64(by), seen: map[any]bool{}}
	s.walk(reflect.ValueOf(tree))
	tree.File = file.NewFile(name, text, 1)
}

// shifter goes through a tree; parts of it hang in several places.
type shifter struct {
	by   int64
	seen map[any]bool
}

type place struct {
	at   uintptr
	kind reflect.Type
}

func (s *shifter) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		s.walk(v.Elem())
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*file.File]() || s.again(v) {
			return
		}
		s.walk(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 || isScalar(v.Type().Elem().Kind()) || s.again(v) {
			return
		}
		for i := range v.Len() {
			s.walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.walk(v.Field(i))
		}
	case reflect.Int:
		if v.Type() == reflect.TypeFor[file.Idx]() && v.CanSet() && v.Int() != 0 {
			v.SetInt(v.Int() - s.by)
		}
	}
}

func isScalar(k reflect.Kind) bool { return k <= reflect.Complex128 || k == reflect.String }

func (s *shifter) again(v reflect.Value) bool {
	at := place{v.Pointer(), v.Type()}
	seen := s.seen[at]
	s.seen[at] = true
	return seen
}
