package cli

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

const codeWriteFailed = "write-failed" // the answer could not be written

// A Report is what came of a command. Its two methods say the same: Text for a
// person, JSON for a program as a value of an exported type with documented
// keys. A list that is nil becomes [].
type Report interface {
	Text(w *Writer)
	JSON() any
}

// Report writes r to standard output: as one JSON document with --json, else as
// text. In a dry run the document says so: "dryRun" is its first key. The error
// is a fault of kind Failed.
func (env *Env) Report(r Report) error {
	return env.report(r, nil)
}

// ReportWith writes r like Report and returns err, which is why the command is no
// success although there is something to report; nil when it is one. With --json
// both are one document: the key "error" is added to that of r, and nothing is
// written after it.
func (env *Env) ReportWith(r Report, err error) error {
	if failed := env.report(r, err); failed != nil {
		return failed
	}
	env.told = err
	return err
}

// ReportAs writes r like Report and returns err, which says how the command ends:
// for a result that has a form of its own, in which it tells by itself what it
// came to. Nothing of err is added to the document.
func (env *Env) ReportAs(r Report, err error) error {
	if failed := env.report(r, nil); failed != nil {
		return failed
	}
	env.told = err
	return err
}

func (env *Env) report(r Report, with error) error {
	if env.Flags.DryRun {
		defer env.Note("dry-run")
	}
	if !env.Flags.JSON {
		w := env.Writer()
		r.Text(w)
		return w.Flush()
	}
	doc, err := marked(r.JSON(), env.Flags.DryRun)
	if err != nil {
		return err
	}
	if with != nil {
		if doc, err = joined(doc, errorDocument{env.errorBody(with)}); err != nil {
			return err
		}
	}
	return write(env.Out, doc)
}

// Document writes v to standard output as one JSON document and a newline,
// whatever the flags say: for replies of a protocol.
func (env *Env) Document(v any) error { return writeJSON(env.Out, v, false) }

// Writer collects text for standard output and writes it at once, so that a
// failure never leaves half an answer.
type Writer struct {
	env    *Env
	buf    bytes.Buffer
	colour bool
}

// Writer returns a Writer for standard output.
func (env *Env) Writer() *Writer { return &Writer{env: env, colour: env.colourful()} }

// colourful reports whether standard output is a terminal that wants colour.
func (env *Env) colourful() bool {
	return env.IsTerminal != nil && env.IsTerminal(env.Out) &&
		env.Getenv("NO_COLOR") == "" && env.Getenv("TERM") != "dumb"
}

// Say writes the sentence of id and a line end.
func (w *Writer) Say(id string, args ...any) { w.Line(w.env.Say(id, args...)) }

// Line writes s and a line end. Control characters of outside text are dropped.
func (w *Writer) Line(s string) {
	w.buf.WriteString(w.clean(s))
	w.buf.WriteByte('\n')
}

// Print writes s as it is: text that is itself the product, as an injected block.
func (w *Writer) Print(s string) { w.buf.WriteString(s) }

// Word returns the sentence of family and word together, or the word itself when
// a file, written by hand or by a newer version, brings one that is not known.
func (w *Writer) Word(family, word string) string {
	if !w.env.Has(family + word) {
		return word
	}
	return w.env.Say(family + word)
}

// Phrase returns the sentence of id without writing it.
func (w *Writer) Phrase(id string, args ...any) string { return w.env.Say(id, args...) }

// The styles that lines may hold.
const (
	plainStyle = "\x1b[0m"
	boldStyle  = "\x1b[1m"
	dimStyle   = "\x1b[2m"
	alarmStyle = "\x1b[31m"
)

// Bold returns s so that the eye finds it on a terminal, elsewhere s.
func (w *Writer) Bold(s string) string { return w.style(boldStyle, s) }

// Dim returns s so that the eye passes over it on a terminal, elsewhere s.
func (w *Writer) Dim(s string) string { return w.style(dimStyle, s) }

// Alarm returns s in red on a terminal, elsewhere s.
func (w *Writer) Alarm(s string) string { return w.style(alarmStyle, s) }

func (w *Writer) style(style, s string) string {
	if !w.colour || s == "" {
		return s
	}
	return style + s + plainStyle
}

// clean drops the control characters of s except tabs, line feeds and our own
// styles: an escape sequence in a stored text must not reach the terminal.
func (w *Writer) clean(s string) string {
	if !w.colour || !strings.Contains(s, "\x1b") {
		return text.Printable(s)
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, "\x1b")
		b.WriteString(text.Printable(before))
		if !found {
			return b.String()
		}
		s = rest
		for _, style := range []string{plainStyle, boldStyle, dimStyle, alarmStyle} {
			if after, ours := strings.CutPrefix(rest, style[1:]); ours {
				b.WriteString(style)
				s = after
			}
		}
	}
}

// Flush writes what was collected. The error is a fault of kind Failed.
func (w *Writer) Flush() error { return write(w.env.Out, w.buf.Bytes()) }

func write(out io.Writer, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if _, err := out.Write(b); err != nil {
		var onPath *fs.PathError // the name of the stream says nothing
		if errors.As(err, &onPath) {
			err = onPath.Err
		}
		return fault.New(fault.Failed, codeWriteFailed).Because(err)
	}
	return nil
}
