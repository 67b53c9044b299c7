package composetest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/testkit/marks"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
)

// TestScenarios plays recorded scenarios of the originals with native plugins of
// the same behaviour, and compares all that came of them. They are those that Core
// alone can play: others need a script, or the rules of an older version.
func TestScenarios(t *testing.T) {
	for _, scenario := range []struct{ name, holds string }{
		{"activation-graph", "MN51-MN54"},
		{"bad-schema", "MN23"},
		{"budgets", "MN19, MN25-MN27"},
		{"create-turn", "MN29, MN31-MN33"},
		{"determinism", "MN8-MN10, MN16, MN17, MN19-MN22"},
		{"eager", "MN1, MN5, MN17"},
		{"extensions", "MN9, MN57, MN58, MN60, MN62-MN64"},
		{"lifecycle", "MN3, MN67-MN69, MN71"},
		{"management", "MN73"},
		{"receipts", "MN37"},
		{"required-false", "MN7, MN18, MN41-MN43, MN49, MN50"},
		{"routed", "MN1"},
		{"timeouts", "MN7, MN44, MN46, MN49"},
		{"two-instances", "MN5, MN18"},
		{"unauthorised", "MN8, MN24, MN35, MN36, MN39"},
		{"any-strategy-extension", "MN16, MN59, MN60"},
		{"strategy-fallback", "MN56"},
	} {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			name := scenarioFile(scenario.name)
			want := readFile(t, name+".golden.json")
			got := playScenario(t, name+".json")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("differs from the recording, which holds %s (-want +got):\n%s", scenario.holds, diff)
			}
		})
	}
}

