package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/pkg/fault"
)

// patchFile is DSH's cordis.patch.yml: a list of patch rows, of which one of
// ours inserts a plugin (spec/harness-hooks.md 13). It is changed as text by
// whole lines, so that comments and layout stay; the tree says where.
type patchFile struct {
	data  []byte
	list  *yaml.Node // the rows, or nil in a file without any
	ours  *yaml.Node // our row, or nil
	where *yaml.Node // where it names our file
	path  string     // that file
	id    string     // of our row
	taken map[string]bool
}

// openPatch parses a patch file, or says why it is refused.
func (t Target) openPatch(data []byte, program string) (*patchFile, *fault.Error) {
	p := &patchFile{data: data, taken: map[string]bool{}}
	doc, line, err := oneDocument(data)
	if err != nil {
		return nil, fault.New(fault.Refused, codeNotYAML, t.File, line, 1).Because(err)
	}
	if doc == nil {
		return p, nil
	}
	list := doc.Content[0]
	if list.Kind == yaml.ScalarNode && list.Tag == "!!null" && list.Value == "" {
		return p, nil
	}
	if list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 || hasEndMark(data) {
		return nil, fault.New(fault.Refused, codeNotList, t.File, max(list.Line, 1), max(list.Column, 1))
	}
	p.list = list
	p.scan(list, t.row, program)
	return p, nil
}

// oneDocument parses data as one document, nil when there is nothing but
// comments; line is where an error stands.
func oneDocument(data []byte) (doc *yaml.Node, line int, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	doc = &yaml.Node{}
	switch err := decoder.Decode(doc); {
	case err == io.EOF:
		return nil, 0, nil
	case err != nil:
		return nil, lineOf(err), err
	}
	var next yaml.Node
	switch err := decoder.Decode(&next); {
	case err == io.EOF:
		return doc, 0, nil
	case err != nil:
		return nil, lineOf(err), err
	}
	return nil, max(next.Line, 1), errors.New("more than one document")
}

// lineOf reads the line out of the parser's message "yaml: line N: ...".
func lineOf(err error) int {
	_, rest, _ := strings.Cut(err.Error(), "line ")
	digits, _, _ := strings.Cut(rest, ":")
	line, _ := strconv.Atoi(digits)
	return max(line, 1)
}

// hasEndMark reports a line that ends the document: rows after it do not count.
func hasEndMark(data []byte) bool {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if bytes.HasPrefix(line, []byte("...")) {
			return true
		}
	}
	return false
}

// scan finds our row and all ids that are taken, at any depth.
func (p *patchFile) scan(node *yaml.Node, r row, program string) {
	if node.Kind == yaml.MappingNode {
		if id := child(node, "id"); id != nil {
			p.taken[id.Value] = true
			if path := r.scalar(node, program); path != nil {
				p.ours, p.where, p.path, p.id = node, path, path.Value, id.Value
			}
		}
	}
	for _, inner := range node.Content {
		p.scan(inner, r, program)
	}
}

// child returns the value of a mapping's key, or nil.
func child(node *yaml.Node, key string) *yaml.Node {
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return node.Content[i+1]
		}
	}
	return nil
}

// yamlText writes a path as a YAML scalar.
func yamlText(path string) string {
	if isPlain(path) && strings.HasPrefix(path, "/") && !strings.Contains(path, ":") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", "''") + "'"
}

// freeID returns an id that no row of the file has: a later patch replaces a
// row's whole config.
func (p *patchFile) freeID(base string) string {
	id := base
	for n := 2; p.taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	return id
}

func (t Target) installRow(plan Plan, o Options) Plan {
	p, refusal := t.openPatch(plan.Before, o.Program)
	if refusal != nil {
		plan.Refusal = refusal
		return plan
	}
	if strings.ContainsFunc(t.row.file, isControl) {
		plan.Refusal = fault.New(fault.Refused, codeBinaryChars, t.row.file)
		return plan
	}
	plan.fresh, plan.Created = p.ours == nil, plan.Before == nil
	switch {
	case p.ours == nil:
		e := p.addition(o.Program, t.row)
		plan.After, plan.undo = apply(plan.Before, []edit{e})
	case p.path != t.row.file:
		e, ok := p.pathEdit(t.row.file)
		if !ok {
			plan.Refusal = t.byHand(p)
			return plan
		}
		plan.After, _ = apply(plan.Before, []edit{e})
	}
	after, refusal := t.openPatch(plan.After, o.Program)
	if refusal != nil || after.ours == nil || after.path != t.row.file || !p.sameRest(after) {
		return plan.broken()
	}
	plan.Entries = []EntryRef{{Event: after.id, Command: after.path}}
	return plan
}

