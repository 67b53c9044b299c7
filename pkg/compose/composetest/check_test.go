package composetest_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/compose/composetest"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
)

// notebook is a list of lines in memory, a Source as an author would write it.
type notebook struct {
	mu    sync.Mutex
	lines []string
}

func (n *notebook) snapshot() (lines []string, revision string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.lines), "r" + strconv.Itoa(len(n.lines))
}

func (n *notebook) add(line string) (revision string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
	return "r" + strconv.Itoa(len(n.lines))
}

func (n *notebook) define() *compose.SourceDefinition {
	query := of("type", "object", "properties", of("query", of("type", "string")), "required", []any{"query"})
	line := of("type", "object", "properties", of("line", of("type", "string")), "required", []any{"line"})
	d, err := compose.DefineSource(of(
		"apiVersion", fixtureAPI, "kind", "source", "typeId", "notebook", "packageName", "notebook", "role", "notes",
		"capabilities", []any{"project", "search", "write"}, "consistency", "exact-snapshot",
		"routes", []any{of("id", "search", "description", "Search lines.", "capability", "search", "inputSchema", query, "maxCalls", 4.0)},
		"actions", []any{of("id", "add", "description", "Add a line.", "capability", "write", "inputSchema", line)},
	), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		return &notebookSource{c.InstanceKey, n}, nil
	})
	if err != nil {
		panic(err)
	}
	return d
}

type notebookSource struct {
	key  string
	book *notebook
}

var (
	_ compose.Querier = (*notebookSource)(nil)
	_ compose.Mutator = (*notebookSource)(nil)
)

func (s *notebookSource) Facts(context.Context, *compose.Request) (any, error) {
	_, revision := s.book.snapshot()
	return of("sourceInstanceKey", s.key, "sourceTypeId", "notebook", "role", "notes", "availability", "ready", "revision", revision,
		"capabilities", []any{"project", "search", "write"}, "routeIds", []any{"search"}, "actionIds", []any{"add"}), nil
}

func (s *notebookSource) Project(_ context.Context, r *compose.ProjectionRequest) (any, error) {
	lines, revision := s.book.snapshot()
	if revision != r.ExpectedRevision {
		return nil, errors.New("the notebook has changed")
	}
	fragments := []any{}
	if r.IncludeProjection {
		fragments = append(fragments, of("id", "lines", "sourceInstanceKey", s.key, "mode", r.Mode,
			"text", compose.Truncate(strings.Join(lines, "\n"), r.MaxCharacters), "revision", revision))
	}
	return of("fragments", fragments, "readGrant", of("id", s.key+"/grant", "sourceInstanceKey", s.key, "schema", "notebook/v1",
		"value", of("lines", float64(len(lines))), "revision", revision, "consistency", "exact-snapshot")), nil
}

// Query searches the lines that there were when the View was made.
func (s *notebookSource) Query(_ context.Context, r *compose.QueryRequest) (any, error) {
	input, _ := jsonvalue.Map(r.Input)
	wanted, _ := input.Text("query")
	seen, _ := sub(r.Grant, "value").Number("lines")
	lines, _ := s.book.snapshot()
	items := []any{}
	for i, line := range lines[:int(seen)] {
		if strings.Contains(line, wanted) {
			items = append(items, of("id", strconv.Itoa(i), "text", line, "provenance", of("line", float64(i))))
		}
	}
	return of("id", "evidence:notebook", "viewId", get(r.View, "id"), "routeId", get(r.Route, "id"), "sourceInstanceKey", s.key,
		"items", items, "truncated", false), nil
}

func (s *notebookSource) Mutate(_ context.Context, r *compose.MutateRequest) (any, error) {
	input, _ := jsonvalue.Map(r.Input)
	line, _ := input.Text("line")
	return compose.MutationReceipt("1", clock, compose.Mutation{
		ViewID: get(r.View, "id"), OfferID: get(r.Offer, "id"), SourceInstanceKey: s.key,
		Revision: s.book.add(line), Completion: "committed",
	}), nil
}

// TestNotebook is what an author writes.
func TestNotebook(t *testing.T) {
	book := &notebook{lines: []string{"tabs, not spaces"}}
	composetest.CheckSource(t, book.define,
		composetest.Operation{ID: "search", Input: of("query", "tabs")},
		composetest.Operation{ID: "add", Input: of("line", "and no trailing blanks")},
		composetest.Operation{ID: "search", Input: of("query", "blanks")},
	)
}

// first is a Strategy of the first Source alone.
type first struct{}

func defineFirst() *compose.StrategyDefinition {
	d, err := compose.DefineStrategy(of("apiVersion", fixtureAPI, "kind", "strategy", "typeId", "first", "packageName", "first", "deterministic", true,
		"supportedSourceRoles", []any{"*"}, "maxSources", 1.0, "maxRoutes", 8.0, "maxActions", 8.0), first{})
	if err != nil {
		panic(err)
	}
	return d
}

func (first) Compose(_ context.Context, r *compose.Request, sources, _ []any) (any, error) {
	chosen := []any{}
	for _, v := range sources {
		o, _ := jsonvalue.Map(v)
		if get(o, "availability") == "unavailable" {
			continue
		}
		chosen = append(chosen, of("sourceInstanceKey", get(o, "sourceInstanceKey"), "required", false, "routeIds", get(o, "routeIds"),
			"projection", of("mode", "eager", "maxCharacters", float64(r.Budget.MaxProjectionCharacters))))
		break
	}
	return of("strategyTypeId", "first", "explanation", "The first there is.", "sources", chosen), nil
}

func TestFirst(t *testing.T) {
	composetest.CheckStrategy(t, defineFirst)
	composetest.CheckStrategy(t, defineFirst, composetest.Stub("notes"), composetest.Stub("narrative"))
}

