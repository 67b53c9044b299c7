package install

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Install plans how the file of t, which now holds current (nil: there is none),
// gets exactly the entries that o asks for: missing ones are added at the end of
// their event's list, different ones are changed in place, repeated ones and
// those of events not asked for go. When all is as it should be the plan has
// nothing to change.
//
// Refusals: the settings-, patch- and install- codes of this package.
func (t Target) Install(current []byte, o Options) Plan {
	plan := Plan{Harness: t.Harness, Scope: t.Scope, File: t.File, Part: t.Part, Before: current, After: current}
	if t.editor != nil {
		return t.editor.install(t, plan, o)
	}
	if t.format == ownText {
		return t.installOwn(plan, o)
	}
	wanted, refusal := t.wanted(o)
	if t.format == patchYAML && !t.row.bridge {
		refusal = nil // the plugin beside it says so
	}
	if refusal == nil {
		plan.Fragment = t.fragment(wanted, o)
		refusal = t.check(o)
	}
	if refusal != nil {
		plan.Refusal = refusal
		return plan
	}
	if t.format == patchYAML {
		return t.installRow(plan, o)
	}
	return t.installHooks(plan, wanted, o)
}

// eventNames lists the events that can be asked for.
func (t Target) eventNames() string {
	names := make([]string, len(t.layout.events))
	for i, e := range t.layout.events {
		names[i] = e.name
	}
	return strings.Join(names, ", ")
}

// entry is an entry as it shall be.
type entry struct {
	event
	command string
}

// wanted returns the entries that o asks for, in the order of the layout.
func (t Target) wanted(o Options) ([]entry, *fault.Error) {
	for _, name := range o.Events {
		if !slices.ContainsFunc(t.layout.events, func(e event) bool { return e.name == name }) {
			return nil, fault.New(fault.Usage, codeEvent, string(t.Harness), name, t.eventNames())
		}
	}
	binary := o.Binary
	if t.Scope == Project {
		binary = o.Program
	}
	var wanted []entry
	for _, e := range t.layout.events {
		if o.asksFor(e) {
			wanted = append(wanted, entry{e, Command(binary, t.Harness, e.name)})
		}
	}
	return wanted, nil
}

func (o Options) asksFor(e event) bool {
	if len(o.Events) > 0 {
		return slices.Contains(o.Events, e.name) || e.extra == traced && o.Trace
	}
	return e.extra == byDefault || e.extra == traced && o.Trace
}

// check refuses what must not be written at all.
func (t Target) check(o Options) *fault.Error {
	if t.layout.bridge != "" && !o.Bridge {
		return fault.New(fault.Refused, codeBridge, t.layout.bridge)
	}
	if t.Scope == Project {
		return nil
	}
	return checkBinary(o.Binary, o.Program)
}

// installHooks works in two steps on the text: first our entries that are there,
// then those that are missing.
func (t Target) installHooks(plan Plan, wanted []entry, o Options) Plan {
	text := plan.Before
	if blankFile(text) {
		text = []byte("{}\n")
	}
	f, refusal := t.openHooks(text, o.Program)
	if refusal != nil {
		plan.Refusal = refusal
		return plan
	}
	plan.fresh, plan.made = len(f.ours()) == 0, f.hooks == nil
	for _, p := range f.leadWanted(blankFile(plan.Before)) {
		plan.lead = append(plan.lead, p.key)
	}
	edits, replaced := f.settle(wanted)
	text, _ = apply(text, edits)
	if f, refusal = t.openHooks(text, o.Program); refusal != nil {
		return plan.broken()
	}
	edits = f.missing(wanted, f.leadWanted(blankFile(plan.Before)))
	after, undo := apply(text, edits)
	plan.Created = plan.Before == nil
	if plan.After, plan.undo = after, undo; blankFile(plan.Before) {
		plan.undo = []Splice{{0, len(after), bytes.Clone(plan.Before)}}
	}
	if f, refusal = t.openHooks(after, o.Program); refusal != nil || !matches(f.ours(), wanted) {
		return plan.broken()
	}
	plan.Entries = f.refs()
	plan.Notes = t.notes(f, plan, len(edits) > 0, replaced, o)
	return plan
}

