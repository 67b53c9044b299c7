package text

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Printable returns s as Clean does, and without what turns the direction of the
// text, so that it reads as it is and steers no terminal.
func Printable(s string) string {
	s = Clean(s)
	if strings.IndexFunc(s, turns) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if turns(r) {
			return -1
		}
		return r
	}, s)
}

// turns reports whether r embeds, overrides or isolates a direction.
func turns(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// EscapeControls returns JSON with escapes for the characters that it may hold
// as they are and that steer a terminal: DEL, the C1 controls, and what turns
// the direction of the text.
func EscapeControls(doc []byte) []byte {
	if bytes.IndexFunc(doc, steers) < 0 {
		return doc
	}
	var out bytes.Buffer
	for len(doc) > 0 {
		r, size := utf8.DecodeRune(doc)
		if steers(r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.Write(doc[:size])
		}
		doc = doc[size:]
	}
	return out.Bytes()
}

func steers(r rune) bool { return r >= 0x7F && r <= 0x9F || turns(r) }