func TestPublishedShape(t *testing.T) {
	composetest.CheckExtension(t, func() *compose.ExtensionDefinition {
		return must(extension("projection", func(context.Context, []any) (any, error) { return of("maxProjectionCharacters", 10.0), nil }), nil).Extensions[0]
	})
}

// TestBrokenSources: each way to break the contract is found, and named.
func TestBrokenSources(t *testing.T) {
	define := func(change func(*native)) func() *compose.SourceDefinition {
		return func() *compose.SourceDefinition {
			s := &native{project: func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
				if r.ExpectedRevision != "r1" {
					return nil, errors.New("another revision")
				}
				return s.goodPart(r), nil
			}}
			change(s)
			return source(s).Sources[0]
		}
	}
	read := composetest.Operation{ID: "read", Input: of()}
	write := composetest.Operation{ID: "write", Input: of()}
	var times atomic.Int64
	for name, c := range map[string]struct {
		define     func() *compose.SourceDefinition
		operations []composetest.Operation
		want       string
	}{
		"good": {define(func(*native) {}), []composetest.Operation{read, write}, ""},
		"changes by itself": {define(func(s *native) {
			s.facts = func(_ context.Context, s *native) (any, error) {
				return s.goodFacts().With("revision", strconv.Itoa(int(times.Add(1)))), nil
			}
			s.project = nil
		}), nil, "it is ready, or says that it is not, and says the same again"},
		"too long": {define(func(s *native) {
			s.project = func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
				r.MaxCharacters = 100
				if r.ExpectedRevision != "r1" {
					return nil, errors.New("another revision")
				}
				return s.goodPart(r), nil
			}
		}), nil, "its part fits the budget, however small"},
		"talks unasked": {define(func(s *native) {
			s.project = func(_ context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
				r.IncludeProjection = true
				return s.goodPart(r), nil
			}
		}), nil, "it shows nothing when nothing is asked for"},
		"another's name": {define(func(s *native) {
			s.facts = func(_ context.Context, s *native) (any, error) {
				return s.goodFacts().With("sourceInstanceKey", "source:entry-0"), nil
			}
		}), nil, "two instances are told apart"},
		"does not look": {define(func(s *native) { s.project = nil }), nil, "a snapshot of another revision is refused"},
		"unbound evidence": {define(func(s *native) {
			s.query = func(_ context.Context, r *compose.QueryRequest) (any, error) {
				return goodEvidence(r).With("viewId", "v"), nil
			}
		}), []composetest.Operation{read}, "routes answer with Evidence of their own"},
		"no receipt": {define(func(s *native) {
			s.mutate = func(context.Context, *compose.MutateRequest) (any, error) { return nil, nil }
		}), []composetest.Operation{write}, "actions answer with a Receipt of their own"},
		"no such route": {define(func(*native) {}), []composetest.Operation{{ID: "other"}}, "routes answer with Evidence of their own"},
		"does not let go": {define(func(s *native) {
			s.dispose = func(context.Context) error { return errors.New("stuck") }
		}), nil, "it can be disposed"},
	} {
		t.Run(name, func(t *testing.T) {
			got := composetest.BrokenSource(t.Context(), c.define, c.operations...)
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestBrokenStrategies: the same for Strategies and extensions.
func TestBrokenStrategies(t *testing.T) {
	plan := func(f func(context.Context, []any, []any) (any, error)) func() *compose.StrategyDefinition {
		return func() *compose.StrategyDefinition { return strategy(&planner{compose: f}).Strategies[0] }
	}
	all := func(_ context.Context, sources, _ []any) (any, error) { return takeAll(sources, false), nil }
	var calls atomic.Int64
	for name, c := range map[string]struct {
		define func() *compose.StrategyDefinition
		want   []string
	}{
		"good": {plan(all), nil},
		"requires": {plan(func(_ context.Context, sources, _ []any) (any, error) { return takeAll(sources, true), nil }), []string{
			"it goes by what is available",
		}},
		"counts": {plan(func(_ context.Context, sources, _ []any) (any, error) {
			return takeAll(sources, false).With("explanation", strconv.Itoa(int(calls.Add(1)+1)/2)), nil
		}), []string{"two of it, at different times, propose the same", "several requests at once get the same"}},
		"marks": {plan(func(_ context.Context, sources, _ []any) (any, error) {
			o, _ := jsonvalue.Map(sources[0])
			o.Set("mark", true)
			return takeAll(sources, false), nil
		}), []string{"it changes nothing that it is given"}},
		"greedy": {plan(func(_ context.Context, sources, _ []any) (any, error) {
			proposal := takeAll(sources, false)
			if len(sources) > 0 {
				return nil, errors.New("not enough room")
			}
			return proposal, nil
		}), []string{"what it proposes makes a View", "it keeps to the budget, however small"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := composetest.BrokenStrategy(t.Context(), c.define)
			if len(c.want) == 0 && len(got) > 0 {
				t.Errorf("found %q", got)
			}
			for _, want := range c.want {
				if !slices.Contains(got, want) {
					t.Errorf("found %q, want %q", got, want)
				}
			}
		})
	}
	n := 0.0
	for name, c := range map[string]struct {
		value func(context.Context, []any) (any, error)
		want  composetest.Broken
	}{
		"good":   {func(context.Context, []any) (any, error) { return 1.0, nil }, nil},
		"counts": {func(context.Context, []any) (any, error) { n++; return n, nil }, composetest.Broken{"a Strategy with its slot makes a View with it", "two of it contribute the same"}},
	} {
		define := func() *compose.ExtensionDefinition { return extension("projection", c.value).Extensions[0] }
		if diff := cmp.Diff(c.want, composetest.BrokenExtension(t.Context(), define)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
