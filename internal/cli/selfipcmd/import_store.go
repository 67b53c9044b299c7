package selfipcmd

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip/exchange"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Bounds of what a tool may take to tell what it knows.
const (
	storeTimeout = time.Minute
	maxStore     = 256 << 20 // bytes
)

// readStores reads what another memory tool keeps: the files that were named,
// or the store where the tool has it. A store that holds every project of the
// user gives those of this one, unless another is named.
func (o importOptions) readStores(ctx context.Context, env *cli.Env, store exchange.Store, root string) ([]exchange.Line, error) {
	project, paths := o.project, o.paths
	if len(paths) == 0 {
		path, err := storePath(env, store)
		if err != nil {
			return nil, err
		}
		paths = []string{path}
		if project == "" {
			project = filepath.Base(root)
		}
	}
	if o.all {
		project = ""
	}
	var lines []exchange.Line
	for _, path := range paths {
		data, err := storeData(ctx, env, store, path)
		if err != nil {
			return nil, err
		}
		more, projects, err := exchange.ReadStore(store, path, data, project)
		if err != nil {
			return nil, err
		}
		if len(more) == 0 && len(projects) > 0 {
			return nil, fault.New(fault.NotFound, "no-project", path, project, projectNames(projects))
		}
		lines = append(lines, more...)
	}
	return lines, nil
}

// maxNamed is how many projects an error names.
const maxNamed = 12

func projectNames(projects []exchange.Project) string {
	var names []string
	for _, p := range projects[:min(len(projects), maxNamed)] {
		names = append(names, p.Name)
	}
	if len(projects) > maxNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// storePath is where a tool keeps its store.
func storePath(env *cli.Env, store exchange.Store) (string, error) {
	dir := env.Getenv(store.Folder)
	if dir == "" {
		home := env.Home()
		if home == "" {
			return "", fault.New(fault.Refused, "no-home-for-store", store.Name)
		}
		dir = filepath.Join(append([]string{home}, store.Home[:len(store.Home)-1]...)...)
	}
	path := filepath.Join(dir, store.Home[len(store.Home)-1])
	if _, err := os.Stat(path); err != nil {
		return "", fault.New(fault.NotFound, "no-store-there", store.Name, path)
	}
	return path, nil
}

// storeData is what a tool exports: the content of a file, or what a program
// makes of a database.
func storeData(ctx context.Context, env *cli.Env, store exchange.Store, path string) ([]byte, error) {
	if database, err := isDatabase(path); err != nil || !database {
		if err != nil {
			return nil, err
		}
		return readStoreFile(path)
	}
	if len(store.Program) > 0 && isOwnStore(env, store, path) {
		if program, err := lookPath(env, store.Program[0]); err == nil {
			return runExporter(ctx, env, program, store.Program[1:])
		}
	}
	program, err := lookPath(env, "sqlite3")
	if err != nil {
		return nil, fault.New(fault.NotFound, "no-sqlite", path, store.Name)
	}
	whole, err := filepath.Abs(path) // a name may begin like a flag, or like an address
	if err != nil {
		return nil, fault.New(fault.Failed, "no-current-folder").Because(err)
	}
	// A view of a stranger's database can call edit(), which starts a program. In
	// safe mode sqlite3 refuses; versions before 3.37 do not know it, and end.
	return exported(ctx, env, program, "-safe", "-readonly", "-json", whole, store.Query)
}

// isOwnStore reports whether a path is the store that the tool itself works on:
// its export is of that one, whatever file was named.
func isOwnStore(env *cli.Env, store exchange.Store, path string) bool {
	own, err := storePath(env, store)
	if err != nil {
		return false
	}
	a, errA := os.Stat(own)
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// databaseMark begins every database of SQLite 3.
const databaseMark = "SQLite format 3\x00"

func isDatabase(path string) (bool, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // a pipe would wait for a writer
		err = fs.ErrInvalid
	}
	if err != nil {
		return false, fault.New(fault.NotFound, "no-input", path).Because(err)
	}
	f, err := os.Open(path)
	if err != nil {
		return false, fault.New(fault.NotFound, "no-input", path).Because(err)
	}
	defer f.Close()
	head := make([]byte, len(databaseMark))
	n, _ := io.ReadFull(f, head)
	return string(head[:n]) == databaseMark, nil
}

func readStoreFile(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxStore {
		return nil, fault.New(fault.Usage, "store-too-long", path, maxStore>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.New(fault.NotFound, "no-input", path).Because(err)
	}
	return data, nil
}

// runExporter has a tool write its export into a folder that goes again.
func runExporter(ctx context.Context, env *cli.Env, program string, args []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "selfip-import-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "export.json")
	if _, err := exported(ctx, env, program, append(args, file)...); err != nil {
		return nil, err
	}
	return readStoreFile(file)
}

// exported is what a program writes, all of it or an error.
func exported(ctx context.Context, env *cli.Env, program string, args ...string) ([]byte, error) {
	out, err := programCall{program, args, storeTimeout, maxStore}.run(ctx, env)
	if len(out) >= maxStore {
		return nil, fault.New(fault.Usage, "store-too-long", filepath.Base(program), maxStore>>20)
	}
	return out, err
}
