package tool

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Presentation is how a call is shown to a person while it runs and afterwards.
type Presentation struct {
	Card  Card   `json:"card"`
	Title string `json:"title"`
	Input any    `json:"input"` // the code alone for a definition, else the arguments
}

// Present says how a call is shown. It takes what a model wrote as it is, for a
// call with wrong arguments is shown too.
func Present(c Call) Presentation {
	t, _ := Find(c.Name, c.Language)
	p := Presentation{Card: t.Card, Title: t.Title, Input: c.Args}
	args, _ := jsonvalue.Map(c.Args)
	var about []string
	if t.Name == Define {
		p.Input, _ = args.Get("code")
		about = []string{text(args, "name"), target(args), text(args, "purpose")}
	} else {
		about = []string{text(args, "pluginId"), text(args, "packageId"), text(args, "provider"), text(args, "method"), text(args, "mode")}
	}
	if about = given(about); len(about) > 0 {
		p.Title += ": " + strings.Join(about, " · ")
	}
	return p
}

// target is the Plugin that a definition is for.
func target(args *jsonvalue.Object) string {
	selector, _ := args.Map("plugin")
	if prefix := text(selector, "idPrefix"); prefix != "" {
		return "new " + prefix + "-*"
	}
	return text(selector, "pluginId")
}

func given(texts []string) []string {
	var out []string
	for _, s := range texts {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
