package composetest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestWriteWithoutAnswer: who writes, or manages, and is stopped is not kept for
// ever by a Source that does not answer, and the generation is held until it has.
func TestWriteWithoutAnswer(t *testing.T) {
	noLeak(t)
	finish := make(chan struct{})
	late := func() (any, error) { <-finish; return nil, errSecret }
	s := &native{
		mutate: func(context.Context, *compose.MutateRequest) (any, error) { return late() },
		manage: func(context.Context, *compose.ManageRequest) (any, error) { return late() },
	}
	core := newCore(t, 20, source(s), strategy(&planner{}))
	lease, view := mustCompose(t, core)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(5*time.Millisecond, func() { cancel(errUser) })
	yes := func(context.Context, *object) (bool, error) { return true, nil }
	if _, err := lease.Action(ctx, view, "source:a/write", of(), yes, true); err != errUser {
		t.Errorf("the write: %v", err)
	}
	ctx, cancel = context.WithCancelCause(t.Context())
	time.AfterFunc(5*time.Millisecond, func() { cancel(errUser) })
	managed := of("scope", of("storage", "custom"), "sourceInstanceKey", "source:a", "mode", "read", "operation", "list", "input", nil, "confirmed", false)
	if _, err := lease.Manage(ctx, managed, true); err != errUser {
		t.Errorf("management: %v", err)
	}
	lease.Release()
	closed := make(chan error, 1)
	go func() { closed <- core.Close(context.Background()) }()
	select {
	case <-closed:
		t.Error("disposed while the Source writes")
	case <-time.After(20 * time.Millisecond):
	}
	if s.disposals.Load() != 0 {
		t.Error("disposed while the Source writes")
	}
	close(finish)
	if err := <-closed; err != nil || s.disposals.Load() != 1 {
		t.Errorf("closed with %v after %d disposals", err, s.disposals.Load())
	}
}

// TestOneSourceNeverAnswers: those that answered in time count, also those that
// are asked for after the one that did not.
func TestOneSourceNeverAnswers(t *testing.T) {
	noLeak(t)
	for _, phase := range []string{"facts", "project"} {
		bad := &native{}
		hang := func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
		if phase == "facts" {
			bad.facts = func(ctx context.Context, _ *native) (any, error) { return hang(ctx) }
		} else {
			bad.project = func(ctx context.Context, _ *native, _ *compose.ProjectionRequest) (any, error) { return hang(ctx) }
		}
		core := newCore(t, 200, source(bad), source(&native{}), source(&native{}), strategy(&planner{}))
		_, view := mustCompose(t, core)
		if n, d := len(view.Projection()), view.Diagnostics(); n != 2 || len(d) != 1 {
			t.Errorf("%s: %d are shown, %v", phase, n, d)
		}
	}
}

// case105 are the plugins of the field case 105, each with one contribution.
func case105(t *testing.T, made *int) (names []string, contributions map[string]compose.Contribution) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cases", "105-missing-service-is-not-named", "in", "plugins.json"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonvalue.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	contributions = map[string]compose.Contribution{}
	list, _ := v.([]any)
	for _, item := range list {
		o, _ := jsonvalue.Map(item)
		name, _ := o.Text("packageName")
		roles, _ := o.Array("roles")
		c := strategy(&planner{}, "packageName", name)
		if roles[0] == "source" {
			c = counted(t, name, o.Has("test"), made)
		}
		provides := orNone(o, "provides")
		if len(provides) == 0 { // a descriptor provides something
			provides = []any{of("id", name)}
		}
		both := of("en", name, "zh-CN", name)
		c.Plugin = o.Without("test").With("apiVersion", "dsh-mnemon/plugin/v1", "label", both, "description", both, "requires", orNone(o, "requires"), "provides", provides)
		names, contributions[name] = append(names, name), c
	}
	return names, contributions
}

func orNone(o *object, key string) []any {
	list, _ := o.Array(key)
	out := []any{}
	for _, item := range list {
		if m, ok := jsonvalue.Map(item); ok && key == "requires" {
			item, _ = m.Get("id")
		}
		out = append(out, item)
	}
	return out
}

// counted is a Source whose factory counts, and throws if it is to.
func counted(t *testing.T, name string, throws bool, made *int) compose.Contribution {
	d, err := compose.DefineSource(nativeManifest("packageName", name, "role", "notes"), func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
		*made++
		if throws {
			return nil, errors.New("demo-source cannot open its file")
		}
		return &native{key: c.InstanceKey}, nil
	})
	return must(compose.Contribution{Sources: []*compose.SourceDefinition{d}}, err)
}

// TestCase105: what is missing is named with who wanted it before any factory
// runs; a factory that fails is named as the cause; what served goes on serving.
func TestCase105(t *testing.T) {
	made := 0
	names, contributions := case105(t, &made)
	core := newCore(t, 1000, source(&native{}), strategy(&planner{}))
	serving, _ := core.Inspect().Text("servingGenerationId")
	removes := map[string]func(context.Context){}
	err := core.Batch(t.Context(), func() error {
		for _, name := range names {
			removes[name] = install(t, core, name, contributions[name])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	drop := func(names ...string) {
		_ = core.Batch(t.Context(), func() error {
			for _, name := range names {
				removes[name](t.Context())
			}
			return nil
		})
	}
	for _, step := range []struct {
		gone []string // beforehand
		want string
		made int
	}{
		{nil, "memory plugin capability conflict: clock (demo-x1, demo-x2)", 0},
		{[]string{"demo-x2"}, "memory plugin dependency unavailable: demo-orphan requires nobody.has.this", 0},
		{[]string{"demo-orphan", "demo-b"}, "memory plugin dependency unavailable: demo-a requires b", 0},
		{[]string{"demo-a", "demo-strategy"}, "demo-source cannot open its file", 1},
		{[]string{"demo-source"}, "", 2},
	} {
		drop(step.gone...)
		report := core.Inspect()
		evaluation, _ := report.Map("evaluation")
		diagnostics, _ := evaluation.Array("diagnostics")
		got := ""
		for _, d := range diagnostics {
			o, _ := jsonvalue.Map(d)
			got, _ = o.Text("message")
		}
		if diff := cmp.Diff(step.want, got); diff != "" || made != step.made {
			t.Errorf("without %v: %d made, want %d (-want +got):\n%s", step.gone, made, step.made, diff)
		}
		if now, _ := report.Text("servingGenerationId"); (now == serving) != (step.want != "") {
			t.Errorf("without %v: %s serves, was %s", step.gone, now, serving)
		}
	}
	if _, view := mustCompose(t, core); view == nil {
		t.Error("no View")
	}
}
