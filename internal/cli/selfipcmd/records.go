package selfipcmd

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// recordsFile remembers what was installed where (docs/formats/installs.md).
const recordsFile = "installs.json"

// records is the list of installs of this user.
type records struct {
	dir *filestore.Dir
	all []install.Record
}

// openRecords reads the list. A list that cannot be read counts as empty: the
// settings of the harness are what counts, the record only helps.
func openRecords(env *cli.Env) *records {
	r := &records{dir: filestore.Open(configDir(env), filestore.Options{LockName: recordsFile + ".lock", Now: env.Now})}
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
		if r.all[i].Harness == t.Harness && r.all[i].File == t.File {
			return &r.all[i]
		}
	}
	return nil
}

// update writes what a plan did into the list, or takes it out when nothing of
// ours is left.
func (r *records) update(ctx context.Context, plan install.Plan, backup string, earlier *install.Record) error {
	return r.dir.Update(ctx, recordsFile, func(old []byte) ([]byte, error) {
		all, err := parseRecords(old)
		if err != nil && len(old) > 0 {
			all = nil // it was readable when we wrote it; what counts is in the settings
		}
		kept := []install.Record{}
		for _, rec := range all {
			if rec.Harness != plan.Harness || rec.File != plan.File {
				kept = append(kept, rec)
			}
		}
		if len(plan.Entries) > 0 {
			kept = append(kept, plan.Record(version(), backup, earlier))
		}
		out, err := json.MarshalIndent(map[string]any{"version": 1, "installs": kept}, "", "  ")
		return append(out, '\n'), err
	})
}

// installed reports whether a harness has an entry of ours of its own.
func installed(env *cli.Env, h harness.Harness) bool {
	for _, rec := range openRecords(env).all {
		if rec.Harness == h && len(rec.Entries) > 0 && exists(rec.File) {
			return true
		}
	}
	return false
}

func exists(path string) bool {
	dir := filestore.Open(filepath.Dir(path), filestore.Options{})
	_, err := dir.Stat(filepath.Base(path))
	return !errors.Is(err, fs.ErrNotExist)
}
