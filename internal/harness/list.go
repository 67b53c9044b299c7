package harness

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// listRows reads a log that may also be one document, whose rows are the items
// of a list in it.
type listRows interface {
	rowReader

	// list names the member that is the list, "" when the document itself is.
	list() string

	// head reads what the document says before the list.
	head(doc jsontext.Value)
}

// rowsOf yields the rows of a log: its lines, or the items of the list when it
// is one document.
func rowsOf(rows rowReader, lines *lineReader) iter.Seq[[]byte] {
	if reader, ok := rows.(listRows); ok {
		start, _ := lines.source.Peek(bufferSize)
		if doc, _, _ := jsontext.First(start); doc != nil {
			if at := openList(doc, reader.list()); at >= 0 {
				reader.head(slices.Clone(doc[:at]))
				_, _ = lines.source.Discard(cap(start) - cap(doc) + at)
				return lines.items()
			}
		}
	}
	return lines.all()
}

// openList returns where the items of the list begin in doc, -1 for no list. A
// document that is one itself has rows in it; a line with an empty list is a row
// of some other log, and no object.
func openList(doc jsontext.Value, name string) int {
	if name != "" {
		return doc.Open(name)
	}
	if at := bytes.IndexFunc(doc[min(1, len(doc)):], notBlank) + 1; doc.IsArray() && at > 0 && doc[at] == '{' {
		return at
	}
	return -1
}

func notBlank(r rune) bool { return r != ' ' && r != '\t' && r != '\n' && r != '\r' }

// items yields the items of the list that the source stands in.
func (l *lineReader) items() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for {
			item, more := l.item()
			if !more || len(item) > 0 && !l.give(item, yield) {
				return
			}
		}
	}
}

// item returns the next item, empty when it is longer than MaxRow, and whether
// there was one.
func (l *lineReader) item() (item []byte, more bool) {
	if !l.toItem() {
		return nil, false
	}
	l.buffer = l.buffer[:0]
	var scanner jsontext.Scanner
	tooLong := false
	for {
		piece, err := peekSome(l.source)
		if err != nil {
			l.ended(err)
			return l.buffer, !tooLong && len(l.buffer) > 0
		}
		n, done := scanner.Feed(piece)
		if tooLong = tooLong || len(l.buffer)+n > MaxRow; tooLong {
			l.buffer = l.buffer[:0]
		} else {
			l.buffer = append(l.buffer, piece[:n]...)
		}
		_, _ = l.source.Discard(n)
		if done && tooLong {
			l.report.Rows++
			l.report.TooLong++
		}
		if done {
			return l.buffer, true
		}
	}
}

// toItem steps to the next item and reports whether there is one: an object, as
// every row is. Whatever else stands in the list is left out.
func (l *lineReader) toItem() bool {
	for {
		c, err := l.source.ReadByte()
		switch {
		case err != nil:
			l.ended(err)
			return false
		case c == ']':
			return false
		case c == '{':
			_ = l.source.UnreadByte()
			return true
		case c == '"' || c == '[': // no row, and it may hold brackets
			l.report.Rows++
			l.report.NotObject++
			_ = l.source.UnreadByte()
			if !l.over() {
				return false
			}
		}
	}
}

// over steps over one value that is no row.
func (l *lineReader) over() bool {
	var scanner jsontext.Scanner
	for {
		piece, err := peekSome(l.source)
		if err != nil {
			l.ended(err)
			return false
		}
		n, done := scanner.Feed(piece)
		_, _ = l.source.Discard(n)
		if done {
			return true
		}
	}
}

// peekSome returns what is buffered, at least one byte.
func peekSome(source *bufio.Reader) ([]byte, error) {
	if _, err := source.Peek(1); err != nil {
		return nil, err
	}
	return source.Peek(source.Buffered())
}

// ended notes why reading stopped inside the list.
func (l *lineReader) ended(err error) {
	l.torn = true
	if err != io.EOF && !isTorn(err) {
		l.err = err
	}
}
