package machine

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// grant is a granted folder by the name that was given and by its real one.
type grant struct {
	literal, real string
	readOnly      bool
}

// real resolves links as far as there is something.
func real(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(real(dir), filepath.Base(path))
}

// want is what a call needs of a name.
type want struct {
	follow   bool // a link at the end is followed
	write    bool
	above    bool // a folder that leads to a granted one will do
	dangling bool // folders on the way may be missing
}

// spot is where a name leads.
type spot struct {
	path  string // real
	dir   string // the folder below whose handle it is touched
	rel   string // below dir
	self  bool   // what was granted itself: dir is the folder that it is in
	above bool   // it leads to a granted folder; dir and rel are empty
	info  fs.FileInfo
}

const maxLinks = 40

// find follows a name step by step, as the system would, to where it leads. The
// steps look at the disk only below granted folders. That somebody changes them
// meanwhile does no harm: spot.in touches the result below the folder's handle.
func (f *Files) find(name string, w want) (spot, error) {
	if !filepath.IsAbs(name) {
		return spot{}, &node.SystemError{Code: "ENOENT"}
	}
	at, info, err := f.walk(name, w)
	if err != nil {
		return spot{}, err
	}
	s, err := f.spot(f.canonical(at), w)
	s.info = info
	if err == nil && strings.HasSuffix(name, "/") && info != nil && !info.IsDir() && info.Mode()&fs.ModeSymlink == 0 {
		err = &node.SystemError{Code: "ENOTDIR"}
	}
	return s, err
}

// walk is where the steps of a name lead; info is nil of what is not there, or
// lies above what is granted.
func (f *Files) walk(name string, w want) (at string, info fs.FileInfo, err error) {
	volume := filepath.VolumeName(name) + string(filepath.Separator)
	at, todo := volume, steps(name[len(volume)-1:])
	for links := 0; len(todo) > 0; {
		step := todo[0]
		todo = todo[1:]
		if step == ".." {
			at, info = filepath.Dir(at), nil
			continue
		}
		next := f.canonical(filepath.Join(at, step))
		if !f.within(next) {
			if len(todo) > 0 && !f.leads(next) {
				return "", nil, f.denied(next)
			}
			at, info = next, nil
			continue
		}
		if info, err = os.Lstat(next); err != nil {
			if len(todo) == 0 && errors.Is(err, fs.ErrNotExist) || w.dangling {
				at, info = next, nil
				continue
			}
			return "", nil, systemError(err)
		}
		if info.Mode()&fs.ModeSymlink == 0 || len(todo) == 0 && !w.follow {
			at = next
			continue
		}
		if links++; links > maxLinks {
			return "", nil, &node.SystemError{Code: "ELOOP"}
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", nil, systemError(err)
		}
		if filepath.IsAbs(target) {
			at, target = volume, target[len(filepath.VolumeName(target)):]
		}
		todo = append(steps(target), todo...)
	}
	return at, info, nil
}

func steps(path string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(path, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }),
		func(s string) bool { return s == "." })
}

// canonical gives a granted folder its real name.
func (f *Files) canonical(path string) string {
	for _, g := range f.grants {
		if path == g.literal {
			return g.real
		}
	}
	return path
}

func below(dir, path string) (rel string, ok bool) {
	if path == dir {
		return ".", true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.CutPrefix(path, dir)
}

func (f *Files) within(path string) bool {
	return slices.ContainsFunc(f.grants, func(g grant) bool {
		_, ok := below(g.real, path)
		return ok
	})
}

// leads says whether a granted folder lies below.
func (f *Files) leads(path string) bool {
	return slices.ContainsFunc(f.grants, func(g grant) bool {
		_, literal := below(path, g.literal)
		_, real := below(path, g.real)
		return literal || real
	})
}

// stays refuses to remove or replace a granted folder; a granted file is as any.
func (s spot) stays() error {
	if s.rel == "." || s.self && (s.info == nil || s.info.IsDir()) {
		return node.Denied("the granted folder itself stays")
	}
	return nil
}

// replaced refuses likewise for the target of a move: what is not there yet may
// become a granted file.
func (s spot) replaced() error {
	if s.rel == "." || s.self && s.info != nil && s.info.IsDir() {
		return node.Denied("the granted folder itself stays")
	}
	return nil
}

// spot chooses the outermost granted folder that a path lies in, so that two
// names in one folder have one handle.
func (f *Files) spot(path string, w want) (spot, error) {
	var best *grant
	reading := false
	for i, g := range f.grants {
		if _, ok := below(g.real, path); !ok {
			continue
		}
		if w.write && g.readOnly {
			reading = true
			continue
		}
		if best == nil || len(g.real) < len(best.real) {
			best = &f.grants[i]
		}
	}
	switch {
	case best != nil:
		if dir := filepath.Dir(path); path == best.real && dir != path {
			// A grant may be a file, or be made only now.
			return spot{path: path, dir: dir, rel: filepath.Base(path), self: true}, nil
		}
		rel, _ := below(best.real, path)
		return spot{path: path, dir: best.real, rel: rel}, nil
	case w.above && f.leads(path) && !reading:
		return spot{path: path, above: true}, nil
	case reading:
		return spot{}, node.Denied("this folder is granted for reading only")
	}
	return spot{}, f.denied(path)
}

func (f *Files) denied(path string) error {
	if len(f.grants) == 0 {
		return node.Denied("no folder is granted to this script")
	}
	return node.Denied(path + " is in no folder that is granted to this script")
}

// open opens the folder that the spot is touched below.
func (s spot) open() (*os.Root, error) {
	root, err := os.OpenRoot(s.dir)
	return root, systemError(err)
}

// in does something below the handle of that folder.
func (s spot) in(do func(root *os.Root) error) error {
	root, err := s.open()
	if err != nil {
		return err
	}
	defer root.Close()
	return systemError(do(root))
}

func sorted(entries []fs.DirEntry) []node.Entry {
	list := make([]node.Entry, 0, len(entries))
	for _, e := range entries {
		list = append(list, node.Entry{Name: e.Name(), Type: typeOf(e.Type())})
	}
	slices.SortFunc(list, func(a, b node.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

func typeOf(m fs.FileMode) uint32 {
	switch m.Type() {
	case 0:
		return node.ModeRegular
	case fs.ModeDir:
		return node.ModeDir
	case fs.ModeSymlink:
		return node.ModeLink
	case fs.ModeNamedPipe:
		return node.ModeFIFO
	case fs.ModeSocket:
		return node.ModeSocket
	case fs.ModeDevice:
		return node.ModeBlock
	case fs.ModeDevice | fs.ModeCharDevice:
		return node.ModeChar
	}
	return 0
}

// appendOnly knows the one error that os has no name for.
func appendOnly(err error) bool { return strings.Contains(err.Error(), "O_APPEND") }

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return err
	}
	return systemError(err)
}
