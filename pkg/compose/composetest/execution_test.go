package composetest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const exhausted = "memory View Route call budget is exhausted: source:a/read"

func execution() *compose.Execution { return compose.NewExecution(compose.DefaultBudget) }

// TestCallBudget (MN27): no more calls than declared are dispatched, however many are
// asked for at once, and failures count.
func TestCallBudget(t *testing.T) {
	var asked atomic.Int32
	s := &native{query: func(context.Context, *compose.QueryRequest) (any, error) {
		asked.Add(1)
		return nil, errSecret
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	e := execution()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { _, _ = lease.Route(context.Background(), view, e, "source:a/read", of(), false) })
	}
	group.Wait()
	if n := asked.Load(); n != 2 {
		t.Errorf("dispatched %d calls, want 2", n)
	}
	_, err := lease.Route(t.Context(), view, e, "source:a/read", of(), false)
	fails(t, err, exhausted)
	want := []compose.Calls{{ViewID: view.ID(), RouteID: "source:a/read", Count: 2}}
	if diff := cmp.Diff(want, e.Calls()); diff != "" {
		t.Error(diff)
	}
	_, err = lease.Route(t.Context(), view, compose.RestoreExecution(compose.DefaultBudget, e.Calls()), "source:a/read", of(), false)
	fails(t, err, exhausted)
	if _, err = lease.Route(t.Context(), view, execution(), "source:a/read", of(), false); err != errSecret {
		t.Errorf("another execution: %v", err)
	}
}

