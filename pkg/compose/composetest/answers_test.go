package composetest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

var kinds = []jsonvalue.Kind{
	jsonvalue.Undefined, jsonvalue.Function, jsonvalue.Symbol, jsonvalue.BigInt, jsonvalue.Exotic, jsonvalue.Cycle, jsonvalue.Deep, jsonvalue.Undefined,
}

// strange puts values in place of objects that JSON does not have: {"$": kind}.
func strange(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = strange(item)
		}
		return out
	case *object:
		kind, ok := v.Get("$")
		if n, isNumber := kind.(float64); ok && isNumber {
			return jsonvalue.Foreign{Kind: kinds[int(n)&7], Text: "strange"}
		}
		out := of()
		for key, item := range v.All() {
			out.Set(key, strange(item))
		}
		return out
	}
	return v
}

// FuzzAnswers: whatever a Source answers in place of some members of a good
// answer, or of the whole, is refused in words or kept within what was asked.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `[]`, `5`, `{"items":[{"id":"i","text":"x","provenance":{}},{"id":"i","text":5}]}`, `{"items":[null]}`, `{"truncated":"yes"}`,
		`{"fragments":[{"id":"f","text":"long long text"}],"readGrant":null}`, `{"readGrant":{"value":{"$":3}}}`, `{"revision":{"$":1}}`,
		`{"capabilities":["read","read"],"routeIds":["none"]}`, `{"availability":"unavailable"}`, `{"status":"failed","completion":"committed"}`,
		`{"committedAt":"2026-02-30T00:00:00Z","completion":"committed"}`, `{"presentation":{"items":[],"totalItems":1e9}}`, `{"value":[[{"$":5}]]}`,
	} {
		for place := range byte(5) {
			f.Add(place, []byte(seed))
		}
	}
	var place byte
	var change func(good *object) any
	at := func(p byte, good *object) (any, error) {
		if p != place || change == nil {
			return good, nil
		}
		return change(good), nil
	}
	s := &native{
		facts: func(_ context.Context, s *native) (any, error) { return at(0, s.goodFacts()) },
		project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
			return at(1, s.goodPart(r))
		},
		query:  func(_ context.Context, r *compose.QueryRequest) (any, error) { return at(2, goodEvidence(r)) },
		mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) { return at(3, goodReceipt(r)) },
		manage: func(context.Context, *compose.ManageRequest) (any, error) {
			return at(4, of("revision", "r1", "value", nil))
		},
	}
	core := newCore(f, 60_000, source(s), strategy(&planner{}))
	f.Fuzz(func(t *testing.T, p byte, text []byte) {
		v, err := jsonvalue.Parse(text)
		if err != nil {
			return
		}
		place, change = p%5, func(good *object) any {
			if o, ok := v.(*object); ok && o.Len() > 0 {
				return good.Merge(strange(o).(*object))
			}
			return strange(v)
		}
		answered(t, core, func() { change = nil })
	})
}

// answered composes, reads, writes and manages; none is a panic, and what is
// accepted is JSON, bound and bounded.
func answered(t *testing.T, core *compose.Core, behave func()) {
	t.Helper()
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	said := func(err error) bool {
		if err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Error("a refusal without a word")
		}
		return err == nil
	}
	view, err := lease.Compose(t.Context(), request())
	if said(err) {
		if parsed, err := compose.ParseView(view.Raw()); err != nil || parsed.Digest() != view.Digest() {
			t.Errorf("a View that cannot be read again: %v", err)
		}
	} else {
		behave()
		if view, err = lease.Compose(t.Context(), request()); err != nil {
			t.Fatalf("afterwards: %v", err)
		}
	}
	if len(view.Routes()) > 0 {
		evidence, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false)
		if said(err) {
			checkKept(t, evidence, "viewId", view.ID())
		}
	}
	if len(view.Offers()) > 0 {
		yes := func(context.Context, *object) (bool, error) { return true, nil }
		receipt, err := lease.Action(t.Context(), view, "source:a/write", of(), yes, false)
		if said(err) {
			checkKept(t, receipt, "viewId", view.ID())
		}
	}
	result, err := lease.Manage(t.Context(), of("scope", of("storage", "custom"), "sourceInstanceKey", "source:a",
		"mode", "read", "operation", "list", "input", nil, "confirmed", false), false)
	if said(err) {
		checkKept(t, result, "", "")
	}
}

func checkKept(t *testing.T, v any, key, want string) {
	t.Helper()
	if err := jsonvalue.Check(v, "it"); err != nil {
		t.Errorf("kept though %v", err)
	}
	o, _ := jsonvalue.Map(v)
	if got, _ := o.Text(key); key != "" && got != want {
		t.Errorf("bound to %q, want %q", got, want)
	}
	items, _ := o.Array("items")
	if len(items) > 16 {
		t.Errorf("%d items", len(items))
	}
}
