package jsrun

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/parser"
	"github.com/evanw/esbuild/pkg/api"

	"github.com/dshkit/dshkit/pkg/text"
)

// Body is a text that is the body of one async function, and of nothing else
// (spec/cordis.md 6.1, 19.4). It is sloppy unless it says otherwise, may await
// and return. It can be handed to another process: Compile then has little to do.
type Body struct {
	Text string // the author's, or what was made of it with a Map
	Map  string // "" when Text is the author's own
}

// SyntaxError says where a text is no JavaScript. Line and Column are 1-based and
// those of the author's text, Column and Width in UTF-16 code units.
type SyntaxError struct {
	Line, Column int
	Width        int    // of the token, at least 1
	Source       string // the line
	Message      string // what the parser says
}

// Error is the message.
func (e *SyntaxError) Error() string { return e.Message }

// The brackets that a body is put between. What closes the one and opens another
// cannot fit the other: behind the arrow function stands a bracket, and no
// statement begins with what may follow there. Both begin on the author's first
// line, so that lines need no correction.
var (
	asArrow    = brackets{arrowStart + ") => {", "\n})()"}
	asFunction = brackets{"async function body() {", "\n}"}
)

const arrowStart = "(async ("

type brackets struct{ open, close string }

func (b brackets) around(src string) string { return b.open + src + b.close }

// CheckBody checks a text as the body of one async function and runs nothing. An
// error is a *SyntaxError.
func CheckBody(name, src string) (*Body, error) {
	if tooNested(src) {
		return nil, &SyntaxError{Line: 1, Column: 1, Width: 1, Source: lineOf(src, 1), Message: "SyntaxError: the program is nested too deeply"}
	}
	written := lower(name, asArrow.around(src))
	if err := refusedByLower(src, asArrow, written.Errors); err != nil {
		return nil, err
	}
	if err := refusedByLower(src, asFunction, lower(name, asFunction.around(src)).Errors); err != nil {
		return nil, err
	}
	b := &Body{Text: src}
	if _, err := b.Compile(name); err == nil {
		return b, nil
	}
	// The engine may lack what esbuild can write differently.
	written = lower(name, asArrow.open+"\n"+src+asArrow.close)
	b = &Body{Text: withHelpers(string(written.Code)), Map: lineUp(string(written.Map))}
	if _, err := b.Compile(name); err != nil {
		return nil, placed(src, err)
	}
	return b, nil
}

// CompileBody is CheckBody and Compile at once, for a text that was checked
// before: esbuild is asked only when the engine does not take it as it is.
func CompileBody(name, src string) (*Program, error) {
	b := &Body{Text: src}
	if !tooNested(src) {
		if _, err := goja.Parse(name, asFunction.around(src), parser.WithDisableSourceMaps); err == nil {
			if p, err := b.Compile(name); err == nil {
				return p, nil
			}
		}
	}
	b, err := CheckBody(name, src)
	if err != nil {
		return nil, err
	}
	return b.Compile(name)
}

// Compile gives a program whose value is the promise that the function returned.
func (b *Body) Compile(name string) (*Program, error) {
	if b.Map != "" {
		return compileBundle(name, []byte(b.Text), []byte(b.Map))
	}
	return compileBehind(name, asArrow.open, b.Text+asArrow.close)
}

// withHelpers puts the helpers that esbuild writes before the function into a
// function of their own: as variables of the script they would be globals. No line
// moves.
func withHelpers(code string) string {
	helpers, body, ok := strings.Cut(code, "\n"+arrowStart)
	if !ok || strings.HasPrefix(code, arrowStart) {
		return code
	}
	body = strings.TrimSuffix(strings.TrimRight(body, "\n"), ";")
	return "(() => {" + helpers + "\nreturn " + arrowStart + body + "})()\n"
}

// lower writes what the engine lacks differently, and refuses what is no plain
// JavaScript. import.meta is left for the engine to refuse: a body is no module.
func lower(name, text string) api.TransformResult {
	unsupported := map[string]bool{}
	for feature, on := range lacking() {
		if feature != "import-meta" {
			unsupported[feature] = on
		}
	}
	return api.Transform(text, api.TransformOptions{
		Loader: api.LoaderJS, Target: api.ESNext, Supported: unsupported, Sourcefile: escaped(name),
		Sourcemap: api.SourceMapExternal, SourcesContent: api.SourcesContentExclude,
		LegalComments: api.LegalCommentsNone, LogLevel: api.LogLevelSilent, LogLimit: 1,
	})
}

