// Package tool is the seven tools by which a model works with dynamic plugins:
// their names, the schemas of their arguments, what they are described as in two
// languages, what their results look like, and how a call becomes a call of the
// host (spec/cordis.md 3).
//
// Commands, MCP and harnesses share it, so that a tool says the same wherever it
// is called from. It keeps nothing and reaches nothing but the Host it is given.
package tool

import (
	"slices"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Name is what a tool is called on the wire.
type Name string

// The tools.
const (
	InspectList  Name = "cordis_inspect_list"
	InspectQuery Name = "cordis_inspect_query"
	InspectSelf  Name = "cordis_inspect_self"
	Define       Name = "cordis_define"
	Run          Name = "cordis_run"
	Stop         Name = "cordis_stop"
	Undefine     Name = "cordis_undefine"
)

// Names are the tools in the order of lists.
func Names() []Name {
	return []Name{InspectList, InspectQuery, InspectSelf, Define, Run, Stop, Undefine}
}

// Known reports whether a name is that of one of the tools.
func Known(name string) bool { return slices.Contains(Names(), Name(name)) }

// Card is the kind of card that a call is shown as.
type Card string

// The cards.
const (
	ReadCard    Card = "read"
	ExecuteCard Card = "execute"
	DeleteCard  Card = "delete"
)

// Chinese is the one language beside English; any other word means English.
const Chinese = "zh-CN"

// Tool is one of the seven as it is offered to a model.
type Tool struct {
	Name        Name
	Title       string // for a person
	Description string // for the model
	Card        Card
	Parameters  *jsonvalue.Object // a JSON Schema; never changed

	ReadOnly    bool // changes nothing
	Idempotent  bool // twice is as once
	Destructive bool // takes something away
	OpenWorld   bool // may reach beyond the host
}

// All returns the tools in a language, in the order of Names.
func All(language string) []Tool {
	var list []Tool
	for _, name := range Names() {
		list = append(list, describe(name, language))
	}
	return list
}

// Find returns the tool of a name.
func Find(name, language string) (t Tool, ok bool) {
	if !Known(name) {
		return Tool{}, false
	}
	return describe(Name(name), language), true
}

func describe(name Name, language string) Tool {
	words := wordsOf(language)[name]
	t := Tool{Name: name, Title: words.title, Description: words.description, Card: ReadCard, Parameters: parameters(language)[name]}
	switch name {
	case Define:
		t.Card = ExecuteCard
	case Run:
		t.Card, t.OpenWorld = ExecuteCard, true
	case Stop:
		t.Card, t.Idempotent = ExecuteCard, true
	case Undefine:
		t.Card, t.Destructive = DeleteCard, true
	default:
		t.ReadOnly, t.Idempotent = true, true
	}
	return t
}

// parameters returns the schemas of a language.
func parameters(language string) map[Name]*jsonvalue.Object {
	if language == Chinese {
		return chineseSchemas()
	}
	return englishSchemas()
}

var (
	englishSchemas = sync.OnceValue(func() map[Name]*jsonvalue.Object { return schemas(english().arguments) })
	chineseSchemas = sync.OnceValue(func() map[Name]*jsonvalue.Object { return schemas(chinese().arguments) })
)
