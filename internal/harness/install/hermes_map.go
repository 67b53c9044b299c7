package install

import (
	"bytes"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/internal/harness"
	"github.com/dshkit/dshkit/pkg/fault"
)

// hookMap is the "hooks" of a config.yaml: events with lists of commands.
type hookMap struct {
	data  []byte
	root  *yaml.Node // the mapping, or nil in a file without any
	key   *yaml.Node // "hooks", or nil
	hooks *yaml.Node // what stands under it
	ours  []hookItem
}

// hookItem is an entry of ours.
type hookItem struct {
	EntryRef
	node *yaml.Node
	list *yaml.Node
}

// open parses the file, or says why it is refused.
func (hermesConfig) open(t Target, data []byte, program string) (*hookMap, *fault.Error) {
	m := &hookMap{data: data}
	doc, line, err := oneDocument(data)
	if err != nil {
		return nil, fault.New(fault.Refused, codeNotYAML, t.File, line, 1).Because(err)
	}
	if doc == nil {
		return m, nil
	}
	root := doc.Content[0]
	if isNull(root) {
		return m, nil
	}
	if !isBlock(root, yaml.MappingNode) || hasEndMark(data) {
		return nil, fault.New(fault.Refused, codeNotMapping, t.File, max(root.Line, 1), max(root.Column, 1))
	}
	if err := root.Decode(&map[string]any{}); err != nil { // a key that stands there twice
		return nil, fault.New(fault.Refused, codeNotYAML, t.File, lineOf(err), 1).Because(err)
	}
	m.root = root
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == "hooks" {
			m.key, m.hooks = root.Content[i], root.Content[i+1]
		}
	}
	if bad := m.scan(program); bad != nil {
		return nil, fault.New(fault.Refused, codeNotMapping, t.File, bad.Line, bad.Column)
	}
	return m, nil
}

// isNull reports whether a key has nothing behind it.
func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// isEmpty reports whether a node holds nothing.
func isEmpty(node *yaml.Node) bool {
	return node == nil || isNull(node) || node.Kind != yaml.ScalarNode && len(node.Content) == 0
}

// isBlock reports whether a node is of the kind and stands in lines of its own.
func isBlock(node *yaml.Node, kind yaml.Kind) bool {
	return node.Kind == kind && node.Style&yaml.FlowStyle == 0 && node.Anchor == ""
}

// scan finds our entries; it returns the node whose form we cannot change.
func (m *hookMap) scan(program string) *yaml.Node {
	if m.hooks == nil || isEmpty(m.hooks) {
		return nil
	}
	if !isBlock(m.hooks, yaml.MappingNode) {
		return m.hooks
	}
	for i := 0; i+1 < len(m.hooks.Content); i += 2 {
		event, list := m.hooks.Content[i].Value, m.hooks.Content[i+1]
		if isEmpty(list) {
			continue
		}
		if !isBlock(list, yaml.SequenceNode) {
			return list
		}
		for n, item := range list.Content {
			command, timeout := child(item, "command"), child(item, "timeout")
			if command == nil || !isOurs(command.Value, program, harness.Hermes) {
				continue
			}
			ref := EntryRef{Event: event, Index: n, Command: command.Value}
			if timeout != nil {
				ref.Timeout, _ = strconv.Atoi(timeout.Value)
			}
			m.ours = append(m.ours, hookItem{ref, item, list})
		}
	}
	return nil
}

// offset returns where a line, counted from 1, begins.
func (m *hookMap) offset(line int) int { return (&patchFile{data: m.data}).offset(line) }

// after returns the offset behind the last line of what stands under a key: the
// line before the next key of the mapping, or of what is around it. Blank lines
// and comments before that stay with what follows.
func (m *hookMap) after(next *yaml.Node) int {
	end := len(m.data)
	if next != nil {
		end = m.offset(next.Line)
	}
	for end > 0 {
		begin := bytes.LastIndexByte(m.data[:end-1], '\n') + 1
		line := bytes.TrimSpace(m.data[begin:end])
		if len(line) > 0 && line[0] != '#' {
			break
		}
		end = begin
	}
	return end
}

