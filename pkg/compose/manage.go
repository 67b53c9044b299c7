package compose

import (
	"context"
	"errors"
	"fmt"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// managementRequest is the request for the facts that a management operation
// goes by.
func managementRequest(scope any, scenario, label string) (*Request, error) {
	raw, err := cloneObject(jsonvalue.Of("scope", scope, "scenario", scenario, "budget", DefaultBudget.Object()), label)
	if err != nil {
		return nil, err
	}
	o, _ := raw.Map("scope")
	return &Request{Scope: o, Scenario: scenario, Budget: DefaultBudget, Raw: raw}, nil
}

// managed is a Source whose manifest has a management part.
func (m *mounted) managed() bool { return m.manifest().Management != nil }

// Catalog lists the Sources that can be managed, as they are in the scope.
func (l *Lease) Catalog(ctx context.Context, scope any) (any, error) {
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	return l.record.generation.catalog(ctx, scope)
}

func (g *generation) catalog(ctx context.Context, scope any) (*jsonvalue.Object, error) {
	r, err := managementRequest(scope, "management.catalog", "memory management catalog request")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	readings := map[*mounted]*reading{}
	for _, m := range g.sources {
		if m.managed() {
			readings[m] = g.readFacts(ctx, m, r)
		}
	}
	var diagnostics []diagnostic
	sources := []any{}
	for _, m := range g.sources {
		if !m.managed() {
			continue
		}
		f, err := g.answeredFacts(m, readings[m], &diagnostics)
		if err != nil {
			return nil, err
		}
		sources = append(sources, m.catalogued(f))
	}
	out := jsonvalue.Of("generationId", g.id, "sources", sources)
	if len(diagnostics) > 0 {
		sortDiagnostics(diagnostics)
		out.Set("diagnostics", diagnosticsRaw(diagnostics))
	}
	return out, nil
}

func (m *mounted) catalogued(f *facts) *jsonvalue.Object {
	out := jsonvalue.Of(
		"sourceInstanceKey", m.key(),
		"sourceTypeId", m.manifest().TypeID,
		"packageName", m.manifest().PackageName,
		"role", m.manifest().Role,
		"availability", f.availability,
		"revision", f.revision,
		"capabilities", jsonvalue.Texts(f.capabilities),
		"management", m.manifest().Management,
	)
	if f.hasHints {
		out.Set("hints", f.hints)
	}
	return out
}

// Revision is the present revision of one managed Source, for a caller who
// holds none and still wants to change something.
func (l *Lease) Revision(ctx context.Context, key string, scope any) (string, error) {
	leave, err := l.enter()
	if err != nil {
		return "", err
	}
	defer leave()
	g := l.record.generation
	if key, err = instanceKey(key, "source"); err != nil {
		return "", err
	}
	m := g.source(key)
	if m == nil {
		return "", fmt.Errorf("Source does not expose management: %s", key)
	}
	if _, ok := offers[Manager](m.source, "manage"); !ok {
		return "", fmt.Errorf("Source does not expose management: %s", key)
	}
	r, err := managementRequest(scope, "management.revision", "management revision request")
	if err != nil {
		return "", err
	}
	f, _, err := g.managedFacts(ctx, m, r)
	if err != nil {
		return "", err
	}
	if f.availability == unavailable {
		return "", fmt.Errorf("Source is unavailable in the requested management scope: %s", key)
	}
	return f.revision, nil
}

// managedFacts reads the facts of one Source; outage is the sentence of a read
// that failed.
func (g *generation) managedFacts(ctx context.Context, m *mounted, r *Request) (f *facts, outage string, err error) {
	var diagnostics []diagnostic
	f, err = g.answeredFacts(m, g.readFacts(ctx, m, r), &diagnostics)
	if len(diagnostics) > 0 {
		outage = "; " + diagnostics[0].message
	}
	return f, outage, err
}

// Manage executes one management operation. A mutation needs a confirmation and
// the revision that it starts from. If ctx ends it is waited for as an action is.
func (l *Lease) Manage(ctx context.Context, request any, bound bool) (any, error) {
	leave, err := l.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	o, err := members(request, "memory Source management request")
	if err != nil {
		return nil, err
	}
	op := &operationRequest{generation: l.record.generation, raw: o}
	if err := op.read(); err != nil {
		return nil, err
	}
	if err := op.fence(ctx); err != nil {
		return nil, err
	}
	r, err := op.request()
	if err != nil {
		return nil, err
	}
	v, err := l.ask(ctx, func() (any, error) { return op.manager.Manage(ctx, &ManageRequest{Raw: r, Bound: bound}) })
	if err != nil {
		return nil, err
	}
	return managementResult(v)
}

// operationRequest is a management operation as it was asked for.
type operationRequest struct {
	*generation
	raw             *jsonvalue.Object
	key, name, mode string
	mounted         *mounted
	manager         Manager
}

// read does the checks that need no Source, and finds the Source.
func (op *operationRequest) read() (err error) {
	if op.key, err = instanceKey(member(op.raw, "sourceInstanceKey"), "source"); err != nil {
		return err
	}
	if op.name, err = id(member(op.raw, "operation"), "memory Source management operation"); err != nil {
		return err
	}
	switch mode := member(op.raw, "mode"); mode {
	case "read", "mutate":
		op.mode = mode.(string)
	default:
		return fmt.Errorf("unsupported memory Source management mode: %s", printed(mode))
	}
	if op.mode == "mutate" {
		if member(op.raw, "confirmed") != true {
			return errors.New("memory Source management mutation requires explicit confirmation")
		}
		if _, err := op.expected(); err != nil {
			return err
		}
	}
	ok := false
	if op.mounted = op.source(op.key); op.mounted != nil && op.mounted.managed() {
		op.manager, ok = offers[Manager](op.mounted.source, "manage")
	}
	if !ok {
		return fmt.Errorf("memory Source does not expose management operations: %s", op.key)
	}
	return nil
}

func (op *operationRequest) expected() (string, error) {
	return requiredText(member(op.raw, "expectedRevision"), "memory Source management expectedRevision", 500)
}

// fence holds the operation against the present facts of the Source.
func (op *operationRequest) fence(ctx context.Context) error {
	r, err := managementRequest(member(op.raw, "scope"), "management."+op.mode, "memory Source management facts request")
	if err != nil {
		return err
	}
	f, outage, err := op.managedFacts(ctx, op.mounted, r)
	if err != nil {
		return err
	}
	if f.availability == unavailable {
		return fmt.Errorf("memory Source is unavailable in the requested management scope: %s%s", op.key, outage)
	}
	if expected := member(op.raw, "expectedRevision"); op.mode == "mutate" && expected != f.revision {
		return fmt.Errorf("memory Source management revision conflict: expected %s, current %s", printed(expected), f.revision)
	}
	return nil
}

// request is what the Source gets.
func (op *operationRequest) request() (*jsonvalue.Object, error) {
	scope, err := jsonvalue.Clone(member(op.raw, "scope"), "memory Source management scope")
	if err != nil {
		return nil, err
	}
	input, err := jsonvalue.Clone(member(op.raw, "input"), "memory Source management input")
	if err != nil {
		return nil, err
	}
	out := jsonvalue.Of("scope", scope, "sourceInstanceKey", op.key, "mode", op.mode, "operation", op.name, "input", input)
	if !isUndefined(member(op.raw, "expectedRevision")) {
		expected, err := op.expected()
		if err != nil {
			return nil, err
		}
		out.Set("expectedRevision", expected)
	}
	out.Set("confirmed", member(op.raw, "confirmed") == true)
	return out, nil
}

func managementResult(v any) (*jsonvalue.Object, error) {
	o, err := members(v, "memory Source management result")
	if err != nil {
		return nil, err
	}
	revision, err := requiredText(member(o, "revision"), "memory Source management result revision", 500)
	if err != nil {
		return nil, err
	}
	return cloneObject(jsonvalue.Of("revision", revision, "value", member(o, "value")), "memory Source management result")
}
