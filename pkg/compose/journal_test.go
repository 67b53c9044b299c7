package compose_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// diary is a Source whose one route answers with what it was asked, and that
// remembers the questions.
type diary struct{ asked *[]string }

func (d diary) Facts(_ context.Context, r *compose.Request) (any, error) {
	return jsonvalue.Of("sourceInstanceKey", "source:d", "sourceTypeId", "diary", "role", "diary", "availability", "ready",
		"revision", "r", "capabilities", []any{"read"}, "routeIds", []any{"ask"}, "actionIds", []any{}), nil
}

func (d diary) Project(context.Context, *compose.ProjectionRequest) (any, error) {
	return jsonvalue.Of("fragments", []any{}, "readGrant", jsonvalue.Of("id", "g", "sourceInstanceKey", "source:d", "schema", "d/v1",
		"value", nil, "revision", "r", "consistency", "exact-snapshot")), nil
}

func (d diary) Query(_ context.Context, r *compose.QueryRequest) (any, error) {
	input, _ := jsonvalue.Map(r.Input)
	question, _ := input.Text("q")
	limit, _ := r.Route.Number("maxResults")
	*d.asked = append(*d.asked, fmt.Sprintf("%s/%v", question, limit))
	if question == "fail" {
		return nil, errors.New("no answer")
	}
	id, _ := r.View.Text("id")
	route, _ := r.Route.Text("id")
	return jsonvalue.Of("id", "e", "viewId", id, "routeId", route, "sourceInstanceKey", "source:d", "truncated", false,
		"items", []any{jsonvalue.Of("id", "i", "text", "answer to "+question, "provenance", jsonvalue.Of())}), nil
}

// patient asks the Source once an execution and gives that answer ever after,
// with the number of the question.
type patient struct{}

func (patient) Compose(context.Context, *compose.Request, []any, []any) (any, error) {
	return jsonvalue.Of("strategyTypeId", "patient", "explanation", "x", "sources", []any{
		jsonvalue.Of("sourceInstanceKey", "source:d", "routeIds", []any{"ask"}),
	}), nil
}

func (patient) CreateTurn(context.Context, *compose.View) (compose.Policy, error) {
	return &once{}, nil
}

type once struct {
	first any
	n     int
}

func (o *once) Query(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
	o.n++
	if o.first == nil {
		a := <-read(ctx, r.Input, jsonvalue.Of("maxResults", 3.0))
		if a.Err != nil {
			return nil, a.Err
		}
		o.first = a.Value
	}
	evidence, _ := jsonvalue.Map(o.first)
	return evidence.With("output", float64(o.n)), nil
}

// process is what one process has of the turn.
func process(t *testing.T, asked *[]string, strategy compose.Strategy) *compose.Lease {
	t.Helper()
	core := compose.New(compose.Settings{Now: func() time.Time { return time.Unix(0, 0) }})
	source, err := compose.DefineSource(jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "source", "typeId", "diary", "role", "diary",
		"packageName", "diary", "capabilities", []any{"read"}, "consistency", "exact-snapshot",
		"routes", []any{jsonvalue.Of("id", "ask", "description", "Ask.", "capability", "read", "inputSchema", jsonvalue.Of("type", "object"), "maxCalls", 2.0)}),
		func(context.Context, compose.SourceContext) (compose.Source, error) { return diary{asked}, nil })
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := compose.DefineStrategy(jsonvalue.Of("apiVersion", "dsh-mnemon/v1", "kind", "strategy", "typeId", "patient", "packageName", "p",
		"deterministic", true, "supportedSourceRoles", []any{"*"}, "maxSources", 9.0, "maxRoutes", 9.0, "maxActions", 9.0), strategy)
	if err != nil {
		t.Fatal(err)
	}
	for id, c := range map[string]compose.Contribution{"d": {Sources: []*compose.SourceDefinition{source}}, "p": {Strategies: []*compose.StrategyDefinition{chosen}}} {
		if _, err := core.Install(t.Context(), c, compose.InstallOptions{InstanceID: id}); err != nil {
			t.Fatal(err)
		}
	}
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		lease.Release()
		_ = core.Close(context.Background())
	})
	return lease
}

// book is a journal that keeps what it is told.
type book struct {
	refuse error
	lines  []string
	reads  []compose.PastRead
	gave   []compose.Answer
}

func (b *book) Dispatch(_ context.Context, routeID string, input, limits any) (func(*jsonvalue.Object, error), error) {
	if b.refuse != nil {
		return nil, b.refuse
	}
	b.lines = append(b.lines, "asks "+routeID+jsonvalue.Format(input)+jsonvalue.Format(limits))
	b.reads = append(b.reads, compose.PastRead{RouteID: routeID, Input: input, Limits: limits})
	return func(evidence *jsonvalue.Object, err error) {
		if err != nil {
			b.lines = append(b.lines, "failed: "+err.Error())
			b.gave = append(b.gave, compose.Answer{Err: err})
			return
		}
		b.lines = append(b.lines, "answered")
		b.gave = append(b.gave, compose.Answer{Value: evidence})
	}, nil
}

