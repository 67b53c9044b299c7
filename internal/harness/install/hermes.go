package install

import (
	"encoding/json"
	"path/filepath"
	"reflect"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// hermesTargets are the settings of the Hermes Agent (spec/harness-hooks.md 14).
// It asks its user about each hook once; what it keeps of the answers is not for
// us to write.
func hermesTargets(scope Scope, env Env) ([]Target, error) {
	if scope != User {
		return nil, fault.New(fault.Usage, codeScope, string(harness.Hermes), string(scope), string(User))
	}
	return []Target{{
		Harness: harness.Hermes, Scope: scope, File: filepath.Join(hermesHome(env), "config.yaml"), editor: hermesConfig{},
		layout: layout{events: []event{
			{name: "pre_llm_call", timeout: 10},
			{name: "post_tool_call", timeout: 10},
			{name: "api_request_error", timeout: 10},
			{name: "subagent_start", timeout: 10, extra: asked},
			{name: "subagent_stop", timeout: 10},
			{name: "on_session_start", timeout: 10, extra: asked},
			{name: "on_session_end", timeout: 10},
			{name: "on_session_finalize", timeout: 10},
			{name: "on_session_reset", timeout: 10, extra: asked},
		}},
	}}, nil
}

func hermesHome(env Env) string { return env.orElse("HERMES_HOME", ".hermes") }

// HermesConsentFile is where Hermes keeps which hooks its user has agreed to.
func HermesConsentFile(env Env) string {
	return filepath.Join(hermesHome(env), "shell-hooks-allowlist.json")
}

// HermesConsented reads that file and returns how many of the entries are in it.
func HermesConsented(data []byte, entries []EntryRef) int {
	var doc struct {
		Approvals []struct{ Event, Command string }
	}
	_ = json.Unmarshal(data, &doc) // one that cannot be read agrees to nothing
	n := 0
	for _, e := range entries {
		for _, a := range doc.Approvals {
			if a.Event == e.Event && a.Command == e.Command {
				n++
				break
			}
		}
	}
	return n
}

// hermesConfig changes config.yaml as text, by whole lines, so that comments and
// layout stay; the tree says where.
type hermesConfig struct{}

func (c hermesConfig) install(t Target, plan Plan, o Options) Plan {
	wanted, refusal := t.wanted(o)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	fragment := (&hookMap{}).addHooks(wanted)
	plan.Fragment = []byte(fragment[0].text)
	m, refusal := c.open(t, plan.Before, o.Program)
	if refusal == nil {
		refusal = t.check(o)
	}
	if refusal != nil {
		return plan.refuse(refusal)
	}
	edits, missing, ok := m.settle(wanted)
	if !ok {
		return plan.refuse(c.byHand(t, m))
	}
	plan.fresh, plan.made, plan.Created = len(m.ours) == 0, m.key == nil, plan.Before == nil
	text, _ := apply(plan.Before, edits)
	next, refusal := c.open(t, text, o.Program)
	if refusal != nil {
		return plan.refuse(c.byHand(t, m))
	}
	plan.After, plan.undo = apply(text, next.add(missing))
	if after, refusal := c.open(t, plan.After, o.Program); refusal == nil && after.holds(wanted) && reflect.DeepEqual(m.rest(), after.rest()) {
		if plan.Entries = after.refs(); plan.Changed() {
			plan.Notes = []Note{{noteHermes, []any{t.File}}}
		}
		return plan
	}
	return plan.refuse(c.byHand(t, m))
}

// byHand refuses a file whose layout does not let us change it by lines.
func (hermesConfig) byHand(t Target, m *hookMap) *fault.Error {
	line, column := 1, 1
	if m.key != nil {
		line, column = m.key.Line, m.key.Column
	}
	return fault.New(fault.Refused, codeByHand, t.File, line, column)
}

func (c hermesConfig) uninstall(t Target, plan Plan, program string, record *Record) Plan {
	m, refusal := c.open(t, plan.Before, program)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	if len(m.ours) == 0 {
		return plan
	}
	edits, ok := m.drop(func(hookItem) bool { return true }, record.MadeHooks)
	if !ok {
		return plan.refuse(c.byHand(t, m))
	}
	plan.After, _ = apply(plan.Before, edits)
	if after, refusal := c.open(t, plan.After, program); refusal != nil || len(after.ours) > 0 || !reflect.DeepEqual(m.rest(), after.rest()) {
		return plan.refuse(c.byHand(t, m))
	}
	return plan.finish(plan.After, record)
}

func (c hermesConfig) status(t Target, s Status, current []byte, program string) Status {
	m, refusal := c.open(t, current, program)
	if refusal != nil {
		s.Trouble = refusal
		return s
	}
	s.Entries = m.refs()
	count := map[string]int{}
	for _, e := range s.Entries {
		if count[e.Event]++; count[e.Event] == 2 {
			s.Repeated = append(s.Repeated, e.Event)
		}
	}
	for _, e := range t.layout.events {
		if e.extra == byDefault && count[e.name] == 0 {
			s.Missing = append(s.Missing, e.name)
		}
	}
	return s
}