// blankFile reports whether there is nothing in a file that could be lost.
func blankFile(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// broken withdraws a plan whose result is not what was planned.
func (p Plan) broken() Plan {
	p.After, p.Created, p.Remove, p.Entries = p.Before, false, false, nil
	p.Refusal = fault.New(fault.Internal, codeBroken, p.File)
	return p
}

// settle changes our entries that are there to what is wanted, and takes out
// those that are not. replaced reports whether one was changed in place.
func (f *hooksFile) settle(wanted []entry) (edits []edit, replaced bool) {
	keep := map[*jsontext.Node]bool{}
	for _, w := range wanted {
		for _, h := range f.ours() {
			if h.Event == w.name {
				keep[h.node] = true
				edits = append(edits, f.replace(h, w)...)
				break
			}
		}
	}
	replaced = len(edits) > 0
	return append(edits, f.drop(func(h handler) bool { return !keep[h.node] }, &Record{})...), replaced
}

// replace makes h what w says; members that somebody added to it stay.
func (f *hooksFile) replace(h handler, w entry) []edit {
	var edits []edit
	if h.Command != w.command {
		edits = append(edits, edit{h.command.Begin, h.command.End, string(encode(w.command))})
	}
	timeout := strconv.Itoa(w.timeout)
	switch {
	case h.timeout == nil:
		edits = append(edits, f.insert(h.node, part{f.layout.shape.timeoutKey(), w.timeout})...)
	case h.Timeout != w.timeout:
		edits = append(edits, edit{h.timeout.Value.Begin, h.timeout.Value.End, timeout})
	}
	return edits
}

// leadWanted lists the members beside "hooks" that are missing, when "hooks" is
// too: a file that has hooks is in order for those who made it.
func (f *hooksFile) leadWanted(blank bool) []part {
	if f.hooks != nil || f.layout.leadOnce && !blank {
		return nil
	}
	var parts []part
	for _, p := range f.layout.lead {
		if f.root.Get(p.key) == nil {
			parts = append(parts, p)
		}
	}
	return parts
}

// missing adds the wanted entries that are not there, with lead before "hooks"
// when that is made.
func (f *hooksFile) missing(wanted []entry, lead []part) []edit {
	have := map[string]bool{}
	for _, h := range f.ours() {
		have[h.Event] = true
	}
	var edits []edit
	var events []part
	for _, w := range wanted {
		if have[w.name] {
			continue
		}
		if list := f.list(w.name); list != nil {
			edits = append(edits, f.insert(list, part{"", f.layout.shape.of(w)})...)
			continue
		}
		events = append(events, part{w.name, []object{f.layout.shape.of(w)}})
	}
	switch {
	case len(events) == 0:
		return edits
	case f.hooks == nil:
		return append(edits, f.insert(f.root, append(lead, part{"hooks", object(events)})...)...)
	}
	return append(edits, f.insert(f.hooks, events...)...)
}

// list returns the list of an event, or nil.
func (f *hooksFile) list(event string) *jsontext.Node {
	if f.hooks == nil {
		return nil
	}
	if m := f.hooks.Get(event); m != nil {
		return &m.Value
	}
	return nil
}

// of is an entry in the form of the file: alone, or in a group that holds it.
func (s shape) of(w entry) object {
	var shell object
	if !s.untyped {
		shell = object{{"type", "command"}}
	}
	shell = append(shell, part{"command", w.command}, part{s.timeoutKey(), w.timeout})
	var around object
	if w.matcher != "" {
		around = object{{"matcher", w.matcher}}
	}
	if s.flat {
		return append(around, shell...)
	}
	return append(around, part{"hooks", []object{shell}})
}

// object encodes its parts as an object in their order.
type object []part

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, p := range o {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, encode(p.key)...), ':'), encode(p.value)...)
	}
	return append(text, '}'), nil
}

// matches reports whether the entries there are exactly the wanted ones.
func matches(there []handler, wanted []entry) bool {
	if len(there) != len(wanted) {
		return false
	}
	for _, w := range wanted {
		if !slices.ContainsFunc(there, func(h handler) bool {
			return h.Event == w.name && h.Command == w.command && h.Timeout == w.timeout
		}) {
			return false
		}
	}
	return true
}

// fragment is what a person adds by hand where we must not write.
func (t Target) fragment(wanted []entry, o Options) []byte {
	if t.format == patchYAML {
		return []byte(t.row.text(o.Program+t.row.id, ""))
	}
	var events object
	for _, w := range wanted {
		events = append(events, part{w.name, []object{t.layout.shape.of(w)}})
	}
	var root object
	if !t.layout.leadOnce {
		root = append(root, t.layout.lead...)
	}
	text := style{newline: "\n", unit: "  "}.render(part{"", append(root, part{"hooks", events})}, "", false)
	return []byte(text + "\n")
}

// notes says what the user should know after the change.
func (t Target) notes(f *hooksFile, plan Plan, added, replaced bool, o Options) []Note {
	var notes []Note
	switch {
	case added && t.layout.added != "":
		notes = append(notes, Note{t.layout.added, []any{t.File}})
	case replaced && t.layout.replaced != "":
		notes = append(notes, Note{t.layout.replaced, []any{t.File}})
	}
	if t.Scope == Project && plan.Changed() {
		notes = append(notes, Note{noteBareWord, []any{t.File, o.Program}})
	}
	for _, flag := range f.disabled() {
		notes = append(notes, Note{noteDisabled, []any{t.File, flag}})
	}
	return notes
}
