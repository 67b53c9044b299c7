package jsrun

import (
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/dop251/goja/ast"
)

// sticky finds what may be a literal with the flag y.
var sticky = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/[a-z]*y`) })

// expandLiterals replaces what the engine would misread in the regular expressions
// of a tree: Unicode properties, which it would take for letters, and see misread.
func expandLiterals(tree *ast.Program, src string) error {
	if !strings.Contains(src, `\p{`) && !strings.Contains(src, `\P{`) && !strings.Contains(src, "(?<") && !sticky().MatchString(src) {
		return nil
	}
	var failed error
	walk(reflect.ValueOf(tree.Body), func(re *ast.RegExpLiteral) {
		text, err := expandOnce(re.Pattern, re.Flags)
		if err != nil && failed == nil {
			failed = err
		}
		re.Pattern = text
	})
	return failed
}

// walk finds the literals of a tree. The parser's package has no walk of its
// own; the types say where a literal can be.
func walk(v reflect.Value, f func(*ast.RegExpLiteral)) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if re, ok := v.Interface().(*ast.RegExpLiteral); ok {
			f(re)
			return
		}
		if v.Elem().Kind() == reflect.Struct {
			walk(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	case reflect.Struct:
		for _, i := range branches(v.Type()) {
			walk(v.Field(i), f)
		}
	}
}

var knownBranches sync.Map // reflect.Type to []int

// branches are the fields of a node that may hold nodes.
func branches(t reflect.Type) []int {
	if known, ok := knownBranches.Load(t); ok {
		return known.([]int)
	}
	var out []int
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Name == "DeclarationList" || !field.IsExported() {
			continue // the same nodes a second time
		}
		switch field.Type.Kind() {
		case reflect.Interface, reflect.Slice, reflect.Struct:
			out = append(out, i)
		case reflect.Pointer:
			if field.Type.Elem().Kind() == reflect.Struct && strings.HasSuffix(field.Type.Elem().PkgPath(), "/ast") {
				out = append(out, i)
			}
		}
	}
	knownBranches.Store(t, out)
	return out
}
