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
	walk(reflect.ValueOf(tree.Body), func(node any) bool {
		re, ok := node.(*ast.RegExpLiteral)
		if !ok {
			return true
		}
		text, err := expandOnce(re.Pattern, re.Flags)
		if err != nil && failed == nil {
			failed = err
		}
		re.Pattern = text
		return false
	})
	return failed
}

// walk visits the nodes of a tree, and what is below those where f says so. The
// parser's package has no walk of its own; the types say where a node can be.
func walk(v reflect.Value, f func(node any) bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			walk(v.Elem(), f)
		}
	case reflect.Pointer:
		if !v.IsNil() && f(v.Interface()) && v.Elem().Kind() == reflect.Struct {
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
