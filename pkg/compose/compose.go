package compose

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// composition is one View in the making. Its steps are those of
// spec/mnemon.md 8, in their order.
type composition struct {
	*generation
	ctx         context.Context // ends with the composition
	request     *Request
	facts       []*facts // of every Source, in the order of installation
	available   []any    // the same as Strategies see it
	extended    []any    // what the extensions contributed
	spec        *viewSpec
	projected   []projected // in the order of the proposal
	diagnostics []diagnostic
}

// compose makes a View. The caller has a lease.
func (g *generation) compose(ctx context.Context, request any) (*View, error) {
	// Whatever reads are still under way when the composition ends are stopped.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &composition{generation: g, ctx: ctx}
	var err error
	if c.request, err = normalizeRequest(request); err != nil {
		return nil, err
	}
	for _, step := range []func() error{c.gather, c.extend, c.propose, c.project} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return c.assemble()
}

// gather asks every Source for its facts, all at once. They are looked at in the
// order of installation, so that of several refusals it is always the same one
// that the caller hears.
func (c *composition) gather() error {
	readings := make([]*reading, len(c.sources))
	for i, m := range c.sources {
		readings[i] = c.readFacts(c.ctx, m, c.request)
	}
	for i, m := range c.sources {
		f, err := c.answeredFacts(m, readings[i], &c.diagnostics)
		if err != nil {
			return err
		}
		if m.capped {
			f.limit(m.ceiling)
		}
		c.facts = append(c.facts, f)
		c.available = append(c.available, f.available(m.installed))
	}
	return c.interrupted()
}

func (c *composition) interrupted() error {
	if c.ctx.Err() != nil {
		return context.Cause(c.ctx)
	}
	return nil
}

func (g *generation) readFacts(ctx context.Context, m *mounted, r *Request) *reading {
	return startRead(ctx, m.key(), factsPhase, g.limit(), g.telling(m.key(), factsPhase), func(ctx context.Context) <-chan Answer {
		return m.startFacts(ctx, r)
	})
}

// answeredFacts waits for facts. An outage leaves a diagnostic and the facts of
// a Source that is not there.
func (g *generation) answeredFacts(m *mounted, r *reading, diagnostics *[]diagnostic) (*facts, error) {
	v, err := r.wait()
	if o, ok := err.(*outage); ok {
		*diagnostics = append(*diagnostics, o.diagnostic)
		return unavailableFacts(m.installed), nil
	}
	if err != nil {
		return nil, err
	}
	return normalizeFacts(m.installed, v)
}

// extend calls the extensions twice and compares.
func (c *composition) extend() error {
	first, err := c.contribute()
	if err != nil {
		return err
	}
	second, err := c.contribute()
	if err != nil {
		return err
	}
	same, err := alike(first, second, "memory value", "memory value")
	if err != nil {
		return err
	}
	if !same {
		return fmt.Errorf("memory Strategy extensions are not deterministic: %s", strings.Join(c.extensionKeys(), ", "))
	}
	c.extended = first
	return nil
}

// maxContribution bounds the canonical form of what an extension contributes.
const maxContribution = 64_000

func (c *composition) contribute() ([]any, error) {
	out := []any{}
	for _, e := range c.extensions {
		v, err := bounded(c.ctx, c.limit(), late(CodeExtensionTimeout, "Strategy extension", e.key), func(ctx context.Context) (any, error) {
			return e.def.Extension.Contribute(ctx, c.request, slices.Clone(c.available))
		})
		if err != nil {
			return nil, err
		}
		label := "memory Strategy extension " + e.key
		if v, err = jsonvalue.Clone(v, label); err != nil {
			return nil, err
		}
		text, err := jsonvalue.Canonical(v, label)
		if err != nil {
			return nil, err
		}
		if jsonvalue.Len(text) > maxContribution {
			return nil, fmt.Errorf("%s exceeds %d characters", label, maxContribution)
		}
		out = append(out, jsonvalue.Of("instanceKey", e.key, "typeId", e.def.Manifest.TypeID,
			"slot", e.def.Manifest.Slot, "value", v))
	}
	return out, nil
}

// alike compares canonical forms.
func alike(a, b any, labelA, labelB string) (bool, error) {
	first, err := jsonvalue.Canonical(a, labelA)
	if err != nil {
		return false, err
	}
	second, err := jsonvalue.Canonical(b, labelB)
	return first == second, err
}

// propose calls the Strategy twice, compares, and reads the proposal.
func (c *composition) propose() error {
	proposed, err := c.proposal()
	if err != nil {
		return err
	}
	replayed, err := c.proposal()
	if err != nil {
		return err
	}
	same, err := alike(proposed, replayed, "memory ViewSpec", "replayed memory ViewSpec")
	if err != nil {
		return err
	}
	if !same {
		return fmt.Errorf("memory Strategy is not deterministic: %s", c.strategy.key)
	}
	c.spec, err = normalizeViewSpec(proposed, c.strategy.def.Manifest, c.facts, c.request.Budget)
	return c.explained(err)
}

func (c *composition) proposal() (any, error) {
	return bounded(c.ctx, c.limit(), c.strategyLate(), func(ctx context.Context) (any, error) {
		return c.strategy.def.Strategy.Compose(ctx, c.request, slices.Clone(c.available), slices.Clone(c.extended))
	})
}

func (g *generation) strategyLate() error {
	return late(CodeStrategyTimeout, "Strategy", g.strategy.key)
}

// explained adds to a refusal of the proposal which Sources could not be read:
// most often that is why.
func (c *composition) explained(err error) error {
	if err == nil || len(c.diagnostics) == 0 {
		return err
	}
	sentences := make([]string, len(c.diagnostics))
	for i, d := range c.diagnostics {
		sentences[i] = d.message
	}
	slices.Sort(sentences)
	return fmt.Errorf("%w; %s", err, strings.Join(sentences, "; "))
}

// projected is one Source's part of the View.
type projected struct {
	*mounted
	spec         sourceSpec
	contribution *contribution
}

// project asks the chosen Sources for their parts, all at once. One that may be
// missing and cannot be read is left out entirely.
func (c *composition) project() error {
	readings := make([]*reading, len(c.spec.sources))
	for i, spec := range c.spec.sources {
		readings[i] = c.readProject(spec)
	}
	for i, spec := range c.spec.sources {
		v, err := readings[i].wait()
		if o, ok := err.(*outage); ok && !spec.required {
			c.diagnostics = append(c.diagnostics, o.diagnostic)
			continue
		}
		if err != nil {
			return err
		}
		m := c.source(spec.key)
		contribution, err := normalizeContribution(m, spec, v)
		if err != nil {
			return err
		}
		c.projected = append(c.projected, projected{m, spec, contribution})
	}
	return c.interrupted()
}

func (c *composition) readProject(spec sourceSpec) *reading {
	m := c.source(spec.key)
	r := &ProjectionRequest{
		Scope:             c.request.Scope,
		SourceInstanceKey: spec.key,
		ExpectedRevision:  spec.revision,
		IncludeProjection: spec.projects,
		Mode:              "routed",
		MaxCharacters:     1,
	}
	if spec.projects {
		r.Mode, r.MaxCharacters = spec.mode, spec.maxCharacters
	}
	return startRead(c.ctx, spec.key, projectPhase, c.limit(), c.telling(spec.key, projectPhase), func(ctx context.Context) <-chan Answer {
		return m.startProject(ctx, r)
	})
}
