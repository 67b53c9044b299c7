package assembly

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// measure finds the lines of each Entry: from its dash to the next one. Comments
// that stand directly above a dash belong to the Entry below.
func (a *Assembly) measure(list *yaml.Node) {
	lines := a.lines()
	for i, node := range list.Content {
		a.Entries[i].first = headOf(lines, node.Line)
		if i > 0 {
			a.Entries[i-1].last = a.Entries[i].first
		}
	}
	if n := len(a.Entries); n > 0 {
		a.Entries[n-1].last = len(lines) + 1
	}
}

func (a *Assembly) lines() []string {
	text := strings.TrimSuffix(string(a.text), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// headOf moves up over the comments above a line.
func headOf(lines []string, line int) int {
	for line > 1 && strings.HasPrefix(strings.TrimSpace(lines[line-2]), "#") {
		line--
	}
	return line
}

// Add returns the text with an Entry at the end.
func (a *Assembly) Add(e Entry) ([]byte, error) {
	if _, taken := a.Find(e.ID); taken {
		return nil, fault.New(fault.Conflict, codeTaken, e.ID)
	}
	entry, err := Format(e)
	if err != nil {
		return nil, err
	}
	lines := a.lines()
	if len(a.Entries) == 0 {
		lines = withoutEmptyList(lines)
	}
	return checked(join(append(lines, entry...)), append(a.IDs(), e.ID))
}

// withoutEmptyList drops the brackets of an empty list, so that Entries can
// follow in lines of their own.
func withoutEmptyList(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if bare, comment, found := strings.Cut(line, "#"); strings.TrimSpace(bare) == "[]" || strings.TrimSpace(bare) == "null" {
			if found {
				kept = append(kept, "#"+comment)
			}
			continue
		}
		kept = append(kept, line)
	}
	return kept
}

// Remove returns the text without an Entry.
func (a *Assembly) Remove(id string) ([]byte, error) {
	e, err := a.Need(id)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(a.IDs(), func(other string) bool { return other == id })
	return a.replace(e, nil, left)
}

// Put returns the text with the Entry of the same id written anew.
func (a *Assembly) Put(e Entry) ([]byte, error) {
	old, err := a.Need(e.ID)
	if err != nil {
		return nil, err
	}
	entry, err := Format(e)
	if err != nil {
		return nil, err
	}
	head := a.lines()[old.first-1 : old.last-1]
	var comments []string
	for _, line := range head {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			break
		}
		comments = append(comments, line)
	}
	return a.replace(old, append(comments, entry...), a.IDs())
}

func (a *Assembly) unknownID(id string) error {
	return fault.New(fault.NotFound, codeUnknownID, id, strings.Join(a.IDs(), ", "))
}

func (a *Assembly) replace(old Entry, with, ids []string) ([]byte, error) {
	lines := a.lines()
	kept := append(append(append([]string{}, lines[:old.first-1]...), with...), lines[old.last-1:]...)
	return checked(join(kept), ids)
}

// checked parses what an edit made: a list in one line cannot be edited by
// lines, and must not be torn.
func checked(text []byte, ids []string) ([]byte, error) {
	a, err := Parse(text)
	if err != nil {
		return nil, fault.New(fault.Refused, codeFlow).Because(err)
	}
	if !slices.Equal(a.IDs(), ids) {
		return nil, fault.New(fault.Refused, codeFlow)
	}
	return text, nil
}

func join(lines []string) []byte {
	if len(lines) == 0 {
		return []byte("[]\n")
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// Format returns the lines of an Entry.
func Format(e Entry) ([]string, error) {
	node := &yaml.Node{Kind: yaml.MappingNode}
	add := func(key string, v *yaml.Node) {
		node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, v)
	}
	add("id", textNode(e.ID))
	add("name", textNode(e.Name))
	if e.Disabled {
		add("disabled", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	if e.Config.Len() > 0 {
		add("config", jsonNode(e.Config))
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(&yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{node}}); err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n"), nil
}

func textNode(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// jsonNode is the YAML of a JSON value.
func jsonNode(v any) *yaml.Node {
	switch v := v.(type) {
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	case bool:
		if v {
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"}
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "false"}
	case string:
		return textNode(v)
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range v {
			n.Content = append(n.Content, jsonNode(item))
		}
		return n
	case *jsonvalue.Object:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range v.Keys() {
			item, _ := v.Get(key)
			n.Content = append(n.Content, textNode(key), jsonNode(item))
		}
		return n
	}
	var n yaml.Node
	_ = n.Encode(v) // a float64, which cannot fail
	return &n
}
