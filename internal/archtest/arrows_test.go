package archtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit"
)

const module = "github.com/dshkit/dshkit"

// listed is what go list tells of a package.
type listed struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	Module     *struct{ Path string }
}

// goList runs go list -json with the given arguments at the root. A package that
// does not build is for the compiler to tell; here its imports count.
func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-e", "-json=ImportPath,Dir,Standard,Imports,Module"}, args...)...)
	cmd.Dir = testkit.Root(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %q: %v\n%s", args, err, &stderr)
	}
	var list []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

var (
	ownOnce sync.Once
	ownList []listed
)

// packages returns the packages of this module.
func packages(t *testing.T) []listed {
	t.Helper()
	ownOnce.Do(func() { ownList = goList(t, "./...") })
	if len(ownList) == 0 {
		t.Fatal("no packages")
	}
	return ownList
}

// name returns the path of a package within the module.
func name(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

func isOwn(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func roomOf(pkg string) (room, bool) {
	for _, r := range rooms {
		if matches(r.pattern, pkg) {
			return r, true
		}
	}
	return room{}, false
}

func matches(pattern, pkg string) bool {
	ok, err := path.Match(pattern, pkg)
	return ok && err == nil
}

func within(prefix, importPath string) bool {
	return importPath == prefix || strings.HasPrefix(importPath, prefix+"/")
}

func TestArrows(t *testing.T) {
	for _, p := range packages(t) {
		r, ok := roomOf(name(p.ImportPath))
		if !ok {
			t.Errorf("%s has no room: add it to rooms_test.go", name(p.ImportPath))
			continue
		}
		for _, imported := range p.Imports {
			if why := r.forbids(imported); why != "" {
				t.Errorf("%s imports %s: %s", name(p.ImportPath), imported, why)
			}
			if door := doorOf(imported); door != "" && door != name(p.ImportPath) {
				t.Errorf("%s imports %s: only %s may", name(p.ImportPath), imported, door)
			}
		}
	}
}

// forbids returns why the room may not import a package, "" when it may.
func (r room) forbids(imported string) string {
	switch {
	case isOwn(imported):
		for _, pattern := range append(leaves, r.house...) {
			if matches(pattern, name(imported)) {
				return ""
			}
		}
		return "not among the packages of its room " + r.pattern
	case isStandard(imported):
		for _, n := range r.never {
			if n == imported {
				return "a package of values touches nothing outside"
			}
		}
		return ""
	}
	for _, prefix := range r.outside {
		if within(prefix, imported) {
			return ""
		}
	}
	return "not among the libraries of its room " + r.pattern
}

func doorOf(imported string) string {
	for prefix, door := range doors {
		if within(prefix, imported) {
			return door
		}
	}
	return ""
}

// TestArrowsCanFail holds that the check sees what it is there for.
func TestArrowsCanFail(t *testing.T) {
	for _, row := range []struct {
		pkg, imported string
		allowed       bool
	}{
		{"internal/selfip/entry", module + "/pkg/text", true},
		{"internal/selfip/entry", module + "/pkg/filestore", false},
		{"internal/selfip/entry", module + "/internal/cli", false},
		{"internal/selfip/entry", "os", false},
		{"internal/workspace", "os", true},
		{"internal/selfip", module + "/pkg/filestore", true},
		{"internal/selfip", "github.com/spf13/cobra", false},
		{"internal/harness", module + "/internal/selfip", false},
		{"internal/cli", module + "/internal/selfip/scope", false},
		{"internal/config", "github.com/spf13/viper", true},
		{"internal/cli/selfipcmd", "github.com/spf13/viper", false},
		{"pkg/retro", "os", false},
		{"cmd/selfip", module + "/pkg/text", true},
		{"cmd/selfip", module + "/internal/selfip", false},
	} {
		r, ok := roomOf(row.pkg)
		if !ok {
			t.Errorf("%s has no room", row.pkg)
		}
		if why := r.forbids(row.imported); (why == "") != row.allowed {
			t.Errorf("%s imports %s: %q, want allowed %v", row.pkg, row.imported, why, row.allowed)
		}
	}
	if _, ok := roomOf("internal/stranger"); ok {
		t.Error("a package nobody planned has a room")
	}
}

func TestNoStrangers(t *testing.T) {
	for _, p := range goList(t, "-deps", "./cmd/...") {
		for prefix, why := range strangers {
			if within(prefix, p.ImportPath) {
				t.Errorf("a program links %s: %s", p.ImportPath, why)
			}
		}
	}
}

func TestSelfipLinksNoScripting(t *testing.T) {
	for _, p := range goList(t, "-deps", "./cmd/selfip") {
		for _, prefix := range scripting {
			if within(prefix, p.ImportPath) {
				t.Errorf("selfip links %s, which adds 10 MB for nothing", p.ImportPath)
			}
		}
	}
}