// TestWhatCounts (MN27): a call counts from its dispatch on, and not before.
func TestWhatCounts(t *testing.T) {
	closedInput := of("type", "object", "properties", of("q", of("type", "string")), "additionalProperties", false)
	open := of("type", "object")
	read := func(schema *object) any {
		return []any{of("id", "read", "description", "Read.", "capability", "read", "inputSchema", schema, "maxCalls", 2.0)}
	}
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	date := of("d", jsonvalue.Foreign{Kind: jsonvalue.Exotic})
	for _, c := range []struct {
		name, want string
		ctx        context.Context
		schema     *object
		input      any
		count      int
	}{
		{"schema", "memory Route input contains unsupported property: x", t.Context(), closedInput, of("x", 1.0), 0},
		{"aborted", errUser.Error(), stopped, open, of(), 0},
		{"not JSON", "memory Route input contains a non-JSON object", t.Context(), open, date, 1},
	} {
		core := newCore(t, 1000, source(&native{}, "routes", read(c.schema)), strategy(&planner{}))
		lease, view := mustCompose(t, core)
		e := execution()
		_, err := lease.Route(c.ctx, view, e, "source:a/read", c.input, true)
		fails(t, err, c.want)
		n := 0
		for _, calls := range e.Calls() {
			n += calls.Count
		}
		if n != c.count {
			t.Errorf("%s: counted %d, want %d", c.name, n, c.count)
		}
	}
	core := newCore(t, 1000, source(&native{}, "routes", read(open)), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return policy(func(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
			a := <-read(ctx, r.Input, nil)
			return a.Value, a.Err
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	e := execution()
	_, err := lease.Route(t.Context(), view, e, "source:a/read", date, false)
	fails(t, err, "memory Strategy input contains a non-JSON object")
	if len(e.Calls()) > 0 {
		t.Errorf("counted %v", e.Calls())
	}
}

// TestPolicyIsMadeOnce (MN31, MN33) for each execution, on its first read, also
// when several come at once; what could not be made is tried again, and one that
// failed in a read stays.
func TestPolicyIsMadeOnce(t *testing.T) {
	var made, reads atomic.Int32
	core := newCore(t, 1000, source(&native{}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		if made.Add(1) == 1 {
			return nil, errSecret
		}
		return policy(func(context.Context, *compose.PolicyRequest, compose.Read) (any, error) {
			reads.Add(1)
			return nil, errUser
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	if made.Load() != 0 {
		t.Error("made while composing")
	}
	e := execution()
	if _, err := lease.Route(t.Context(), view, e, "source:a/read", of(), false); err != errSecret {
		t.Errorf("got %v", err)
	}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			if _, err := lease.Route(context.Background(), view, e, "source:a/read", of(), false); err != errUser {
				t.Errorf("got %v", err)
			}
		})
	}
	group.Wait()
	if made.Load() != 2 || reads.Load() != 10 {
		t.Errorf("made %d times, read %d times", made.Load(), reads.Load())
	}
	_, _ = lease.Route(t.Context(), view, execution(), "source:a/read", of(), false)
	if made.Load() != 3 {
		t.Error("another execution has the same policy")
	}
	core = newCore(t, 1000, source(&native{}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) { return nil, nil }}))
	lease, view = mustCompose(t, core)
	_, err := lease.Route(t.Context(), view, e, "source:a/read", of(), false)
	fails(t, err, "memory Strategy returned an invalid turn policy")
}

// TestContinuation (MN26, MN32): what a policy may do with its read, and what not.
func TestContinuation(t *testing.T) {
	var asked []*object
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		asked = append(asked, r.Route)
		return goodEvidence(r), nil
	}}
	var kept compose.Read
	var said []string
	attempt := func(ctx context.Context, read compose.Read, input, limits any) {
		if a := <-read(ctx, input, limits); a.Err != nil {
			said = append(said, a.Err.Error())
		} else {
			said = append(said, "read")
		}
	}
	limits := func(name string, v any) any { return of(name, v) }
	core := newCore(t, 1000, source(s), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return policy(func(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
			attempt(ctx, read, "text", nil)
			attempt(ctx, read, of(), limits("maxResults", 10_001.0))
			attempt(ctx, read, of(), limits("maxResults", 0.0))
			attempt(ctx, read, of(), limits("maxResults", 1.5))
			attempt(ctx, read, of(), limits("maxCharacters", nil))
			attempt(ctx, read, of(), limits("maxCharacters", "9"))
			attempt(ctx, read, of(), of("maxResults", 10_000.0, "maxCharacters", 3.0))
			attempt(ctx, read, of(), "anything")
			attempt(ctx, read, of(), nil)
			kept = read
			return nil, errUser
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	before := jsonvalue.Format(view.Raw())
	if _, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false); err != errUser {
		t.Fatal(err)
	}
	attempt(t.Context(), kept, of(), nil)
	want := []string{
		"memory Route input must be an object",
		"Strategy maxResults must be an integer within 1..10000",
		"Strategy maxResults must be an integer within 1..10000",
		"Strategy maxResults must be an integer within 1..10000",
		"Strategy maxCharacters must be an integer within 1..10000000",
		"Strategy maxCharacters must be an integer within 1..10000000",
		"read", "read", exhausted,
		"memory Strategy read continuation is no longer active",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if most, _ := asked[0].Number("maxCharacters"); most != 3 {
		t.Errorf("the Source saw maxCharacters %v", most)
	}
	if most, _ := asked[0].Number("maxResults"); most != 16 {
		t.Errorf("the Source saw maxResults %v", most)
	}
	if after := jsonvalue.Format(view.Raw()); after != before {
		t.Errorf("the View changed to %s", after)
	}
}

// TestCountedWhenReadReturns (MN32): a policy that starts reads and does not wait has
// used them up.
func TestCountedWhenReadReturns(t *testing.T) {
	release := make(chan struct{})
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		<-release
		return goodEvidence(r), nil
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return policy(func(ctx context.Context, _ *compose.PolicyRequest, read compose.Read) (any, error) {
			read(ctx, of(), nil)
			second := read(ctx, of(), nil)
			a := <-read(ctx, of(), nil)
			if a.Err == nil || a.Err.Error() != exhausted {
				return nil, fmt.Errorf("the third read: %v", a.Err)
			}
			close(release)
			a = <-second
			return a.Value, a.Err
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false); err != nil {
		t.Error(err)
	}
}

// TestReadsAreStopped: the caller's ctx and the policy's both end a read; a
// Source that does not look at its ctx holds up nobody for longer than a read of
// a composition may take.
func TestReadsAreStopped(t *testing.T) {
	noLeak(t)
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	started := make(chan struct{}, 1)
	for name, query := range map[string]func(context.Context, *compose.QueryRequest) (any, error){
		"listens": func(ctx context.Context, _ *compose.QueryRequest) (any, error) {
			started <- struct{}{}
			<-ctx.Done()
			return nil, context.Cause(ctx)
		},
		"is deaf": func(context.Context, *compose.QueryRequest) (any, error) {
			started <- struct{}{}
			<-release
			return nil, errSecret
		},
	} {
		core := compose.New(compose.Settings{Now: func() time.Time { return clock }, SourceTimeoutMs: new(float64(quick))})
		install(t, core, "a", source(&native{query: query}))
		install(t, core, "b", strategy(&planner{}))
		lease, view := mustCompose(t, core)
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			<-started
			cancel(errUser)
		}()
		if _, err := lease.Route(ctx, view, execution(), "source:a/read", of(), true); err != errUser {
			t.Errorf("a Source that %s: got %v, want the reason", name, err)
		}
	}
	core := newCore(t, 5000, source(&native{query: func(ctx context.Context, _ *compose.QueryRequest) (any, error) {
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return policy(func(ctx context.Context, _ *compose.PolicyRequest, read compose.Read) (any, error) {
			own, cancel := context.WithCancelCause(ctx)
			answer := read(own, of(), nil)
			cancel(errUser)
			return nil, (<-answer).Err
		}), nil
	}}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false); err != errUser {
		t.Errorf("the policy's own ctx: %v", err)
	}
}

// TestRouteChecks (MN14, MN24): the checks before a read, in their order.
func TestRouteChecks(t *testing.T) {
	core := newCore(t, 1000, source(&native{without: "query"}), source(&native{}), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	other := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	_, foreign := mustCompose(t, other)
	ungranted := storedWith(t, view, "readGrants", []any{})
	broke := compose.NewExecution(compose.Budget{MaxProjectionCharacters: 1, MaxRoutes: 1, MaxActions: 1, MaxEvidenceResults: 0, MaxEvidenceCharacters: 1})
	for _, c := range []struct {
		view  *compose.View
		e     *compose.Execution
		route string
		input any
		want  string
	}{
		{foreign, execution(), "nothing", 1.0, "memory View belongs to a different runtime generation"},
		{view, execution(), "source:a/nothing", 1.0, "memory View Route is unavailable: source:a/nothing"},
		{ungranted, execution(), "source:a/read", 1.0, "memory View Route has no valid ReadGrant: source:a/read"},
		{view, broke, "source:a/read", 1.0, "memory Route input must be an object"},
		{view, broke, "source:a/read", of(), "memory View maxEvidenceResults must be an integer within 1..10000"},
		{view, execution(), "source:a/read", of(), "memory Source cannot execute Route: source:a"},
	} {
		_, err := lease.Route(t.Context(), c.view, c.e, c.route, c.input, false)
		fails(t, err, c.want)
	}
}

// storedWith is a View with another member, as if it had been stored so.
func storedWith(t *testing.T, v *compose.View, name string, value any) *compose.View {
	t.Helper()
	body := v.Raw().Without("id", "digest", "createdAt").With(name, value)
	digest, err := jsonvalue.Digest(body)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := compose.ParseView(of("id", "view:"+digest, "digest", digest, "createdAt", v.CreatedAt()).Merge(body))
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// TestSourcesSeeLittle (MN5, MN6): id and scope of the View, their own grant, and
// for a Source without a grant none.
func TestSourcesSeeLittle(t *testing.T) {
	var query *compose.QueryRequest
	var mutate *compose.MutateRequest
	reader := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		query = r
		return goodEvidence(r), nil
	}}
	writer := &native{
		project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
			return s.goodPart(r).Without("readGrant"), nil
		},
		mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) {
			mutate = r
			return goodReceipt(r), nil
		},
		facts: func(_ context.Context, s *native) (any, error) { return s.goodFacts().With("routeIds", []any{}), nil },
	}
	core := newCore(t, 1000, source(reader), source(writer), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Route(t.Context(), view, execution(), "source:a/read", of("q", 1.0), true); err != nil {
		t.Fatal(err)
	}
	if _, err := lease.Action(t.Context(), view, "source:b/write", of("w", 1.0), allow, false); err != nil {
		t.Fatal(err)
	}
	bound := of("id", view.ID(), "scope", of("storage", "custom"))
	for name, pair := range map[string][2]any{
		"query view":  {bound, query.View},
		"query input": {of("q", 1.0), query.Input},
		"grant owner": {"source:a", get(query.Grant, "sourceInstanceKey")},
		"mutate view": {bound, mutate.View},
		"mutate":      {of("w", 1.0), mutate.Input},
	} {
		if !jsonvalue.Equal(pair[0], pair[1]) {
			t.Errorf("%s: got %s", name, jsonvalue.Format(pair[1]))
		}
	}
	if mutate.Grant != nil || mutate.Bound || !query.Bound {
		t.Errorf("grant %v, bound %v and %v", mutate.Grant, mutate.Bound, query.Bound)
	}
}

func get(o *object, name string) any {
	v, _ := o.Get(name)
	return v
}

// TestActionChecks (MN14, MN35, MN36): the checks before and around a write.
func TestActionChecks(t *testing.T) {
	core := newCore(t, 1000, source(&native{without: "mutate"}), source(&native{}), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	_, foreign := mustCompose(t, newCore(t, 1000, source(&native{}), strategy(&planner{})))
	stopped, cancel := context.WithCancelCause(t.Context())
	cancel(errUser)
	date := of("d", jsonvalue.Foreign{Kind: jsonvalue.Exotic})
	yes, no := true, false
	for _, c := range []struct {
		ctx    context.Context
		view   *compose.View
		offer  string
		input  any
		answer *bool
		asked  int
		want   string
	}{
		{t.Context(), foreign, "x", of(), &yes, 0, "memory View belongs to a different runtime generation"},
		{t.Context(), view, "x", of(), &yes, 0, "memory ActionOffer is unavailable: x"},
		{t.Context(), view, "source:b/write", 1.0, &yes, 0, "memory Action input must be an object"},
		{t.Context(), view, "source:b/write", of(), &no, 1, "memory ActionOffer is not currently authorized: source:b/write"},
		{t.Context(), view, "source:b/write", of(), nil, 0, "memory ActionOffer is not currently authorized: source:b/write"},
		{t.Context(), view, "source:a/write", date, &yes, 1, "memory Source cannot execute ActionOffer: source:a"},
		{stopped, view, "source:b/write", date, &yes, 1, errUser.Error()},
		{t.Context(), view, "source:b/write", date, &yes, 1, "memory Action input contains a non-JSON object"},
	} {
		asked := 0
		authorize := func(_ context.Context, offer *object) (bool, error) {
			asked++
			if !slices.ContainsFunc(view.Offers(), offer.Equal) || get(offer, "id") != c.offer {
				t.Errorf("asked about %s instead of %s", jsonvalue.Format(offer), c.offer)
			}
			return *c.answer, nil
		}
		if c.answer == nil {
			authorize = nil
		}
		_, err := lease.Action(c.ctx, c.view, c.offer, c.input, authorize, false)
		fails(t, err, c.want)
		if asked != c.asked {
			t.Errorf("%s: asked %d times, want %d", c.want, asked, c.asked)
		}
	}
}

// TestAuthorisedAnew (MN35, MN36): whoever was allowed once is asked again, and
// what is denied does not reach the Source.
func TestAuthorisedAnew(t *testing.T) {
	written := 0
	core := newCore(t, 1000, source(&native{mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) {
		written++
		return goodReceipt(r), nil
	}}), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	asked := 0
	once := func(context.Context, *object) (bool, error) {
		asked++
		return asked == 1, nil
	}
	if _, err := lease.Action(t.Context(), view, "source:a/write", of(), once, false); err != nil {
		t.Error(err)
	}
	_, err := lease.Action(t.Context(), view, "source:a/write", of(), once, false)
	fails(t, err, "memory ActionOffer is not currently authorized: source:a/write")
	if asked != 2 || written != 1 {
		t.Errorf("asked %d times, written %d times", asked, written)
	}
}

// TestStoppedWrite: a write that is stopped while it runs returns its Receipt.
func TestStoppedWrite(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &native{mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) {
		cancel()
		return goodReceipt(r), nil
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	if _, err := lease.Action(ctx, view, "source:a/write", of(), allow, true); err != nil {
		t.Error(err)
	}
}

// TestEvidenceBudget (MN25): of any answer what is kept is in order, whole and within
// both limits, and what is left out is told of.
func TestEvidenceBudget(t *testing.T) {
	var items []any
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) {
		return goodEvidence(r).With("items", items), nil
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(0, 30), 0, 12).Draw(t, "lengths")
		b := compose.DefaultBudget
		b.MaxEvidenceResults = rapid.IntRange(1, 8).Draw(t, "results")
		b.MaxEvidenceCharacters = rapid.IntRange(1, 60).Draw(t, "characters")
		items = []any{}
		var want []any
		used, dropped := 0, len(lengths) > b.MaxEvidenceResults
		for i, n := range lengths {
			item := of("id", fmt.Sprint(i), "text", strings.Repeat("ü", n))
			items = append(items, item)
			switch {
			case len(want) >= b.MaxEvidenceResults:
			case used+n > b.MaxEvidenceCharacters:
				dropped = true
			default:
				used += n
				want = append(want, item)
			}
		}
		v, err := lease.Route(context.Background(), view, compose.NewExecution(b), "source:a/read", of(), false)
		if err != nil {
			t.Fatal(err)
		}
		o, _ := jsonvalue.Map(v)
		got, _ := o.Array("items")
		if !jsonvalue.Equal(append([]any{}, want...), got) {
			t.Fatalf("got %s, want %s", jsonvalue.Format(got), jsonvalue.Format(want))
		}
		if truncated, _ := o.Truth("truncated"); truncated != dropped {
			t.Fatalf("truncated %v, want %v", truncated, dropped)
		}
	})
}

// TestEvidence (MN10, MN29, MN30): the fields of Evidence (3.14, 23).
func TestEvidence(t *testing.T) {
	var answer func(*compose.QueryRequest) any
	s := &native{query: func(_ context.Context, r *compose.QueryRequest) (any, error) { return answer(r), nil }}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	none := jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}
	item := func(pairs ...any) []any { return []any{of("id", "i", "text", "t").With(pairs...)} }
	long := strings.Repeat("x", 501)
	now := "2026-03-04T05:06:07.000Z"
	for _, c := range []struct {
		with []any
		want any // an error, or members of the result
	}{
		{[]any{"viewId", "view:other"}, "memory Evidence is not bound to the requested View Route"},
		{[]any{"routeId", nil}, "memory Evidence is not bound to the requested View Route"},
		{[]any{"sourceInstanceKey", none}, "memory Evidence is not bound to the requested View Route"},
		{[]any{"items", none}, "memory Evidence items must be an array"},
		{[]any{"items", []any{nil}}, "memory Evidence item must be an object"},
		{[]any{"items", []any{1.0}}, "memory Evidence item text must be a string"},
		{[]any{"items", item("text", 5.0)}, "memory Evidence item text must be a string"},
		{[]any{"items", item("score", nil)}, "memory Evidence score must be finite"},
		{[]any{"items", item("score", math.Inf(1))}, "memory Evidence score must be finite"},
		{[]any{"items", item("id", " ")}, "memory Evidence item id is required"},
		{[]any{"items", item("id", long)}, "memory Evidence item id is too long (max 500 characters)"},
		{[]any{"items", item("extra", none)}, "memory Evidence item contains a non-JSON value"},
		{[]any{"id", none}, "memory Evidence id must be a string"},
		{[]any{"unavailable", " "}, "memory Evidence unavailable reason is required"},
		{[]any{"unavailable", nil}, "memory Evidence unavailable reason must be a string"},
		{[]any{"metadata", none}, "memory Evidence contains a non-JSON value"},
		{[]any{"id", " e "}, of("id", "e", "observedAt", now)},
		{[]any{"observedAt", " soon "}, of("observedAt", " soon ")},
		{[]any{"observedAt", " "}, of("observedAt", now)},
		{[]any{"observedAt", 5.0}, of("observedAt", now)},
		{[]any{"truncated", none}, of("truncated", false)},
		{[]any{"truncated", nil}, of("truncated", false)},
		{[]any{"truncated", 0.0}, of("truncated", false)},
		{[]any{"truncated", "yes"}, of("truncated", "yes")},
		{[]any{"truncated", 1.0}, of("truncated", 1.0)},
		{[]any{"unavailable", " why "}, of("unavailable", "why")},
		{[]any{"output", of("any", []any{})}, of("output", of("any", []any{}))},
		{[]any{"items", item("id", " i ", "score", 0.5, "extra", nil)}, of("items", item("score", 0.5, "extra", nil))},
		// An item too large is looked at no further than its text and score.
		{[]any{"items", item("id", none, "text", strings.Repeat("x", 20_000))}, of("items", []any{}, "truncated", true)},
		// Behind the last item that fits nothing is looked at.
		{[]any{"items", append(slices.Repeat(item(), 16), nil)}, of("truncated", true)},
	} {
		answer = func(r *compose.QueryRequest) any { return goodEvidence(r).With(c.with...) }
		v, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false)
		if want, ok := c.want.(string); ok {
			fails(t, err, want)
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.with, err)
			continue
		}
		got, _ := jsonvalue.Map(v)
		want, _ := jsonvalue.Map(c.want)
		for name, member := range want.All() {
			if !jsonvalue.Equal(member, get(got, name)) {
				t.Errorf("%v: got %s, want %s %s", c.with, jsonvalue.Format(got), name, jsonvalue.Format(member))
			}
		}
	}
	answer = func(*compose.QueryRequest) any { return nil }
	_, err := lease.Route(t.Context(), view, execution(), "source:a/read", of(), false)
	fails(t, err, "memory Evidence must be an object")
}

