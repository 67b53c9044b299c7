package mnemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/internal/mnemon/approval"
	"github.com/dshkit/dshkit/internal/mnemon/machine"
	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/fault"
)

// The codes of trying plugins out, each with its English sentence.
const (
	codeNoTestFile = "test-no-file" // %q: no such file or folder
	codeNoTests    = "test-none"    // no tests in %s
	codeStray      = "test-stray"   // an error that nobody caught: %s
)

// TryOptions say which tests are run.
type TryOptions struct {
	Paths  []string // test files, or folders of them
	Grants []approval.Grant
	Print  func(text string) // what the tests print
}

// Tried is what came of the tests of a file.
type Tried struct {
	File  string // relative to the current folder when it is below
	Tests []script.TestResult
	Err   error // why the file cannot be loaded, or was stopped
}

// Try runs the tests that authors of plugins wrote, each file in a realm of its
// own. They read the package that they are in and see a fresh home and a fresh
// temporary folder: the memory of the workspace and of the user is out of reach.
func (w *Workspace) Try(ctx context.Context, o TryOptions) (all []Tried, err error) {
	for _, path := range o.Paths {
		files, err := w.testFiles(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			one, err := w.try(ctx, file, o)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return nil, fault.New(fault.NotFound, codeNoTests, strings.Join(o.Paths, ", "))
	}
	return all, nil
}

// testPattern is how the files are named that a folder is searched for.
var testPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.test\.[cm]?[jt]sx?$`) })

// testFiles are those that a path names: itself, or what is in the folder.
func (w *Workspace) testFiles(path string) (files []string, err error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(w.Current, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.NotFound, codeNoTestFile, path)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != path && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.IsDir() && testPattern().MatchString(d.Name()):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

func (w *Workspace) try(ctx context.Context, file string, o TryOptions) (Tried, error) {
	temp, err := os.MkdirTemp("", "dsh-mnemon-test-")
	if err != nil {
		return Tried{}, err
	}
	defer os.RemoveAll(temp)
	one := Tried{File: w.shown(file)}
	stray := &strays{}
	loader := script.NewLoader(w.trying(file, temp, o, stray.add))
	realm, err := loader.Open(ctx, filepath.Dir(file))
	if err != nil {
		return one, err
	}
	one.Tests, one.Err = realm.Test(ctx, file)
	_ = realm.Close()
	if ctx.Err() != nil {
		return one, fault.New(fault.Timeout, codeTooLate).Because(context.Cause(ctx))
	}
	one.Err = errors.Join(append([]error{one.Err}, stray.taken()...)...)
	return one, nil
}

// trying are the settings of a realm for tests.
func (w *Workspace) trying(file, temp string, o TryOptions, stray func(text string)) script.Settings {
	r := reach{code: packageFolder(file), grants: o.Grants}
	host := w.host(r)
	host.Files = machine.NewFiles(append(r.folders(temp), machine.Grant{Path: temp})...)
	host.Home, host.Temp = temp, temp
	host.Cwd = func() string { return w.Current }
	host.Log = func(_, text string) { o.Print(text) }
	settings := w.realms(host, stray)
	settings.Tests = true
	return settings
}

// packageFolder is the folder of the package that a file belongs to, else its own.
func packageFolder(file string) string {
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "package.json")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return filepath.Dir(file)
		}
	}
}

// shown is how a file is named to the user.
func (w *Workspace) shown(file string) string {
	if below, err := filepath.Rel(w.Current, file); err == nil && !strings.HasPrefix(below, "..") {
		return filepath.ToSlash(below)
	}
	return file
}

// strays are errors that nobody caught.
type strays struct {
	mu   sync.Mutex
	list []error
}

func (s *strays) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, fault.New(fault.Plugin, codeStray, text))
}

func (s *strays) taken() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list
}
