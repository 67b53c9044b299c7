package install

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// kiroTargets are a file of our own for Kiro's CLI 3 and IDE 1
// (spec/harness-hooks.md 18). Each run of a hook shows a card there, so that it
// has only those that count.
func kiroTargets(scope Scope, env Env) ([]Target, error) {
	file, err := pick(harness.Kiro, scope,
		filepath.Join(env.Home, ".kiro", "hooks", "selfip.json"),
		filepath.Join(env.Dir, ".kiro", "hooks", "selfip.json"))
	if err != nil {
		return nil, err
	}
	return []Target{{Harness: harness.Kiro, Scope: scope, File: file, editor: kiroFile{}, layout: layout{
		events: []event{
			{name: "SessionStart", timeout: 10},
			{name: "UserPromptSubmit", timeout: 10},
			{name: "PostToolUse", timeout: 10},
			{name: "Stop", timeout: 10},
		},
		added: noteKiroAgents,
	}}}, nil
}

// KiroAgent is what an agent of Kiro's CLI 2 needs, for a person to add to it: an
// agent that exists is the user's.
func KiroAgent(o Options) ([]byte, *fault.Error) {
	if refusal := checkBinary(o.Binary, o.Program); refusal != nil {
		return nil, refusal
	}
	var events object
	for _, name := range []string{"agentSpawn", "userPromptSubmit", "postToolUse", "stop"} {
		hook := object{{"command", Command(o.Binary, harness.Kiro, name)}, {"timeout_ms", 10000}}
		events = append(events, part{name, []object{hook}})
	}
	return document(object{{"hooks", events}}), nil
}

// document writes an object as a file of its own.
func document(root object) []byte {
	return []byte(style{newline: "\n", unit: "  "}.render(part{"", root}, "", false) + "\n")
}

// kiroFile is the list of hooks. A file of our name is ours when all its hooks
// are, and untouched when it is what we would write for them.
type kiroFile struct{}

// kiroHook is a hook as Kiro reads it.
type kiroHook struct {
	Trigger string
	Action  struct{ Command string }
	Timeout int
}

func (kiroFile) render(entries []EntryRef) []byte {
	hooks := []object{}
	for _, e := range entries {
		hooks = append(hooks, object{
			{"name", "selfip " + e.Event},
			{"trigger", e.Event},
			{"action", object{{"type", "command"}, {"command", e.Command}}},
			{"timeout", e.Timeout},
			{"enabled", true},
		})
	}
	return document(object{{"version", "v1"}, {"hooks", hooks}})
}

// read returns our hooks, none when the file is somebody else's, and whether it
// is as we wrote it.
func (k kiroFile) read(data []byte, program string) (entries []EntryRef, intact bool) {
	var doc struct{ Hooks []kiroHook }
	if json.Unmarshal(data, &doc) != nil {
		return nil, false
	}
	for i, h := range doc.Hooks {
		if isOurs(h.Action.Command, program, harness.Kiro) {
			entries = append(entries, EntryRef{Event: h.Trigger, Index: i, Command: h.Action.Command, Timeout: h.Timeout})
		}
	}
	return entries, len(entries) > 0 && bytes.Equal(data, k.render(entries))
}

// refuse says why a file in our place is left alone, nil when it may go.
func (k kiroFile) refuse(t Target, data []byte, program string) *fault.Error {
	entries, intact := k.read(data, program)
	switch {
	case blankFile(data), intact:
		return nil
	case len(entries) > 0:
		return fault.New(fault.Refused, codeOwnChanged, t.File)
	}
	return fault.New(fault.Refused, codeOwnForeign, t.File)
}

func (k kiroFile) install(t Target, plan Plan, o Options) Plan {
	wanted, refusal := t.wanted(o)
	if refusal != nil {
		return plan.refuse(refusal)
	}
	for i, w := range wanted {
		plan.Entries = append(plan.Entries, EntryRef{Event: w.name, Index: i, Command: w.command, Timeout: w.timeout})
	}
	plan.Fragment = k.render(plan.Entries)
	if refusal = t.check(o); refusal == nil {
		refusal = k.refuse(t, plan.Before, o.Program)
	}
	if refusal != nil {
		return plan.refuse(refusal)
	}
	plan.Own, plan.Created, plan.After = true, plan.Before == nil, plan.Fragment
	if plan.Changed() {
		plan.Notes = t.newNotes(o)
	}
	return plan
}

func (k kiroFile) uninstall(t Target, plan Plan, program string, _ *Record) Plan {
	if entries, _ := k.read(plan.Before, program); len(entries) == 0 {
		return plan
	}
	if refusal := k.refuse(t, plan.Before, program); refusal != nil {
		return plan.refuse(refusal)
	}
	plan.Own, plan.After, plan.Remove = true, nil, true
	return plan
}

func (k kiroFile) status(t Target, s Status, current []byte, program string) Status {
	entries, intact := k.read(current, program)
	s.Entries, s.Edited = entries, len(entries) > 0 && !intact
	have := map[string]bool{}
	for _, e := range entries {
		have[e.Event] = true
	}
	for _, e := range t.layout.events {
		if !have[e.name] {
			s.Missing = append(s.Missing, e.name)
		}
	}
	return s
}
