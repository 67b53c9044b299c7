package filestore_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// A Dir is a map from names to bytes, whatever is done in whatever order, and so
// is a dry run, which leaves the disk alone.
func TestDirIsAMap(t *testing.T) {
	for _, dry := range []bool{false, true} {
		t.Run(fmt.Sprintf("dry=%v", dry), func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) { checkModel(t, r, dry) })
		})
	}
}

func checkModel(t *testing.T, r *rapid.T, dry bool) {
	root, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, map[string]string{"a": "begin", "p/b": "begin\n"})
	m := &model{
		dir:   filestore.Open(root, filestore.Options{LockName: "run/lock", DryRun: dry}),
		files: map[string]string{"a": "begin", "p/b": "begin\n"},
	}
	r.Repeat(map[string]func(*rapid.T){
		"update": m.update, "append": m.append, "appendLog": m.appendLog, "replace": m.replace,
		"create": m.create, "remove": m.remove, "failing": m.failing, "": m.check,
	})
	if dry {
		disk := filestore.Open(root, lockAt)
		wantRead(t, disk, "a", "begin")
		wantRead(t, disk, "p/b", "begin\n")
		if names, _ := disk.List("."); !slices.Equal(names, []string{"a", "p/"}) {
			r.Fatalf("a dry run left %q on disk", names)
		}
	}
	wantNoLitter(t, root)
}

type model struct {
	dir   *filestore.Dir
	files map[string]string
}

var (
	anyName  = rapid.SampledFrom([]string{"a", "p/b", "p/c", "q/r/d"})
	anyBytes = rapid.SampledFrom([]string{"", "x", "x\n", "\nx", "two\nlines\n", "\x00\xff", "long " + strings.Repeat("y", 300)})
	anySync  = rapid.SampledFrom([]filestore.WriteOption{0, filestore.NoSync})
)

func (m *model) update(r *rapid.T) {
	name, next, sync := anyName.Draw(r, "name"), anyBytes.Draw(r, "data"), anySync.Draw(r, "sync")
	before, had := m.files[name]
	err := m.dir.Update(ctx, name, func(old []byte) ([]byte, error) {
		if string(old) != before || (old != nil) != had {
			r.Fatalf("Update(%q) was given %q, want %q", name, old, before)
		}
		return []byte(next), nil
	}, sync)
	m.done(r, name, next, err)
}

// add is what appending data to a file makes of the model; nothing makes nothing.
func (m *model) add(r *rapid.T, name, data string, err error) {
	old, exists := m.files[name]
	if data == "" && !exists && err == nil {
		return
	}
	if old != "" && !strings.HasSuffix(old, "\n") && data != "" && data[0] != '\n' {
		old += "\n"
	}
	m.done(r, name, old+data, err)
}

func (m *model) append(r *rapid.T) {
	name, data := anyName.Draw(r, "name"), anyBytes.Draw(r, "data")
	m.add(r, name, data, m.dir.Append(ctx, name, []byte(data), anySync.Draw(r, "sync")))
}

func (m *model) appendLog(r *rapid.T) {
	name, data := anyName.Draw(r, "name"), anyBytes.Draw(r, "data")
	m.add(r, name, data, m.dir.AppendLog(name, []byte(data)))
}

func (m *model) replace(r *rapid.T) {
	name, data := anyName.Draw(r, "name"), anyBytes.Draw(r, "data")
	err := m.dir.With(ctx, func(tx *filestore.Tx) error { return tx.Replace(name, []byte(data)) })
	m.done(r, name, data, err)
}

func (m *model) create(r *rapid.T) {
	name, data := anyName.Draw(r, "name"), anyBytes.Draw(r, "data")
	err := m.dir.With(ctx, func(tx *filestore.Tx) error { return tx.Create(name, []byte(data)) })
	if _, exists := m.files[name]; exists {
		if !errors.Is(err, fs.ErrExist) {
			r.Fatalf("Create(%q) = %v, want that it exists", name, err)
		}
		return
	}
	m.done(r, name, data, err)
}

func (m *model) remove(r *rapid.T) {
	name := anyName.Draw(r, "name")
	err := m.dir.With(ctx, func(tx *filestore.Tx) error { return tx.Remove(name) })
	if _, exists := m.files[name]; exists == errors.Is(err, fs.ErrNotExist) || exists && err != nil {
		r.Fatalf("Remove(%q) = %v, the file exists: %v", name, err, exists)
	}
	delete(m.files, name)
}

func (m *model) failing(r *rapid.T) {
	stop := errors.New("stop")
	err := m.dir.Update(ctx, anyName.Draw(r, "name"), func(old []byte) ([]byte, error) { return append(old, "no"...), stop })
	if !errors.Is(err, stop) {
		r.Fatalf("Update = %v, want %v", err, stop)
	}
}

func (m *model) done(r *rapid.T, name, data string, err error) {
	if err != nil {
		r.Fatalf("%q: %v", name, err)
	}
	m.files[name] = data
}

func (m *model) check(r *rapid.T) {
	for _, name := range []string{"a", "p/b", "p/c", "q/r/d"} {
		want, exists := m.files[name]
		got, err := m.dir.Read(name)
		if string(got) != want || exists != (err == nil) || exists != (got != nil) {
			r.Fatalf("Read(%q) = %q, %v, want %q", name, got, err, want)
		}
	}
	names, err := m.dir.List("p")
	var want []string
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		if base, ok := strings.CutPrefix(name, "p/"); ok {
			want = append(want, base)
		}
	}
	if diff := cmp.Diff(want, names); diff != "" && len(want)+len(names) > 0 || err != nil {
		r.Fatalf("List: %v %s", err, diff)
	}
}
