package install

import (
	"bytes"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// What stands between the elements of a container is commas, blanks and, where
// the harness allows them, comments. This file takes elements out there.

// commented reports whether a comment stands between the elements of container.
func (f *hooksFile) commented(container *jsontext.Node) bool {
	if !f.layout.comments {
		return false
	}
	spans := spansOf(container)
	at := container.Begin + 1
	for _, s := range spans {
		if bytes.IndexByte(f.data[at:s.begin], '/') >= 0 {
			return true
		}
		at = s.end
	}
	return bytes.IndexByte(f.data[at:container.End-1], '/') >= 0
}

// removeBetween takes elements out and leaves every comment where it is: each
// goes with the blanks before it and with one comma, the one before it when
// something there is kept, else the one after it.
func (f *hooksFile) removeBetween(container *jsontext.Node, spans []span, gone func(i int) bool) []edit {
	var edits []edit
	kept := false
	for i, s := range spans {
		if !gone(i) {
			kept = true
			continue
		}
		from := container.Begin + 1
		if i > 0 {
			from = spans[i-1].end
		}
		if kept {
			comma := f.comma(from, s.begin)
			edits = append(edits, edit{comma, comma + 1, ""})
		}
		edits = append(edits, edit{f.blanksBefore(from, s), s.end, ""})
		if !kept && i+1 < len(spans) {
			comma := f.comma(s.end, spans[i+1].begin)
			edits = append(edits, edit{comma, comma + 1, ""})
		}
	}
	return edits
}

// comma returns where the comma between two elements is.
func (f *hooksFile) comma(from, to int) int {
	for i := from; i < to; i++ {
		if end := jsontext.CommentEnd(f.data, i); end > 0 {
			i = end - 1
		} else if f.data[i] == ',' {
			return i
		}
	}
	return to
}

// blanksBefore returns where the blanks before an element begin, not before the
// offset from. The end of a line that a comment needs is not one of them, unless
// another follows the element.
func (f *hooksFile) blanksBefore(from int, s span) int {
	begin, to := from, s.begin
	endsLine := bytes.HasPrefix(bytes.TrimLeft(f.data[s.end:], "\r"), []byte("\n"))
	for i := from; i < to; i++ {
		end := jsontext.CommentEnd(f.data, i)
		switch c := f.data[i]; {
		case end > 0 && bytes.HasPrefix(f.data[i:], []byte("//")):
			if begin, i = min(end+1, to), end; endsLine {
				begin = end
			}
		case end > 0:
			begin, i = end, end-1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			begin = i + 1
		}
	}
	return begin
}
