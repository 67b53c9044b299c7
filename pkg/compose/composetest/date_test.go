package composetest_test

import (
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestDates (MN37) holds the times that a Receipt may name against what Date.parse of
// Node says of each (testdata/recorded/dates.json).
func TestDates(t *testing.T) {
	v, err := jsonvalue.Parse([]byte(readFile(t, "../testdata/recorded/dates.json")))
	if err != nil {
		t.Fatal(err)
	}
	dates, _ := jsonvalue.Map(v)
	core := newRunner(of()).core
	defer core.Close(t.Context())
	install(t, core, "work", must(sourcePlugin(&notes{}, of())))
	install(t, core, "view", must(strategyPlugin(&notes{}, of(), nil)))
	lease, view := begin(t, core)
	defer lease.Release()
	for form, want := range dates.All() {
		input := of("receipt", of("committedAt", form))
		_, err := lease.Action(t.Context(), view, "source:work/write", input, allow, false)
		if got := err == nil; got != want {
			t.Errorf("Date.parse(%q): got %v, want %v", form, got, want)
		}
	}
}

func must(c compose.Contribution, err error) compose.Contribution {
	if err != nil {
		panic(err)
	}
	return c
}
