package state_test

import (
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/google/go-cmp/cmp"
)

func TestUnknownKeysAndOrderSurvive(t *testing.T) {
	in := "{\n  \"zeta\": [1,  2],\n  \"pendingDead\": 3,\n  \"sleptAt\": 1789473600000\n}\n"
	s, err := state.Parse([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	got := string(s.Add(state.PendingDead, 1).Set(state.Evicted, 7).Format())
	want := "{\n  \"sleptAt\": 1789473600000,\n  \"pendingDead\": 4,\n  \"evictedEntries\": 7,\n  \"zeta\": [\n    1,\n    2\n  ]\n}\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if s.Int(state.PendingDead) != 3 {
		t.Error("Add has changed its receiver")
	}
}

func TestOddFiles(t *testing.T) {
	for _, c := range []struct {
		name, in string
		kind     fault.Kind
		dead     int64
	}{
		{"AU06 broken JSON", `{"pendingDead": 3`, fault.Damaged, 3},
		{"two objects", "{\"pendingDead\": 3}\n{\"pendingDead\": 4}\n", fault.Damaged, 3},
		{"blanks around", "\n {\"pendingDead\": 3}\n\n", "", 3},
		{"an array", `[1]`, fault.Damaged, 0},
		{"case108 a newer version can be read", `{"version": 99, "pendingDead": 2}`, fault.Refused, 2},
		{"a counter that is text", `{"pendingDead": "many"}`, "", 0},
		{"a counter out of range", `{"pendingDead": 1e300}`, "", 0},
		{"AU05 restored", `{"pendingDead": 3}`, "", 3},
		{"byte order mark", "\ufeff{\"pendingDead\": 3}", "", 3},
		{"empty", "", "", 0},
	} {
		s, err := state.Parse([]byte(c.in))
		if fault.KindOf(err) != c.kind || s.Int(state.PendingDead) != c.dead {
			t.Errorf("%s: dead %d, kind %q, want %d, %q", c.name, s.Int(state.PendingDead), fault.KindOf(err), c.dead, c.kind)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"a":1,"a":2,"cost":{"day":"2026-01-01"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := state.Parse(data)
		if err != nil {
			return
		}
		again, err := state.Parse(s.Format())
		if err != nil {
			t.Fatalf("%q gives %q, which cannot be read: %v", data, s.Format(), err)
		}
		if diff := cmp.Diff(string(s.Format()), string(again.Format())); diff != "" {
			t.Errorf("%q is not stable (-first +second):\n%s", data, diff)
		}
	})
}
