package node

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// callMkdir makes a folder, and the ones above it when asked; it answers the
// first one it made.
func callMkdir(in *instance, args []jsrun.Value) task {
	p, recursive, mode := in.place(args, 0), truth(args, 1), uint32(number(args, 2))
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, p.fault("mkdir", err)
		}
		if !recursive {
			return nothing, p.fault("mkdir", files.Mkdir(p.name, mode))
		}
		first, err := mkdirAll(files, strings.TrimRight(p.name, "/"), mode)
		if err != nil || first == "" {
			return nothing, p.fault("mkdir", err)
		}
		return plain(first), nil
	}
}

// mkdirAll tries the whole first and then what is above it, so that it looks at
// no folder that need not be made.
func mkdirAll(files Files, name string, mode uint32) (first string, err error) {
	if name == "" {
		return "", nil
	}
	err = files.Mkdir(name, mode)
	switch codeOf(err) {
	case "":
		return name, nil
	case "EEXIST":
		if info, statErr := files.Stat(name); statErr == nil && info.Mode&ModeType == ModeDir {
			return "", nil
		}
		return "", err
	case "ENOENT":
	default:
		// A folder that is there may refuse to be made for other reasons, as
		// the root of a system that only reads does.
		if info, statErr := files.Stat(name); statErr == nil && info.Mode&ModeType == ModeDir {
			return "", nil
		}
		return "", err
	}
	above := name[:max(strings.LastIndexAny(name, `/\`), 0)]
	if above == "" || above == name {
		return "", err
	}
	first, err = mkdirAll(files, above, mode)
	if err != nil {
		return "", err
	}
	if err := files.Mkdir(name, mode); err != nil && codeOf(err) != "EEXIST" {
		return "", err
	}
	if first == "" {
		first = name
	}
	return first, nil
}

const tempLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func callMkdtemp(in *instance, args []jsrun.Value) task {
	prefix := text(args, 0)
	return func() (answer, error) {
		p := place{given: prefix + "XXXXXX"}
		files, err := in.files()
		for tries := 0; err == nil && tries < 100; tries++ {
			name := prefix + in.host.sixLetters(tries)
			if err = files.Mkdir(in.absolute(name), 0o700); err == nil {
				return plain(name), nil
			}
			if codeOf(err) == "EEXIST" {
				err = nil
			}
		}
		if err == nil {
			err = &SystemError{Code: "EEXIST"}
		}
		return nil, p.fault("mkdtemp", err)
	}
}

// sixLetters are by chance, or, where the host gives none, by count.
func (h *Host) sixLetters(try int) string {
	b := []byte{0, 0, 0, 0, 0, byte(try)}
	if h.RandomBytes != nil {
		h.RandomBytes(b)
	}
	for i := range b {
		b[i] = tempLetters[int(b[i])%len(tempLetters)]
	}
	return string(b)
}

// callRm removes a file, or a tree when asked. It never follows a link: of a
// link only the link goes.
func callRm(in *instance, args []jsrun.Value) task {
	p, recursive, force := in.place(args, 0), truth(args, 1), truth(args, 2)
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, p.fault("rm", err)
		}
		info, err := files.Lstat(p.name)
		if gone(err) && force {
			return nothing, nil
		}
		if err != nil {
			return nil, p.fault("lstat", err)
		}
		if info.Mode&ModeType != ModeDir {
			return nothing, p.fault("unlink", unlessGone(files.Unlink(p.name), force))
		}
		if !recursive {
			return plain("directory"), nil // the script words this one
		}
		return nothing, p.fault("rmdir", unlessGone(removeTree(files, p.name), force))
	}
}

func unlessGone(err error, force bool) error {
	if force && gone(err) {
		return nil
	}
	return err
}

// removeTree removes a folder and what is in it. What others remove or add
// meanwhile is met again on a second look.
func removeTree(files Files, name string) error {
	for tries := 0; ; tries++ {
		entries, err := files.ReadDir(name)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := removeEntry(files, name+"/"+e.Name, e.Type); err != nil && !gone(err) {
				return err
			}
		}
		err = files.Rmdir(name)
		if codeOf(err) != "ENOTEMPTY" || tries == 3 {
			return err
		}
	}
}

func removeEntry(files Files, name string, kind uint32) error {
	if kind == ModeDir {
		return removeTree(files, name)
	}
	return files.Unlink(name)
}

// callCp copies a file or a tree; links are copied as links.
func callCp(in *instance, args []jsrun.Value) task {
	from, to := in.place(args, 0), in.place(args, 1)
	c := copying{recursive: truth(args, 2), force: truth(args, 3), refuse: truth(args, 4)}
	return func() (answer, error) {
		files, err := in.files()
		if err != nil {
			return nil, from.faultTo("cp", to, err)
		}
		c.files = files
		info, err := files.Lstat(from.name)
		if err != nil {
			return nil, from.fault("lstat", err)
		}
		if strings.HasPrefix(to.name+"/", from.name+"/") {
			return nil, from.faultTo("cp", to, &SystemError{Code: "EINVAL", Note: "a tree cannot be copied into itself"})
		}
		return nothing, from.faultTo("cp", to, c.copy(from.name, to.name, info.Mode))
	}
}

type copying struct {
	files                    Files
	recursive, force, refuse bool
}

func (c copying) copy(from, to string, mode uint32) error {
	switch mode & ModeType {
	case ModeDir:
		return c.tree(from, to, mode)
	case ModeLink:
		target, err := c.files.Readlink(from)
		if err != nil {
			return err
		}
		return c.files.Symlink(target, to)
	}
	err := copyFile(c.files, from, to, !c.force)
	if codeOf(err) == "EEXIST" && !c.refuse {
		return nil // what is there stays
	}
	return err
}

func (c copying) tree(from, to string, mode uint32) error {
	if !c.recursive {
		return &SystemError{Code: "EISDIR", Note: "recursive is not set"}
	}
	if _, err := mkdirAll(c.files, to, mode&0o7777); err != nil {
		return err
	}
	entries, err := c.files.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := c.copy(from+"/"+e.Name, to+"/"+e.Name, e.Type); err != nil {
			return err
		}
	}
	return nil
}