const ask = "source:d/ask"

func question(q string) *jsonvalue.Object { return jsonvalue.Of("q", q) }

// TestExecutionGoesOnInAnotherProcess: the counters and the policy's state are
// there again, and no Source was asked for it.
func TestExecutionGoesOnInAnotherProcess(t *testing.T) {
	var first, second []string
	lease := process(t, &first, patient{})
	view, err := lease.Compose(t.Context(), jsonvalue.Of("scope", jsonvalue.Of("storage", "custom"), "scenario", "s", "budget", budget()))
	if err != nil {
		t.Fatal(err)
	}
	e, kept := compose.NewExecution(compose.DefaultBudget), &book{}
	e.Keep(kept)
	if _, err := lease.Route(t.Context(), view, e, ask, question("fail"), false); err == nil {
		t.Fatal("no error")
	}
	if _, err := lease.Route(t.Context(), view, e, ask, question("one"), false); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`asks source:d/ask{"q":"fail"}{"maxResults":3}`, "failed: no answer", `asks source:d/ask{"q":"one"}{"maxResults":3}`, "answered",
	}
	if diff := cmp.Diff(want, kept.lines); diff != "" {
		t.Error(diff)
	}

	stored, err := compose.ParseView(view.Raw())
	if err != nil {
		t.Fatal(err)
	}
	later := process(t, &second, patient{})
	if later.ID() != lease.ID() {
		t.Fatalf("another generation: %s, %s", later.ID(), lease.ID())
	}
	again := compose.RestoreExecution(compose.DefaultBudget, e.Calls())
	past := []compose.PastRoute{
		{RouteID: ask, Input: question("fail"), Reads: kept.gave[:1]},
		{RouteID: ask, Input: question("one"), Reads: kept.gave[1:]},
	}
	if err := later.Resume(t.Context(), stored, again, past); err != nil {
		t.Fatal(err)
	}
	got, err := later.Route(t.Context(), stored, again, ask, question("two"), false)
	if err != nil {
		t.Fatal(err)
	}
	evidence, _ := jsonvalue.Map(got)
	if output, _ := evidence.Number("output"); output != 3 {
		t.Errorf("the policy answers for the %vth time, want the 3rd", output)
	}
	if len(second) != 0 {
		t.Errorf("the Source was asked again: %q", second)
	}
	if diff := cmp.Diff(e.Calls(), again.Calls()); diff != "" {
		t.Error(diff)
	}
}

// TestRepeat: a Source is asked what it was asked, under the same limits, and
// nothing counts.
func TestRepeat(t *testing.T) {
	var first, second []string
	lease := process(t, &first, patient{})
	view, err := lease.Compose(t.Context(), jsonvalue.Of("scope", jsonvalue.Of("storage", "custom"), "scenario", "s", "budget", budget()))
	if err != nil {
		t.Fatal(err)
	}
	e, kept := compose.NewExecution(compose.DefaultBudget), &book{}
	e.Keep(kept)
	if _, err := lease.Route(t.Context(), view, e, ask, question("one"), false); err != nil {
		t.Fatal(err)
	}
	later, again := process(t, &second, patient{}), compose.RestoreExecution(compose.DefaultBudget, e.Calls())
	if err := later.Repeat(t.Context(), view, again, append(kept.reads, compose.PastRead{RouteID: "source:d/gone"})); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(e.Calls(), again.Calls()); diff != "" {
		t.Error(diff)
	}
}

// TestJournalRefuses: what cannot be written down is not asked, and counts.
func TestJournalRefuses(t *testing.T) {
	var asked []string
	lease := process(t, &asked, patient{})
	view, err := lease.Compose(t.Context(), jsonvalue.Of("scope", jsonvalue.Of("storage", "custom"), "scenario", "s", "budget", budget()))
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	e := compose.NewExecution(compose.DefaultBudget)
	e.Keep(&book{refuse: full})
	if _, err := lease.Route(t.Context(), view, e, ask, question("one"), false); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if len(asked) != 0 || len(e.Calls()) != 1 || e.Calls()[0].Count != 1 {
		t.Errorf("asked %q, counted %v", asked, e.Calls())
	}
}

func budget() *jsonvalue.Object {
	return jsonvalue.Of("maxProjectionCharacters", 100.0, "maxRoutes", 9.0, "maxActions", 9.0, "maxEvidenceResults", 9.0, "maxEvidenceCharacters", 900.0)
}
