// Package assembly is the list of Entries that .mnemon/mnemon.yml holds: which
// plugins a workspace mounts, under which ids and with which configuration.
//
// It turns text into values and edits into text. An edit changes the lines of
// its own Entry and no other: comments, order and unknown keys of the rest stay
// as their author wrote them.
package assembly

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/text"
)

// The codes of this package, each with its English sentence.
const (
	codeSyntax    = "assembly-syntax"     // this is no YAML
	codeNotList   = "assembly-not-list"   // line %d: not a list of Entries
	codeNotEntry  = "assembly-not-entry"  // line %d: no Entry (want id, name and perhaps config)
	codeMissing   = "assembly-missing"    // line %d: the Entry has no %s
	codeNotText   = "assembly-not-text"   // line %d: %s is no text
	codeNotBool   = "assembly-not-bool"   // line %d: disabled is neither true nor false
	codeTwice     = "assembly-twice"      // line %d: the id %q is taken by line %d
	codeValue     = "assembly-value"      // line %d: %s
	codeDynamic   = "assembly-dynamic"    // line %d: %s is an expression of another program (%s)
	codeUnknownID = "assembly-unknown-id" // no Entry has the id %q
	codeTaken     = "assembly-taken"      // the id %q is taken
	codeFlow      = "assembly-flow"       // the list of Entries is not written line by line

	codeDocuments = "assembly-documents" // line %d: a second document; there is one list in the file
	codeKeyTwice  = "assembly-key-twice" // line %d: the key %q is there twice
	codeControl   = "assembly-control"   // line %d: %s has a control character: %q

	warnKey     = "assembly-key"      // mnemon.yml: line %d: unknown key %q
	warnKeyNear = "assembly-key-near" // mnemon.yml: line %d: unknown key %q (did you mean %q?)
)

// Entry is one mount.
type Entry struct {
	ID       string            // its stable identity; Source keys are made of it
	Name     string            // a package, or a path that begins with . or /
	Config   *jsonvalue.Object // nil: none
	Disabled bool

	first, last int // its lines, counted from 1, last exclusive
}

// Assembly is a parsed list.
type Assembly struct {
	Entries  []Entry
	Warnings []Warning
	text     []byte
}

// Warning is something odd that stops nobody: a code and what its sentence names.
type Warning struct {
	Code string
	Args []any
}

// keys are those that an Entry may have.
var keys = []string{"id", "name", "config", "disabled"}

// Parse reads the list. The error is a fault of kind Damaged that names the line.
func Parse(data []byte) (*Assembly, error) {
	a := &Assembly{text: bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))}
	doc, err := document(a.text)
	if err != nil {
		return nil, err
	}
	if doc.Kind == 0 || isNull(doc.Content[0]) {
		return a, nil
	}
	list := doc.Content[0]
	if list.Kind != yaml.SequenceNode {
		return nil, fault.New(fault.Damaged, codeNotList, list.Line)
	}
	lines := map[string]int{}
	for _, node := range list.Content {
		entry, err := a.entry(node)
		if err != nil {
			return nil, err
		}
		if line, taken := lines[entry.ID]; taken {
			return nil, fault.New(fault.Damaged, codeTwice, node.Line, entry.ID, line)
		}
		lines[entry.ID] = node.Line
		a.Entries = append(a.Entries, entry)
	}
	a.measure(list)
	return a, nil
}

// document reads the one document of the file.
func document(text []byte) (doc yaml.Node, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&doc); errors.Is(err, io.EOF) {
		return doc, nil
	} else if err != nil {
		return doc, fault.New(fault.Damaged, codeSyntax).Because(err)
	}
	var more yaml.Node
	switch err := decoder.Decode(&more); {
	case errors.Is(err, io.EOF):
		return doc, nil
	case err != nil:
		return doc, fault.New(fault.Damaged, codeSyntax).Because(err)
	}
	return doc, fault.New(fault.Damaged, codeDocuments, more.Line)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// entry reads one member of the list.
func (a *Assembly) entry(node *yaml.Node) (Entry, error) {
	if node.Kind != yaml.MappingNode {
		return Entry{}, fault.New(fault.Damaged, codeNotEntry, node.Line)
	}
	if err := plainMapping(node); err != nil {
		return Entry{}, err
	}
	var e Entry
	for i := 0; i < len(node.Content); i += 2 {
		if err := a.member(&e, node.Content[i], node.Content[i+1]); err != nil {
			return Entry{}, err
		}
	}
	switch {
	case e.ID == "":
		return Entry{}, fault.New(fault.Damaged, codeMissing, node.Line, "id")
	case e.Name == "":
		return Entry{}, fault.New(fault.Damaged, codeMissing, node.Line, "name")
	}
	return e, nil
}

func (a *Assembly) member(e *Entry, key, value *yaml.Node) (err error) {
	switch key.Value {
	case "id":
		e.ID, err = scalarText(value, "id")
	case "name":
		e.Name, err = scalarText(value, "name")
	case "disabled":
		e.Disabled, err = truth(value)
	case "config":
		e.Config, err = config(value)
	default:
		a.unknown(key)
	}
	return err
}

func (a *Assembly) unknown(key *yaml.Node) {
	if near := text.Nearest(key.Value, keys); near != "" {
		a.Warnings = append(a.Warnings, Warning{warnKeyNear, []any{key.Line, key.Value, near}})
		return
	}
	a.Warnings = append(a.Warnings, Warning{warnKey, []any{key.Line, key.Value}})
}

func scalarText(n *yaml.Node, key string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return "", fault.New(fault.Damaged, codeNotText, n.Line, key)
	}
	if foreign(n) {
		return "", fault.New(fault.Damaged, codeDynamic, n.Line, strconv.Quote(n.Value), n.Tag)
	}
	if strings.ContainsFunc(n.Value, unicode.IsControl) {
		return "", fault.New(fault.Damaged, codeControl, n.Line, key, n.Value)
	}
	return n.Value, nil
}

func truth(n *yaml.Node) (bool, error) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" {
		return n.Value == "true" || n.Value == "True" || n.Value == "TRUE", nil
	}
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return false, nil
	}
	if n.Tag == "!!js" || n.Tag == "tag:yaml.org,2002:js" {
		return false, fault.New(fault.Damaged, codeDynamic, n.Line, "disabled", n.Tag)
	}
	return false, fault.New(fault.Damaged, codeNotBool, n.Line)
}

// Find returns the Entry of an id.
func (a *Assembly) Find(id string) (Entry, bool) {
	i := slices.IndexFunc(a.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return Entry{}, false
	}
	return a.Entries[i], true
}

// Need is Find with a fault of kind NotFound that lists the ids there are.
func (a *Assembly) Need(id string) (Entry, error) {
	e, ok := a.Find(id)
	if !ok {
		return e, a.unknownID(id)
	}
	return e, nil
}

// IDs returns the ids in order.
func (a *Assembly) IDs() []string {
	ids := make([]string, len(a.Entries))
	for i, e := range a.Entries {
		ids[i] = e.ID
	}
	return ids
}
