package sandbox_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/sandbox"
)

func TestObjectForm(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "01-object-form", "host.js"))
	if got, err := w.invoke("status", nil); err != nil {
		t.Errorf("%v %v", got, err)
	}
	if err := w.unload(); err != nil {
		t.Fatal(err)
	}
	want := []string{"applied function function", "effect removed"}
	if diff := cmp.Diff(want, w.logs()); diff != "" {
		t.Error(diff)
	}
}

func TestEffectOrder(t *testing.T) {
	w := newWorld(t, sandbox.Config{})
	w.run(sample(t, "16-effects-order", "host.js"))
	want := []string{
		"E out", "F runs immediately", "x", "effect rejected", "effect rejected: Error: setup failed", "accepted",
		"G rolled back", "generator rejected: Error: second step failed",
	}
	if diff := cmp.Diff(want, w.logs()); diff != "" {
		t.Error(diff)
	}
	if _, err := w.invoke("nested", nil); err != nil {
		t.Fatal(err)
	}
	if err := w.unload(); err != nil {
		t.Fatal(err)
	}
	want = []string{"H out", "F out", "D starts", "C2 out", "C1 out", "B throws", "A out", "D ends"}
	if diff := cmp.Diff(want, w.logs()); diff != "" {
		t.Error(diff)
	}
}
