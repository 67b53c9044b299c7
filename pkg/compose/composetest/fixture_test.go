package composetest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// The fixtures are plugins whose behaviour is read from a configuration, so that
// a scenario is data. They note each callback.

type object = jsonvalue.Object

var of = jsonvalue.Of

// notes is what the fixtures noted.
type notes struct {
	mu   sync.Mutex
	list []any
}

func (n *notes) add(pairs ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, of(pairs...))
}

func (n *notes) take() []any {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list = nil
	if list == nil {
		list = []any{}
	}
	return list
}

// or is a member of a configuration, or something else if there is none.
func or(o *object, key string, other any) any {
	if v, ok := o.Get(key); ok && v != nil {
		return v
	}
	return other
}

func text(v any) string { return fmt.Sprint(v) }

func sub(o *object, key string) *object {
	m, _ := o.Map(key)
	return m
}

func sorted(o *object) []any {
	keys := slices.Clone(o.Keys())
	slices.Sort(keys)
	return jsonvalue.Texts(keys)
}

// firstUnits cuts a text to a number of UTF-16 units.
func firstUnits(s string, n int) string {
	units := jsonvalue.ToUTF16(s)
	return jsonvalue.FromUTF16(units[:min(n, len(units))])
}

var errSecret = errors.New("upstream said token=SECRET at https://private.example")

const fixtureAPI = "dsh-mnemon/v1"

// sourceFixture is a kind of Source.
type sourceFixture struct {
	notes        *notes
	config, fail *object

	typeID, packageName, role string
	capabilities, routes      any
	actions, consistency      any
}

func sourcePlugin(n *notes, config *object) (compose.Contribution, error) {
	f := &sourceFixture{notes: n, config: config, fail: sub(config, "fail")}
	f.typeID = text(or(config, "typeId", "notes"))
	f.packageName = text(or(config, "packageName", "fixture-source-"+f.typeID))
	f.role = text(or(config, "role", "notes"))
	f.capabilities = or(config, "capabilities", jsonvalue.Texts([]string{"project", "read", "write"}))
	f.consistency = or(config, "consistency", "exact-snapshot")
	anyInput := of("type", "object")
	f.routes = []any{of("id", "read", "description", "Read the note.", "capability", "read", "inputSchema", anyInput, "maxCalls", 2.0)}
	if v, ok := config.Get("routes"); ok {
		f.routes = v
	}
	f.actions = []any{of("id", "write", "description", "Write the note.", "capability", "write", "inputSchema", anyInput)}
	if v, ok := config.Get("actions"); ok {
		f.actions = v
	}
	definition, err := compose.DefineSource(f.manifest(), f.create)
	return compose.Contribution{Plugin: describe(config, f.packageName, f.typeID, "source"), Sources: []*compose.SourceDefinition{definition}}, err
}

// describe makes a descriptor if the configuration asks for one.
func describe(config *object, packageName, label, role string) any {
	plugin := sub(config, "plugin")
	if plugin == nil {
		return nil
	}
	words := of("en", label, "zh-CN", label)
	return of("apiVersion", "dsh-mnemon/plugin/v1", "packageName", packageName, "label", words, "description", words,
		"roles", []any{role}).Merge(plugin)
}

func (f *sourceFixture) manifest() *object {
	m := of("apiVersion", fixtureAPI, "kind", "source", "typeId", f.typeID, "packageName", f.packageName, "role", f.role,
		"capabilities", f.capabilities, "consistency", f.consistency)
	if f.routes != nil {
		m.Set("routes", f.routes)
	}
	if f.actions != nil {
		m.Set("actions", f.actions)
	}
	if managed, _ := f.config.Truth("management"); managed {
		m.Set("management", of("label", "Fixture", "description", "Fixture management."))
	}
	return m.Merge(sub(f.config, "manifest"))
}