// nextKey returns the key that follows the value, nil when it is the last.
func nextKey(mapping, value *yaml.Node) *yaml.Node {
	for i := 1; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i] == value {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// entryLines are the lines of an entry, each after indent.
func entryLines(w entry, indent string) string {
	return indent + "- command: " + yamlQuoted(w.command) + "\n" + indent + "  timeout: " + strconv.Itoa(w.timeout) + "\n"
}

// yamlQuoted writes a text as a YAML scalar in quotes.
func yamlQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// add returns the edits that bring the entries that are missing.
func (m *hookMap) add(missing []entry) []edit {
	if len(missing) == 0 {
		return nil
	}
	if m.hooks == nil || isEmpty(m.hooks) {
		return m.addHooks(missing)
	}
	var edits, events []edit // those of one place in their order: a list before events that are new
	indent := strings.Repeat(" ", m.hooks.Content[0].Column-1)
	end := m.after(nextKey(m.root, m.hooks))
	for _, w := range missing {
		list := child(m.hooks, w.name)
		switch {
		case list == nil:
			events = append(events, m.lines(end, indent+w.name+":\n"+entryLines(w, indent+"  ")))
		case isEmpty(list):
			edits = append(edits, m.fill(list, m.keyOf(list), entryLines(w, indent+"  "))...)
		default:
			at := end
			if next := nextKey(m.hooks, list); next != nil {
				at = m.after(next)
			}
			edits = append(edits, m.lines(at, entryLines(w, strings.Repeat(" ", list.Column-1))))
		}
	}
	return append(edits, events...)
}

func (m *hookMap) keyOf(value *yaml.Node) *yaml.Node {
	for i := 1; i < len(m.hooks.Content); i += 2 {
		if m.hooks.Content[i] == value {
			return m.hooks.Content[i-1]
		}
	}
	return nil
}

// addHooks brings "hooks" itself, or what stands under it.
func (m *hookMap) addHooks(missing []entry) []edit {
	indent := ""
	if m.root != nil {
		indent = strings.Repeat(" ", m.root.Column-1)
	}
	var text strings.Builder
	for _, w := range missing {
		text.WriteString(indent + "  " + w.name + ":\n" + entryLines(w, indent+"    "))
	}
	if m.hooks == nil {
		return []edit{m.lines(len(m.data), indent+"hooks:\n"+text.String())}
	}
	return m.fill(m.hooks, m.key, text.String())
}

// fill puts lines under a key that has nothing, {} or [] behind it.
func (m *hookMap) fill(value, key *yaml.Node, text string) []edit {
	line := m.offset(key.Line)
	end := line + len(firstLine(m.data[line:]))
	edits := []edit{m.lines(min(end+1, len(m.data)), text)}
	for _, empty := range []string{"{}", "[]", "null", "~"} {
		at := m.offset(value.Line) + value.Column - 1
		if value.Line == key.Line && at >= line && at < end && bytes.HasPrefix(m.data[at:end], []byte(empty)) {
			blanks := len(m.data[line:at]) - len(bytes.TrimRight(m.data[line:at], " \t"))
			edits = append([]edit{{at - blanks, at + len(empty), ""}}, edits...)
		}
	}
	return edits
}

// lines puts whole lines at an offset, in the file's line ends.
func (m *hookMap) lines(at int, text string) edit {
	if at > 0 && m.data[at-1] != '\n' {
		text = "\n" + text
	}
	if bytes.Contains(m.data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return edit{at, at, text}
}

// settle changes entries that are there to what is wanted, and takes out those
// that are not; ok is false where a person has to.
func (m *hookMap) settle(wanted []entry) (edits []edit, missing []entry, ok bool) {
	kept := map[*yaml.Node]bool{}
	for _, w := range wanted {
		found := false
		for _, h := range m.ours {
			if h.Event != w.name || found {
				continue
			}
			found, kept[h.node] = true, true
			changed, fits := m.replace(h, w)
			if !fits {
				return nil, nil, false
			}
			edits = append(edits, changed...)
		}
		if !found {
			missing = append(missing, w)
		}
	}
	gone, ok := m.drop(func(h hookItem) bool { return !kept[h.node] }, false)
	return append(edits, gone...), missing, ok
}

// replace makes an entry what w says, on the lines that it has.
func (m *hookMap) replace(h hookItem, w entry) (edits []edit, ok bool) {
	for _, change := range []struct {
		node     *yaml.Node
		old, new string
	}{{child(h.node, "command"), h.Command, w.command}, {child(h.node, "timeout"), strconv.Itoa(h.Timeout), strconv.Itoa(w.timeout)}} {
		if change.node == nil {
			command := child(h.node, "command")
			if !isBlock(h.node, yaml.MappingNode) || len(h.node.Content) == 0 {
				return nil, false
			}
			indent := strings.Repeat(" ", h.node.Content[0].Column-1)
			edits = append(edits, m.lines(m.offset(command.Line+1), indent+"timeout: "+change.new+"\n"))
			continue
		}
		if change.old == change.new {
			continue
		}
		text := change.new
		if change.node.Kind == yaml.ScalarNode && change.node.Tag == "!!str" {
			text = yamlQuoted(text)
		}
		e, fits := m.scalarEdit(change.node, text)
		if !fits {
			return nil, false
		}
		edits = append(edits, e)
	}
	return edits, true
}

// scalarEdit replaces a scalar that stands on one line.
func (m *hookMap) scalarEdit(node *yaml.Node, text string) (edit, bool) {
	begin := m.offset(node.Line) + node.Column - 1
	line := m.data[begin : begin+len(firstLine(m.data[begin:]))]
	for _, form := range []string{yamlQuoted(node.Value), strconv.Quote(node.Value), node.Value} {
		if bytes.HasPrefix(line, []byte(form)) {
			return edit{begin, begin + len(form), text}, true
		}
	}
	return edit{}, false
}

// drop takes out the entries of ours for which gone is true, then what that left
// empty; "hooks" itself only if we made it.
func (m *hookMap) drop(gone func(hookItem) bool, made bool) (edits []edit, ok bool) {
	out, left := map[*yaml.Node]bool{}, map[*yaml.Node]int{}
	for _, h := range m.ours {
		if left[h.list] == 0 {
			left[h.list] = len(h.list.Content)
		}
	}
	for _, h := range m.ours {
		if gone(h) {
			out[h.node] = true
			left[h.list]--
		}
	}
	if len(out) == 0 {
		return nil, true
	}
	events := len(m.hooks.Content) / 2
	for i := 1; i < len(m.hooks.Content); i += 2 {
		list := m.hooks.Content[i]
		if n, touched := left[list]; !touched || n > 0 {
			for _, item := range list.Content {
				if out[item] {
					if edits, ok = m.dropLines(edits, item, item); !ok {
						return nil, false
					}
				}
			}
			continue
		}
		events--
		if edits, ok = m.dropLines(edits, m.hooks.Content[i-1], list); !ok {
			return nil, false
		}
	}
	switch line := m.offset(m.key.Line); {
	case events > 0:
	case made:
		edits = append(edits, edit{line, line + len(firstLine(m.data[line:])) + 1, ""})
	default:
		at := line + len(firstLine(m.data[line:]))
		if comment := bytes.IndexByte(m.data[line:at], '#'); comment >= 0 {
			at = line + comment
		}
		at = line + len(bytes.TrimRight(m.data[line:at], " \t\r"))
		edits = append(edits, edit{at, at, " {}"})
	}
	return edits, true
}

// dropLines takes the lines from the first node to the last of another.
func (m *hookMap) dropLines(edits []edit, first, last *yaml.Node) ([]edit, bool) {
	begin, end := m.offset(first.Line), m.offset(lastLine(last)+1)
	line := bytes.TrimLeft(m.data[begin:end], " ")
	if first == last && !bytes.HasPrefix(line, []byte("- ")) || last.Kind == yaml.MappingNode && last.Style&yaml.FlowStyle != 0 {
		return nil, false
	}
	for at := begin; at < end; { // a comment among them is somebody's
		next := at + len(firstLine(m.data[at:])) + 1
		if next = min(next, end); !bytes.HasPrefix(bytes.TrimSpace(m.data[at:next]), []byte("#")) {
			edits = append(edits, edit{at, next, ""})
		}
		at = next
	}
	return edits, true
}

// rest is what the file says without our entries, and without what is empty but
// for them.
func (m *hookMap) rest() any {
	if m.root == nil {
		return map[string]any{}
	}
	all := map[string]any{}
	if err := m.root.Decode(&all); err != nil {
		return err.Error()
	}
	hooks, _ := all["hooks"].(map[string]any)
	for event, list := range hooks {
		items, _ := list.([]any)
		var kept []any
		for i, item := range items {
			if !m.isOurs(event, i) {
				kept = append(kept, item)
			}
		}
		if hooks[event] = kept; len(kept) == 0 {
			delete(hooks, event)
		}
	}
	if len(hooks) == 0 {
		delete(all, "hooks")
	}
	return all
}

func (m *hookMap) isOurs(event string, index int) bool {
	for _, h := range m.ours {
		if h.Event == event && h.Index == index {
			return true
		}
	}
	return false
}

func (m *hookMap) refs() []EntryRef {
	var refs []EntryRef
	for _, h := range m.ours {
		refs = append(refs, h.EntryRef)
	}
	return refs
}

// holds reports whether our entries are exactly the wanted ones.
func (m *hookMap) holds(wanted []entry) bool {
	var there []handler
	for _, h := range m.ours {
		there = append(there, handler{EntryRef: h.EntryRef})
	}
	return matches(there, wanted)
}
