package composetest_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// native is a Source of functions; those that are nil behave.
type native struct {
	key                     string
	facts                   func(ctx context.Context, s *native) (any, error)
	project                 func(ctx context.Context, s *native, r *compose.ProjectionRequest) (any, error)
	query                   func(ctx context.Context, r *compose.QueryRequest) (any, error)
	mutate                  func(ctx context.Context, r *compose.MutateRequest) (any, error)
	manage                  func(ctx context.Context, r *compose.ManageRequest) (any, error)
	dispose                 func(ctx context.Context) error
	startFacts              func(ctx context.Context, s *native) <-chan compose.Answer
	without                 string
	disposals, factsStarted atomic.Int32
}

func (s *native) goodFacts() *object {
	return of("sourceInstanceKey", s.key, "sourceTypeId", "native", "role", "notes", "availability", "ready", "revision", "r1",
		"capabilities", []any{"project", "read", "write"}, "routeIds", []any{"read"}, "actionIds", []any{"write"})
}

func (s *native) goodPart(r *compose.ProjectionRequest) *object {
	fragments := []any{}
	if r.IncludeProjection {
		fragments = append(fragments, of("id", s.key, "sourceInstanceKey", s.key, "mode", r.Mode, "text", firstUnits("text", r.MaxCharacters), "revision", "r1"))
	}
	return of("fragments", fragments, "readGrant", of("id", s.key+"/grant", "sourceInstanceKey", s.key, "schema", "native/v1",
		"value", of("secret", "grant of "+s.key), "revision", "r1", "consistency", "exact-snapshot"))
}

func goodEvidence(r *compose.QueryRequest, items ...any) *object {
	viewID, _ := r.View.Get("id")
	routeID, _ := r.Route.Get("id")
	key, _ := r.Route.Get("sourceInstanceKey")
	if items == nil {
		items = []any{of("id", "item", "text", "evidence", "provenance", of())}
	}
	return of("id", "evidence", "viewId", viewID, "routeId", routeID, "sourceInstanceKey", key, "items", items, "truncated", false)
}

func goodReceipt(r *compose.MutateRequest) *object {
	viewID, _ := r.View.Get("id")
	offerID, _ := r.Offer.Get("id")
	key, _ := r.Offer.Get("sourceInstanceKey")
	return of("id", "receipt", "viewId", viewID, "offerId", offerID, "sourceInstanceKey", key, "status", "succeeded", "completion", "accepted")
}

func (s *native) Offers(method string) bool { return method != s.without }

func (s *native) Facts(ctx context.Context, _ *compose.Request) (any, error) {
	s.factsStarted.Add(1)
	if s.facts != nil {
		return s.facts(ctx, s)
	}
	return s.goodFacts(), nil
}

func (s *native) Project(ctx context.Context, r *compose.ProjectionRequest) (any, error) {
	if s.project != nil {
		return s.project(ctx, s, r)
	}
	return s.goodPart(r), nil
}

func (s *native) Query(ctx context.Context, r *compose.QueryRequest) (any, error) {
	if s.query != nil {
		return s.query(ctx, r)
	}
	return goodEvidence(r), nil
}

func (s *native) Mutate(ctx context.Context, r *compose.MutateRequest) (any, error) {
	if s.mutate != nil {
		return s.mutate(ctx, r)
	}
	return goodReceipt(r), nil
}

func (s *native) Manage(ctx context.Context, r *compose.ManageRequest) (any, error) {
	if s.manage != nil {
		return s.manage(ctx, r)
	}
	return of("revision", "r1", "value", nil), nil
}

func (s *native) Dispose(ctx context.Context) error {
	s.disposals.Add(1)
	if s.dispose != nil {
		return s.dispose(ctx)
	}
	return nil
}

// starting is a native Source that is started.
type starting struct{ *native }

func (s starting) StartFacts(ctx context.Context, _ *compose.Request) <-chan compose.Answer {
	return s.startFacts(ctx, s.native)
}

func (s starting) StartProject(_ context.Context, r *compose.ProjectionRequest) <-chan compose.Answer {
	c := make(chan compose.Answer, 1)
	c <- compose.Answer{Value: s.goodPart(r)}
	return c
}

// nativeManifest is the manifest of native Sources; fields replace its own.
func nativeManifest(fields ...any) *object {
	input := of("type", "object")
	return of("apiVersion", fixtureAPI, "kind", "source", "typeId", "native", "packageName", "native", "role", "notes",
		"capabilities", []any{"project", "read", "write"}, "consistency", "exact-snapshot",
		"routes", []any{of("id", "read", "description", "Read.", "capability", "read", "inputSchema", input, "maxCalls", 2.0)},
		"actions", []any{of("id", "write", "description", "Write.", "capability", "write", "inputSchema", input)},
		"management", of("label", "Native", "description", "Native.")).With(fields...)
}

// source makes a contribution of one native Source.
func source(s *native, fields ...any) compose.Contribution {
	d, err := compose.DefineSource(nativeManifest(fields...), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		s.key = c.InstanceKey
		if s.startFacts != nil {
			return starting{s}, nil
		}
		return s, nil
	})
	return must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err)
}