func (f *sourceFixture) create(_ context.Context, c compose.SourceContext) (compose.Source, error) {
	provenance := of("packageName", c.Provenance.PackageName, "entryId", c.Provenance.EntryID)
	f.notes.add("call", "create", "source", c.InstanceKey, "provenance", provenance, "configuration", c.Configuration)
	if broken, _ := f.fail.Truth("create"); broken {
		return nil, errors.New("factory refused to start")
	}
	return &sourceRuntime{
		sourceFixture: f,
		key:           c.InstanceKey,
		revision:      text(or(f.config, "revision", "r1")),
		content:       text(or(f.config, "text", "A note.")),
		scopes:        map[*object]bool{},
	}, nil
}

// sourceRuntime is one instance. Its reads are started on the caller's goroutine
// so that the notes have an order.
type sourceRuntime struct {
	*sourceFixture
	key string

	mu                sync.Mutex
	revision, content string
	scopes            map[*object]bool
}

func (s *sourceRuntime) Offers(method string) bool {
	if invalid, _ := s.config.Truth("invalidRuntime"); invalid && method != "facts" {
		return false
	}
	if managed, _ := s.config.Truth("management"); method == "manage" && !managed {
		return false
	}
	without, _ := s.config.Array("without")
	return !slices.Contains(without, any(method))
}

// outcome fails or hangs as configured.
func (s *sourceRuntime) outcome(phase string, value func() any) <-chan compose.Answer {
	c := make(chan compose.Answer, 1)
	switch mode, _ := s.fail.Get(phase); mode {
	case "hang":
	case true, "sync":
		c <- compose.Answer{Err: errSecret}
	default:
		c <- compose.Answer{Value: value()}
	}
	return c
}

func (s *sourceRuntime) Facts(context.Context, *compose.Request) (any, error) {
	panic("a Starter is started")
}

func (s *sourceRuntime) Project(context.Context, *compose.ProjectionRequest) (any, error) {
	panic("a Starter is started")
}

func (s *sourceRuntime) StartFacts(_ context.Context, r *compose.Request) <-chan compose.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scopes[r.Scope] = true
	s.notes.add("call", "facts", "source", s.key, "request", r.Raw, "signal", true, "frozen", true)
	return s.outcome("facts", func() any {
		facts := of("sourceInstanceKey", s.key, "sourceTypeId", s.typeID, "role", s.role,
			"availability", or(s.config, "availability", "ready"), "revision", s.revision,
			"capabilities", or(s.config, "factsCapabilities", s.capabilities),
			"routeIds", or(s.config, "routeIds", ids(s.routes)), "actionIds", or(s.config, "actionIds", ids(s.actions)))
		if hints, ok := s.config.Get("hints"); ok {
			facts.Set("hints", hints)
		}
		return facts.Merge(sub(s.config, "facts"))
	})
}

func ids(operations any) []any {
	out := []any{}
	list, _ := operations.([]any)
	for _, v := range list {
		o, _ := jsonvalue.Map(v)
		id, _ := o.Get("id")
		out = append(out, id)
	}
	return out
}

func projectionRaw(r *compose.ProjectionRequest) *object {
	return of("scope", r.Scope, "sourceInstanceKey", r.SourceInstanceKey, "expectedRevision", r.ExpectedRevision,
		"includeProjection", r.IncludeProjection, "mode", r.Mode, "maxCharacters", float64(r.MaxCharacters))
}

func (s *sourceRuntime) StartProject(_ context.Context, r *compose.ProjectionRequest) <-chan compose.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes.add("call", "project", "source", s.key, "request", projectionRaw(r), "signal", true, "sameScope", s.scopes[r.Scope])
	return s.outcome("project", func() any {
		fragments := []any{}
		if r.IncludeProjection {
			shown := s.content
			if ignores, _ := s.config.Truth("ignoreBudget"); !ignores {
				shown = firstUnits(shown, r.MaxCharacters)
			}
			fragments = []any{of("id", s.key+"/projection", "sourceInstanceKey", s.key, "mode", r.Mode, "text", shown, "revision", s.revision)}
		}
		out := of("fragments", or(s.config, "fragments", fragments))
		if grant, ok := s.config.Get("grant"); !ok || grant != false {
			out.Set("readGrant", of("id", or(s.config, "grantId", s.key+"/grant"), "sourceInstanceKey", s.key, "schema", "fixture/v1",
				"value", or(s.config, "grantValue", of("owner", s.key)), "revision", s.revision, "consistency", s.consistency).Merge(sub(s.config, "grant")))
		}
		if presentation, ok := s.config.Get("presentation"); ok {
			out.Set("presentation", presentation)
		}
		return out
	})
}

