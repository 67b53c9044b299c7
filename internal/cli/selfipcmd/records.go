package selfipcmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// recordsFile remembers what was installed where (docs/formats/installs.md).
const recordsFile = "installs.json"

const recordsLock = recordsFile + ".lock"

// records is the list of installs of this user.
type records struct {
	dir *filestore.Dir // nil: there is no place for it
	all []install.Record
}

// openRecords reads the list. A list that cannot be read counts as empty: the
// settings of the harness are what counts, the record only helps.
func openRecords(env *cli.Env) *records {
	dir := configDir(env)
	if dir == "" {
		return &records{}
	}
	r := &records{dir: filestore.Open(dir, filestore.Options{LockName: recordsLock, Now: env.Now})}
	if data, err := r.dir.Read(recordsFile); err == nil {
		r.all, _ = parseRecords(data)
	}
	return r
}

func parseRecords(data []byte) ([]install.Record, error) {
	var doc struct {
		Installs []install.Record `json:"installs"`
	}
	err := json.Unmarshal(data, &doc)
	return doc.Installs, err
}

func (r *records) find(t install.Target) *install.Record {
	for i := range r.all {
		if r.all[i].Harness == t.Harness && r.all[i].File == t.File && r.all[i].Part == t.Part {
			return &r.all[i]
		}
	}
	return nil
}

// update writes what a plan did into the list, or takes it out when nothing of
// ours is left.
func (r *records) update(ctx context.Context, plan install.Plan, w written) error {
	if r.dir == nil {
		return nil
	}
	empty := false
	err := r.dir.With(ctx, func(tx *filestore.Tx) error {
		old, err := tx.Read(recordsFile)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		all, _ := parseRecords(old) // one that is damaged counts as empty, as it does for a reader
		all = slices.DeleteFunc(all, func(rec install.Record) bool {
			return rec.Harness == plan.Harness && rec.File == plan.File && rec.Part == plan.Part
		})
		if len(plan.Entries) > 0 && !plan.Remove {
			rec := plan.Record(version(), w.backup, w.earlier)
			if rec.Folder = w.folder; w.folder == "" && w.earlier != nil {
				rec.Folder = w.earlier.Folder
			}
			all = append(all, rec)
		}
		inherit(all, plan, w.earlier)
		if empty = len(all) == 0; empty {
			if err := tx.Remove(recordsFile, filestore.NoSync); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
		out, err := json.MarshalIndent(map[string]any{"version": 1, "installs": all}, "", "  ")
		if err != nil {
			return err
		}
		return tx.Replace(recordsFile, append(out, '\n'))
	})
	if err == nil && empty {
		_ = os.Remove(r.dir.Path(recordsLock)) // a later holder makes its own
		_ = os.Remove(r.dir.Path("."))         // ours alone, and gone when nothing is in it
	}
	return err
}

// inherit tells what else of ours is in a file that we made: the last of them to
// go takes the file with it.
func inherit(all []install.Record, plan install.Plan, gone *install.Record) {
	if gone == nil || !gone.Created || plan.Remove || len(plan.Entries) > 0 {
		return
	}
	for i := range all {
		if rec := &all[i]; rec.File == gone.File && rec.Part != gone.Part {
			rec.Created, rec.Folder = true, cmp.Or(rec.Folder, gone.Folder)
		}
	}
}

// installed reports whether a harness that works in dir has an entry of ours of
// its own: one of the user, or one of the project that dir is in.
func installed(env *cli.Env, h harness.Harness, dir string) bool {
	for _, rec := range openRecords(env).all {
		if rec.Harness != h || rec.Part != "" || len(rec.Entries) == 0 || !exists(rec.File) {
			continue
		}
		if rec.Scope != install.Project || below(absolute(env, dir), projectOf(rec.File)) {
			return true
		}
	}
	return false
}

// projectOf is the folder whose hidden folder holds a settings file, as
// .github/hooks/x.json; that of Crush lies beside it.
func projectOf(file string) string {
	if filepath.Base(file) == "crush.json" {
		return filepath.Dir(file)
	}
	for dir := filepath.Dir(file); ; dir = filepath.Dir(dir) {
		if strings.HasPrefix(filepath.Base(dir), ".") || filepath.Dir(dir) == dir {
			return filepath.Dir(dir)
		}
	}
}

// absolute is a folder that a harness names, by default the current one.
func absolute(env *cli.Env, dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	here, err := env.Getwd()
	if err != nil {
		return dir
	}
	return filepath.Join(here, dir)
}

func exists(path string) bool {
	dir := filestore.Open(filepath.Dir(path), filestore.Options{})
	_, err := dir.Stat(filepath.Base(path))
	return !errors.Is(err, fs.ErrNotExist)
}
