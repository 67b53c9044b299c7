package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// Note is something that a reader found wrong with a file.
type Note struct {
	Code  string // stable, see fault.go
	Count int    // of bytes or lines
}

// Evidence returns the content of a file as valid UTF-8 with LF line ends and
// without NUL, control characters and byte order marks. A run of NUL, the hole
// that a crash leaves, ends a line. What was taken out is noted once.
func Evidence(content string) (string, []Note) {
	var notes []Note
	if n := strings.Count(content, "\x00"); n > 0 {
		notes = append(notes, Note{codeNUL, n})
		content = strings.Join(strings.FieldsFunc(content, func(r rune) bool { return r == 0 }), "\n")
	}
	if n := badBytes(content); n > 0 {
		notes = append(notes, Note{codeBytes, n})
	}
	return text.Clean(content), notes
}

// badBytes counts the bytes that are no part of a character.
func badBytes(s string) int {
	if utf8.ValidString(s) {
		return 0
	}
	n := 0
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				n++
			}
		}
	}
	return n
}