func (s *sourceRuntime) StartQuery(_ context.Context, r *compose.QueryRequest) <-chan compose.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := func(name string) any { v, _ := r.Route.Get(name); return v }
	grantID, _ := r.Grant.Get("id")
	s.notes.add("call", "query", "source", s.key, "viewKeys", sorted(r.View),
		"routeLimits", of("maxResults", limit("maxResults"), "maxCharacters", limit("maxCharacters")),
		"grantId", grantID, "input", r.Input, "inputFrozen", true, "signal", r.Bound)
	return s.outcome("query", func() any {
		item := of("id", "note", "text", s.content, "provenance", of("source", s.key))
		viewID, _ := r.View.Get("id")
		routeID, _ := r.Route.Get("id")
		return of("id", "evidence:fixture", "viewId", viewID, "routeId", routeID, "sourceInstanceKey", s.key,
			"observedAt", "2026-01-01T00:00:00.000Z", "truncated", false,
			"items", or(s.config, "evidence", []any{item})).Merge(sub(s.config, "evidenceExtra"))
	})
}

func (s *sourceRuntime) Query(context.Context, *compose.QueryRequest) (any, error) {
	panic("a QueryStarter is started")
}

func (s *sourceRuntime) Mutate(_ context.Context, r *compose.MutateRequest) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var grantID any
	if r.Grant != nil {
		grantID, _ = r.Grant.Get("id")
	}
	s.notes.add("call", "mutate", "source", s.key, "viewKeys", sorted(r.View), "grantId", grantID, "input", r.Input, "signal", r.Bound)
	a := <-s.outcome("mutate", func() any {
		input, _ := jsonvalue.Map(r.Input)
		if written, ok := input.Text("text"); ok {
			s.content = written
			s.revision += "'"
		}
		chosen := sub(input, "receipt")
		if chosen == nil {
			chosen = sub(s.config, "receipt")
		}
		viewID, _ := r.View.Text("id")
		offerID, _ := r.Offer.Text("id")
		return fixtureReceipt(viewID, offerID, s.key, s.revision, text(or(s.config, "completion", "committed")), chosen)
	})
	return a.Value, a.Err
}

func fixtureReceipt(viewID, offerID, key, revision, completion string, chosen *object) *object {
	status := "succeeded"
	switch completion {
	case "failed":
		status = "failed"
	case "partial", "unknown":
		status = "partial"
	}
	r := of("id", "receipt:fixture", "viewId", viewID, "offerId", offerID, "sourceInstanceKey", key, "status", status, "completion", completion)
	if completion == "committed" {
		r.Set("committedAt", "2026-01-01T00:00:00.000Z")
	}
	r.Set("revision", revision)
	r.Set("details", of("written", true))
	r = r.Merge(chosen)
	for name, v := range r.All() {
		if v == "$delete" {
			r = r.Without(name)
		}
	}
	return r
}

func (s *sourceRuntime) Manage(_ context.Context, r *compose.ManageRequest) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of1 := func(name string) any { v, _ := r.Raw.Get(name); return v }
	s.notes.add("call", "manage", "source", s.key, "mode", of1("mode"), "operation", of1("operation"), "input", of1("input"),
		"confirmed", of1("confirmed"), "expectedRevision", of1("expectedRevision"))
	a := <-s.outcome("manage", func() any {
		if of1("mode") == "mutate" && of1("operation") == "replace" {
			written, _ := sub(r.Raw, "input").Text("text")
			s.content = written
			s.revision += "+"
		}
		return of("revision", s.revision, "value", of("content", s.content))
	})
	return a.Value, a.Err
}

