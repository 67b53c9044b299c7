package service_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func TestResolve(t *testing.T) {
	w := newWorld(t, "fs:read docs")
	w.write("docs/a.md", "a")
	if err := os.Symlink("a.md", filepath.Join(w.root, "docs/link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"docs/a.md": "docs/a.md", "./docs/../docs//a.md": "docs/a.md", "docs/link": "docs/a.md", "docs/new/deep": "docs/new/deep", ".": ".",
		filepath.Join(w.root, "docs"): "docs", "/etc/passwd": "/etc/passwd", "../x": filepath.Join(filepath.Dir(w.root), "x"),
	} {
		got := w.target(path)
		if get(t, got, "displayPath") != want {
			t.Errorf("%s: %s, want %s", path, jsonvalue.Format(got), want)
		}
	}
	inner := w.call("fs.resolve", "a.md", obj("cwd", "docs"))
	if got := w.call("fs.processPath", inner); got != filepath.Join(w.root, "docs/a.md") {
		t.Error(got)
	}
	if got := w.call("fs.fileUrl", w.target("docs/a b#c")); got != "file://"+w.root+"/docs/a%20b%23c" {
		t.Error(got)
	}
	if w.call("fs.contains", w.target("docs"), inner) != true || w.call("fs.contains", inner, w.target("docs")) != false || w.call("fs.contains", w.target("doc"), inner) != false {
		t.Error("contains is wrong")
	}
}

func TestStat(t *testing.T) {
	w := newWorld(t, "fs:read docs")
	w.write("docs/a.md", "hello")
	if err := os.Symlink("a.md", filepath.Join(w.root, "docs/link")); err != nil {
		t.Fatal(err)
	}
	type result struct{ Type, Size any }
	of := func(v any) result { return result{get(t, v, "type"), get(t, v, "size")} }
	if diff := cmp.Diff(result{"file", 5.0}, of(w.call("fs.stat", w.target("docs/link")))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(result{"symlink", nil}, of(w.call("fs.lstat", "docs/link"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(result{"file", 5.0}, of(w.call("fs.lstat", "a.md", obj("cwd", "docs"), wire.Undefined{}))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(result{"directory", nil}, of(w.call("fs.stat", w.target("docs")))); diff != "" {
		t.Error(diff)
	}
	for _, v := range []any{w.call("fs.stat", w.target("docs/none")), w.call("fs.lstat", "docs/none/deep")} {
		if v != (wire.Undefined{}) {
			t.Errorf("%v, want undefined", v)
		}
	}
}

func TestRead(t *testing.T) {
	w := newWorld(t, "fs:read docs")
	w.write("docs/a.md", "h\xffllo €")
	a := w.target("docs/a.md")
	if got := w.call("fs.readText", a); got != "h\uFFFDllo €" {
		t.Errorf("%q", got)
	}
	if got := w.call("fs.readBytes", a, wire.Undefined{}, 100.0); string(got.(wire.Bytes)) != "h\xffllo €" {
		t.Errorf("%q", got)
	}
	_, err := w.try("fs.readBytes", a, wire.Undefined{}, 3.0)
	refused(t, err, "EFBIG")
	for _, args := range [][]any{{a}, {a, nil, "3"}, {a, nil, -1.0}, {a, nil, 1.5}, {"docs/a.md", nil, 1.0}, {obj("targetKey", "docs/a.md"), nil, 1.0}, {obj("targetKey", w.root+"/docs/a\x00"), nil, 1.0}, {obj("targetKey", ""), nil, 1.0}, {nil, nil, 1.0}} {
		_, err := w.try("fs.readBytes", args...)
		refused(t, err, "ERR_INVALID_ARG")
	}
	_, err = w.try("fs.readText", w.target("docs/none"))
	if thrown := refused(t, err, "ENOENT"); thrown.Message != "fs.readText: ENOENT: no such file or directory: docs/none" {
		t.Error(thrown.Message)
	}
	_, err = w.try("fs.readText", w.target("docs"))
	refused(t, err, "EISDIR")
	_, err = w.try("fs.resolve", "a\x00b")
	refused(t, err, "ERR_INVALID_ARG")
}

func TestHugeFile(t *testing.T) {
	w := newWorld(t, "fs:read .")
	file, err := os.Create(filepath.Join(w.root, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(1 << 40); err != nil {
		t.Skip("the disk holds no sparse files") // nothing of ours
	}
	_, err = w.try("fs.readText", w.target("huge"))
	refused(t, err, "EFBIG")
	stream := w.call("fs.streamText", w.target("huge")).(wire.Iterator)
	if got := w.callFunc(stream.Next); get(t, got, "done") != false || len(get(t, got, "value").(string)) != 64<<10 {
		t.Error("the first piece is wrong")
	}
	w.callFunc(stream.Return)
	_, err = w.tryFunc(stream.Next)
	refused(t, err, "gone")
}

func TestStream(t *testing.T) {
	w := newWorld(t, "fs:read .")
	text := strings.Repeat("a€😀", 50000)
	w.write("long", text)
	stream := w.call("fs.streamText", w.target("long")).(wire.Iterator)
	var got strings.Builder
	for {
		v := w.callFunc(stream.Next)
		if get(t, v, "done") == true {
			break
		}
		got.WriteString(get(t, v, "value").(string))
	}
	if got.String() != text {
		t.Error("the pieces are not the text")
	}
	if w.services.Owns(stream.Next.Handle) || w.services.Owns(stream.Return.Handle) {
		t.Error("the handles of a stream that has ended are kept")
	}
}

func TestList(t *testing.T) {
	w := newWorld(t, "fs:read .")
	for _, name := range []string{"b.md", "a/x", ".cordis/host.json", "own/secret"} {
		w.write(name, "text")
	}
	if err := os.Symlink("b.md", filepath.Join(w.root, "c")); err != nil {
		t.Fatal(err)
	}
	var got [][4]any
	for _, v := range w.call("fs.listDir", w.target(".")).([]any) {
		got = append(got, [4]any{get(t, v, "name"), get(t, v, "type"), get(t, v, "target", "displayPath"), get(t, v, "size")})
	}
	want := [][4]any{{"a", "directory", "a", nil}, {"b.md", "file", "b.md", 4.0}, {"c", "other", "c", nil}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	_, err := w.try("fs.listDir", w.target("b.md"))
	refused(t, err, "ENOTDIR")
}

func TestWrite(t *testing.T) {
	w := newWorld(t, "fs:write out")
	if err := os.Mkdir(filepath.Join(w.root, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	made := w.call("fs.writeText", w.target("out/deep/a.md"), "one")
	version := get(t, made, "version")
	if diff := cmp.Diff(`{"operation":"create","before":null,"after":"one"}`, jsonvalue.Format(made.(*jsonvalue.Object).Without("version"))); diff != "" {
		t.Error(diff)
	}
	if got := get(t, w.call("fs.stat", w.target("out/deep/a.md")), "version"); got != version {
		t.Errorf("stat says version %v, the write %v", got, version)
	}
	if err := os.Chmod(filepath.Join(w.root, "out/deep/a.md"), 0o750); err != nil {
		t.Fatal(err)
	}
	version = get(t, w.call("fs.stat", w.target("out/deep/a.md")), "version")
	changed := w.call("fs.writeText", w.target("out/deep/a.md"), "two", obj("kind", "replaceIfVersion", "version", version))
	if diff := cmp.Diff(`{"operation":"update","before":"one","after":"two"}`, jsonvalue.Format(changed.(*jsonvalue.Object).Without("version"))); diff != "" {
		t.Error(diff)
	}
	if info, err := os.Stat(filepath.Join(w.root, "out/deep/a.md")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("the mode was not kept: %v, %v", info, err)
	}
	_, err := w.try("fs.writeText", w.target("out/deep/a.md"), "three", obj("kind", "replaceIfVersion", "version", version))
	refused(t, err, "version-conflict")
	_, err = w.try("fs.writeText", w.target("out/none"), "x", obj("kind", "replaceIfVersion", "version", version))
	refused(t, err, "version-conflict")
	_, err = w.try("fs.writeText", w.target("out/deep/a.md"), "three", obj("kind", "createIfAbsent"))
	refused(t, err, "EEXIST")
	w.call("fs.writeText", w.target("out/b.md"), "b", obj("kind", "createIfAbsent"))
	_, err = w.try("fs.writeText", w.target("out"), "x")
	refused(t, err, "EISDIR")
	_, err = w.try("fs.writeText", w.target("out/deep/a.md"), strings.Repeat("x", 8<<20+1))
	refused(t, err, "EFBIG")
	for _, args := range [][]any{{w.target("out/c")}, {w.target("out/c"), 5.0}, {w.target("out/c"), "x", "always"}, {w.target("out/c"), "x", obj("kind", "x")}, {w.target("out/c"), "x", obj("kind", "replaceIfVersion")}} {
		_, err := w.try("fs.writeText", args...)
		refused(t, err, "ERR_INVALID_ARG")
	}
	if w.content("out/deep/a.md") != "two" || w.content("out/b.md") != "b" {
		t.Error("a refused write left something")
	}
	if names, err := filepath.Glob(filepath.Join(w.root, "out/*")); err != nil || len(names) != 2 {
		t.Errorf("left behind: %v", names)
	}
}

func TestEdit(t *testing.T) {
	w := newWorld(t, "fs:write out")
	w.write("out/a", "one two one")
	a := w.target("out/a")
	edit := func(old, new string, all any) any { return obj("oldString", old, "newString", new, "replaceAll", all) }
	_, err := w.try("fs.editText", a, edit("one", "1", false))
	refused(t, err, "edit-ambiguous")
	got := w.call("fs.editText", a, edit("one", "1", true))
	if diff := cmp.Diff(`{"before":"one two one","after":"1 two 1"}`, jsonvalue.Format(got.(*jsonvalue.Object).Without("version"))); diff != "" {
		t.Error(diff)
	}
	w.call("fs.editText", a, edit("two", "2", nil), obj("version", get(t, got, "version")))
	_, err = w.try("fs.editText", a, edit("1", "x", true), obj("version", get(t, got, "version")))
	refused(t, err, "version-conflict")
	_, err = w.try("fs.editText", a, edit("none", "x", false))
	refused(t, err, "edit-not-found")
	_, err = w.try("fs.editText", w.target("out/none"), edit("a", "b", false))
	refused(t, err, "ENOENT")
	_, err = w.try("fs.editText", a, edit("1", strings.Repeat("x", 5<<20), true))
	refused(t, err, "EFBIG")
	for _, e := range []any{nil, edit("", "x", false), edit("a", "a", false), edit("a", "b", "yes"), obj("oldString", "a")} {
		_, err := w.try("fs.editText", a, e)
		refused(t, err, "ERR_INVALID_ARG")
	}
	if w.content("out/a") != "1 2 1" {
		t.Error(w.content("out/a"))
	}
}

// Every verb asks for its grant at each call, and says which command gives it.
func TestFilesNeedGrants(t *testing.T) {
	w := newWorld(t)
	w.write("docs/a.md", "a")
	a := w.target("docs/a.md")
	edit := obj("oldString", "a", "newString", "b")
	calls := map[string][]any{
		"fs.stat": {a}, "fs.lstat": {"docs/a.md"}, "fs.readText": {a}, "fs.streamText": {a}, "fs.readBytes": {a, nil, 9.0}, "fs.listDir": {w.target("docs")},
		"fs.writeText": {a, "b"}, "fs.editText": {a, edit},
	}
	for name, args := range calls {
		_, err := w.try(name, args...)
		thrown := refused(t, err, "not-granted")
		kind := "read"
		if name == "fs.writeText" || name == "fs.editText" {
			kind = "write"
		}
		if thrown.Name != "GrantError" || !strings.Contains(thrown.Message, "plugin clock-1 may not "+kind+" docs") || !strings.Contains(thrown.Message, "`cordis grant allow fs:"+kind+" ./docs`") {
			t.Errorf("%s: %s", name, thrown.Message)
		}
	}
	w.allow("fs:read docs")
	for name, args := range calls {
		_, err := w.try(name, args...)
		if name == "fs.writeText" || name == "fs.editText" {
			refused(t, err, "not-granted")
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if w.content("docs/a.md") != "a" {
		t.Error("the file has changed")
	}
}

func TestFilesAreCancelled(t *testing.T) {
	w := newWorld(t, "fs:write .")
	w.write("a", "a")
	a := w.target("a")
	aborted := wire.Signal{Handle: wire.Handle{Home: "run-1", ID: 1}, Aborted: true}
	for name, args := range map[string][]any{
		"fs.resolve": {"a", obj("signal", aborted)}, "fs.stat": {a, aborted}, "fs.lstat": {"a", nil, aborted}, "fs.readText": {a, aborted}, "fs.streamText": {a, aborted},
		"fs.readBytes": {a, aborted, 9.0}, "fs.listDir": {w.target("."), aborted}, "fs.writeText": {a, "b", nil, aborted}, "fs.editText": {a, obj("oldString", "a", "newString", "b"), nil, aborted},
	} {
		_, err := w.try(name, args...)
		if thrown := refused(t, err, "ABORT_ERR"); thrown.Name != "AbortError" {
			t.Errorf("%s: %+v", name, *thrown)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = w.services.Call(ctx, w.caller, w.method(name), args[:1])
		refused(t, err, "ABORT_ERR")
	}
	if w.content("a") != "a" {
		t.Error("the file has changed")
	}
}
