package filestore

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/dshkit/dshkit/pkg/fault"
)

// WriteOption changes how much a write does for durability.
type WriteOption int

const (
	// NoSync leaves it to the system when the change reaches the disk: for logs,
	// caches and indexes, whose loss by a power failure can be borne. A change
	// is as whole and as visible as any other.
	NoSync WriteOption = iota + 1

	// Durable makes AppendLog wait until the disk has what was added.
	Durable
)

func has(opts []WriteOption, o WriteOption) bool { return slices.Contains(opts, o) }

// Tx is access to the files of a Dir for the holder of its lock. It ends with
// the function it was handed to.
type Tx struct {
	dir  *Dir
	hold *hold // nil in a dry run
	over bool
}

// With runs f while holding the lock of the folder, for changes of several files
// that belong together. Each change is made at once; if f fails after the first
// of them, that one stays. The lock is not re-entrant: f uses tx, and must be
// quick.
//
// The error is that of f; or a fault that matches ErrBusy when the lock was not
// free before ctx or Options.Wait ran out, with f not run; or a fault of the
// folder itself.
func (d *Dir) With(ctx context.Context, f func(tx *Tx) error) error {
	tx := &Tx{dir: d}
	defer func() { tx.over = true }()
	if d.plan == nil {
		h, err := d.lock(ctx)
		if err != nil {
			return err
		}
		defer h.release()
		tx.hold = h
	}
	return f(tx)
}

// Update replaces the named file with the result of f applied to its present
// contents (nil if it does not exist). No other change of the same folder runs
// meanwhile, in this process or another. A reader sees the old bytes or the new
// ones, never a mixture. If f fails or returns nil, or what the file holds
// already, nothing is written. f may change old; it must be quick, as it holds
// the lock. Errors are those of With, Read and Replace.
func (d *Dir) Update(ctx context.Context, name string, f func(old []byte) ([]byte, error), opts ...WriteOption) error {
	return d.With(ctx, func(tx *Tx) error {
		if _, err := tx.writable(name); err != nil {
			return err
		}
		old, err := tx.readOrNil(name)
		if err != nil {
			return err
		}
		size, sum := len(old), maphash.Bytes(seed, old)
		next, err := f(old)
		if err != nil || next == nil {
			return err
		}
		if old != nil && len(next) == size && maphash.Bytes(seed, next) == sum {
			return nil
		}
		return tx.Replace(name, next, opts...)
	})
}

// seed is for telling old bytes from new ones when f has changed them in place.
var seed = maphash.MakeSeed()

// Append adds data to the end of the named file, and creates it if need be. On
// an error the file is as it was. See Tx.Append.
func (d *Dir) Append(ctx context.Context, name string, data []byte, opts ...WriteOption) error {
	return d.With(ctx, func(tx *Tx) error { return tx.Append(name, data, opts...) })
}

// check guards against a Tx that outlives its function.
func (tx *Tx) check(name string) error {
	if tx.over {
		return fault.New(fault.Usage, codeOver, name)
	}
	return nil
}

// Read returns the contents of the named file, as Dir.Read does.
func (tx *Tx) Read(name string) ([]byte, error) {
	if err := tx.check(name); err != nil {
		return nil, err
	}
	return tx.dir.Read(name)
}

// List returns the names in a folder, as Dir.List does.
func (tx *Tx) List(folder string) ([]string, error) {
	if err := tx.check(folder); err != nil {
		return nil, err
	}
	return tx.dir.List(folder)
}

