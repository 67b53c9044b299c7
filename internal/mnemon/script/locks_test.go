package script_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

// TestLocksAreOfTheProcess holds that plugins of two loaders wait for each other
// when they lock one directory, and only then.
func TestLocksAreOfTheProcess(t *testing.T) {
	dir := unpackArchive(t, txtar.Parse([]byte(`
-- hold.mjs --
import { withMemoryStorageLock } from 'dsh-mnemon/extension-sdk'
let release
export const hold = directory => new Promise(held => {
  void withMemoryStorageLock(directory, () => new Promise(done => { release = done; held('held') }))
})
export const free = () => release()
export const pass = directory => withMemoryStorageLock(directory, () => 'passed')
`)))
	call := func(loader int) func(export string, args ...any) any {
		t.Helper()
		r, err := newLoader(t, jsrun.Limits{}).Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		return func(export string, args ...any) any {
			v, err := r.Call(t.Context(), "./hold.mjs", export, args...)
			if err != nil {
				t.Errorf("loader %d: %s: %v", loader, export, err)
			}
			return v
		}
	}
	first, second := call(1), call(2)
	first("hold", dir)
	if got := second("pass", dir+"/other"); got != "passed" {
		t.Errorf("another directory: %v", got)
	}
	events := make(chan string, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		second("pass", dir+"/other/..")
		events <- "passed"
	}()
	second("pass", dir+"/other") // by now the one before it is in the queue
	events <- "freed"
	first("free")
	<-done
	if diff := cmp.Diff([]string{"freed", "passed"}, []string{<-events, <-events}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
