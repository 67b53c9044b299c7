package child_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/child"
)

func TestHalf(t *testing.T) {
	modes(t, func(t *testing.T, start func(child.Settings) closing) {
		starter := start(child.Settings{})
		defer starter.Close()
		w := newWorld()
		h, err := starter.Start(patient(t), source("echo", `
			harness.handle("echo", (args) => args)
			return { name: "echo", apply(ctx) { console.log("applied") } }`), w)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Load(patient(t)); err != nil {
			t.Fatal(err)
		}
		got, err := h.Invoke(patient(t), "echo", "hello")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("hello", got); diff != "" {
			t.Error(diff)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"applied"}, w.lines); diff != "" {
			t.Error(diff)
		}
	})
}
