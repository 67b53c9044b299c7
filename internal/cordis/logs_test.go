package cordis_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
)

// A row that is still being written is shown when it is whole.
func TestFollowShowsWholeRows(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const at = "2026-01-02T03:04:05.000Z"
	space := cordis.Open(cordis.Options{Root: root, Now: time.Now})
	file := space.Path(control.LogName)
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	add := func(text string) {
		t.Helper()
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	rows, done := make(chan cordis.LogRow, 2), make(chan error, 1)
	add(at + " log one\n\tmore\n" + at + " warn tw")
	go func() {
		done <- space.Logs(ctx, cordis.LogOptions{Follow: true, Row: func(r cordis.LogRow) error { rows <- r; return nil }})
	}()
	next := func(want cordis.LogRow) {
		t.Helper()
		select {
		case got := <-rows:
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		case err := <-done:
			t.Fatal(err)
		case <-time.After(time.Minute):
			t.Fatal("no row")
		}
	}
	next(cordis.LogRow{At: at, Level: "log", Text: "one\nmore"})
	add("o\n")
	next(cordis.LogRow{At: at, Level: "warn", Text: "two"})
	end()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
