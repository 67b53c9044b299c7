package learn

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// What one session may add.
const (
	keptLessons   = 3
	keptFacts     = 6
	keptResources = 4
	keptMethods   = 2
)

// reason is why something was seen and not kept.
type reason int

const (
	leftMoment reason = iota
	leftVague
	leftSecret
	leftAddress
	leftOpen
	leftTransient
	leftEveryday
	leftKnown
	leftLimit
	leftOld
	reasons
)

// Conclude returns what the session has taught so far. known is the entries
// that the library holds, read once in its order; it may be nil. What an entry
// says already is left out, and what a line corrects is named.
func (e *Engine) Conclude(known iter.Seq[entry.Entry]) Conclusions {
	left := e.left // Conclude may be called again
	defer func() { e.left = left }()
	facts, statements := e.facts()
	c := Conclusions{
		Lessons:   append(e.complaintLines(), e.lessonLines()...),
		Facts:     facts,
		Resources: e.resources(),
		Methods:   e.methods(statements),
		Handoff:   e.handoff(),
	}
	if known != nil {
		e.compare(&c, statements, known)
	}
	for _, f := range e.failures {
		if f.closed == 0 && f.line != "" {
			e.left[leftOpen]++
		}
	}
	c.Lessons = e.limit(c.Lessons, keptLessons+len(e.complaints))
	c.Facts = e.limit(c.Facts, keptFacts)
	c.Resources = e.limit(c.Resources, keptResources)
	c.Methods = e.limit(c.Methods, keptMethods)
	c.Left = e.leftLines()
	return c
}

// limit keeps the first n lines, each once.
func (e *Engine) limit(list []Conclusion, n int) []Conclusion {
	seen := make(map[string]bool)
	list = slices.DeleteFunc(list, func(c Conclusion) bool {
		folded := text.Fold(c.Text)
		dup := seen[folded]
		seen[folded] = true
		return dup
	})
	if extra := len(list) - n; extra > 0 {
		e.left[leftLimit] += extra
		list = list[:n]
	}
	return list
}

// facts are the statements, corrections and strong rules first, newest first.
func (e *Engine) facts() ([]Conclusion, []statement) {
	kept := slices.Clone(e.statements)
	slices.Reverse(kept)
	slices.SortStableFunc(kept, func(a, b statement) int { return cmp.Compare(b.importance, a.importance) })
	list := make([]Conclusion, 0, len(kept))
	for _, s := range kept {
		list = append(list, Conclusion{Kind: s.kind, Text: s.text, Importance: s.importance, Source: "user", Evidence: []Quote{s.quote}})
	}
	return list, kept
}

// lessonLines are the lessons that tell something, heaviest first, newest first.
func (e *Engine) lessonLines() []Conclusion {
	kept := slices.Clone(e.lessons)
	slices.Reverse(kept)
	slices.SortStableFunc(kept, func(a, b lesson) int { return cmp.Compare(b.weight, a.weight) })
	var list []Conclusion
	for _, l := range kept {
		switch {
		case !l.tells():
			e.left[leftEveryday]++
		case !l.isProcedure():
			list = append(list, l.conclusion(e))
		}
	}
	return list
}

// compare leaves out what the library holds and finds what a line corrects, in
// one pass over the library.
func (e *Engine) compare(c *Conclusions, statements []statement, known iter.Seq[entry.Entry]) {
	held := make(map[string]bool)
	var seen []string
	keys := foldedLines(c)
	best := make([]int, len(statements))
	for en := range known {
		if !en.Live() {
			continue
		}
		folded := text.Fold(en.Text)
		for _, key := range keys {
			if !held[key] && saysTheSame(folded, key) {
				held[key] = true
				seen = append(seen, key)
			}
		}
		for i, s := range statements {
			if n := s.overturns(folded); n > 0 && n >= best[i] {
				best[i], c.Facts[i].Replaces = n, en.ID()
			}
		}
	}
	e.left[leftKnown] += len(seen)
	drop := func(list []Conclusion) []Conclusion {
		return slices.DeleteFunc(list, func(c Conclusion) bool { return held[keyOf(c)] })
	}
	c.Lessons, c.Facts, c.Resources, c.Methods = drop(c.Lessons), drop(c.Facts), drop(c.Resources), drop(c.Methods)
}

