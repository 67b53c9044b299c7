package inspect_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/catalog"
	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func parse(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func client(id string) inspect.Manifest {
	return inspect.Manifest{ID: id, Description: "d", Methods: []inspect.Method{{
		Name: "ask", Description: "asks",
		Input:  jsonvalue.Of("type", "object", "properties", jsonvalue.Of("root", jsonvalue.Of("type", "string")), "additionalProperties", false),
		Output: jsonvalue.Of("type", "string"),
	}}}
}

func withHost(t *testing.T) *inspect.Registry {
	t.Helper()
	r := inspect.New()
	for _, m := range inspect.HostManifests() {
		if _, err := r.Register(m); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func listed(r *inspect.Registry) []string {
	var out []string
	for _, v := range r.List() {
		p := v.(*jsonvalue.Object)
		platform, _ := p.Text("platform")
		id, _ := p.Text("id")
		methods, _ := p.Array("methods")
		for _, m := range methods {
			name, _ := m.(*jsonvalue.Object).Text("name")
			input, _ := m.(*jsonvalue.Object).Map("inputSchema")
			properties, _ := input.Map("properties")
			out = append(out, fmt.Sprint(platform, ":", id, ".", name, properties.Keys()))
		}
	}
	return out
}

// CR-A11: the list is the Host's, then what a page has said last, which outlives
// the page.
func TestList(t *testing.T) {
	r := withHost(t)
	host := []string{"host:Service.listService[service]", "host:Event.listEvents[event]", "host:Builtin.listBuiltins[]", "host:Tool.listTools[]"}
	if diff := cmp.Diff(host, listed(r)); diff != "" {
		t.Error(diff)
	}
	if err := r.Sync([]inspect.Manifest{client("Slots"), client("Theme")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(host, "client:Slots.ask[root]", "client:Theme.ask[root]"), listed(r)); diff != "" {
		t.Error(diff)
	}
	first := r.List()[4].(*jsonvalue.Object)
	want := `{"platform":"client","id":"Slots","description":"d","methods":[{"name":"ask","description":"asks","inputSchema":{"type":"object","properties":{"root":{"type":"string"}},"additionalProperties":false},"outputSchema":{"type":"string"}}]}`
	if diff := cmp.Diff(want, jsonvalue.Format(first)); diff != "" {
		t.Error(diff)
	}
	if err := r.Sync([]inspect.Manifest{client("Theme")}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(append(host, "client:Theme.ask[root]"), listed(r)); diff != "" {
		t.Error(diff)
	}
}

func TestRegister(t *testing.T) {
	r := inspect.New()
	id, err := r.Register(client("A"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Register(client("A")); fault.CodeOf(err) != "inspect-taken" {
		t.Errorf("twice: %v", err)
	}
	r.Unregister(id)
	again, err := r.Register(client("A"))
	if err != nil {
		t.Fatal(err)
	}
	r.Unregister(id) // the first undo again: it removes only its own
	if len(r.List()) != 1 {
		t.Error("an old undo removed a new registration")
	}
	r.Unregister(again)
	if len(r.List()) != 0 {
		t.Error("not removed")
	}
}

func TestManifestsAreChecked(t *testing.T) {
	change := func(f func(m *inspect.Manifest)) inspect.Manifest {
		m := client("B")
		f(&m)
		return m
	}
	method := func(f func(m *inspect.Method)) inspect.Manifest {
		return change(func(m *inspect.Manifest) { f(&m.Methods[0]) })
	}
	r := inspect.New()
	if err := r.Sync([]inspect.Manifest{client("A")}); err != nil {
		t.Fatal(err)
	}
	for what, bad := range map[string]inspect.Manifest{
		"id":          change(func(m *inspect.Manifest) { m.ID = "" }),
		"description": change(func(m *inspect.Manifest) { m.Description = "" }),
		"name":        method(func(m *inspect.Method) { m.Name = "" }),
		"about":       method(func(m *inspect.Method) { m.Description = "" }),
		"input":       method(func(m *inspect.Method) { m.Input = jsonvalue.Of("pattern", "x") }),
		"output":      method(func(m *inspect.Method) { m.Output = 5.0 }),
		"repeated":    change(func(m *inspect.Manifest) { m.Methods = append(m.Methods, m.Methods[0]) }),
		"many": change(func(m *inspect.Manifest) {
			for i := range 65 {
				n := m.Methods[0]
				n.Name = fmt.Sprint(i)
				m.Methods = append(m.Methods, n)
			}
		}),
	} {
		if _, err := r.Register(bad); fault.CodeOf(err) != "inspect-bad-manifest" {
			t.Errorf("%s: %v", what, err)
		}
		if err := r.Sync([]inspect.Manifest{client("C"), bad}); fault.CodeOf(err) != "inspect-bad-manifest" {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := r.Sync([]inspect.Manifest{client("C"), client("C")}); fault.CodeOf(err) != "inspect-taken" {
		t.Errorf("two of one name: %v", err)
	}
	if err := r.Sync(make([]inspect.Manifest, 65)); fault.CodeOf(err) != "inspect-bad-manifest" {
		t.Errorf("too many: %v", err)
	}
	if diff := cmp.Diff([]string{"client:A.ask[root]"}, listed(r)); diff != "" {
		t.Errorf("a refused manifest changed the mirror: %s", diff)
	}
}

func TestQuestions(t *testing.T) {
	r := withHost(t)
	ask := func(platform inspect.Platform, provider, method string) inspect.Question {
		return inspect.Question{Platform: platform, Provider: provider, Method: method}
	}
	with := func(q inspect.Question, input any) inspect.Question {
		q.Input, q.Given = input, true
		return q
	}
	list := ask(inspect.Host, "Service", "listService")
	for _, q := range []inspect.Question{list, with(list, jsonvalue.Of()), with(list, jsonvalue.Of("service", "fs"))} {
		if err := r.Check(q); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		q    inspect.Question
		want *fault.Error
	}{
		{ask(inspect.Host, "Service", "callService"), fault.New(fault.NotFound, "inspect-no-method", "Service", "callService")},
		{ask(inspect.Host, "Ghost", "x"), fault.New(fault.NotFound, "inspect-no-provider", "host", "Ghost")},
		{ask(inspect.Client, "Service", "listService"), fault.New(fault.NotFound, "inspect-no-provider", "client", "Service")},
		{with(list, jsonvalue.Of("name", "fs")), fault.New(fault.Usage, "inspect-bad-input", "host", "Service.listService", `"input.name" is not declared`)},
		{with(list, jsonvalue.Of("service", 5.0)), fault.New(fault.Usage, "inspect-bad-input", "host", "Service.listService", `"input.service" must be of type string`)},
		{with(list, "fs"), fault.New(fault.Usage, "inspect-bad-input", "host", "Service.listService", `"input" must be of type object`)},
	} {
		if diff := cmp.Diff(c.want, r.Check(c.q)); diff != "" {
			t.Errorf("%v: %s", c.q, diff)
		}
	}
}

func TestClientQueries(t *testing.T) {
	r := inspect.New()
	q := inspect.Question{Platform: inspect.Client, Provider: "Slots", Method: "ask"}
	if _, err := r.Ask("S-a", q); fault.CodeOf(err) != "inspect-no-provider" {
		t.Errorf("before a page: %v", err)
	}
	if err := r.Sync([]inspect.Manifest{client("Slots")}); err != nil {
		t.Fatal(err)
	}
	first, err := r.Ask("S-a", q)
	if err != nil {
		t.Fatal(err)
	}
	q.Input, q.Given = jsonvalue.Of("root", "x"), true
	second, err := r.Ask("S-b", q)
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonvalue.Format(first.Show()); got != `{"requestId":"inspect-1","agentId":"S-a","provider":"Slots","method":"ask"}` {
		t.Error(got)
	}
	if got := jsonvalue.Format(second.Show()); got != `{"requestId":"inspect-2","agentId":"S-b","provider":"Slots","method":"ask","input":{"root":"x"}}` {
		t.Error(got)
	}
	good := inspect.Answer{OK: true, Data: "yes"}
	for what, c := range map[string]struct {
		session, id string
		answer      inspect.Answer
	}{
		"another Session": {"S-b", "inspect-1", good},
		"unknown":         {"S-a", "inspect-9", good},
		"a failure":       {"S-a", "inspect-1", inspect.Answer{Code: "provider-error"}},
		"bad data":        {"S-a", "inspect-1", inspect.Answer{OK: true, Data: 5.0}},
	} {
		if r.Answer(c.session, c.id, c.answer) {
			t.Errorf("%s was accepted", what)
		}
	}
	if diff := cmp.Diff([]inspect.Query{first, second}, r.Open(), cmp.Comparer((*jsonvalue.Object).Equal)); diff != "" {
		t.Error(diff)
	}
	if !r.Answer("S-a", "inspect-1", good) || r.Answer("S-a", "inspect-1", good) {
		t.Error("the first good answer settles, and no other")
	}
	if !r.Cancel("inspect-2") || r.Cancel("inspect-2") || r.Answer("S-b", "inspect-2", good) {
		t.Error("a cancelled query is closed")
	}
	if len(r.Open()) != 0 {
		t.Error("queries stay open")
	}
	// A page that has left its provider out meanwhile can answer no longer.
	third, err := r.Ask("S-a", q)
	if err != nil || third.ID != "inspect-3" {
		t.Fatal(third, err)
	}
	if err := r.Sync(nil); err != nil || r.Answer("S-a", "inspect-3", good) {
		t.Error("answered without a provider", err)
	}
}

func TestAnswersAreChecked(t *testing.T) {
	r := inspect.New()
	m := client("Any")
	m.Methods[0].Output = jsonvalue.Of()
	if _, err := r.Register(m); err != nil {
		t.Fatal(err)
	}
	q := inspect.Question{Platform: inspect.Host, Provider: "Any", Method: "ask"}
	if err := r.CheckAnswer(q, parse(t, `{"a":[1,null,{"b":"c"}]}`)); err != nil {
		t.Error(err)
	}
	for _, data := range []any{wire.Undefined{}, math.NaN(), math.Inf(1), math.Copysign(0, -1), jsonvalue.Of("a", []any{wire.Bytes{}}), jsonvalue.Hole{}} {
		if err := r.CheckAnswer(q, data); fault.CodeOf(err) != "inspect-bad-output" {
			t.Errorf("%v: %v", data, err)
		}
	}
}

// What the Host's providers answer fits their own schemas.
func TestHostProviders(t *testing.T) {
	r := withHost(t)
	c := catalog.Catalog{
		Services: []catalog.Service{{Key: "box", Description: "d", Methods: []catalog.Method{{Name: "put", Signature: "put(x: Thing): void", Description: "d", Parameters: []catalog.Parameter{{Name: "x", Description: "d"}}, Returns: "r", Throws: []string{"t"}}}}},
		Events:   []catalog.Event{{Name: "box/full", Description: "d", Mode: catalog.Emit, Signature: "'box/full'(): void"}},
		Builtins: catalog.HostBuiltins(),
		Types:    []catalog.Type{{Name: "Thing", Declaration: "type Thing = string"}},
	}
	tools := []any{jsonvalue.Of("name", "t", "description", "d", "parameters", jsonvalue.Of("type", "object"))}
	answer := func(provider, method string, input any) (any, error) {
		q := inspect.Question{Platform: inspect.Host, Provider: provider, Method: method, Input: input, Given: input != nil}
		if err := r.Check(q); err != nil {
			t.Error(err)
		}
		v, err := q.Answer(c, tools)
		if err == nil {
			err = r.CheckAnswer(q, v)
		}
		return v, err
	}
	for _, q := range []struct {
		provider, method string
		input            any
		mode             any
	}{
		{"Service", "listService", nil, "catalog"},
		{"Service", "listService", jsonvalue.Of("service", "box"), "service"},
		{"Event", "listEvents", jsonvalue.Of(), "catalog"},
		{"Event", "listEvents", jsonvalue.Of("event", "box/full"), "event"},
		{"Builtin", "listBuiltins", nil, nil},
		{"Tool", "listTools", nil, nil},
	} {
		v, err := answer(q.provider, q.method, q.input)
		if err != nil {
			t.Errorf("%v: %v", q, err)
			continue
		}
		if mode, _ := v.(*jsonvalue.Object).Get("mode"); mode != q.mode {
			t.Errorf("%v: mode %v", q, mode)
		}
	}
	for _, q := range []struct {
		provider, method, code string
		input                  any
	}{
		{"Service", "listService", "inspect-no-service", jsonvalue.Of("service", "cordisInspect")},
		{"Service", "listService", "inspect-no-service", jsonvalue.Of("service", "")},
		{"Event", "listEvents", "inspect-no-event", jsonvalue.Of("event", "cordis/request-run")},
		{"Event", "listEvents", "inspect-no-event", jsonvalue.Of("event", "")},
	} {
		if _, err := answer(q.provider, q.method, q.input); fault.CodeOf(err) != q.code {
			t.Errorf("%v: %v", q, err)
		}
	}
	got, err := answer("Tool", "listTools", nil)
	if err != nil || jsonvalue.Format(got) != `{"tools":[{"name":"t","description":"d","parameters":{"type":"object"}}]}` {
		t.Error(jsonvalue.Format(got), err)
	}
}
