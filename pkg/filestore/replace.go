package filestore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/fault"
)

// maxLinks is how many symbolic links are followed, as many as Linux does.
const maxLinks = 40

// A replacement is one file on its way into the place of another.
type replacement struct {
	path      string // what was asked for
	target    string // what that is, symbolic links followed
	old       fs.FileInfo
	mode      fs.FileMode // of a file that is new
	exclusive bool        // the target must not exist
	sync      bool
	mark      *mark
}

// write puts data in the place of the target: all of it or, on an error,
// nothing. The temporary file never stays.
func (r *replacement) write(data []byte) error {
	temp, err := r.prepare(data)
	if err != nil {
		return writeFault(r.path, err)
	}
	if r.exclusive {
		err = link(temp, r.target)
	} else {
		err = rename(temp, r.target)
	}
	if err != nil {
		r.discard(temp)
		return writeFault(r.path, err)
	}
	if !r.sync {
		return nil
	}
	if err := syncFolder(folderOf(r.target)); err != nil {
		return fault.New(fault.Partial, codeUnconfirmed, r.path).Because(err)
	}
	return nil
}

// prepare writes data to a temporary file beside the target.
func (r *replacement) prepare(data []byte) (temp string, err error) {
	f, err := r.create()
	if err != nil {
		return "", err
	}
	if r.old != nil {
		keepOwner(f, r.old)
		err = f.Chmod(r.old.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil && r.sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		r.discard(f.Name())
	}
	return f.Name(), err
}

// create makes the temporary file, which nobody else may read until it has the
// mode of the file it replaces.
func (r *replacement) create() (f *os.File, err error) {
	if err := checkFolder(r.target); err != nil {
		return nil, err
	}
	mode := r.mode
	if r.old != nil {
		mode = 0o600
	}
	dir, base := filepath.Split(r.target)
	for range 100 { // a process of the same number, in another container, may have left one
		temp := dir + tempName(base)
		r.mark.set(temp)
		f, err = openPlain(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil && r.old == nil {
		inheritOwner(f.Name())
	}
	return f, err
}

func (r *replacement) discard(temp string) {
	if !removeTemp(temp) {
		r.mark.stuck = true
	}
}

// link gives temp the name target, which must be free. File systems without
// hard links have to do with a look before: the lock keeps others out.
func link(temp, target string) error {
	err := os.Link(temp, target)
	if err == nil {
		_ = os.Remove(temp)
		return nil
	}
	if _, serr := os.Lstat(target); errors.Is(err, fs.ErrExist) || serr == nil {
		return fs.ErrExist
	}
	return rename(temp, target)
}

// resolve follows the symbolic links at path to the file that they are about,
// which need not exist: then old is nil.
func resolve(path string) (target string, old fs.FileInfo, err error) {
	target = path
	for range maxLinks {
		info, err := os.Lstat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return target, nil, missingFolder(path, target)
		case err != nil:
			return "", nil, writeFault(path, err)
		case info.Mode()&fs.ModeSymlink == 0:
			return target, info, nil
		}
		next, err := os.Readlink(target)
		if err != nil {
			return "", nil, writeFault(path, err)
		}
		if !filepath.IsAbs(next) {
			// Not joined: ".." behind a folder that is a link means another
			// folder to the system than to the words.
			dir, _ := filepath.Split(target)
			next = dir + next
		}
		target = next
	}
	return "", nil, fault.New(fault.Damaged, codeLinkLoop, path)
}

// missingFolder refuses a link that leads into a folder that does not exist: it
// is not ours to create.
func missingFolder(path, target string) error {
	if path == target {
		return nil
	}
	if _, err := os.Stat(folderOf(target)); errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Failed, codeLinkDangles, path, target)
	}
	return nil
}

// checkFolder refuses to change the names in a folder that nobody may write to.
func checkFolder(path string) error {
	info, err := os.Stat(folderOf(path))
	if err == nil && isLocked(info) {
		return fault.New(fault.Refused, codeReadOnly, path)
	}
	return nil // anything else shows in what comes next
}

// folderOf returns the folder of path as the system sees it: filepath.Dir would
// take out a ".." that stands behind a link.
func folderOf(path string) string {
	if dir, _ := filepath.Split(path); dir != "" {
		return dir
	}
	return "."
}

// Temporary files have names of the form ".facts.md.4711-3.tmp": base name,
// process, running number.

const tempSuffix = ".tmp"

var tempCount atomic.Uint64

func tempName(base string) string {
	return "." + shorten(base) + "." + strconv.Itoa(os.Getpid()) + "-" +
		strconv.FormatUint(tempCount.Add(1), 10) + tempSuffix
}

// shorten cuts a name so that with what is added it is no longer than the 255
// bytes that file systems take.
func shorten(base string) string {
	const room = 200
	if len(base) <= room {
		return base
	}
	end := room
	for end > 0 && !utf8.RuneStart(base[end]) {
		end--
	}
	return base[:end]
}

// isTemp reports whether base is a name that tempName makes.
func isTemp(base string) bool {
	rest, ok := strings.CutSuffix(base, tempSuffix)
	dot := strings.LastIndexByte(rest, '.')
	if !ok || dot < 1 || rest[0] != '.' {
		return false
	}
	pid, count, ok := strings.Cut(rest[dot+1:], "-")
	return ok && isNumber(pid) && isNumber(count)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