func (s *sourceRuntime) StartDispose(context.Context) <-chan error {
	s.notes.add("call", "dispose", "source", s.key)
	c := make(chan error, 1)
	var err error
	if broken, _ := s.fail.Truth("dispose"); broken {
		err = errors.New("dispose failed")
	}
	c <- err
	return c
}

// strategyFixture is a Strategy whose proposal is read from its configuration.
type strategyFixture struct {
	notes  *notes
	config *object
	typeID string
	passes int
}

func strategyPlugin(n *notes, config *object, late *compose.Read) (compose.Contribution, error) {
	s := &strategyFixture{notes: n, config: config, typeID: text(or(config, "typeId", "view"))}
	packageName := text(or(config, "packageName", "fixture-strategy-"+s.typeID))
	manifest := of("apiVersion", fixtureAPI, "kind", "strategy", "typeId", s.typeID, "packageName", packageName, "deterministic", true,
		"supportedSourceRoles", or(config, "supportedSourceRoles", []any{"notes"}), "maxSources", or(config, "maxSources", 8.0),
		"maxRoutes", or(config, "maxRoutes", 16.0), "maxActions", or(config, "maxActions", 16.0))
	if slots, ok := config.Get("extensionSlots"); ok {
		manifest.Set("extensionSlots", slots)
	}
	var strategy compose.Strategy = s
	if policy, ok := config.Text("createTurn"); ok {
		strategy = &turnFixture{s, policy, late}
	}
	definition, err := compose.DefineStrategy(manifest.Merge(sub(config, "manifest")), strategy)
	return compose.Contribution{
		Plugin:     describe(config, packageName, s.typeID, "strategy"),
		Strategies: []*compose.StrategyDefinition{definition},
	}, err
}

func keysOf(sources []any) []any {
	out := []any{}
	for _, v := range sources {
		o, _ := jsonvalue.Map(v)
		key, _ := o.Get("sourceInstanceKey")
		out = append(out, key)
	}
	return out
}

func (s *strategyFixture) Compose(_ context.Context, r *compose.Request, sources, contributions []any) (any, error) {
	s.passes++
	seen := keysOf(sources)
	if logs, _ := s.config.Truth("logSources"); logs {
		seen = sources
	}
	s.notes.add("call", "compose", "strategy", s.typeID, "requestKeys", sorted(r.Raw), "sources", seen, "contributions", contributions, "frozen", true)
	if broken, _ := s.config.Truth("throw"); broken {
		return nil, errors.New("compose refused")
	}
	if spec := sub(s.config, "spec"); spec != nil {
		return of("strategyTypeId", s.typeID, "explanation", "Configured proposal.").Merge(spec), nil
	}
	explanation := "Fixture proposal."
	if changes, _ := s.config.Truth("nondeterministic"); changes {
		explanation = fmt.Sprintf("pass %d", s.passes)
	}
	out := of("strategyTypeId", s.typeID, "explanation", explanation, "sources", s.chosen(sources, slotValue(contributions, "projection")))
	guidance := sub(s.config, "guidance")
	if note := slotValue(contributions, "guidance"); note != nil {
		guidance = of().Merge(guidance, of("routing", note))
	}
	if guidance != nil {
		out.Set("guidance", guidance)
	}
	return out, nil
}

func slotValue(contributions []any, slot string) any {
	for _, v := range contributions {
		o, _ := jsonvalue.Map(v)
		if name, _ := o.Text("slot"); name == slot {
			value, _ := o.Get("value")
			return value
		}
	}
	return nil
}

func (s *strategyFixture) chosen(sources []any, limit any) []any {
	choices, ok := s.config.Array("select")
	if !ok {
		for _, key := range keysOf(sources) {
			choices = append(choices, of("key", key))
		}
	}
	out := []any{}
	for _, v := range choices {
		choice, _ := jsonvalue.Map(v)
		out = append(out, s.choice(choice, sources, limit))
	}
	return out
}

