package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// sources parses the Go files of a package, those for other systems too, without
// tests.
func sources(t *testing.T, dir string) (*token.FileSet, []*ast.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return fset, files
}

func TestOnePackageComment(t *testing.T) {
	for _, p := range packages(t) {
		fset, files := sources(t, p.Dir)
		var with []string
		for _, f := range files {
			if f.Doc != nil && strings.TrimSpace(f.Doc.Text()) != "" {
				with = append(with, filepath.Base(fset.Position(f.Pos()).Filename))
			}
		}
		if len(with) != 1 {
			t.Errorf("%s has its package comment in %q, want one file", name(p.ImportPath), with)
		}
	}
}

// readsProcess are the calls that read what only cli.Env may hand out.
var readsProcess = map[string]string{
	"time.Now": "the clock", "time.Since": "the clock", "time.Until": "the clock",
	"os.Getenv": "the environment", "os.LookupEnv": "the environment", "os.Environ": "the environment", "os.ExpandEnv": "the environment",
	"os.Args": "the command line", "os.Getwd": "the current directory", "os.UserHomeDir": "the home directory",
	"rand.Int": "chance", "rand.IntN": "chance", "rand.Read": "chance",
}

// TestOnlyCliReadsTheProcess holds that the clock and its like come in from Env.
func TestOnlyCliReadsTheProcess(t *testing.T) {
	for _, p := range packages(t) {
		if n := name(p.ImportPath); n == "internal/cli" || n == "internal/testkit" || strings.HasPrefix(n, "scripts/") {
			continue
		}
		fset, files := sources(t, p.Dir)
		for _, f := range files {
			for at, what := range processReads(f) {
				t.Errorf("%s reads %s: take it from cli.Env", fset.Position(at), what)
			}
		}
	}
}

func processReads(f *ast.File) map[token.Pos]string {
	found := map[token.Pos]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				if what := readsProcess[x.Name+"."+sel.Sel.Name]; what != "" {
					found[sel.Pos()] = what
				}
			}
		}
		return true
	})
	return found
}

// TestNoPatternAtStart holds that no package compiles a pattern when a program
// starts, whether the program needs it or not.
func TestNoPatternAtStart(t *testing.T) {
	for _, p := range packages(t) {
		fset, files := sources(t, p.Dir)
		for _, f := range files {
			for _, at := range startPatterns(f) {
				t.Errorf("%s: a pattern compiled at start: use sync.OnceValue", fset.Position(at))
			}
		}
	}
}

// startPatterns finds patterns in package variables, outside function literals.
func startPatterns(f *ast.File) []token.Pos {
	var found []token.Pos
	for _, decl := range f.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.VAR {
			ast.Inspect(gen, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(sel.Sel.Name, "MustCompile") {
					found = append(found, sel.Pos())
				}
				_, isFunc := n.(*ast.FuncLit)
				return !isFunc
			})
		}
	}
	return found
}

// TestSourceChecksCanFail holds that the checks above see what they look for.
func TestSourceChecksCanFail(t *testing.T) {
	const bad = `package x
var a = regexp.MustCompile("x")
var b = sync.OnceValue(func() any { return regexp.MustCompile("x") })
func f() { time.Now(); _ = os.Getenv("X") }
`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", bad, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(startPatterns(f)); got != 1 {
		t.Errorf("%d patterns at start found, want 1", got)
	}
	if got := len(processReads(f)); got != 2 {
		t.Errorf("%d reads of the process found, want 2", got)
	}
}
