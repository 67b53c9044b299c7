package selfipcmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit"
)

// commandDir is this package, relative to the root of the repository.
const commandDir = "internal/cli/selfipcmd"

// spokenDirs lists the packages whose faults, warnings and notes selfip puts into
// words: those named, and every package below internal/selfip.
func spokenDirs(t *testing.T) []string {
	t.Helper()
	dirs := []string{commandDir, "pkg/filestore", "internal/config", "internal/harness", "internal/harness/install", "internal/mcpserve", "internal/model"}
	root := testkit.Root(t)
	err := filepath.WalkDir(filepath.Join(root, "internal", "selfip"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" {
			return fs.SkipDir
		}
		if len(sourceFiles(t, path)) > 0 {
			rel, err := filepath.Rel(root, path)
			dirs = append(dirs, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

func sourceFiles(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(paths, func(p string) bool { return strings.HasSuffix(p, "_test.go") })
}

// inspect shows visit every node of the sources of a package, with its place.
func inspect(t *testing.T, dir string, visit func(n ast.Node, at func(ast.Node) string)) {
	t.Helper()
	fset := token.NewFileSet()
	at := func(n ast.Node) string { return fset.Position(n.Pos()).String() }
	for _, path := range sourceFiles(t, filepath.Join(testkit.Root(t), dir)) {
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n != nil {
				visit(n, at)
			}
			return true
		})
	}
}

// literal returns the value of a string literal, or "".
func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value) // the compiler has seen it
	return s
}

// spoken is a place in the source that has an id put into words.
type spoken struct {
	at   string
	id   string // the whole id, or what it begins with
	part bool   // the rest of the id is an expression
	args int    // how many arguments follow it; -1: a list that the source does not show
}

// positions tells which argument of a function or method is the id.
var positions = map[string]int{"Say": 0, "Phrase": 0, "Word": 0, "Note": 0, "Warn": 0, "add": 2, "check": 2}

// spokenCalls finds the calls that have a literal id put into words.
func spokenCalls(t *testing.T, dir string) []spoken {
	t.Helper()
	var calls []spoken
	inspect(t, dir, func(n ast.Node, at func(ast.Node) string) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return
		}
		i, ok := positions[sel.Sel.Name]
		if x, named := sel.X.(*ast.Ident); named && x.Name == "fault" && sel.Sel.Name == "New" {
			i, ok = 1, true
		}
		if !ok || i >= len(call.Args) {
			return
		}
		s := spoken{at: at(call), id: literal(call.Args[i]), args: len(call.Args) - i - 1}
		if sum, ok := call.Args[i].(*ast.BinaryExpr); ok && sum.Op == token.ADD {
			s.id, s.part = literal(sum.X), true
		}
		if sel.Sel.Name == "Word" {
			s.part, s.args = true, -1 // the family of the word; the word itself is found as it runs
		}
		if call.Ellipsis.IsValid() {
			s.args = -1
		}
		if s.id != "" {
			calls = append(calls, s)
		}
	})
	return calls
}

// code is a constant that is an id, with the sentence in the comment behind it.
type code struct{ at, id, comment string }

// codes finds the constants of a package that are ids of sentences.
func codes(t *testing.T, dir string) []code {
	t.Helper()
	name := regexp.MustCompile(`^(code|warn|want|note|Note)[A-Z]`)
	id := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)
	var list []code
	inspect(t, dir, func(n ast.Node, at func(ast.Node) string) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || spec.Type != nil || !name.MatchString(spec.Names[0].Name) {
			return
		}
		if s := literal(spec.Values[0]); id.MatchString(s) {
			list = append(list, code{at(spec), s, strings.TrimSpace(spec.Comment.Text())})
		}
	})
	return list
}

// valuesOf returns the values of the constants of a type of strings.
func valuesOf(t *testing.T, dir, typeName string) []string {
	t.Helper()
	var values []string
	inspect(t, dir, func(n ast.Node, _ func(ast.Node) string) {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return
		}
		if named, ok := spec.Type.(*ast.Ident); ok && named.Name == typeName {
			if s := literal(spec.Values[0]); s != "" {
				values = append(values, s)
			}
		}
	})
	if len(values) == 0 {
		t.Fatalf("no constants of type %s in %s", typeName, dir)
	}
	return values
}

// strewn returns every string literal in the sources of some packages.
func strewn(t *testing.T, dirs []string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, dir := range dirs {
		inspect(t, dir, func(n ast.Node, _ func(ast.Node) string) {
			// A message is what is looked for, not where it is used.
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && (key.Name == "ID" || key.Name == "Text") {
					return
				}
			}
			for _, e := range children(n) {
				if s := literal(e); s != "" {
					found[s] = true
				}
			}
		})
	}
	return found
}

// children returns the expressions that a node holds and that may be ids.
func children(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		return n.Args
	case *ast.AssignStmt:
		return n.Rhs
	case *ast.CompositeLit:
		return n.Elts
	case *ast.ReturnStmt:
		return n.Results
	case *ast.ValueSpec:
		return n.Values
	}
	return nil
}
