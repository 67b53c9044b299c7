package install

import (
	"bytes"
	"slices"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// Uninstall plans how our entries leave the file of t, which now holds current.
// record is what Install left behind, or nil when it is lost; the file wins over
// it. If nothing else changed since, the file gets back the very bytes that it
// had. Otherwise go: our handlers, groups and events left empty by that, "hooks"
// if we made it, the file if we made it and nothing else is in it. Doing it
// twice changes nothing. program is Options.Program.
//
// Refusals: the settings- and patch- codes of this package.
func (t Target) Uninstall(current []byte, program string, record *Record) Plan {
	plan := Plan{Harness: t.Harness, Scope: t.Scope, File: t.File, Part: t.Part, Before: current, After: current}
	if t.editor != nil {
		return t.uninstallEdited(plan, program, record)
	}
	if t.format == ownText {
		return t.uninstallOwn(plan, program)
	}
	if blankFile(current) {
		return plan.finish(current, record)
	}
	if record == nil {
		record = &Record{}
	}
	if before, ok := record.restore(current); ok && !t.holdsOurs(before, program) {
		return plan.finish(before, record)
	}
	if t.format == patchYAML {
		return t.uninstallRow(plan, program, record)
	}
	return t.uninstallHooks(plan, program, record)
}

func (t Target) uninstallHooks(plan Plan, program string, record *Record) Plan {
	f, refusal := t.openHooks(plan.Before, program)
	if refusal != nil {
		plan.Refusal = refusal
		return plan
	}
	if len(f.ours()) == 0 {
		return plan
	}
	after, _ := apply(plan.Before, f.drop(func(handler) bool { return true }, record))
	if f, refusal = t.openHooks(after, program); refusal != nil || len(f.ours()) > 0 {
		return plan.broken()
	}
	if record.Created && f.bare() {
		after = nil
	}
	return plan.finish(after, record)
}

// finish sets the outcome of an uninstall: after, or no file when we made it and
// nothing is in it.
func (p Plan) finish(after []byte, record *Record) Plan {
	if p.After = after; p.Before != nil && record != nil && record.Created && blankFile(after) {
		p.After, p.Remove = nil, true
	}
	return p
}

// holdsOurs reports whether a file's text still has an entry of ours, or cannot
// be told.
func (t Target) holdsOurs(text []byte, program string) bool {
	if blankFile(text) {
		return false
	}
	if t.format == patchYAML {
		p, refusal := t.openPatch(text, program)
		return refusal != nil || p.ours != nil
	}
	f, refusal := t.openHooks(text, program)
	return refusal != nil || len(f.ours()) > 0
}

// bare reports whether nothing is left in the file but what stands in every one
// of its kind.
func (f *hooksFile) bare() bool {
	for i := range f.root.Members {
		if !f.isLead(&f.root.Members[i]) {
			return false
		}
	}
	return true
}

// isLead reports whether m is a member beside "hooks" as we write it.
func (f *hooksFile) isLead(m *jsontext.Member) bool {
	return slices.ContainsFunc(f.layout.lead, func(p part) bool {
		return p.key == m.Key && bytes.Equal(encode(p.value), f.data[m.Value.Begin:m.Value.End])
	})
}

// drop takes out the handlers of ours for which gone is true, then what that
// left empty; "hooks" itself, and what came with it, only if the record says
// that we made it.
func (f *hooksFile) drop(gone func(handler) bool, record *Record) []edit {
	out := map[*jsontext.Node]bool{}
	for _, h := range f.ours() {
		out[h.node] = gone(h)
	}
	if f.hooks == nil {
		return nil
	}
	var edits []edit
	empty := func(i int) bool { return f.emptied(&f.hooks.Members[i].Value, out) }
	all := len(f.hooks.Members) > 0
	for i := range f.hooks.Members {
		if list := &f.hooks.Members[i].Value; !empty(i) {
			all = false
			edits = append(edits, f.dropGroups(list, out)...)
		}
	}
	if all && record.MadeHooks && !f.commented(f.hooks) {
		return f.remove(f.root, func(i int) bool {
			m := &f.root.Members[i]
			return &m.Value == f.hooks || slices.Contains(record.Made, m.Key) && f.isLead(m)
		})
	}
	return append(edits, f.dropIf(f.hooks, empty)...)
}

func (f *hooksFile) dropGroups(list *jsontext.Node, out map[*jsontext.Node]bool) []edit {
	var edits []edit
	empty := func(i int) bool { return f.emptiedGroup(&list.Items[i], out) }
	for i := range list.Items {
		if f.layout.shape.flat {
			break
		}
		if hooks := list.Items[i].Get("hooks"); hooks != nil && !empty(i) {
			handlers := &hooks.Value
			edits = append(edits, f.dropIf(handlers, func(i int) bool {
				return i < len(handlers.Items) && out[&handlers.Items[i]]
			})...)
		}
	}
	return append(edits, f.dropIf(list, func(i int) bool { return i < len(list.Items) && empty(i) })...)
}

// dropIf is remove, or nothing when nothing goes.
func (f *hooksFile) dropIf(container *jsontext.Node, gone func(i int) bool) []edit {
	for i := range spansOf(container) {
		if gone(i) {
			return f.remove(container, gone)
		}
	}
	return nil
}

// emptied reports whether all groups of an event go. What holds a comment stays:
// somebody wrote it.
func (f *hooksFile) emptied(list *jsontext.Node, out map[*jsontext.Node]bool) bool {
	for i := range list.Items {
		if !f.emptiedGroup(&list.Items[i], out) {
			return false
		}
	}
	return len(list.Items) > 0 && !f.commented(list)
}

// emptiedGroup reports whether all handlers of a group go; a flat list has
// handlers in the place of groups.
func (f *hooksFile) emptiedGroup(group *jsontext.Node, out map[*jsontext.Node]bool) bool {
	if f.layout.shape.flat {
		return out[group]
	}
	hooks := group.Get("hooks")
	if hooks == nil || len(hooks.Value.Items) == 0 {
		return false
	}
	if f.commented(group) || f.commented(&hooks.Value) {
		return false
	}
	for i := range hooks.Value.Items {
		if !out[&hooks.Value.Items[i]] {
			return false
		}
	}
	return true
}

// restore takes the steps of the record back, if current is what Install wrote.
func (r *Record) restore(current []byte) (before []byte, ok bool) {
	if len(r.Undo) == 0 || r.After != Hash(current) {
		return nil, false
	}
	before = bytes.Clone(current)
	for _, step := range r.Undo {
		if before = unsplice(before, step); before == nil {
			return nil, false
		}
	}
	return before, true
}