// TestReceipt (MN37, MN38): the combinations that scenario receipts leaves out.
func TestReceipt(t *testing.T) {
	var with []any
	s := &native{mutate: func(_ context.Context, r *compose.MutateRequest) (any, error) {
		return goodReceipt(r).With(with...), nil
	}}
	core := newCore(t, 1000, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	uncommitted := "uncommitted memory Receipt cannot claim a commit timestamp"
	for _, c := range []struct {
		with []any
		want string
	}{
		{[]any{"completion", "partial"}, ""},
		{[]any{"completion", "unknown", "status", "cancelled"}, ""},
		{[]any{"completion", "failed", "status", "failed", "more", of()}, ""},
		{[]any{"committedAt", nil}, uncommitted},
		{[]any{"completion", "failed", "committedAt", "2026-01-01"}, uncommitted},
		{[]any{"completion", "failed"}, "failed memory completion cannot have successful status"},
		{[]any{"completion", "done", "committedAt", "x"}, "memory mutation Receipt has an invalid completion"},
		{[]any{"status", "ok", "completion", "done"}, "memory mutation Receipt has an invalid status"},
		{[]any{"viewId", "v", "status", "ok"}, "memory mutation Receipt is not bound to the requested ActionOffer"},
		{[]any{"id", "", "more", jsonvalue.Foreign{}}, "memory mutation Receipt id is required"},
		{[]any{"details", jsonvalue.Foreign{Kind: jsonvalue.Exotic}}, "memory mutation Receipt contains a non-JSON object"},
	} {
		with = c.with
		got, err := lease.Action(t.Context(), view, "source:a/write", of(), allow, false)
		if c.want != "" {
			fails(t, err, c.want)
			continue
		}
		receipt, _ := jsonvalue.Map(got)
		if err != nil || !receipt.Equal(receipt.With(c.with...)) {
			t.Errorf("%v: got %s, %v", c.with, jsonvalue.Format(got), err)
		}
	}
}

// TestManagement (MN10, MN73): what scenario management leaves out (11, 23).
func TestManagement(t *testing.T) {
	var got *object
	result := any(of("revision", " r2 ", "value", of("done", true)))
	s := &native{manage: func(_ context.Context, r *compose.ManageRequest) (any, error) {
		got = r.Raw
		return result, nil
	}}
	closed := &native{facts: func(_ context.Context, s *native) (any, error) {
		return s.goodFacts().With("availability", "unavailable"), nil
	}}
	broken := &native{facts: func(context.Context, *native) (any, error) { return nil, errSecret }}
	core := newCore(t, 1000, source(s), source(closed), source(broken), source(&native{without: "manage"}), strategy(&planner{}))
	lease, _ := mustCompose(t, core)
	none := jsonvalue.Foreign{Kind: jsonvalue.Undefined, Text: "undefined"}
	ask := func(pairs ...any) (any, error) {
		return lease.Manage(t.Context(), of("sourceInstanceKey", "source:a", "scope", of("storage", "custom"), "mode", "mutate",
			"operation", "replace", "input", of(), "confirmed", true, "expectedRevision", "r1").With(pairs...), false)
	}
	for _, c := range []struct {
		with []any
		want string
	}{
		{[]any{"sourceInstanceKey", "a", "operation", "?"}, "source instanceKey must start with source: and contain only stable identifier characters"},
		{[]any{"operation", "A", "mode", "?"}, "memory Source management operation must match [a-z][a-z0-9-]{0,127}"},
		{[]any{"mode", nil}, "unsupported memory Source management mode: null"},
		{[]any{"confirmed", "true", "expectedRevision", none}, "memory Source management mutation requires explicit confirmation"},
		{[]any{"expectedRevision", " "}, "memory Source management expectedRevision is required"},
		{[]any{"sourceInstanceKey", "source:d"}, "memory Source does not expose management operations: source:d"},
		{[]any{"scope", none, "input", none}, "memory Source management facts request contains a non-JSON value"},
		{[]any{"sourceInstanceKey", "source:b"}, "memory Source is unavailable in the requested management scope: source:b"},
		{[]any{"sourceInstanceKey", "source:c"}, "memory Source is unavailable in the requested management scope: source:c; Memory Source source:c facts() failed"},
		{[]any{"expectedRevision", " r1", "input", none}, "memory Source management revision conflict: expected  r1, current r1"},
		{[]any{"input", none}, "memory Source management input contains a non-JSON value"},
		{[]any{"mode", "read", "confirmed", none, "expectedRevision", ""}, "memory Source management expectedRevision is required"},
	} {
		_, err := ask(c.with...)
		fails(t, err, c.want)
	}
	v, err := ask("mode", "read", "confirmed", 1.0, "expectedRevision", " r9 ")
	if err != nil || !jsonvalue.Equal(v, of("revision", "r2", "value", of("done", true))) {
		t.Errorf("got %v, %v", v, err)
	}
	want := of("scope", of("storage", "custom"), "sourceInstanceKey", "source:a", "mode", "read", "operation", "replace", "input", of(),
		"expectedRevision", "r9", "confirmed", false)
	if !jsonvalue.Equal(want, got) {
		t.Errorf("the Source got %s", jsonvalue.Format(got))
	}
	result = of("revision", "r")
	_, err = ask()
	fails(t, err, "memory Source management result contains a non-JSON value")
	result = nil
	_, err = ask()
	fails(t, err, "memory Source management result must be an object")
	for key, want := range map[string]string{
		"source:b": "Source is unavailable in the requested management scope: source:b",
		"source:d": "Source does not expose management: source:d",
		"source:x": "Source does not expose management: source:x",
	} {
		_, err := lease.Revision(t.Context(), key, of())
		fails(t, err, want)
	}
	if revision, err := lease.Revision(t.Context(), "source:a", of("storage", "custom")); err != nil || revision != "r1" {
		t.Errorf("got %q, %v", revision, err)
	}
	catalog, err := lease.Catalog(t.Context(), of("storage", "custom"))
	if err != nil {
		t.Fatal(err)
	}
	o, _ := jsonvalue.Map(catalog)
	sources, _ := o.Array("sources")
	if diff := cmp.Diff([]any{"source:a", "source:b", "source:c", "source:d"}, keysOf(sources)); diff != "" {
		t.Errorf("catalogued (-want +got):\n%s", diff)
	}
	shut, _ := jsonvalue.Map(sources[1])
	if n, _ := shut.Array("capabilities"); len(n) != 3 {
		t.Error("an unavailable Source keeps its capabilities in the catalog")
	}
	_, err = lease.Catalog(t.Context(), none)
	fails(t, err, "memory management catalog request contains a non-JSON value")
}

// TestJournal: a journal sees what is dispatched, may refuse it, and brings a
// policy back to where it was.
func TestJournal(t *testing.T) {
	core := newCore(t, 1000, source(&native{}), strategy(&planner{turn: func(context.Context, *compose.View) (compose.Policy, error) {
		return &singlePolicy{}, nil
	}}))
	lease, view := mustCompose(t, core)
	j := &journal{}
	e := execution()
	e.Keep(j)
	first, err := lease.Route(t.Context(), view, e, "source:a/read", of("a", 1.0), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`source:a/read {"query":"fixed"} null`}
	if diff := cmp.Diff(want, j.seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	later := compose.RestoreExecution(compose.DefaultBudget, e.Calls())
	past := []compose.PastRoute{{RouteID: "source:a/read", Input: of("a", 1.0), Reads: []compose.Answer{{Value: first}}}}
	if err := lease.Resume(t.Context(), view, later, past); err != nil {
		t.Fatal(err)
	}
	again, err := lease.Route(t.Context(), view, later, "source:a/read", of("b", 1.0), false)
	if err != nil || !jsonvalue.Equal(first, again) || later.Calls()[0].Count != 1 {
		t.Errorf("the policy read anew: %v, %v, %v", again, err, later.Calls())
	}
	refusing := execution()
	refusing.Keep(&journal{err: errors.New("no room")})
	_, err = lease.Route(t.Context(), view, refusing, "source:a/read", of(), false)
	fails(t, err, "no room")
}

type journal struct {
	seen []string
	err  error
}

func (j *journal) Dispatch(_ context.Context, routeID string, input, limits any) (func(*object, error), error) {
	j.seen = append(j.seen, routeID+" "+jsonvalue.Format(input)+" "+jsonvalue.Format(limits))
	return func(*object, error) {}, j.err
}
