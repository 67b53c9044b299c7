// Package answer is what a language model said, taken apart: the sections of a
// retrospective or a consolidation, and the lines in them (spec/selfip.md 21.4,
// 14.4).
//
// Reading is patient, for models drift: headings come in four forms, under
// other names and in two languages, thoughts and fences stand around the answer,
// sections come twice. What a line says about itself is believed only where that
// lowers the trust in it. Nothing here stores or shows a text: whoever does passes
// it through the gate first.
package answer

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Key is what a section is about.
type Key string

// The keys, in the spelling of the contract.
const (
	Lessons      Key = "LESSONS"
	Facts        Key = "FACTS"
	Resources    Key = "RESOURCES"
	Methods      Key = "METHODS"
	Playbook     Key = "PLAYBOOK"
	Supersede    Key = "SUPERSEDE"
	Handoff      Key = "HANDOFF"
	Proposal     Key = "PROPOSAL"
	Principles   Key = "PRINCIPLES"
	Hypotheses   Key = "HYPOTHESES"
	Prefetch     Key = "PREFETCH"
	FactsClean   Key = "FACTSCLEAN"
	LessonsClean Key = "LESSONSCLEAN"
)

// Section is one section of an answer.
type Section struct {
	Key  Key
	Slug string // of a playbook, as the model wrote it; else ""
	Text string // without blank lines at either end
}

// Name is what the section is called in logs: its key, of a playbook with the
// slug.
func (s Section) Name() string {
	if s.Key == Playbook {
		return string(Playbook) + ":" + s.Slug
	}
	return string(s.Key)
}

// Answer is a model's answer taken apart.
type Answer struct {
	Sections []Section // each once, in the order in which they first came
	Dropped  []string  // names of sections that cannot be used whole
}

// Parse takes an answer apart. Thoughts, a fence around the whole answer and
// whatever stands before the first heading are left out. Headings inside code
// do not count. A section that comes again is joined to the first (W11).
//
// cut says that the answer was broken off: then the last piece is not whole. It is
// left out and named in Dropped, and what stood before it stays (W28).
func Parse(s string, cut bool) Answer {
	lines := strings.Split(withoutThoughts(text.Clean(s)), "\n")
	pieces := split(unwrapped(lines), cut)
	var a Answer
	if n := len(pieces); cut && n > 0 {
		a.Dropped = append(a.Dropped, pieces[n-1].Name())
		pieces = pieces[:n-1]
	}
	for _, p := range pieces {
		a.join(p)
	}
	a.Sections = slices.DeleteFunc(a.Sections, func(s Section) bool { return s.Text == "" })
	return a
}

// join adds a piece to its section.
func (a *Answer) join(p Section) {
	for i, s := range a.Sections {
		if s.Key == p.Key && s.Slug == p.Slug {
			a.Sections[i].Text = strings.Trim(s.Text+"\n"+p.Text, "\n")
			return
		}
	}
	a.Sections = append(a.Sections, p)
}

// Text returns the text of a section, "" when there is none.
func (a Answer) Text(key Key) string {
	for _, s := range a.Sections {
		if s.Key == key {
			return s.Text
		}
	}
	return ""
}

// All returns the sections with a key: playbooks can be several.
func (a Answer) All(key Key) []Section {
	var list []Section
	for _, s := range a.Sections {
		if s.Key == key {
			list = append(list, s)
		}
	}
	return list
}

// Only returns the answer with nothing but the sections of these keys; the others
// are named in Dropped.
func (a Answer) Only(keys ...Key) Answer {
	out := Answer{Dropped: slices.Clone(a.Dropped)}
	for _, s := range a.Sections {
		if slices.Contains(keys, s.Key) {
			out.Sections = append(out.Sections, s)
		} else {
			out.Dropped = append(out.Dropped, s.Name())
		}
	}
	return out
}

// split makes pieces of the lines, one for each heading.
func split(lines []string, cut bool) []Section {
	var pieces []Section
	var at head
	begin := -1
	end := func(n int) {
		if begin >= 0 {
			body := strings.Join(lines[begin:n], "\n")
			pieces = append(pieces, Section{Key: at.key, Slug: at.slug, Text: trimBlank(body)})
		}
	}
	code := codeLines(lines, cut)
	for i, line := range lines {
		if code[i] {
			continue
		}
		if h, ok := headOf(line); ok && !at.holds(h) {
			end(i)
			at, begin = h, i+1
		}
	}
	end(len(lines))
	return pieces
}

// trimBlank takes blank lines off both ends. The indentation of the first line
// stays: it tells how a list hangs together.
func trimBlank(s string) string {
	for {
		line, rest, more := strings.Cut(s, "\n")
		if !more || strings.TrimSpace(line) != "" {
			break
		}
		s = rest
	}
	return strings.TrimRight(s, " \t\n")
}