// scenarioFile finds a scenario; those of newer rules are in a folder of their own.
func scenarioFile(name string) string {
	dir := filepath.Join("..", "testdata", "oracle", "mnemon", "scenarios")
	if _, err := os.Stat(filepath.Join(dir, name+".json")); err != nil {
		dir = filepath.Join(dir, "next")
	}
	return filepath.Join(dir, name)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// player plays one scenario.
type player struct {
	t        *testing.T
	notes    *notes
	settings *object
	runners  map[string]*runner
	turns    map[string]*turn
	late     compose.Read
}

// runner is a Core with its mounts, as the testing kit of the originals has it.
type runner struct {
	core    *compose.Core
	mounts  map[string]func(context.Context)
	dispose bool
}

type turn struct {
	runner    *runner
	lease     *compose.Lease
	view      *compose.View
	execution *compose.Execution
	released  bool
}

func playScenario(t *testing.T, file string) string {
	v, err := jsonvalue.Parse([]byte(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	scenario, _ := jsonvalue.Map(v)
	p := &player{t: t, notes: &notes{}, settings: sub(scenario, "runner"), runners: map[string]*runner{}, turns: map[string]*turn{}}
	results := []any{}
	steps, _ := scenario.Array("steps")
	for _, v := range steps {
		step, _ := jsonvalue.Map(v)
		results = append(results, p.perform(step))
	}
	p.close()
	about, _ := scenario.Get("about")
	keepTimes, _ := sub(scenario, "normalise").Truth("keepTimes")
	normalised := normaliser{keepTimes}.value(results, "")
	return canonicalText(of("scenario", strings.TrimSuffix(filepath.Base(file), ".json"), "about", about, "results", normalised))
}

func (p *player) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, turn := range p.turns {
		turn.lease.Release()
	}
	for name, r := range p.runners {
		if err := r.core.Close(ctx); ctx.Err() != nil {
			p.t.Errorf("runner %s does not close: %v", name, err)
		}
	}
}

func (p *player) runner(name string) *runner {
	if name == "" {
		name = "main"
	}
	if p.runners[name] == nil {
		p.runners[name] = newRunner(p.settings)
	}
	return p.runners[name]
}

func newRunner(o *object) *runner {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := compose.Settings{Now: func() time.Time { return now }}
	if f, ok := o.Number("sourceTimeoutMs"); ok {
		s.SourceTimeoutMs = &f
	}
	s.StrategyInstanceKey, _ = o.Text("strategyInstanceKey")
	s.StrategyTypeID, _ = o.Text("strategyTypeId")
	s.StrategyFallback, _ = o.Text("strategyFallback")
	if table := sub(o, "sourceConfiguration"); table != nil {
		s.SourceConfiguration = func(_ context.Context, info compose.SourceInfo) (any, error) {
			return or(table, info.InstanceKey, or(table, "*", nil)), nil
		}
	}
	if table := sub(o, "sourceCapabilities"); table != nil {
		s.SourceCapabilities = func(_ context.Context, info compose.SourceInfo) ([]string, bool, error) {
			list, ok := or(table, info.InstanceKey, or(table, "*", nil)).([]any)
			var out []string
			for _, v := range list {
				out = append(out, v.(string))
			}
			return out, ok, nil
		}
	}
	return &runner{core: compose.New(s), mounts: map[string]func(context.Context){}}
}

func (p *player) perform(step *object) any {
	op, _ := step.Text("op")
	v, err := p.run(op, step)
	out := of("op", op)
	if note, ok := step.Get("note"); ok {
		out.Set("note", note)
	}
	var asked *askedError
	if errors.As(err, &asked) {
		out.Set("authorizeCalls", float64(asked.count))
		err = asked.error
	}
	silent, _ := step.Truth("silent")
	switch {
	case err != nil:
		out.Set("error", describeError(err))
	case silent:
		out.Set("ok", "(silent)")
	default:
		out.Set("ok", v)
	}
	return out
}

type askedError struct {
	error
	count int
}

func describeError(err error) *object {
	out := of("message", err.Error())
	var aggregate *compose.AggregateError
	if errors.As(err, &aggregate) {
		out.Set("name", "AggregateError")
		list := []any{}
		for _, e := range aggregate.Errors {
			list = append(list, describeError(e))
		}
		out.Set("errors", list)
	}
	return out
}

func (p *player) run(op string, step *object) (any, error) {
	name, _ := step.Text("runner")
	ctx, cancel, bound := abortable(step)
	defer cancel()
	id, _ := step.Text("id")
	turnName, _ := step.Text("turn")
	turn := p.turns[turnName]
	switch op {
	case "runner":
		name, _ := step.Text("name")
		p.runners[name] = newRunner(sub(step, "options"))
		return of("created", name), nil
	case "mount":
		return of("mounted", id), p.mount(p.runner(name), step, id)
	case "unmount":
		if remove := p.runner(name).mounts[id]; remove != nil {
			remove(ctx)
			delete(p.runner(name).mounts, id)
		}
		return of("unmounted", id), p.runner(name).core.Idle(ctx)
	case "inspect":
		return p.runner(name).core.Inspect(), nil
	case "beginTurn":
		return p.beginTurn(ctx, p.runner(name), step, turnName)
	case "route":
		return p.route(ctx, turn, step, bound)
	case "action":
		return p.action(ctx, turn, step, bound)
	case "release":
		turn.released = true
		turn.lease.Release()
		return of("released", turnName), turn.runner.core.Idle(ctx)
	case "catalog":
		return p.catalog(ctx, p.runner(name), or(step, "scope", of("storage", "custom")))
	case "manage":
		return p.manage(ctx, p.runner(name), step)
	case "parallel":
		return p.parallel(step), nil
	case "log":
		return p.notes.take(), nil
	case "dispose":
		return of("disposed", true), p.runner(name).close(ctx)
	case "call":
		return p.call(step)
	}
	return nil, fmt.Errorf("unknown scenario operation: %s", op)
}

// close unmounts everything, the last first, and closes.
func (r *runner) close(ctx context.Context) error {
	r.dispose = true
	for _, id := range slices.Backward(slices.Sorted(mapKeys(r.mounts))) {
		r.mounts[id](ctx)
	}
	return r.core.Close(ctx)
}

func mapKeys(m map[string]func(context.Context)) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

var errRunnerDisposed = errors.New("MemoryCompositionRunner is disposed")

// abortable returns the ctx of a step and whether it has a signal.
func abortable(step *object) (context.Context, func(), bool) {
	after, later := step.Number("abortAfterMs")
	now, _ := step.Truth("aborted")
	if !later && !now {
		return context.Background(), func() {}, false
	}
	reason := errors.New(text(or(step, "abortReason", "scenario cancelled")))
	ctx, cancel := context.WithCancelCause(context.Background())
	if now {
		cancel(reason)
	} else {
		timer := time.AfterFunc(time.Duration(after)*time.Millisecond, func() { cancel(reason) })
		return ctx, func() { timer.Stop(); cancel(nil) }, true
	}
	return ctx, func() { cancel(nil) }, true
}

func (p *player) mount(r *runner, step *object, id string) error {
	if r.dispose {
		return errRunnerDisposed
	}
	if id = strings.TrimSpace(id); id == "" || r.mounts[id] != nil {
		return fmt.Errorf("duplicate or empty test Entry id: %s", id)
	}
	config, _ := jsonvalue.Map(marks.Decode(or(step, "config", of())))
	module, _ := step.Text("module")
	var c compose.Contribution
	var err error
	switch filepath.Base(module) {
	case "fixture-source.mjs":
		c, err = sourcePlugin(p.notes, config)
	case "fixture-strategy.mjs":
		c, err = strategyPlugin(p.notes, config, &p.late)
	case "fixture-extension.mjs":
		c, err = extensionPlugin(p.notes, config)
	case "fixture-batch.mjs":
		c, err = batchPlugin()
	default:
		err = fmt.Errorf("unknown module %s", module)
	}
	if err != nil {
		return err
	}
	o := compose.InstallOptions{InstanceID: id}
	if install := sub(config, "install"); install != nil {
		o.InstanceID = text(or(install, "instanceId", id))
		o.ArtifactDigest, _ = install.Get("artifactDigest")
		o.EffectiveDigest, _ = install.Get("effectiveDigest")
	}
	ctx := context.Background()
	remove, err := r.core.Install(ctx, c, o)
	if err != nil {
		return err
	}
	if broken, _ := config.Truth("failApply"); broken {
		remove(ctx)
		return errors.Join(errors.New("plugin startup failed"), r.core.Idle(ctx))
	}
	r.mounts[id] = remove
	return r.core.Idle(ctx)
}

func (p *player) beginTurn(ctx context.Context, r *runner, step *object, name string) (any, error) {
	if r.dispose {
		return nil, errRunnerDisposed
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	request, _ := jsonvalue.Map(marks.Decode(or(step, "request", of())))
	budget := or(request, "budget", defaultBudget())
	lease, err := r.core.Acquire("")
	if err != nil {
		return nil, plain(err)
	}
	view, err := lease.Compose(ctx, of("scope", or(request, "scope", of("storage", "custom")),
		"scenario", or(request, "scenario", "plugin-test"), "budget", budget))
	if err != nil {
		lease.Release()
		return nil, err
	}
	p.turns[name] = &turn{runner: r, lease: lease, view: view, execution: compose.NewExecution(budgetOf(budget))}
	return of("view", pick(step, view.Raw())), nil
}

// plain forgets the code of an error, which the recordings do not know.
func plain(err error) error { return errors.New(err.Error()) }

func defaultBudget() *object {
	b := compose.DefaultBudget
	return of("maxProjectionCharacters", float64(b.MaxProjectionCharacters), "maxRoutes", float64(b.MaxRoutes), "maxActions", float64(b.MaxActions),
		"maxEvidenceResults", float64(b.MaxEvidenceResults), "maxEvidenceCharacters", float64(b.MaxEvidenceCharacters))
}

func budgetOf(v any) compose.Budget {
	o, _ := jsonvalue.Map(v)
	n := func(name string) int { f, _ := o.Number(name); return int(f) }
	return compose.Budget{
		MaxProjectionCharacters: n("maxProjectionCharacters"), MaxRoutes: n("maxRoutes"), MaxActions: n("maxActions"),
		MaxEvidenceResults: n("maxEvidenceResults"), MaxEvidenceCharacters: n("maxEvidenceCharacters"),
	}
}

var errReleased = errors.New("Memory test turn is released")

func (p *player) route(ctx context.Context, t *turn, step *object, bound bool) (any, error) {
	if t.released {
		return nil, errReleased
	}
	id, _ := step.Text("route")
	v, err := t.lease.Route(ctx, t.view, t.execution, id, marks.Decode(or(step, "input", of())), bound)
	if err != nil {
		return nil, err
	}
	return pick(step, v), nil
}

func (p *player) action(ctx context.Context, t *turn, step *object, bound bool) (any, error) {
	if t.released {
		return nil, errReleased
	}
	asked := 0
	authorize := func(context.Context, *object) (bool, error) {
		asked++
		refused, ok := step.Truth("authorize")
		return !ok || refused, nil
	}
	id, _ := step.Text("offer")
	v, err := t.lease.Action(ctx, t.view, id, marks.Decode(or(step, "input", of())), authorize, bound)
	if err != nil {
		return nil, &askedError{err, asked}
	}
	return of("receipt", pick(step, v), "authorizeCalls", float64(asked)), nil
}

func (p *player) catalog(ctx context.Context, r *runner, scope any) (any, error) {
	lease, err := r.core.Acquire("")
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	return lease.Catalog(ctx, scope)
}

func (p *player) manage(ctx context.Context, r *runner, step *object) (any, error) {
	request, _ := jsonvalue.Map(marks.Decode(or(step, "request", of())))
	if current, _ := step.Truth("useCurrentRevision"); current {
		scope, _ := request.Get("scope")
		v, err := p.catalog(ctx, r, scope)
		if err != nil {
			return nil, err
		}
		catalog, _ := jsonvalue.Map(v)
		sources, _ := catalog.Array("sources")
		wanted, _ := request.Get("sourceInstanceKey")
		if i := slices.Index(keysOf(sources), wanted); i >= 0 {
			source, _ := jsonvalue.Map(sources[i])
			revision, _ := source.Get("revision")
			request = request.With("expectedRevision", revision)
		}
	}
	lease, err := r.core.Acquire("")
	if err != nil {
		return nil, err
	}
	defer lease.Release()
	v, err := lease.Manage(ctx, request, false)
	if err != nil {
		return nil, err
	}
	return pick(step, v), nil
}

func (p *player) parallel(step *object) any {
	steps, _ := step.Array("steps")
	out := make([]any, len(steps))
	var group sync.WaitGroup
	for i, v := range steps {
		child, _ := jsonvalue.Map(v)
		group.Go(func() { out[i] = p.perform(child) })
	}
	group.Wait()
	return out
}

// call knows the two functions that these scenarios call.
func (p *player) call(step *object) (any, error) {
	export, _ := step.Text("export")
	calls, _ := step.Array("calls")
	switch export {
	case "lateRead":
		a := <-p.late(context.Background(), of(), nil)
		if a.Err != nil {
			return []any{of("value", a.Err.Error())}, nil
		}
		return []any{of("value", "accepted")}, nil
	case "createMemoryMutationReceipt":
		out := []any{}
		for i, v := range calls {
			args, _ := marks.Decode(v).([]any)
			out = append(out, of("value", mutationReceipt(fmt.Sprintf("<uuid:%d>", i+1), args)))
		}
		return out, nil
	}
	return nil, fmt.Errorf("unknown export %s", export)
}

func mutationReceipt(id string, args []any) *object {
	m := compose.Mutation{ViewID: args[0], OfferID: args[1], SourceInstanceKey: args[2], Revision: args[3], Details: args[4]}
	if len(args) > 5 {
		m.Completion = args[5].(string)
	}
	return compose.MutationReceipt(id, time.Time{}, m)
}

// pick is the part of a result that a step asks for.
func pick(step *object, v any) any {
	paths, ok := step.Array("pick")
	if !ok {
		return v
	}
	out := of()
	for _, path := range paths {
		at := v
		for _, part := range strings.Split(path.(string), ".") {
			o, _ := jsonvalue.Map(at)
			var ok bool
			if at, ok = o.Get(part); !ok {
				at = jsonvalue.Foreign{Kind: jsonvalue.Undefined}
			}
		}
		out.Set(path.(string), at)
	}
	return out
}

// normaliser replaces what differs from run to run.
type normaliser struct{ keepTimes bool }

var stamp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z`)
})

func (n normaliser) value(v any, key string) any {
	switch v := v.(type) {
	case string:
		return n.text(v, key)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = n.value(item, key)
		}
		return out
	case *object:
		out := of()
		for name, item := range v.All() {
			out.Set(name, n.value(item, name))
		}
		return out
	}
	return v
}

func (n normaliser) text(s, key string) string {
	if !n.keepTimes {
		s = stamp().ReplaceAllString(s, "<time>")
	}
	most := 160
	switch key {
	case "description", "explanation", "hint", "suggestionHint", "label", "summary", "system", "routing", "read", "write", "both":
		most = 24
	}
	if jsonvalue.Len(s) <= most {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("<text length=%d sha256=%s>", jsonvalue.Len(s), hex.EncodeToString(sum[:]))
}

// canonicalText is a value as the recordings are written.
func canonicalText(v any) string { return jsonvalue.FormatIndent(ordered(v), "  ") + "\n" }

func ordered(v any) any {
	switch v := v.(type) {
	case float64:
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return of("$number", jsonvalue.FormatNumber(v))
		case v == 0 && math.Signbit(v):
			return of("$number", "-0")
		}
	case jsonvalue.Foreign:
		return of("$"+string(v.Kind), true)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = ordered(item)
		}
		return out
	case *object:
		out := of()
		keys := slices.Clone(v.Keys())
		slices.Sort(keys)
		for _, key := range keys {
			item, _ := v.Get(key)
			out.Set(key, ordered(item))
		}
		return out
	}
	return v
}
