// Package gate holds the text of a half against the syntax that a body may have,
// and reports what is wrong in the one form that define and run share
// (spec/cordis.md 6.2, 19.4): half, place, source line, caret, the parser's own
// text and one hint. It runs nothing.
package gate

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

// Half names one text of a Package.
type Half string

// The halves.
const (
	Host   Half = "host"
	Client Half = "client"
)

// Code is the code of the fault that Check returns.
const Code = "syntax"

// Hint is the one piece of advice of a Report.
type Hint string

// The hints.
const (
	TypeScript Hint = "typescript"    // the offending line has the word as
	Body       Hint = "function-body" // all else
)

// Report is what is wrong with a text. Lines and columns are those of the text
// itself, from 1, columns and Width in UTF-16 code units; a Line of 0 says that the
// place is not known.
type Report struct {
	Half                Half
	Line, Column, Width int
	Source              string // the offending line
	Problem             string // what the parser says
	Hint                Hint
}

// Check holds the text of a half against the gate. An error is a *fault.Error of
// the code Code, which names the half ("code.host"), line, column and hint, with
// the *Report as its cause.
func Check(half Half, source string) error {
	_, err := jsrun.CheckBody("code."+string(half), source)
	e, ok := errors.AsType[*jsrun.SyntaxError](err)
	if !ok {
		return err
	}
	r := &Report{half, e.Line, e.Column, e.Width, e.Source, e.Message, hintFor(e.Source)}
	return fault.New(fault.Usage, Code, "code."+string(half), r.Line, r.Column, string(r.Hint)).Because(r)
}

// Thrown is the report of a SyntaxError that the evaluation of a half ended with:
// one of the engine, or one that plugin code made. Its place is not known.
func Thrown(half Half, message string) *Report {
	return &Report{Half: half, Problem: message, Hint: Body}
}

// hintFor looks for the word as, in the offending line alone: prose elsewhere
// says nothing.
func hintFor(line string) Hint {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return !isWord(r) }) {
		if word == "as" {
			return TypeScript
		}
	}
	return Body
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Error is the whole report in English, as plugin code and models see it.
func (r *Report) Error() string { return r.In("en") }

// In is the whole report in a language: Chinese for "zh-CN", else English. What
// the parser says is in its own words.
func (r *Report) In(language string) string {
	w := wordsIn(language)
	var b strings.Builder
	fmt.Fprintf(&b, w.head, r.Half)
	if r.Line > 0 {
		fmt.Fprintf(&b, w.place, r.Line, r.Column)
		fmt.Fprintf(&b, "\n%s\n%s", r.Source, r.caret())
	}
	fmt.Fprintf(&b, "\n%s\n\n%s", r.Problem, w.hints[r.Hint])
	return b.String()
}

// caret is the row under the source line. Tabs stay tabs, and a wide character
// takes two columns.
func (r *Report) caret() string {
	var b strings.Builder
	at := 1
	for _, c := range r.Source {
		if at >= r.Column {
			break
		}
		switch {
		case c == '\t':
			b.WriteByte('\t')
		case isWide(c):
			b.WriteString("  ")
		default:
			b.WriteByte(' ')
		}
		if at++; c > 0xFFFF {
			at++
		}
	}
	return b.String() + strings.Repeat("^", max(r.Width, 1))
}

// isWide says whether a character takes two columns of a terminal.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303F || r >= 0xFF01 && r <= 0xFF60 || r >= 0x1F300 && r <= 0x1FAFF
}
