package jsrun

import (
	"reflect"
	"strings"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// spareFolding keeps the engine from computing large integers while it compiles:
// 2n ** (2n ** 33n) is constant to it, takes memory that is not there, and
// nobody could stop it, not even where a program is only checked. What stands in
// a sequence is not constant to it.
func spareFolding(tree *ast.Program, src string) {
	if !mayFold(src) {
		return
	}
	walk(reflect.ValueOf(tree.Body), func(node any) bool {
		b, ok := node.(*ast.BinaryExpression)
		if ok && (b.Operator == token.EXPONENT || b.Operator == token.SHIFT_LEFT) {
			b.Right = &ast.SequenceExpression{Sequence: []ast.Expression{b.Right}}
		}
		return true
	})
}

// mayFold says whether there may be such an operator on such an integer.
func mayFold(src string) bool {
	if !strings.Contains(src, "**") && !strings.Contains(src, "<<") {
		return false
	}
	for i := 1; i < len(src); i++ {
		if src[i] == 'n' && strings.IndexByte("0123456789abcdefABCDEF", src[i-1]) >= 0 {
			return true
		}
	}
	return false
}
