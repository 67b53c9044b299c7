package composetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Operation is a route or an action to try, with an input that it takes. ID is
// that of the manifest.
type Operation struct {
	ID    string
	Input any
}

// CheckSource holds a kind of Source to the contract of compose.Source. define
// returns a definition over an empty or a filled store, as the author likes; a
// later definition may share the store of an earlier one. Operations are tried
// in their order; without any, no route and no action is.
func CheckSource(t *testing.T, define func() *compose.SourceDefinition, operations ...Operation) {
	t.Helper()
	run(t, sourceContract(define, operations))
}

func sourceContract(define func() *compose.SourceDefinition, operations []Operation) []sentence {
	c := &sourceCheck{define, operations}
	return []sentence{
		{"it is ready, or says that it is not, and says the same again", c.stable},
		{"its part fits the budget, however small", c.fits},
		{"it shows nothing when nothing is asked for", c.silent},
		{"instances are cheap to make", c.cheap},
		{"two instances are told apart", c.apart},
		{"several requests at once get the same", c.concurrent},
		{"it returns soon after ctx ends", c.interruptible},
		{"a snapshot of another revision is refused", c.fenced},
		{"routes answer with Evidence of their own", c.routes},
		{"actions answer with a Receipt of their own", c.actions},
		{"it can be disposed", c.disposable},
	}
}

type sourceCheck struct {
	define     func() *compose.SourceDefinition
	operations []Operation
}

func (c *sourceCheck) core(ctx context.Context, mode string) (*compose.Core, error) {
	return newCore(ctx, oneSource(c.define()), oneStrategy(newEverything(mode)))
}

// instance makes a runtime without a Core around it.
func (c *sourceCheck) instance(ctx context.Context) (compose.Source, *compose.SourceManifest, error) {
	d := c.define()
	s, err := d.Create(ctx, compose.SourceContext{
		InstanceKey:   "source:alone",
		Provenance:    compose.Provenance{PackageName: d.Manifest.PackageName, EntryID: "alone"},
		Configuration: jsonvalue.Of(),
	})
	if err == nil && s == nil {
		err = errors.New("the factory returned nothing")
	}
	return s, d.Manifest, err
}

func dispose(ctx context.Context, s compose.Source) error {
	if d, ok := s.(compose.Disposer); ok {
		return d.Dispose(ctx)
	}
	return nil
}

func (c *sourceCheck) stable(ctx context.Context) (err error) {
	core, err := c.core(ctx, "eager")
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	var first string
	for range 3 {
		lease, v, err := view(ctx, core, 1000)
		if err != nil {
			return err
		}
		lease.Release()
		if first == "" {
			first = v.ID()
		}
		if v.ID() != first {
			return fmt.Errorf("nothing was written, and still the View changed: %s, %s", first, v.ID())
		}
	}
	return nil
}

func (c *sourceCheck) fits(ctx context.Context) error {
	for _, mode := range []string{"eager", "routed"} {
		for _, characters := range []int{1, 2, 10, 100, 10_000} {
			if err := c.composes(ctx, mode, characters); err != nil {
				return fmt.Errorf("%s, %d characters: %w", mode, characters, err)
			}
		}
	}
	return nil
}

func (c *sourceCheck) composes(ctx context.Context, mode string, characters int) (err error) {
	core, err := c.core(ctx, mode)
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	lease, _, err := view(ctx, core, characters)
	if err == nil {
		lease.Release()
	}
	return err
}

func (c *sourceCheck) silent(ctx context.Context) error { return c.composes(ctx, "", 1000) }

func (c *sourceCheck) cheap(ctx context.Context) error {
	const mounts, enough = 20, time.Second
	timer := time.NewTimer(enough)
	defer timer.Stop()
	for range mounts {
		s, _, err := c.instance(ctx)
		if err != nil {
			return err
		}
		if err := dispose(ctx, s); err != nil {
			return err
		}
	}
	select {
	case <-timer.C:
		return fmt.Errorf("%d instances took more than %v to make; every mount of any plugin makes all anew", mounts, enough)
	default:
		return nil
	}
}

func (c *sourceCheck) apart(ctx context.Context) (err error) {
	core, err := newCore(ctx, oneSource(c.define()), oneSource(c.define()), oneStrategy(newEverything("routed")))
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	lease, _, err := view(ctx, core, 1000)
	if err == nil {
		lease.Release()
	}
	return err
}

