package filestore_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// TestRemoveLog: a log goes when it is as long as it was read, and stays when it
// has grown.
func TestRemoveLog(t *testing.T) {
	d := filestore.Open(t.TempDir(), filestore.Options{LockName: "run/lock"})
	if err := d.AppendLog("log", []byte("one\n")); err != nil {
		t.Fatal(err)
	}
	remove := func(size int64) (removed bool, err error) {
		err = d.With(context.Background(), func(tx *filestore.Tx) (err error) {
			removed, err = tx.RemoveLog("log", size)
			return err
		})
		return removed, err
	}
	for size, want := range map[int64]bool{3: false, 5: false, 0: false} {
		if got, err := remove(size); got != want || err != nil {
			t.Errorf("remove at %d bytes of 4: %v, %v, want %v", size, got, err, want)
		}
	}
	if got, err := remove(4); !got || err != nil {
		t.Errorf("remove at 4 bytes of 4: %v, %v", got, err)
	}
	if got, err := remove(4); got || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("remove of nothing: %v, %v, want that it does not exist", got, err)
	}
}

// TestRemoveLogLosesNothing: many add to a log while a reader takes away again
// and again what it has read of it. Every line is read, or is still there.
func TestRemoveLogLosesNothing(t *testing.T) {
	const writers, each = 8, 300
	d := filestore.Open(t.TempDir(), filestore.Options{LockName: "run/lock"})
	seen := map[string]int{}
	take := func(data []byte) {
		for line := range strings.Lines(string(data)) {
			seen[line]++
		}
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := d.AppendLog("log", fmt.Appendf(nil, "%d-%d\n", w, i)); err != nil {
					t.Errorf("append: %v", err)
				}
			}
		})
	}
	stopped := make(chan struct{})
	go func() { wg.Wait(); close(stopped) }()
	removed := 0
	for open := true; open; {
		select {
		case <-stopped:
			open = false
		default:
		}
		data, err := d.Read("log")
		if err != nil {
			continue
		}
		if err := d.With(context.Background(), func(tx *filestore.Tx) error {
			done, err := tx.RemoveLog("log", int64(len(data)), filestore.NoSync)
			if done {
				take(data)
				removed++
			}
			return err
		}); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("remove: %v", err)
		}
	}
	rest, err := os.ReadFile(d.Path("log"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	take(rest)
	lost := 0
	for w := range writers {
		for i := range each {
			if seen[fmt.Sprintf("%d-%d\n", w, i)] == 0 {
				lost++
			}
		}
	}
	if lost > 0 || removed == 0 {
		t.Errorf("%d of %d lines are lost, the log was removed %d times", lost, writers*each, removed)
	}
}