func (t Target) byHand(p *patchFile) *fault.Error {
	return fault.New(fault.Refused, codeByHand, t.File, p.ours.Line, p.ours.Column)
}

// addition puts our row at the end of the file, in line with the other rows.
func (p *patchFile) addition(program string, r row) edit {
	newline, indent, end := "\n", "", len(p.data)
	if bytes.Contains(p.data, []byte("\r\n")) {
		newline = "\r\n"
	}
	if p.list != nil {
		indent = strings.Repeat(" ", p.list.Column-1)
	}
	text := r.text(p.freeID(program+r.id), indent)
	if end > 0 && p.data[end-1] != '\n' {
		text = "\n" + text
	}
	return edit{end, end, strings.ReplaceAll(text, "\n", newline)}
}

// pathEdit replaces the scalar with which our row names its file, which must
// stand on one line.
func (p *patchFile) pathEdit(file string) (edit, bool) {
	node := p.where
	begin := p.offset(node.Line) + node.Column - 1
	line := p.data[begin : begin+len(firstLine(p.data[begin:]))]
	for _, form := range [...]string{node.Value, "'" + strings.ReplaceAll(node.Value, "'", "''") + "'", strconv.Quote(node.Value)} {
		if bytes.HasPrefix(line, []byte(form)) {
			return edit{begin, begin + len(form), yamlText(file)}, true
		}
	}
	return edit{}, false
}

// offset returns where a line, counted from 1, begins.
func (p *patchFile) offset(line int) int {
	at := 0
	for ; line > 1 && at < len(p.data); line-- {
		at += len(firstLine(p.data[at:])) + 1
	}
	return min(at, len(p.data))
}

func firstLine(data []byte) []byte {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

func (t Target) uninstallRow(plan Plan, program string, record *Record) Plan {
	p, refusal := t.openPatch(plan.Before, program)
	if refusal != nil {
		plan.Refusal = refusal
		return plan
	}
	if p.ours == nil {
		return plan
	}
	e, ok := p.removal()
	if !ok {
		plan.Refusal = t.byHand(p)
		return plan
	}
	plan.After, _ = apply(plan.Before, []edit{e})
	after, refusal := t.openPatch(plan.After, program)
	if refusal != nil || after.ours != nil || !p.sameRest(after) {
		plan = plan.broken()
		plan.Refusal = t.byHand(p)
		return plan
	}
	return plan.finish(plan.After, record)
}

// removal takes the lines of our row: with the patch row around it when it holds
// nothing else.
func (p *patchFile) removal() (edit, bool) {
	item := p.ours
	for _, row := range p.list.Content {
		insert := child(row, "insert")
		if insert != nil && len(row.Content) == 2 && len(insert.Content) == 1 && insert.Content[0] == p.ours {
			item = row
		}
	}
	begin, end := p.offset(item.Line), p.offset(lastLine(item)+1)
	line := bytes.TrimLeft(p.data[begin:end], " ")
	if item.Style&yaml.FlowStyle != 0 || !bytes.HasPrefix(line, []byte("- ")) {
		return edit{}, false
	}
	return edit{begin, end, ""}, true
}

// lastLine returns the last line that a node has text on. Our own scalars are
// all of one line.
func lastLine(node *yaml.Node) int {
	last := node.Line
	for _, inner := range node.Content {
		last = max(last, lastLine(inner))
	}
	return last
}

// sameRest reports whether both files say the same but for our row.
func (p *patchFile) sameRest(other *patchFile) bool {
	return reflect.DeepEqual(p.rest(), other.rest())
}

// rest is the content of the file without our row.
func (p *patchFile) rest() any {
	if p.list == nil {
		return []any{}
	}
	var rows []any
	if err := p.list.Decode(&rows); err != nil {
		return err.Error()
	}
	out := []any{}
	for i, row := range rows {
		if left := without(row, p.list.Content[i], p.ours); left != nil {
			out = append(out, left)
		}
	}
	return out
}

// without returns row, decoded from node, without what was decoded from ours;
// nil when nothing but that is in it.
func without(row any, node, ours *yaml.Node) any {
	fields, ok := row.(map[string]any)
	list, isList := fields["insert"].([]any)
	insert := child(node, "insert")
	if !ok || !isList || insert == nil || len(insert.Content) != len(list) {
		return row
	}
	kept := []any{}
	for i, inner := range list {
		if insert.Content[i] != ours {
			kept = append(kept, inner)
		}
	}
	if len(kept) == 0 && len(fields) == 1 && len(list) > 0 {
		return nil
	}
	fields["insert"] = kept
	return fields
}
