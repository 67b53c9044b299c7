package service

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// namesIn are the names in a folder, sorted.
func namesIn(dir *os.Root) ([]string, error) {
	file, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	names, err := file.Readdirnames(maxEntries + 1)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(names) > maxEntries {
		return nil, problem("EFBIG", fmt.Sprintf("the folder has more than %d entries", maxEntries))
	}
	slices.Sort(names)
	return names, nil
}

// expected is what a writer believes of the file.
type expected struct {
	absent  bool   // there is none
	version string // or it has this version; "" for whatever there is
}

func (c *call) intent(v any) expected {
	v = c.objectOr(v, "expected")
	if v == nil || c.bad != nil {
		return expected{}
	}
	switch member(v, "kind") {
	case "createIfAbsent":
		return expected{absent: true}
	case "replaceIfVersion":
		return expected{version: c.version(v)}
	}
	c.wrong("expected.kind", "createIfAbsent or replaceIfVersion")
	return expected{}
}

func (c *call) version(v any) string {
	s := c.text(member(v, "version"), "expected.version")
	if c.bad == nil && s == "" {
		c.wrong("expected.version", "a version")
	}
	return s
}

// state is what a file was before a change.
type state struct {
	exists bool
	text   string
	info   fs.FileInfo
}

// now looks at the file of a spot.
func (s spot) now(c *call) (state, error) {
	data, info, err := s.read(c, maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	return state{true, string(data), info}, err
}

// check refuses a change of a file that is not what the writer believes.
func (e expected) check(is state) error {
	switch {
	case e.absent && is.exists:
		return problem("EEXIST", "the file exists")
	case e.version != "" && !is.exists:
		return conflict("the file is gone")
	case e.version != "" && e.version != version(is.info):
		return conflict("the file has changed since this version was read")
	}
	return nil
}

func conflict(text string) error {
	return &wire.Thrown{Name: "Error", Code: "version-conflict", Message: text + ": read it again"}
}

func (f *files) writeText(c *call) (any, error) {
	key := f.key(c, 0, "target")
	content := c.text(c.arg(1), "content")
	expect := c.intent(c.arg(2))
	if c.bad != nil {
		return nil, c.bad
	}
	if len(content) > maxText {
		return nil, about(f.shown(key), tooLarge(maxText))
	}
	before, after, err := f.change(c, key, expect, true, func(state) (string, error) { return content, nil })
	if err != nil {
		return nil, err
	}
	o := jsonvalue.Of("operation", "create", "version", version(after), "before", nil, "after", content)
	if before.exists {
		o.Set("operation", "update")
		o.Set("before", decode([]byte(before.text)))
	}
	return o, nil
}

func (f *files) editText(c *call) (any, error) {
	key := f.key(c, 0, "target")
	edit := c.object(c.arg(1), "edit")
	e := replacement{
		old: c.text(member(edit, "oldString"), "edit.oldString"),
		new: c.text(member(edit, "newString"), "edit.newString"),
		all: c.truthOr(member(edit, "replaceAll"), "edit.replaceAll", false),
	}
	expect := expected{}
	if v := c.objectOr(c.arg(2), "expected"); v != nil && c.bad == nil {
		expect.version = c.version(v)
	}
	if c.bad != nil {
		return nil, c.bad
	}
	text := ""
	before, after, err := f.change(c, key, expect, false, func(is state) (string, error) {
		var err error
		text, err = e.apply(is.text)
		return text, err
	})
	if err != nil {
		return nil, err
	}
	return jsonvalue.Of("version", version(after), "before", decode([]byte(before.text)), "after", decode([]byte(text))), nil
}

// replacement is an edit of a text.
type replacement struct {
	old, new string
	all      bool
}

func (r replacement) apply(text string) (string, error) {
	n := 0
	if r.old != "" {
		n = strings.Count(text, r.old)
	}
	switch {
	case r.old == "":
		return "", argumentError("edit.oldString must not be empty")
	case r.old == r.new:
		return "", argumentError("edit.newString must differ from edit.oldString")
	case n == 0:
		return "", &wire.Thrown{Name: "Error", Code: "edit-not-found", Message: "edit.oldString is not in the file"}
	case n > 1 && !r.all:
		return "", &wire.Thrown{Name: "Error", Code: "edit-ambiguous", Message: fmt.Sprintf("edit.oldString is in the file %d times: give more of the text around it, or replaceAll", n)}
	case len(text)+n*(len(r.new)-len(r.old)) > maxText:
		return "", tooLarge(maxText)
	}
	return strings.ReplaceAll(text, r.old, r.new), nil
}

// change replaces a file by what make gives for its present text, whole or not
// at all. create says that it need not be there.
func (f *files) change(c *call, key string, expect expected, create bool, make func(state) (string, error)) (before state, after fs.FileInfo, err error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	s, err := f.at(c, key, true, create)
	if err != nil {
		return state{}, nil, err
	}
	defer s.close()
	fail := func(err error) (state, fs.FileInfo, error) { return state{}, nil, about(f.shown(key), err) }
	if before, err = s.now(c); err != nil {
		return fail(err)
	}
	if !before.exists && !create && expect.version == "" {
		return fail(fs.ErrNotExist)
	}
	if err := expect.check(before); err != nil {
		return fail(err)
	}
	text, err := make(before)
	if err != nil {
		return fail(err)
	}
	if after, err = s.replace(text, before, expect); err != nil {
		return fail(err)
	}
	return before, after, nil
}

// replace puts a new file in the place of the old: a name that leads to the old
// one too, such as a hard link, keeps it.
func (s spot) replace(text string, before state, expect expected) (fs.FileInfo, error) {
	if s.name == "." {
		return nil, problem("EISDIR", "is a directory")
	}
	file, temp, err := s.temporary()
	if err != nil {
		return nil, err
	}
	info, err := fill(file, text, before)
	if err == nil {
		err = s.put(temp, expect)
	}
	if err != nil {
		_ = s.dir.Remove(temp)
		return nil, err
	}
	if now, err := s.dir.Lstat(s.name); err == nil && os.SameFile(now, info) {
		return now, nil // moving it has changed its ctime
	}
	return info, nil
}

// temporary is a new file in the folder. One that a killed host has left behind
// stays where it is.
func (s spot) temporary() (file *os.File, name string, err error) {
	for n := range 100 {
		name = fmt.Sprintf(".cordis-%d.tmp", n)
		if file, err = s.dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); !errors.Is(err, fs.ErrExist) {
			return file, name, err
		}
	}
	return nil, "", err
}

// fill writes the new file, with the mode of the old one.
func fill(file *os.File, text string, before state) (fs.FileInfo, error) {
	defer file.Close()
	if before.exists {
		if err := file.Chmod(before.info.Mode().Perm()); err != nil {
			return nil, err
		}
	}
	if _, err := file.WriteString(text); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	return file.Stat()
}

// put gives the new file its name: in place of the old one, or only if there is
// none.
func (s spot) put(temp string, expect expected) error {
	if !expect.absent {
		return s.dir.Rename(temp, s.name)
	}
	if err := s.dir.Link(temp, s.name); err != nil {
		return err
	}
	return s.dir.Remove(temp)
}

// streamText gives an async iterator over a file.
func (f *files) streamText(c *call) (any, error) {
	s, key, err := f.found(c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	file, _, err := s.file()
	if err != nil {
		return nil, about(f.shown(key), err)
	}
	return newStream(c, file, filepath.Base(key))
}
