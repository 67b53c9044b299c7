package filestore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/dshkit/dshkit/pkg/filestore"
)

var line = append(bytes.Repeat([]byte("x"), 199), '\n')

func check(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkAppend adds a line of 200 bytes; "bare" is what the system can do.
func BenchmarkAppend(b *testing.B) {
	for name, sync := range map[string]bool{"synced": true, "unsynced": false} {
		b.Run("bare/"+name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a")
			for b.Loop() {
				f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
				check(b, err)
				_, err = f.Write(line)
				check(b, err)
				if sync {
					check(b, f.Sync())
				}
				check(b, f.Close())
			}
		})
		opts := []filestore.WriteOption{filestore.NoSync}
		if sync {
			opts = []filestore.WriteOption{filestore.Durable}
		}
		b.Run("Append/"+name, func(b *testing.B) {
			d := filestore.Open(b.TempDir(), lockAt)
			for b.Loop() {
				check(b, d.Append(ctx, "a", line, opts...))
			}
		})
		b.Run("AppendLog/"+name, func(b *testing.B) {
			d := filestore.Open(b.TempDir(), lockAt)
			for b.Loop() {
				check(b, d.AppendLog("a", line, opts...))
			}
		})
	}
}

// BenchmarkReplace changes a file of 2 KB; "bare" is what os.WriteFile does,
// which is neither atomic nor durable.
func BenchmarkReplace(b *testing.B) {
	data := bytes.Repeat(line, 10)
	b.Run("bare", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "a")
		for b.Loop() {
			check(b, os.WriteFile(path, data, 0o644))
		}
	})
	count := byte(0)
	change := func([]byte) ([]byte, error) {
		count++
		data[0] = count
		return data, nil
	}
	b.Run("Update/synced", func(b *testing.B) {
		d := filestore.Open(b.TempDir(), lockAt)
		for b.Loop() {
			check(b, d.Update(ctx, "a", change))
		}
	})
	b.Run("Update/unsynced", func(b *testing.B) {
		d := filestore.Open(b.TempDir(), lockAt)
		for b.Loop() {
			check(b, d.Update(ctx, "a", change, filestore.NoSync))
		}
	})
	b.Run("WriteDerived", func(b *testing.B) {
		d := filestore.Open(b.TempDir(), lockAt)
		for b.Loop() {
			check(b, d.WriteDerived("a", data))
		}
	})
	b.Run("Update/unchanged", func(b *testing.B) { // the lock alone
		d := filestore.Open(b.TempDir(), lockAt)
		check(b, d.Update(ctx, "a", set("x")))
		for b.Loop() {
			check(b, d.Update(ctx, "a", set("x")))
		}
	})
	b.Run("Read", func(b *testing.B) {
		d := filestore.Open(b.TempDir(), lockAt)
		check(b, d.Update(ctx, "a", change))
		for b.Loop() {
			_, err := d.Read("a")
			check(b, err)
		}
	})
}