func foldedLines(c *Conclusions) []string {
	var keys []string
	for _, list := range [...][]Conclusion{c.Lessons, c.Facts, c.Resources, c.Methods} {
		for _, line := range list {
			keys = append(keys, keyOf(line))
		}
	}
	return keys
}

// keyOf is what the same line has in common with an entry: the address of a
// resource, else the folded text.
func keyOf(c Conclusion) string {
	if c.Kind == entry.Resource {
		if parts := strings.Split(c.Text, " | "); len(parts) > 1 {
			return text.Fold(parts[1])
		}
	}
	return text.Fold(c.Text)
}

// saysTheSame reports whether an entry holds a line, with little around it
// unless the line is an address.
func saysTheSame(entryText, line string) bool {
	if !strings.Contains(entryText, line) {
		return false
	}
	rest := entryText[strings.Index(entryText, line)+len(line):]
	if strings.Contains(line, "://") && !strings.Contains(line, " ") {
		return rest == "" || !isWordByte(rest[0]) && rest[0] != '/' && rest[0] != '?' && rest[0] != '.'
	}
	return len(line)*10 >= len(entryText)*7
}

// overturns returns how much an entry looks like the one that the statement
// corrects, 0 when it does not: it is about the same subject and says something
// else of it.
func (s statement) overturns(entryText string) int {
	if !s.corrects && s.subject == "" || s.value != "" && containsWord(entryText, s.value) {
		return 0
	}
	extra := 0
	switch {
	case s.subject != "" && hasSubject(entryText, s.subject):
		extra = 2
	case s.old != "" && containsWord(entryText, s.old) && (s.subject == "" || sharesSubject(entryText, s.subject)):
		extra = 1
	default:
		return 0
	}
	return extra + shared(marksOf(s.text), marksOf(entryText))
}

// hasSubject reports whether an entry begins by naming the subject as the thing
// it is about.
func hasSubject(entryText, subject string) bool {
	entryText = strings.TrimPrefix(entryText, "the ")
	rest, ok := strings.CutPrefix(entryText, strings.TrimPrefix(subject, "the "))
	if !ok {
		return false
	}
	rest = strings.TrimLeft(rest, " ")
	for _, copula := range [...]string{"is ", "are ", "=", ":", "：", "是", "为", "在", "lives ", "live ", "应该", "用", "listens ", "runs "} {
		if strings.HasPrefix(rest, copula) {
			return true
		}
	}
	return false
}

// sharesSubject reports whether at least half of what makes the subject
// recognisable occurs in an entry.
func sharesSubject(entryText, subject string) bool {
	marks := marksOf(subject)
	return len(marks) > 0 && 2*shared(marks, marksOf(entryText)) >= len(marks)
}

// containsWord reports whether s holds w as whole words.
func containsWord(s, w string) bool {
	for at := 0; w != ""; {
		i := strings.Index(s[at:], w)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(w)
		if (i == 0 || !isWordByte(s[i-1]) || !isWordByte(w[0])) && (end == len(s) || !isWordByte(s[end]) || !isWordByte(w[len(w)-1])) {
			return true
		}
		at = i + 1
	}
	return false
}

// leftLines names what was seen and not kept.
func (e *Engine) leftLines() []string {
	w := e.words
	var lines []string
	for i, format := range [reasons]string{
		w.LeftMoment, w.LeftVague, w.LeftSecret, w.LeftAddress, w.LeftOpen, w.LeftTransient, w.LeftEveryday, w.LeftKnown, w.LeftLimit, w.LeftOld,
	} {
		if n := e.left[i]; n > 0 {
			lines = append(lines, fmt.Sprintf(format, n))
		}
	}
	return lines
}
