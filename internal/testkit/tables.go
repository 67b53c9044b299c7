package testkit

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/cli"
)

// CheckTables holds that two tables have the same ids, each once, with the same
// verbs, and that every id that the Go files of dirs (relative to the root of
// the repository) use has a sentence in them or in the shared tables. Pass the
// package itself and those whose faults and warnings it puts into words.
func CheckTables(t *testing.T, english, chinese cli.Table, dirs ...string) {
	t.Helper()
	en, zh := sentences(t, "English", english), sentences(t, "Chinese", chinese)
	for _, id := range sorted(en) {
		if _, ok := zh[id]; !ok {
			t.Errorf("%q has no Chinese sentence", id)
		} else if a, b := Verbs(en[id]), Verbs(zh[id]); !slices.Equal(a, b) {
			t.Errorf("%q: verbs %q in English %q, %q in Chinese %q", id, a, en[id], b, zh[id])
		}
	}
	for _, id := range sorted(zh) {
		if _, ok := en[id]; !ok {
			t.Errorf("%q has no English sentence", id)
		}
	}
	shared := sentences(t, "shared", cli.Shared(cli.English))
	for id, where := range UsedIDs(t, dirs...) {
		if en[id] == "" && shared[id] == "" {
			t.Errorf("%s uses %q, which has no sentence", where, id)
		}
	}
}

func sentences(t *testing.T, name string, table cli.Table) map[string]string {
	t.Helper()
	m := map[string]string{}
	for _, msg := range table {
		if _, twice := m[msg.ID]; twice {
			t.Errorf("%s: %q occurs twice", name, msg.ID)
		}
		if strings.TrimSpace(msg.Text) == "" {
			t.Errorf("%s: %q is empty", name, msg.ID)
		}
		m[msg.ID] = msg.Text
	}
	return m
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// Verbs lists the verbs of a sentence by the argument they take: "1q", "2d".
// The language may order them as it likes.
func Verbs(sentence string) []string {
	verb := regexp.MustCompile(`%(\[(\d+)\])?[-+# 0]*[\d.]*([a-zA-Z%])`)
	var list []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(sentence, -1) {
		if m[3] == "%" {
			continue
		}
		if n, err := strconv.Atoi(m[2]); err == nil {
			next = n
		}
		list = append(list, fmt.Sprintf("%d%s", next, m[3]))
		next++
	}
	sort.Strings(list)
	return slices.Compact(list)
}

// UsedIDs finds the ids of sentences in the source: the literals that Say, Note,
// Warn and Phrase get first and fault.New gets second, and the values of
// constants whose names begin with code, warn, want or note. The values are
// where each stands.
func UsedIDs(t *testing.T, dirs ...string) map[string]string {
	t.Helper()
	ids := map[string]string{}
	fset := token.NewFileSet()
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(Root(t), dir, "*.go"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no Go files in %s (%v)", dir, err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(fset, path, src, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, lit := range idLiterals(n) {
					if id, err := strconv.Unquote(lit.Value); err == nil && isID().MatchString(id) {
						ids[id] = fset.Position(lit.Pos()).String()
					}
				}
				return true
			})
		}
	}
	return ids
}

// isID matches the spelling of an id.
var isID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-zA-Z0-9.-]*$`) })

func idLiterals(n ast.Node) []*ast.BasicLit {
	switch n := n.(type) {
	case *ast.CallExpr:
		return callLiteral(n)
	case *ast.ValueSpec:
		return constLiterals(n)
	}
	return nil
}

func callLiteral(call *ast.CallExpr) []*ast.BasicLit {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	at := 0
	switch sel.Sel.Name {
	case "Say", "Note", "Warn", "Phrase":
	case "New":
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "fault" {
			return nil
		}
		at = 1
	default:
		return nil
	}
	if at >= len(call.Args) {
		return nil
	}
	if lit, ok := call.Args[at].(*ast.BasicLit); ok && lit.Kind == token.STRING {
		return []*ast.BasicLit{lit}
	}
	return nil
}

func constLiterals(spec *ast.ValueSpec) []*ast.BasicLit {
	var list []*ast.BasicLit
	for i, name := range spec.Names {
		prefix := regexp.MustCompile(`^(code|warn|want|note|Note)[A-Z]`)
		if i >= len(spec.Values) || !prefix.MatchString(name.Name) {
			continue
		}
		if lit, ok := spec.Values[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
			list = append(list, lit)
		}
	}
	return list
}