func (c *sourceCheck) concurrent(ctx context.Context) (err error) {
	core, err := c.core(ctx, "eager")
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	return sameAtOnce(ctx, core)
}

// interruptible calls under a ctx that has ended. Whether there is an answer all
// the same is up to the Source; that the call returns is not.
func (c *sourceCheck) interruptible(ctx context.Context) error {
	s, _, err := c.instance(ctx)
	if err != nil {
		return err
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	r := &compose.Request{Scope: scope(), Scenario: "composetest", Budget: compose.DefaultBudget, Raw: request(1000)}
	p := &compose.ProjectionRequest{Scope: r.Scope, SourceInstanceKey: "source:alone", Mode: "routed", MaxCharacters: 1}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.Facts(ended, r)
		_, _ = s.Project(ended, p)
	}()
	select {
	case <-done:
		return dispose(ctx, s)
	case <-time.After(patience / 2):
		return fmt.Errorf("facts and project did not return within %v after ctx had ended", patience/2)
	}
}

// fenced is for exact snapshots alone: others promise no revision.
func (c *sourceCheck) fenced(ctx context.Context) error {
	s, m, err := c.instance(ctx)
	if err != nil || m.Consistency != "exact-snapshot" {
		return err
	}
	r := &compose.Request{Scope: scope(), Scenario: "composetest", Budget: compose.DefaultBudget, Raw: request(1000)}
	facts, err := s.Facts(ctx, r)
	if err != nil {
		return err
	}
	o, _ := jsonvalue.Map(facts)
	revision, _ := o.Text("revision")
	_, err = s.Project(ctx, &compose.ProjectionRequest{
		Scope: scope(), SourceInstanceKey: "source:alone", ExpectedRevision: revision + "-another", Mode: "routed", MaxCharacters: 100,
	})
	if err == nil {
		return fmt.Errorf("facts say revision %q, and a projection of %q was given", revision, revision+"-another")
	}
	return dispose(ctx, s)
}

func (c *sourceCheck) routes(ctx context.Context) error {
	return c.operate(ctx, func(lease *compose.Lease, v *compose.View, o Operation) error {
		if !offered(v.Routes(), "sourceRouteId", o.ID) {
			return nil
		}
		_, err := lease.Route(ctx, v, compose.NewExecution(compose.DefaultBudget), "source:entry-0/"+o.ID, o.Input, false)
		return err
	})
}

func (c *sourceCheck) actions(ctx context.Context) error {
	allow := func(context.Context, *jsonvalue.Object) (bool, error) { return true, nil }
	return c.operate(ctx, func(lease *compose.Lease, v *compose.View, o Operation) error {
		if !offered(v.Offers(), "sourceActionId", o.ID) {
			return nil
		}
		_, err := lease.Action(ctx, v, "source:entry-0/"+o.ID, o.Input, allow, false)
		return err
	})
}

func offered(list []*jsonvalue.Object, name, id string) bool {
	for _, o := range list {
		if get(o, name) == id {
			return true
		}
	}
	return false
}

// operate tries the operations, each under a View of its own. One that neither a
// route nor an action has is a mistake of the test.
func (c *sourceCheck) operate(ctx context.Context, try func(*compose.Lease, *compose.View, Operation) error) (err error) {
	core, err := c.core(ctx, "eager")
	defer closing(ctx, core, &err)
	if err != nil {
		return err
	}
	for _, o := range c.operations {
		lease, v, err := view(ctx, core, 1000)
		if err != nil {
			return err
		}
		if !offered(v.Routes(), "sourceRouteId", o.ID) && !offered(v.Offers(), "sourceActionId", o.ID) {
			err = errors.New("the View offers no such operation")
		} else {
			err = try(lease, v, o)
		}
		lease.Release()
		if err != nil {
			return fmt.Errorf("%s: %w", o.ID, err)
		}
	}
	return nil
}

func (c *sourceCheck) disposable(ctx context.Context) (err error) {
	core, err := c.core(ctx, "eager")
	if err != nil {
		return err
	}
	lease, _, err := view(ctx, core, 1000)
	if err != nil {
		return err
	}
	lease.Release()
	lease.Release()
	return core.Close(ctx)
}
