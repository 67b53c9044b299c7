package registry_test

import (
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// do plays one step. known is false for what needs code or a page that draws.
func (s *stage) do(o *jsonvalue.Object) (result any, known bool) {
	if of := text(o, "of"); text(o, "do") == "join" {
		s.settleSlow()
		return outcome(s.answer(s.pending[of])), true
	}
	result, known = s.step(o)
	s.work()
	if name := text(o, "background"); name != "" {
		s.pending[name] = result.(registry.Ticket)
		return "started", true
	}
	if t, late := result.(registry.Ticket); late {
		result = s.shape(text(o, "do"), s.answer(t))
	}
	s.name(text(o, "id"), result)
	return result, known
}

// settleSlow lets slow Host halves come to be.
func (s *stage) settleSlow() {
	for _, a := range s.orders {
		if s.acts[string(a.HostCode)].file != "never.host.js" {
			s.carryOut(a)
		}
	}
	s.work()
}

func (s *stage) step(o *jsonvalue.Object) (any, bool) {
	session, plugin := s.session(o), registry.PluginID(s.arg(o, "plugin"))
	switch text(o, "do") {
	case "define":
		return s.defines(o, session, plugin), true
	case "run":
		gone, _ := jsonvalue.Truth(member(o, "abortFirst"))
		c := registry.RunCommand{Session: session, PluginID: plugin, PackageID: registry.PackageID(s.arg(o, "package")), Mode: mode(o), Cancelled: gone}
		return s.ask(func(t registry.Ticket) registry.Decision { return s.r.Run(t, c) }), !gone
	case "stop", "panelStop":
		c := registry.StopCommand{Session: session, PluginID: plugin, Panel: text(o, "do") == "panelStop"}
		return s.ask(func(t registry.Ticket) registry.Decision { return s.r.Stop(t, c) }), true
	case "undefine":
		c := registry.StopCommand{Session: session, PluginID: plugin}
		return s.ask(func(t registry.Ticket) registry.Decision { return s.r.Undefine(t, c) }), true
	case "self":
		return s.self(o, session, plugin)
	case "inventory":
		rows, _ := jsonvalue.From(s.r.Inventory())
		list, _ := jsonvalue.Array(rows)
		return only(list, func(row *jsonvalue.Object) bool { return plugin == "" || text(row, "pluginId") == string(plugin) }), true
	case "events":
		return s.eventList(), true
	case "feedback":
		return s.feedback(), true
	case "mention":
		return s.mentions(o), true
	}
	return s.pageStep(o, session, plugin)
}

func mode(o *jsonvalue.Object) registry.Mode {
	if m := text(o, "mode"); m != "" {
		return registry.Mode(m)
	}
	return registry.ModeRun
}

// pageStep is what a page does.
func (s *stage) pageStep(o *jsonvalue.Object, session registry.Session, plugin registry.PluginID) (any, bool) {
	pkg := registry.PackageID(s.arg(o, "package"))
	switch text(o, "do") {
	case "page":
		s.page = true
		return "opened", true
	case "approve", "decline":
		s.decide(o, plugin)
		return "answered", true
	case "panelRun":
		s.client(session, plugin, pkg, mode(o), "", false)
		return "done", true
	case "hostHalf":
		c := registry.HostHalfCommand{Session: session, PluginID: plugin, PackageID: pkg, Mode: mode(o), RequestID: registry.RequestID(text(o, "request"))}
		return s.ask(func(t registry.Ticket) registry.Decision { return s.r.RunHostHalf(t, c) }), true
	case "clientCode":
		code, err := s.r.ClientCode(session, plugin, registry.RunID(s.arg(o, "run")))
		if err != nil {
			return outcome(err), true
		}
		v, _ := jsonvalue.From(code)
		out, _ := jsonvalue.Map(v)
		out.Set("code", "<112 chars>")
		return out, len(code.Code) == 112
	case "resolveRequest":
		return s.resolve(registry.RequestID(text(o, "request")), resolution(o)), true
	case "settleUser":
		return s.settle(plugin, resolution(o)), true
	case "reportRender":
		s.carry(s.r.RenderFailed(session, plugin, registry.RunID(s.arg(o, "run")), registry.RenderFailure{Slot: "x"}))
		return nil, true
	case "click":
		s.carry(s.r.RenderFailed(session, "crash-7", "run-8", registry.RenderFailure{
			Slot: "settings.section", Message: "render.crash(settings.section: render exploded)", Stack: "at", Abdicated: true,
		}))
		return "clicked", true
	}
	return nil, false
}

func resolution(o *jsonvalue.Object) registry.Resolution {
	res, _ := jsonvalue.Map(member(o, "resolution"))
	won, _ := jsonvalue.Truth(member(res, "ok"))
	out := registry.Resolution{
		OK: won, PluginRunID: registry.RunID(text(res, "pluginRunId")), Reason: registry.Reason(text(res, "reason")), Message: text(res, "message"),
	}
	if here, said := jsonvalue.Truth(member(res, "startedHere")); said {
		out.StartedHere = &here
	}
	return out
}

// decide is a click on allow or decline, which does nothing without a request.
func (s *stage) decide(o *jsonvalue.Object, plugin registry.PluginID) {
	for _, q := range s.r.Requests() {
		if q.PluginID != plugin || !q.RequiresApproval {
			continue
		}
		future, _ := jsonvalue.Truth(member(o, "future"))
		if text(o, "do") == "decline" {
			s.resolve(q.RequestID, declined())
		} else {
			s.client(q.AgentID, q.PluginID, q.PackageID, q.Mode, q.RequestID, future)
		}
	}
}

func (s *stage) defines(o *jsonvalue.Object, session registry.Session, plugin registry.PluginID) any {
	d := registry.Definition{
		Session: session, New: text(o, "new") != "", Prefix: text(o, "new"), PluginID: plugin, Name: text(o, "name"), Purpose: text(o, "purpose"),
		Code: registry.Code{Host: s.source(text(o, "host")), Client: s.source(text(o, "client"))},
	}
	if d.Name == "" {
		d.Name, d.Purpose = "sample", "sample purpose"
	}
	made, err := s.r.Define(d, fine)
	if err != nil {
		return outcome(err)
	}
	return withMeta(made)
}

func (s *stage) self(o *jsonvalue.Object, session registry.Session, plugin registry.PluginID) (any, bool) {
	pkg := registry.PackageID(s.arg(o, "package"))
	var value any
	var err error
	switch {
	case plugin == "" && pkg != "":
		return nil, false // the tool's
	case plugin == "":
		value = s.r.SelfPlugins(session)
	case pkg == "":
		value, err = s.r.SelfPlugin(session, plugin)
	default:
		value, err = s.r.SelfPackage(session, plugin, pkg, func(run registry.RunID) registry.Live {
			code := *s.code(plugin, pkg)
			return registry.Live{Provides: s.acts[string(code)].provides, Handlers: s.acts[string(code)].handlers}
		})
	}
	if err != nil {
		return outcome(err), true
	}
	return jsonvalue.Of("value", must(jsonvalue.From(value))), true
}

func (s *stage) code(plugin registry.PluginID, pkg registry.PackageID) *registry.Source {
	owner, _ := s.r.Owner(plugin)
	self, err := s.r.SelfPackage(owner, plugin, pkg, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return self.Code.Host
}

func (s *stage) eventList() any {
	out := []any{}
	for _, e := range s.events {
		if e.Name != registry.EventDynamicStatus { // ours
			out = append(out, []any{e.Name, must(jsonvalue.From(e.Payload))})
		}
	}
	s.events = nil
	return out
}

// shape gives an answer the shape of the step.
func (s *stage) shape(step string, answer any) any {
	why, _ := answer.(*registry.Refusal)
	switch {
	case step == "stop" && why != nil && why.Reason == registry.NotRunning:
		return jsonvalue.Of("value", jsonvalue.Of("pluginId", string(why.PluginID)))
	case step == "panelStop" && why == nil:
		return jsonvalue.Of("ok", true)
	case step == "hostHalf" && why != nil:
		return jsonvalue.Of("ok", false, "message", key(why))
	case (step == "panelStop" || step == "settleUser") && why != nil:
		return jsonvalue.Of("ok", false, "reason", string(why.Reason), "message", key(why))
	case step == "hostHalf" || step == "settleUser" || step == "resolveRequest":
		return must(jsonvalue.From(answer))
	}
	return outcome(answer)
}

// outcome is the result of a tool as the goldens have it.
func outcome(answer any) any {
	switch v := answer.(type) {
	case *registry.Refusal:
		return jsonvalue.Of("error", key(v))
	case registry.Ran, registry.Requested:
		return withMeta(v)
	case registry.HostHalf:
		return must(jsonvalue.From(v))
	case string:
		return "still pending"
	default:
		return jsonvalue.Of("value", must(jsonvalue.From(v)))
	}
}

func withMeta(v any) any {
	value := must(jsonvalue.From(v))
	o, _ := jsonvalue.Map(value)
	meta := jsonvalue.Of()
	for _, key := range []string{"pluginId", "packageId", "pluginRunId"} {
		if o.Has(key) {
			meta.Set(key, member(o, key))
		}
	}
	return jsonvalue.Of("value", value, "meta", meta)
}

// name remembers the ids of a result.
func (s *stage) name(id string, result any) {
	o, isObject := jsonvalue.Map(result)
	if id == "" || !isObject {
		return
	}
	if value, nested := jsonvalue.Map(member(o, "value")); nested {
		o = value
	}
	s.names[id] = map[string]string{}
	for key := range o.All() {
		s.names[id][key] = text(o, key)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