// refusedByLower is the first of esbuild's errors, nil if there is none.
func refusedByLower(src string, b brackets, messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	first := messages[0]
	e := &SyntaxError{Line: 1, Column: 1, Width: 1, Message: "SyntaxError: " + first.Text}
	if l := first.Location; l != nil {
		e.Line, e.Column = l.Line, text.Len(prefix(l.LineText, l.Column))+1
		e.Width = max(1, text.Len(prefix(l.LineText, l.Column+l.Length))+1-e.Column)
		if l.Line == 1 {
			e.Column -= text.Len(b.open)
		}
	}
	return e.within(src).atImport().atQuote()
}

// atImport moves the place of what esbuild says of an import statement from the
// token that it did not expect to the statement: it takes it for import().
func (e *SyntaxError) atImport() *SyntaxError {
	before := strings.TrimRight(cutUnits(e.Source, e.Column-1), " \t")
	if head, ok := strings.CutSuffix(before, "import"); ok && strings.TrimSpace(head) == "" {
		e.Column, e.Width = text.Len(head)+1, len("import")
		e.Message = "SyntaxError: Cannot use an import statement in the body of a function"
	}
	return e
}

// atQuote moves the place of an unterminated text from the end of the line to the
// quote that opens it.
func (e *SyntaxError) atQuote() *SyntaxError {
	if !strings.HasPrefix(e.Message, "SyntaxError: Unterminated string") {
		return e
	}
	var quote rune
	open, escaped := 0, false
	for i, r := range e.Source {
		switch {
		case escaped:
			escaped = false
		case quote != 0 && r == '\\':
			escaped = true
		case quote == 0 && strings.ContainsRune("'\"`", r):
			quote, open = r, i
		case r == quote:
			quote = 0
		}
	}
	if quote != 0 {
		e.Column, e.Width = text.Len(e.Source[:open])+1, text.Len(e.Source[open:])
	}
	return e
}

// cutUnits is the beginning of s that is n UTF-16 code units long.
func cutUnits(s string, n int) string {
	for i, r := range s {
		if n--; r > 0xFFFF {
			n--
		}
		if n < 0 {
			return s[:i]
		}
	}
	return s
}

func prefix(s string, n int) string { return s[:min(max(n, 0), len(s))] }

// placed is an error of the engine as a SyntaxError.
func placed(src string, err error) error {
	e := &SyntaxError{Line: 1, Column: 1, Width: 1, Message: err.Error()}
	at := func(p file.Position, message string) {
		e.Line, e.Column, e.Message = p.Line, p.Column, "SyntaxError: "+message
	}
	var syntax *goja.CompilerSyntaxError
	var list parser.ErrorList
	switch {
	case errors.As(err, &syntax) && syntax.File != nil:
		at(syntax.File.Position(syntax.Offset), syntax.Message)
	case errors.As(err, &list) && len(list) > 0:
		at(list[0].Position, list[0].Message)
		if e.Line == 1 { // the parser counts what stands before the text
			e.Column -= text.Len(asArrow.open)
		}
	}
	return e.within(src)
}

// within corrects a place behind the author's text to its end.
func (e *SyntaxError) within(src string) *SyntaxError {
	lines := strings.Count(src, "\n") + 1
	if e.Line > lines {
		e.Line, e.Column = lines, text.Len(lineOf(src, lines))+1
	}
	e.Line = max(e.Line, 1)
	e.Source = lineOf(src, e.Line)
	e.Column = min(max(e.Column, 1), text.Len(e.Source)+1)
	e.Width = min(e.Width, max(1, text.Len(e.Source)+1-e.Column))
	return e
}

// lineOf is a line of a text, counted from 1, without its end.
func lineOf(src string, n int) string {
	for line := range strings.SplitSeq(src, "\n") {
		if n--; n == 0 {
			return strings.TrimSuffix(line, "\r")
		}
	}
	return ""
}

// String shows the place, for logs.
func (e *SyntaxError) String() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message) }