// planner is a Strategy of functions.
type planner struct {
	compose func(ctx context.Context, sources, contributions []any) (any, error)
	turn    func(ctx context.Context, view *compose.View) (compose.Policy, error)
}

func (p *planner) Compose(ctx context.Context, _ *compose.Request, sources, contributions []any) (any, error) {
	if p.compose != nil {
		return p.compose(ctx, sources, contributions)
	}
	return takeAll(sources, false), nil
}

// takeAll proposes every Source with all its operations.
func takeAll(sources []any, required bool) *object {
	chosen := []any{}
	for _, v := range sources {
		o, _ := jsonvalue.Map(v)
		get := func(name string) any { v, _ := o.Get(name); return v }
		spec := of("sourceInstanceKey", get("sourceInstanceKey"), "required", required, "routeIds", get("routeIds"), "actionIds", get("actionIds"))
		if get("availability") != "unavailable" {
			spec.Set("projection", of("mode", "eager", "maxCharacters", 100.0))
		}
		chosen = append(chosen, spec)
	}
	return of("strategyTypeId", "plan", "explanation", "All.", "sources", chosen)
}

type turnPlanner struct{ *planner }

func (p turnPlanner) CreateTurn(ctx context.Context, view *compose.View) (compose.Policy, error) {
	return p.turn(ctx, view)
}

// strategy makes a contribution of one native Strategy.
func strategy(p *planner, fields ...any) compose.Contribution {
	var s compose.Strategy = p
	if p.turn != nil {
		s = turnPlanner{p}
	}
	d, err := compose.DefineStrategy(of("apiVersion", fixtureAPI, "kind", "strategy", "typeId", "plan", "packageName", "plan", "deterministic", true,
		"supportedSourceRoles", []any{"*"}, "maxSources", 100.0, "maxRoutes", 100.0, "maxActions", 100.0,
		"extensionSlots", []any{"projection", "selection", "capture"}).With(fields...), s)
	return must(compose.Contribution{Strategies: []*compose.StrategyDefinition{d}}, err)
}

// policy is a read policy of a function.
type policy func(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error)

func (p policy) Query(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
	return p(ctx, r, read)
}

// contribute is an extension of a function.
type contribute func(ctx context.Context, sources []any) (any, error)

func (c contribute) Contribute(ctx context.Context, _ *compose.Request, sources []any) (any, error) {
	return c(ctx, sources)
}

func extension(slot string, c contribute) compose.Contribution {
	d, err := compose.DefineExtension(of("apiVersion", fixtureAPI, "kind", "strategy-extension", "typeId", "ext-"+slot, "packageName", "ext",
		"strategyTypeId", "plan", "slot", slot, "deterministic", true), c)
	return must(compose.Contribution{Extensions: []*compose.ExtensionDefinition{d}}, err)
}

var clock = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// newCore returns a Core with the contributions, each as Entry a, b, c and so on,
// which is closed at the end of the test.
func newCore(t testing.TB, timeoutMs float64, contributions ...compose.Contribution) *compose.Core {
	t.Helper()
	core := compose.New(compose.Settings{Now: func() time.Time { return clock }, SourceTimeoutMs: &timeoutMs})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := core.Close(ctx); ctx.Err() != nil {
			t.Errorf("does not close: %v", err)
		}
	})
	for i, c := range contributions {
		if _, err := core.Install(context.Background(), c, compose.InstallOptions{InstanceID: string(rune('a' + i))}); err != nil {
			t.Fatal(err)
		}
	}
	return core
}

// composeOn leases what serves and composes; the lease ends with the test.
func composeOn(t testing.TB, core *compose.Core) (*compose.Lease, *compose.View, error) {
	t.Helper()
	lease, err := core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(lease.Release)
	view, err := lease.Compose(context.Background(), request())
	return lease, view, err
}

func mustCompose(t testing.TB, core *compose.Core) (*compose.Lease, *compose.View) {
	t.Helper()
	lease, view, err := composeOn(t, core)
	if err != nil {
		t.Fatal(err)
	}
	return lease, view
}

func fails(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

// codeOf is the code of an error of Core.
func codeOf(err error) string {
	var e *compose.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// noLeak sees to it that the goroutines of this package's code have ended by the
// end of the test. It must be called before anything is started.
func noLeak(t testing.TB) {
	t.Helper()
	before := ours()
	t.Cleanup(func() {
		deadline := time.Now().Add(5 * time.Second)
		for ours() > before {
			if time.Now().After(deadline) {
				t.Errorf("goroutines left behind:\n%s", stacks())
				return
			}
			runtime.Gosched()
		}
	})
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}

// ours counts the goroutines that run code of package compose.
func ours() int {
	n := 0
	for _, stack := range strings.Split(stacks(), "\n\n") {
		if strings.Contains(stack, "dshkit/pkg/compose.") && strings.Contains(stack, "created by github.com/dshkit/dshkit/pkg/compose.") {
			n++
		}
	}
	return n
}
