package catalog

import (
	"fmt"
	"slices"
	"strings"
)

// Check is all that is wrong with a catalogue, in its order: each thing has a
// name and says what it is, each parameter and result is explained, a mode fits
// its signature, and each type that is declared is named by something. None is
// good.
func (c Catalog) Check() []string {
	var r report
	for _, s := range c.Services {
		r.service(s)
	}
	for _, e := range c.Events {
		r.event(e)
	}
	for _, b := range c.Builtins {
		r.need("builtin "+b.Name, b.Name, b.Description)
		if len(b.Signatures) == 0 {
			r.add("builtin " + b.Name + ": no signature")
		}
	}
	r.types(c)
	return r.problems
}

type report struct{ problems []string }

func (r *report) add(problem string) { r.problems = append(r.problems, problem) }

func (r *report) need(what, name, description string) {
	if name == "" {
		r.add(what + ": no name")
	}
	if description == "" {
		r.add(what + ": no description")
	}
}

func (r *report) service(s Service) {
	what := "service " + s.Key
	r.need(what, s.Key, s.Description)
	if len(s.Methods) == 0 {
		r.add(what + ": no methods")
	}
	for _, m := range s.Methods {
		r.method(what+": "+m.Name, m)
	}
}

func (r *report) method(what string, m Method) {
	r.need(what, m.Name, m.Description)
	if rest, ok := strings.CutPrefix(m.Signature, m.Name); !ok || rest == "" || rest[0] != '(' && rest[0] != '<' {
		r.add(what + ": the signature does not begin with the name")
	}
	names, result := taken(m.Signature)
	r.parameters(what, names, m.Parameters)
	if m.Returns == "" && !evident(result) {
		r.add(what + ": the result is not explained")
	}
}

// evident are the results that a signature explains.
func evident(result string) bool {
	return result == "void" || result == "Promise<void>" || result == "() => void"
}

func (r *report) event(e Event) {
	what := "event " + e.Name
	r.need(what, e.Name, e.Description)
	if !slices.Contains([]Mode{Emit, Parallel, Serial, Bail, Waterfall}, e.Mode) {
		r.add(fmt.Sprintf("%s: no mode %q", what, e.Mode))
	}
	if !strings.HasPrefix(e.Signature, "'"+e.Name+"'(") {
		r.add(what + ": the signature does not begin with the name")
	}
	names, _ := taken(e.Signature)
	next := len(names) > 0 && names[len(names)-1] == "next"
	if next != (e.Mode == Waterfall) {
		r.add(what + ": the last parameter is next in a waterfall, and in nothing else")
	}
	r.parameters(what, names, e.Parameters)
}

// parameters compares those of a signature with those that are explained.
func (r *report) parameters(what string, names []string, explained []Parameter) {
	var have []string
	for _, p := range explained {
		have = append(have, p.Name)
		if p.Description == "" {
			r.add(what + ": parameter " + p.Name + ": no description")
		}
	}
	if !slices.Equal(names, have) {
		r.add(fmt.Sprintf("%s: parameters %v are explained, the signature has %v", what, have, names))
	}
}

func (r *report) types(c Catalog) {
	var texts []string
	for _, s := range c.Services {
		texts = append(texts, s.texts()...)
	}
	for _, e := range c.Events {
		texts = append(texts, e.Signature)
	}
	for _, b := range c.Builtins {
		texts = append(texts, b.Signatures...)
	}
	used := c.used(texts)
	for i, t := range c.Types {
		switch {
		case t.Name == "" || !slices.Contains(words(t.Declaration), t.Name):
			r.add("type " + t.Name + ": the declaration does not name it")
		case slices.IndexFunc(c.Types, func(o Type) bool { return o.Name == t.Name }) != i:
			r.add("type " + t.Name + ": declared twice")
		case !used[i]:
			r.add("type " + t.Name + ": nothing refers to it")
		}
	}
}

// taken are the parameters of a signature by name, and its result.
func taken(signature string) (names []string, result string) {
	open := strings.IndexByte(signature, '(')
	if generic := strings.IndexByte(signature, '<'); generic >= 0 && generic < open {
		open = generic + closing(signature[generic:])
		open += strings.IndexByte(signature[min(open, len(signature)):]+"(", '(')
	}
	if open < 0 || open >= len(signature) {
		return nil, ""
	}
	end := open + closing(signature[open:])
	if end <= open || end == len(signature) {
		return nil, ""
	}
	for _, p := range parts(signature[open+1 : end]) {
		name, _, _ := strings.Cut(p, ":")
		names = append(names, strings.Trim(name, " ?."))
	}
	return names, strings.TrimPrefix(strings.TrimPrefix(signature[end+1:], ":"), " ")
}

// closing is where the bracket that a text begins with is closed.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		if depth += bracket(text, i); depth == 0 {
			return i
		}
	}
	return len(text)
}

// bracket is 1 where one opens, -1 where one closes. The > of an arrow does not.
func bracket(text string, i int) int {
	switch text[i] {
	case '(', '{', '[', '<':
		return 1
	case ')', '}', ']':
		return -1
	case '>':
		if i == 0 || text[i-1] != '=' {
			return -1
		}
	}
	return 0
}

// parts splits at the commas that are in no bracket.
func parts(text string) []string {
	var out []string
	depth, from := 0, 0
	for i := range len(text) {
		depth += bracket(text, i)
		if text[i] == ',' && depth == 0 {
			out, from = append(out, strings.TrimSpace(text[from:i])), i+1
		}
	}
	if last := strings.TrimSpace(text[from:]); last != "" {
		out = append(out, last)
	}
	return out
}
