package service

import (
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Limits of files, in bytes and entries. A value that crosses is at most 16 MiB.
const (
	maxText    = 8 << 20
	maxEntries = 10000
	maxChunk   = 64 << 10
)

// target is a path as plugin code holds it: plain data, so each verb follows and
// checks it again.
func (f *files) target(path string) *jsonvalue.Object {
	return jsonvalue.Of("targetKey", path, "displayPath", f.shown(path))
}

// key is the path of an argument that is a target.
func (f *files) key(c *call, i int, name string) string {
	key := c.path(member(c.object(c.arg(i), name), "targetKey"), name+".targetKey")
	if c.bad == nil && !filepath.IsAbs(key) {
		c.wrong(name, "what fs.resolve gave")
	}
	return key
}

// at follows and opens where a target leads.
func (f *files) at(c *call, key string, write, makeDirs bool) (spot, error) {
	path, err := f.follow(key, true)
	if err != nil {
		return spot{}, err
	}
	return f.open(c, path, write, makeDirs)
}

// found opens for reading where the target of a call leads.
func (f *files) found(c *call) (s spot, key string, err error) {
	if key = f.key(c, 0, "target"); c.bad != nil {
		return spot{}, key, c.bad
	}
	s, err = f.at(c, key, false, false)
	return s, key, err
}

func (f *files) resolve(c *call) (any, error) {
	path := c.path(c.arg(0), "path")
	cwd := c.textOr(member(c.objectOr(c.arg(1), "opts"), "cwd"), "opts.cwd", f.root)
	if c.bad != nil {
		return nil, c.bad
	}
	path, err := f.follow(f.absolute(path, cwd), true)
	if err != nil {
		return nil, err
	}
	return f.target(path), nil
}

func (f *files) processPath(c *call) (any, error) {
	key := f.key(c, 0, "target")
	return key, c.bad
}

func (f *files) fileURL(c *call) (any, error) {
	key := filepath.ToSlash(f.key(c, 0, "target"))
	if c.bad != nil {
		return nil, c.bad
	}
	if !strings.HasPrefix(key, "/") {
		key = "/" + key // a drive
	}
	return (&url.URL{Scheme: "file", Path: key}).String(), nil
}

func (f *files) contains(c *call) (any, error) {
	parent, child := f.key(c, 0, "parent"), f.key(c, 1, "child")
	return grant.Below(filepath.Clean(parent), filepath.Clean(child)), c.bad
}

func (f *files) stat(c *call) (any, error) {
	s, key, err := f.found(c)
	if err != nil {
		return missing(err)
	}
	defer s.close()
	info, err := s.dir.Lstat(s.name)
	if err != nil {
		return missing(about(f.shown(key), err))
	}
	return f.info(info, "other"), nil
}

func (f *files) lstat(c *call) (any, error) {
	path := c.path(c.arg(0), "path")
	cwd := c.textOr(member(c.objectOr(c.arg(1), "opts"), "cwd"), "opts.cwd", f.root)
	if c.bad != nil {
		return nil, c.bad
	}
	path, err := f.follow(f.absolute(path, cwd), false)
	if err != nil {
		return nil, err
	}
	s, err := f.open(c, path, false, false)
	if err != nil {
		return missing(err)
	}
	defer s.close()
	info, err := s.dir.Lstat(s.name)
	if err != nil {
		return missing(about(f.shown(path), err))
	}
	return f.info(info, "symlink"), nil
}

// missing is undefined in place of an error that says that nothing is there.
func missing(err error) (any, error) {
	if os.IsNotExist(err) || isNotExist(err) {
		return wire.Undefined{}, nil
	}
	return nil, err
}

func isNotExist(err error) bool {
	code, _ := system(err)
	return code == "ENOENT"
}

// info is what a file is; link is the type of a link.
func (f *files) info(info fs.FileInfo, link string) *jsonvalue.Object {
	o := jsonvalue.Of("version", version(info), "type", typeOf(info.Mode(), link))
	if info.Mode().IsRegular() {
		o.Set("size", float64(info.Size()))
	}
	return o
}

func typeOf(mode fs.FileMode, link string) string {
	switch {
	case mode.IsRegular():
		return "file"
	case mode.IsDir():
		return "directory"
	case mode&fs.ModeSymlink != 0:
		return link
	}
	return "other"
}

// version names one state of a file.
func version(info fs.FileInfo) string {
	return strconv.FormatInt(info.ModTime().UnixNano(), 36) + "-" + strconv.FormatInt(info.Size(), 36) + identity(info)
}

func (f *files) readText(c *call) (any, error) {
	key := f.key(c, 0, "target")
	if c.bad != nil {
		return nil, c.bad
	}
	data, _, err := f.read(c, key, maxText)
	return decode(data), err
}

func (f *files) readBytes(c *call) (any, error) {
	key := f.key(c, 0, "target")
	limit := c.whole(c.arg(2), "maxBytes", maxText)
	if c.bad != nil {
		return nil, c.bad
	}
	data, _, err := f.read(c, key, limit)
	return wire.Bytes(data), err
}

// read reads a file of at most limit bytes.
func (f *files) read(c *call, key string, limit int64) ([]byte, fs.FileInfo, error) {
	s, err := f.at(c, key, false, false)
	if err != nil {
		return nil, nil, err
	}
	defer s.close()
	data, info, err := s.read(c, limit)
	return data, info, about(f.shown(key), err)
}

// read reads the file of a spot. It stops when the call ends.
func (s spot) read(c *call, limit int64) ([]byte, fs.FileInfo, error) {
	file, info, err := s.file()
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info.Size() > limit {
		return nil, nil, tooLarge(limit)
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		if err := c.ctx.Err(); err != nil {
			return nil, nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
		n, err := file.Read(data[len(data):min(cap(data), len(data)+maxChunk)])
		data = data[:len(data)+n]
		switch {
		case int64(len(data)) > limit:
			return nil, nil, tooLarge(limit)
		case err == io.EOF:
			return data, info, nil
		case err != nil:
			return nil, nil, err
		}
	}
}

func tooLarge(limit int64) error {
	return problem("EFBIG", fmt.Sprintf("the file is larger than %d bytes", limit))
}

// decode is a text in UTF-8; what is none becomes U+FFFD.
func decode(data []byte) string { return strings.ToValidUTF8(string(data), "\uFFFD") }

func (f *files) listDir(c *call) (any, error) {
	s, key, err := f.found(c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	entries, err := f.entries(s)
	return entries, about(f.shown(key), err)
}

// entries lists the folder of a spot by names, without what is private.
func (f *files) entries(s spot) ([]any, error) {
	dir := s.dir
	if s.name != "." {
		next, err := f.enter(dir, s.name, false)
		if err != nil {
			return nil, err
		}
		defer next.Close()
		dir = next
	}
	names, err := namesIn(dir)
	if err != nil {
		return nil, err
	}
	list := []any{}
	for _, name := range names {
		path := filepath.Join(s.path, name)
		info, err := dir.Lstat(name)
		if err != nil || f.private(path) {
			continue // gone meanwhile, or not to be seen
		}
		list = append(list, jsonvalue.Of("name", name, "type", typeOf(info.Mode(), "other"), "target", f.target(path)).Merge(f.info(info, "other").Without("type")))
	}
	return list, nil
}
