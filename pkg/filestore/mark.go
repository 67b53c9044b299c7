package filestore

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// clean is what the lock file says when no temporary file is about. Its length
// alone tells that, so that the common case costs no read.
const clean = "clean\n"

// sweepLimit bounds the search for leftovers, in directory entries.
const sweepLimit = 10_000

// A mark is what the holder of the lock writes into the lock file: which
// temporary file it is about to create or which file it is about to add to, and
// in the end that there is nothing to tidy. A holder that was killed leaves it
// behind, and the next one knows what to remove. Marks are for tidiness alone:
// without them nothing is lost, so their own failures are passed over.
type mark struct {
	hold  *hold
	file  *os.File // the lock file, open since the first mark
	stuck bool     // a temporary file could not be removed: let the next one try
}

// begin removes what a killed holder has left. A lock file that is new, or says
// something else, tells nothing: then the folder is searched.
func (m *mark) begin(h *hold) {
	m.hold = h
	info, err := h.file.Stat()
	if err != nil || info.Size() == int64(len(clean)) || !m.open() {
		return
	}
	said := make([]byte, 1<<13)
	n, err := m.file.ReadAt(said, 0)
	if err != nil && err != io.EOF {
		return
	}
	line, _, whole := strings.Cut(string(said[:n]), "\n")
	if whole && isTemp(filepath.Base(line)) {
		m.stuck = !removeTemp(m.absolute(line))
		return
	}
	if a, ok := parseAddition(line); ok && whole {
		h.dir.takeBack(a)
		return
	}
	h.dir.sweep()
}

// set says that temp is about to be created.
func (m *mark) set(temp string) {
	line := temp
	if inside, ok := strings.CutPrefix(temp, m.hold.dir.root+string(filepath.Separator)); ok {
		line = inside // stays true when the folder is moved
	}
	m.say(line)
}

// say puts a line at the beginning of the lock file; what was there is read no
// further.
func (m *mark) say(line string) {
	if m.stuck || m.file == nil && !m.open() {
		return
	}
	_, _ = m.file.WriteAt([]byte(line+"\n"), 0)
}

// end says that there is no temporary file.
func (m *mark) end() {
	if m.file == nil {
		return
	}
	if !m.stuck {
		if _, err := m.file.WriteAt([]byte(clean), 0); err == nil {
			_ = m.file.Truncate(int64(len(clean)))
		}
	}
	_ = m.file.Close()
}

// open opens the lock file for marks, if it still is the one that is held.
func (m *mark) open() bool {
	f, err := openPlain(m.hold.dir.Path(m.hold.dir.opts.LockName), os.O_RDWR|noFollow, 0)
	if err != nil {
		return false
	}
	mine, err1 := m.hold.file.Stat()
	info, err2 := f.Stat()
	if err1 != nil || err2 != nil || !os.SameFile(mine, info) {
		_ = f.Close()
		return false
	}
	m.file = f
	return true
}

func (m *mark) absolute(temp string) string {
	if filepath.IsAbs(temp) {
		return temp
	}
	return filepath.Join(m.hold.dir.root, temp)
}

// sweep removes the temporary files below the root. Only the holder of the lock
// makes such files, so all that are found are leftovers.
func (d *Dir) sweep() {
	seen := 0
	root := d.root + string(filepath.Separator) // or a root that is a link is not entered
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if seen++; seen > sweepLimit {
			return fs.SkipAll
		}
		switch {
		case err != nil && e != nil && e.IsDir(), e != nil && e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case err == nil && isTemp(e.Name()):
			removeTemp(path)
		}
		return nil
	})
}

// removeTemp removes a temporary file and reports whether it is gone.
func removeTemp(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	return os.Remove(path) == nil
}
