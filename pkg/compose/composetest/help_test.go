package composetest_test

import (
	"context"
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
)

func install(t *testing.T, core *compose.Core, id string, c compose.Contribution) (remove func(context.Context)) {
	t.Helper()
	remove, err := core.Install(t.Context(), c, compose.InstallOptions{InstanceID: id})
	if err != nil {
		t.Fatalf("install %s: %v", id, err)
	}
	return remove
}

func request(pairs ...any) *object {
	return of("scope", of("storage", "custom"), "scenario", "test", "budget", defaultBudget()).With(pairs...)
}

// begin leases the serving generation and composes.
func begin(t *testing.T, core *compose.Core) (*compose.Lease, *compose.View) {
	t.Helper()
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	view, err := lease.Compose(t.Context(), request())
	if err != nil {
		lease.Release()
		t.Fatal(err)
	}
	return lease, view
}

func allow(context.Context, *object) (bool, error) { return true, nil }