func (s *strategyFixture) choice(choice *object, sources []any, limit any) *object {
	key, _ := choice.Get("key")
	source := of()
	if i := slices.Index(keysOf(sources), key); i >= 0 {
		source, _ = jsonvalue.Map(sources[i])
	}
	out := of("sourceInstanceKey", key)
	if required := or(choice, "required", or(s.config, "required", nil)); required != nil {
		out.Set("required", required)
	}
	if mode := or(choice, "mode", or(s.config, "mode", "eager")); mode != "none" {
		most := or(choice, "maxCharacters", or(s.config, "maxCharacters", 100.0))
		if limit, ok := limit.(float64); ok {
			most = max(1, min(most.(float64), limit))
		}
		out.Set("projection", of("mode", mode, "maxCharacters", most))
	}
	out.Set("routeIds", or(choice, "routes", or(source, "routeIds", []any{})))
	out.Set("actionIds", or(choice, "actions", or(source, "actionIds", []any{})))
	return out
}

// turnFixture is a Strategy with a read policy.
type turnFixture struct {
	*strategyFixture
	policy string
	late   *compose.Read // what the fence policy kept of its last read
}

func (s *turnFixture) CreateTurn(_ context.Context, view *compose.View) (compose.Policy, error) {
	s.notes.add("call", "createTurn", "strategy", s.typeID, "viewKeys", sorted(view.Raw()))
	switch s.policy {
	case "single":
		return &singlePolicy{}, nil
	case "fence":
		return fencePolicy{view, s.late}, nil
	case "unbound":
		return unboundPolicy{}, nil
	}
	return nil, nil
}

// singlePolicy reads once and says the same ever after.
type singlePolicy struct {
	once   sync.Once
	answer compose.Answer
}

func (p *singlePolicy) Query(ctx context.Context, _ *compose.PolicyRequest, read compose.Read) (any, error) {
	p.once.Do(func() { p.answer = <-read(ctx, of("query", "fixed"), nil) })
	return p.answer.Value, p.answer.Err
}

// fencePolicy tries to widen, and reports what was refused.
type fencePolicy struct {
	view *compose.View
	late *compose.Read
}

func (p fencePolicy) Query(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
	var output []any
	attempt := func(input any, limits any) {
		a := <-read(ctx, input, limits)
		if a.Err != nil {
			output = append(output, a.Err.Error())
			return
		}
		o, _ := jsonvalue.Map(a.Value)
		items, _ := o.Array("items")
		output = append(output, fmt.Sprintf("ok:%d", len(items)))
	}
	attempt("not an object", nil)
	attempt(of(), of("maxResults", 9999.0, "maxCharacters", 9999.0))
	attempt(of(), of("maxResults", 1.0, "maxCharacters", 3.0))
	attempt(of(), of("maxResults", 0.0))
	attempt(of(), nil)
	*p.late = read
	routeID, _ := r.Route.Get("id")
	key, _ := r.Route.Get("sourceInstanceKey")
	return of("id", "policy", "viewId", p.view.ID(), "routeId", routeID, "sourceInstanceKey", key,
		"observedAt", "", "items", []any{}, "truncated", false, "output", output), nil
}

type unboundPolicy struct{}

func (unboundPolicy) Query(ctx context.Context, r *compose.PolicyRequest, read compose.Read) (any, error) {
	a := <-read(ctx, r.Input, nil)
	if a.Err != nil {
		return nil, a.Err
	}
	o, _ := jsonvalue.Map(a.Value)
	return o.With("routeId", "someone-else"), nil
}

// extensionFixture contributes a configured value.
type extensionFixture struct {
	notes   *notes
	config  *object
	typeID  string
	counter *float64
}

func extensionPlugin(n *notes, config *object) (compose.Contribution, error) {
	items, ok := config.Array("items")
	if !ok {
		items = []any{config}
	}
	packageName := text(or(config, "packageName", "fixture-extension"))
	counter := 0.0
	c := compose.Contribution{Plugin: describe(config, packageName, "Extension", "strategy-extension")}
	for _, v := range items {
		item, _ := jsonvalue.Map(v)
		e := &extensionFixture{n, item, text(or(item, "typeId", "extension")), &counter}
		definition, err := compose.DefineExtension(of("apiVersion", fixtureAPI, "kind", "strategy-extension", "typeId", e.typeID,
			"packageName", packageName, "strategyTypeId", or(item, "strategyTypeId", "view"), "slot", or(item, "slot", "projection"),
			"deterministic", true), e)
		if err != nil {
			return c, err
		}
		c.Extensions = append(c.Extensions, definition)
	}
	return c, nil
}

