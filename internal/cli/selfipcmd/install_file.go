package selfipcmd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/harness/install"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// changeTarget plans the change of one file under its lock, and writes it.
func changeTarget(ctx context.Context, env *cli.Env, t install.Target, asked install.Options, opts installOptions) (install.Plan, error) {
	records := openRecords(env)
	plans := func(read func(name string) ([]byte, error)) (install.Plan, error) {
		current, err := read(filepath.Base(t.File))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return install.Plan{}, err
		}
		if opts.remove {
			return t.Uninstall(current, program, records.find(t)), nil
		}
		return t.Install(current, asked), nil
	}
	if !opts.remove && !opts.print && t.RefusesLinks() && isLinked(t.File) {
		return install.Plan{}, fault.New(fault.Refused, "install-link", t.File, string(t.Harness))
	}
	dir := settingsDir(env, t.File)
	// What changes nothing takes no lock and leaves nothing behind.
	plan, err := plans(dir.Read)
	if err != nil || opts.print || env.Flags.DryRun || !plan.Changed() {
		return plan, err
	}
	earlier := records.find(t)
	made := missingFolder(filepath.Dir(t.File))
	backup := ""
	err = dir.With(ctx, func(tx *filestore.Tx) error {
		if plan, err = plans(tx.Read); err != nil || !plan.Changed() {
			return err
		}
		backup, err = writePlan(env, tx, plan)
		return err
	})
	_ = os.Remove(dir.Path(lockName(t.File))) // a later holder makes its own; left behind it is litter in a repository
	if err == nil && plan.Changed() {
		// Not under the lock: the list may be in the same folder, which has one.
		err = records.update(ctx, plan, written{earlier, backup, made})
	}
	if err == nil && plan.Remove && earlier != nil {
		removeFolders(filepath.Dir(t.File), earlier.Folder)
	}
	return plan, err
}

// missingFolder returns the topmost folder on the way to dir that is not there,
// "" when all are.
func missingFolder(dir string) string {
	missing := ""
	for !isDir(dir) && dir != filepath.Dir(dir) {
		missing, dir = dir, filepath.Dir(dir)
	}
	return missing
}

// removeFolders removes the folders from dir up to top, which were not there
// before us, as far as they are empty.
func removeFolders(dir, top string) {
	for top != "" && (dir == top || strings.HasPrefix(dir, top+string(filepath.Separator))) {
		if os.Remove(dir) != nil {
			return
		}
		dir = filepath.Dir(dir)
	}
}

// written is how a plan was written.
type written struct {
	earlier *install.Record // of the same file, or nil
	backup  string          // its name, or ""
	folder  string          // the topmost folder that was made for it, or ""
}

// settingsDir is the folder of a harness's settings with a lock of our own for
// the file (spec/harness-hooks.md 4.1.6).
func settingsDir(env *cli.Env, file string) *filestore.Dir {
	return filestore.Open(filepath.Dir(file), filestore.Options{LockName: lockName(file), Now: env.Now})
}

func lockName(file string) string { return filepath.Base(file) + ".selfip.lock" }

// writePlan makes a backup, whose name it returns, and writes the file.
func writePlan(env *cli.Env, tx *filestore.Tx, plan install.Plan) (backup string, err error) {
	base := filepath.Base(plan.File)
	if plan.Remove { // we made it, and nothing but ours was ever in it
		return "", removeAll(tx, backups(tx, base), base)
	}
	if backup, err = writeBackup(env, tx, base, plan); err != nil {
		return "", err
	}
	if err = tx.Replace(base, plan.After); err == nil && plan.Runs {
		err = os.Chmod(plan.File, 0o755)
	}
	return backup, err
}

// isLinked reports whether a settings file, or the folder of the harness that it
// is in, is a symbolic link.
func isLinked(file string) bool {
	for _, path := range []string{file, filepath.Dir(file)} {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// removeAll removes files of one folder.
func removeAll(tx *filestore.Tx, names []string, more ...string) error {
	for _, name := range append(names, more...) {
		if err := tx.Remove(name, filestore.NoSync); err != nil {
			return err
		}
	}
	return nil
}

// keptBackups is how many backups of one file are kept.
const keptBackups = 3

// writeBackup keeps the file as it was and removes the oldest backups. Those of
// one second differ by a + at the end. A file that we make has none, nor has one
// that is ours alone.
func writeBackup(env *cli.Env, tx *filestore.Tx, base string, plan install.Plan) (string, error) {
	if plan.Before == nil || plan.Own {
		return "", nil
	}
	name := base + backupMark + env.Now().Format("20060102-150405")
	for _, earlier := range backups(tx, base) {
		if strings.HasPrefix(earlier, name) {
			name = earlier + "+"
		}
	}
	if err := tx.Replace(name, plan.Before); err != nil {
		return "", err
	}
	if err := os.Chmod(filepath.Join(filepath.Dir(plan.File), name), 0o600); err != nil {
		return "", err
	}
	old := backups(tx, base)
	return name, removeAll(tx, old[:max(0, len(old)-keptBackups)])
}

// backupMark stands in the name of a backup between the name of the file and the
// time.
const backupMark = ".selfip-backup-"

// backups lists the backups of a file, the oldest first.
func backups(tx *filestore.Tx, base string) []string {
	names, _ := tx.List(".")
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, base+backupMark) })
}