func (tx *Tx) readOrNil(name string) ([]byte, error) {
	data, err := tx.dir.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Replace puts data in the place of the named file, whole or not at all, and
// creates the file if need be. A symbolic link stays one: the file that it leads
// to is replaced.
func (tx *Tx) Replace(name string, data []byte, opts ...WriteOption) error {
	return tx.replace(name, data, false, opts)
}

// Create makes the named file with the contents data, whole or not at all. If
// something has that name, the error is of kind Conflict and matches
// fs.ErrExist.
func (tx *Tx) Create(name string, data []byte, opts ...WriteOption) error {
	return tx.replace(name, data, true, opts)
}

func (tx *Tx) replace(name string, data []byte, exclusive bool, opts []WriteOption) error {
	full, err := tx.writable(name)
	switch {
	case err != nil:
		return err
	case tx.hold == nil:
		return tx.planReplace(name, data, exclusive)
	}
	r := &replacement{
		path: full, target: full, mode: tx.dir.fileMode(name),
		exclusive: exclusive, sync: !has(opts, NoSync), mark: &tx.hold.mark,
	}
	if err := tx.dir.confine(full); err != nil {
		return err
	}
	if exclusive {
		_, err = os.Lstat(full)
		if err == nil {
			return writeFault(full, fs.ErrExist)
		}
	} else if r.target, r.old, err = resolve(full); err != nil {
		return err
	}
	switch {
	case r.old == nil:
		if err := tx.dir.makeFolder(path.Dir(name), r.sync); err != nil {
			return err
		}
	case !r.old.Mode().IsRegular():
		return typeFault(full, r.old.Mode())
	case isLocked(r.old):
		return fault.New(fault.Refused, codeReadOnly, full)
	}
	return r.write(data)
}

// Append adds data to the end of the named file by one write, and creates the
// file if need be. Data is written as it is, but for one thing: if the file ends
// in a line without an end, torn by a crash or a full disk, and data does not
// begin with a line feed, one goes before it. On an error the file is as it was;
// if even that cannot be had, the error is of kind Partial. Of what a killed
// process has added by half, the next holder of the lock takes that half back.
func (tx *Tx) Append(name string, data []byte, opts ...WriteOption) error {
	full, err := tx.writable(name)
	switch {
	case err != nil:
		return err
	case len(data) == 0:
		return nil
	case tx.hold == nil:
		return tx.planAppend(name, data)
	}
	a, err := tx.dir.openAppend(name, full)
	if err != nil {
		return err
	}
	defer a.file.Close()
	durable := !has(opts, NoSync)
	if data, err = a.behind(data); err != nil {
		return writeFault(full, err)
	}
	if durable {
		tx.hold.mark.adding(name, a.size, data)
	}
	n, err := a.file.Write(data)
	if err == nil && durable {
		err = a.sync()
	}
	if err == nil {
		return nil
	}
	if a.undo(n) != nil {
		return fault.New(fault.Partial, codeTorn, full).Because(err)
	}
	return writeFault(full, err)
}

// A Piece is a few bytes at a place of a file.
type Piece struct {
	At   int64
	Data []byte
}

// Patch writes pieces over what stands at their places in the named file, which
// must be in the state that was read: else the error is of kind Conflict and
// nothing is written. It is for what can be lost, such as a counter: it is not
// synced, and killed in between it leaves some pieces new and the others old,
// each whole if it is no longer than a few bytes. A reader at the same time can
// see that as well. A replacement costs a hundred times as much.
func (tx *Tx) Patch(name string, state Info, pieces []Piece) error {
	full, err := tx.writable(name)
	switch {
	case err != nil:
		return err
	case tx.hold == nil:
		return tx.planPatch(name, pieces)
	}
	f, err := openPlain(full, os.O_RDWR, 0)
	if err != nil {
		return writeFault(full, err)
	}
	defer f.Close()
	if err := checkNote(f, full); err != nil {
		return err
	}
	if info, err := f.Stat(); err != nil || identity(info) != state {
		return fault.New(fault.Conflict, codeChanged, full).Because(err)
	}
	for _, p := range pieces {
		if p.At+int64(len(p.Data)) > state.Size {
			return fault.New(fault.Conflict, codeChanged, full)
		}
		if _, err := f.WriteAt(p.Data, p.At); err != nil {
			return writeFault(full, err)
		}
	}
	return nil
}

// Remove removes the named file; of a symbolic link, the link. The error of a
// missing file matches fs.ErrNotExist.
func (tx *Tx) Remove(name string, opts ...WriteOption) error {
	full, err := tx.writable(name)
	switch {
	case err != nil:
		return err
	case tx.hold == nil:
		return tx.planRemove(name)
	}
	info, err := os.Lstat(full)
	if err == nil && info.IsDir() {
		return typeFault(full, info.Mode())
	}
	if err == nil {
		err = checkFolder(full)
	}
	if err == nil {
		err = os.Remove(full)
	}
	if err != nil {
		return writeFault(full, err)
	}
	if has(opts, NoSync) {
		return nil
	}
	if err := syncFolder(filepath.Dir(full)); err != nil {
		return fault.New(fault.Partial, codeUnconfirmed, full).Because(err)
	}
	return nil
}

// RemoveLog removes a file that AppendLog adds to, if it is still size bytes long,
// and reports whether it did. What is added at this moment is not lost: when
// something was written before the file went, all of it is written again, and who
// writes later notices that it is gone.
func (tx *Tx) RemoveLog(name string, size int64, opts ...WriteOption) (removed bool, err error) {
	if tx.hold == nil {
		return true, tx.Remove(name, opts...)
	}
	f, info, err := tx.dir.OpenFile(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if info.Size != size || size == 0 {
		return false, nil // one that is empty has just been made, to be written to
	}
	if err := tx.Remove(name, opts...); err != nil {
		return false, err
	}
	all, err := io.ReadAll(f)
	if err != nil {
		return false, err
	}
	// A line that is not whole is being written: who does it notices.
	if all = all[:bytes.LastIndexByte(all, '\n')+1]; int64(len(all)) <= size {
		return true, nil
	}
	return false, tx.dir.AppendLog(name, all, opts...)
}

// writable returns the path of a file that is to be changed.
func (tx *Tx) writable(name string) (string, error) {
	if err := tx.check(name); err != nil {
		return "", err
	}
	return tx.dir.locateFile(name)
}