func (e *extensionFixture) Contribute(_ context.Context, r *compose.Request, sources []any) (any, error) {
	seen := []any{}
	for _, v := range sources {
		o, _ := jsonvalue.Map(v)
		actions, _ := o.Get("actions")
		get := func(name string) any { v, _ := o.Get(name); return v }
		seen = append(seen, of("key", get("sourceInstanceKey"), "actionIds", get("actionIds"), "actions", ids(actions), "capabilities", get("capabilities")))
	}
	e.notes.add("call", "contribute", "extension", e.typeID, "requestKeys", sorted(r.Raw), "sources", seen)
	switch behaviour, _ := e.config.Text("behaviour"); behaviour {
	case "random":
		*e.counter++
		return *e.counter, nil
	case "date":
		return jsonvalue.Foreign{Kind: jsonvalue.Exotic, Text: "a date"}, nil
	case "throw":
		return nil, errors.New("contribution refused")
	case "huge":
		return strings.Repeat("x", 64001), nil
	case "limit":
		return strings.Repeat("x", 63998), nil
	}
	return or(e.config, "value", nil), nil
}

// batchPlugin is two Sources and a Strategy of one package.
func batchPlugin() (compose.Contribution, error) {
	const packageName = "fixture-batch"
	words := of("en", "Batch", "zh-CN", "Batch")
	c := compose.Contribution{Plugin: of("packageName", packageName, "label", words, "description", words,
		"roles", []any{"source", "strategy"}, "provides", []any{of("id", "source"), of("id", "strategy.batch")})}
	for _, typeID := range []string{"alpha", "beta"} {
		definition, err := compose.DefineSource(of("apiVersion", fixtureAPI, "kind", "source", "typeId", typeID, "packageName", packageName,
			"role", "notes", "capabilities", []any{"project"}, "consistency", "exact-snapshot"),
			func(_ context.Context, c compose.SourceContext) (compose.Source, error) {
				return batchSource{c.InstanceKey, typeID}, nil
			})
		if err != nil {
			return c, err
		}
		c.Sources = append(c.Sources, definition)
	}
	strategy, err := compose.DefineStrategy(of("apiVersion", fixtureAPI, "kind", "strategy", "typeId", "batch", "packageName", packageName,
		"deterministic", true, "supportedSourceRoles", []any{"notes"}, "maxSources", 2.0, "maxRoutes", 1.0, "maxActions", 1.0), batchStrategy{})
	c.Strategies = []*compose.StrategyDefinition{strategy}
	return c, err
}

type batchSource struct{ key, typeID string }

func (s batchSource) Facts(context.Context, *compose.Request) (any, error) {
	return of("sourceInstanceKey", s.key, "sourceTypeId", s.typeID, "role", "notes", "availability", "ready", "revision", "r1",
		"capabilities", []any{"project"}, "routeIds", []any{}, "actionIds", []any{}), nil
}

func (s batchSource) Project(_ context.Context, r *compose.ProjectionRequest) (any, error) {
	return of("fragments", []any{of("id", s.typeID, "sourceInstanceKey", s.key, "mode", r.Mode, "text", s.typeID, "revision", "r1")}), nil
}

type batchStrategy struct{}

func (batchStrategy) Compose(_ context.Context, _ *compose.Request, sources, _ []any) (any, error) {
	chosen := []any{}
	for _, key := range keysOf(sources) {
		chosen = append(chosen, of("sourceInstanceKey", key, "projection", of("mode", "eager", "maxCharacters", 10.0)))
	}
	return of("strategyTypeId", "batch", "explanation", "Both.", "sources", chosen), nil
}
