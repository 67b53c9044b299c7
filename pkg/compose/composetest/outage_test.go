package composetest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/google/go-cmp/cmp"
)

// TestRequiredOutages (MN41): what a View cannot do without is named first, then
// every Source that failed, in the order of the sentences and not of the Sources.
func TestRequiredOutages(t *testing.T) {
	core := newCore(t, 1000, strategy(&planner{compose: func(_ context.Context, sources, _ []any) (any, error) {
		return takeAll(sources, true), nil
	}}))
	for _, id := range []string{"z", "x", "y"} {
		install(t, core, id, source(&native{facts: func(context.Context, *native) (any, error) { return nil, errSecret }}))
	}
	_, _, err := composeOn(t, core)
	fails(t, err, "memory Strategy selected unavailable required Source runtime: source:z; "+
		"Memory Source source:x facts() failed; Memory Source source:y facts() failed; Memory Source source:z facts() failed")
}

// TestHungReads (MN44, MN45): Sources that hang are stopped together, after the
// time of one, and what they say later changes nothing.
func TestHungReads(t *testing.T) {
	for _, phase := range []string{"facts", "project"} {
		t.Run(phase, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { hungReads(t, phase) })
		})
	}
}

func hungReads(t *testing.T, phase string) {
	release, late := make(chan struct{}), make(chan error, 3)
	hang := func(ctx context.Context) {
		<-ctx.Done()
		<-release
		late <- context.Cause(ctx)
	}
	sources := []compose.Contribution{source(&native{})}
	for range 3 {
		s := &native{}
		if phase == "facts" {
			s.facts = func(ctx context.Context, s *native) (any, error) {
				hang(ctx)
				return s.goodFacts(), nil
			}
		} else {
			s.project = func(ctx context.Context, s *native, r *compose.ProjectionRequest) (any, error) {
				hang(ctx)
				return s.goodPart(r), nil
			}
		}
		sources = append(sources, source(s))
	}
	core := newCore(t, 10_000, append(sources, strategy(&planner{}))...)
	begun := time.Now()
	_, view := mustCompose(t, core)
	if took := time.Since(begun); took != 10*time.Second {
		t.Errorf("three that hang took %v, one may take 10s", took)
	}
	code := "source-" + phase + "-timeout"
	want := []string{"source:b " + code, "source:c " + code, "source:d " + code}
	if diff := cmp.Diff(want, diagnosticCodes(view)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	before := jsonvalue.Format(view.Raw())
	close(release)
	synctest.Wait()
	if len(late) != 3 {
		t.Errorf("%d of 3 Sources were told to stop", len(late))
	}
	if after := jsonvalue.Format(view.Raw()); after != before {
		t.Errorf("a late answer changed the View to %s", after)
	}
}
