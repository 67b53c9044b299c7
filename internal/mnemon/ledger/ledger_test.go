package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/ledger"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

var equalJSON = cmp.Comparer(func(x, y *jsonvalue.Object) bool { return jsonvalue.Equal(x, y) })

// events is a turn: a read that a policy made two of, a failed one, a write, one
// that a kill cut off.
func events() []ledger.Event {
	input := jsonvalue.Of("query", "cache")
	return []ledger.Event{
		{Kind: ledger.Route, Op: 1, Target: "source:n/search", Input: input},
		{Kind: ledger.Dispatch, Op: 1, Read: 1, Target: "source:n/search", Input: input, Limits: jsonvalue.Of("maxResults", 4.0)},
		{Kind: ledger.Dispatch, Op: 1, Read: 2, Target: "source:n/search", Input: jsonvalue.Of()},
		{Kind: ledger.Failed, Op: 1, Read: 2, Message: "gone"},
		{Kind: ledger.Evidence, Op: 1, Read: 1, Value: jsonvalue.Of("id", "e1")},
		{Kind: ledger.Routed, Op: 1, Value: jsonvalue.Of("id", "e2")},
		{Kind: ledger.Route, Op: 2, Target: "source:n/read", Input: nil},
		{Kind: ledger.Failed, Op: 2, Message: "refused"},
		{Kind: ledger.Action, Op: 3, Target: "source:n/write", Input: "x"},
		{Kind: ledger.Receipt, Op: 3, Value: jsonvalue.Of("id", "r1")},
		{Kind: ledger.Route, Op: 4, Target: "source:n/read", Input: true},
		{Kind: ledger.Dispatch, Op: 4, Read: 1, Target: "source:n/read", Input: true},
		{Kind: ledger.End, At: "2026-01-01T00:00:00Z"},
	}
}

func written(events []ledger.Event) (b []byte) {
	for _, e := range events {
		b = append(b, e.Format()...)
	}
	return b
}

func TestParse(t *testing.T) {
	l, err := ledger.Parse(written(events()))
	if err != nil {
		t.Fatal(err)
	}
	input := jsonvalue.Of("query", "cache")
	want := &ledger.Ledger{Ended: true, Operations: []*ledger.Operation{
		{Number: 1, Kind: ledger.Route, Target: "source:n/search", Input: input, Done: true, Value: jsonvalue.Of("id", "e2"), Reads: []*ledger.Read{
			{Target: "source:n/search", Input: input, Limits: jsonvalue.Of("maxResults", 4.0), Done: true, Value: jsonvalue.Of("id", "e1")},
			{Target: "source:n/search", Input: jsonvalue.Of(), Done: true, Failed: "gone"},
		}},
		{Number: 2, Kind: ledger.Route, Target: "source:n/read", Done: true, Failed: "refused"},
		{Number: 3, Kind: ledger.Action, Target: "source:n/write", Input: "x", Done: true, Value: jsonvalue.Of("id", "r1")},
		{Number: 4, Kind: ledger.Route, Target: "source:n/read", Input: true, Reads: []*ledger.Read{{Target: "source:n/read", Input: true}}},
	}}
	if diff := cmp.Diff(want, l, equalJSON); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int{"source:n/search": 2, "source:n/read": 1}, l.Calls()); diff != "" {
		t.Error(diff)
	}
	if l.Next() != 5 {
		t.Errorf("next is %d", l.Next())
	}
}

// TestCutOff: whatever a kill leaves, the whole lines count and nothing else.
func TestCutOff(t *testing.T) {
	all := written(events())
	for n := range len(all) + 1 {
		got, err := ledger.Parse(all[:n])
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		whole := strings.LastIndexByte(string(all[:n]), '\n') + 1
		want, err := ledger.Parse(all[:whole])
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equalJSON); diff != "" {
			t.Fatalf("cut at %d: %s", n, diff)
		}
	}
}

// TestTornInTheMiddle: a line that a full disk cut off, and that the next one was
// kept from being glued to, was never written.
func TestTornInTheMiddle(t *testing.T) {
	all := events()
	torn := string(written(all[:1])) + `{"event":"dispatch","op":1,"re` + "\n" + string(written(all[1:]))
	got, err := ledger.Parse([]byte(torn))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := ledger.Parse(written(all))
	if diff := cmp.Diff(want, got, equalJSON); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"[]\n", `{"event":"unknown","op":1}` + "\n",
		`{"event":"route","op":2,"target":"a"}` + "\n",
		`{"event":"route","op":1}` + "\n",
		`{"event":"dispatch","op":1,"read":1,"target":"a"}` + "\n",
		`{"event":"route","op":1,"target":"a"}` + "\n" + `{"event":"dispatch","op":1,"read":2,"target":"a"}` + "\n",
		`{"event":"route","op":1,"target":"a"}` + "\n" + `{"event":"evidence","op":1,"read":1}` + "\n",
		`{"event":"route","op":1,"target":"a"}` + "\n" + `{"event":"evidence","op":1}` + "\n",
	} {
		_, err := ledger.Parse([]byte(text))
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != "ledger-line" || f.Kind != fault.Damaged {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(written(events()))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := ledger.Parse(data)
		if err == nil && l.Next() != len(l.Operations)+1 {
			t.Fatal("operations are not counted through")
		}
	})
}
