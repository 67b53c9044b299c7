package config

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/fault"
)

// object is one JSON object as it stands in its text. Offsets are those of the
// text that parseObject was given.
type object struct {
	open, close int // of the braces
	members     []member
}

// member is one key and value of an object.
type member struct {
	key      string
	start    int // of the key
	from, to int // of the value
}

// maxDepth bounds nesting: no settings are deeper, and a hostile file must not
// exhaust the stack.
const maxDepth = 200

var byteOrderMark = []byte("\uFEFF")

// errNotObject says that a text is well-formed JSON but no object.
var errNotObject = fault.New(fault.Damaged, codeNotObject, "")

// parseObject reads strict JSON (RFC 8259, UTF-8) that is one object, without
// byte order mark. The error is a fault of kind Damaged with line and column.
func parseObject(text []byte) (object, error) {
	s := scanner{text: text}
	s.blanks()
	var obj object
	if s.peek() != '{' {
		s.value(0)
		s.finish()
		if s.err == nil {
			return obj, errNotObject
		}
		return obj, s.err
	}
	obj = s.object(0)
	s.finish()
	if s.err != nil {
		return object{}, s.err
	}
	return obj, nil
}

// scanner walks over JSON. After the first error it stands still.
type scanner struct {
	text []byte
	pos  int
	err  error
}

func (s *scanner) finish() {
	s.blanks()
	if s.err == nil && s.pos < len(s.text) {
		s.unexpected()
	}
}

// peek returns the next byte, 0 at the end and after an error.
func (s *scanner) peek() byte {
	if s.err != nil || s.pos >= len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) blanks() {
	for s.pos < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.pos]) >= 0 {
		s.pos++
	}
}

// fail notes the error at the present place.
func (s *scanner) fail(code string, more ...any) {
	if s.err != nil {
		return
	}
	line, column := position(s.text, s.pos)
	s.err = fault.New(fault.Damaged, code, append([]any{line, column}, more...)...)
}

// unexpected notes what stands at the present place instead of what must.
func (s *scanner) unexpected() {
	if s.pos >= len(s.text) {
		s.fail(codeEnd)
		return
	}
	r, size := utf8.DecodeRune(s.text[s.pos:])
	switch {
	case r == utf8.RuneError && size == 1:
		s.fail(codeBadUTF8)
	case r == '/' || r == '#':
		s.fail(codeComment)
	default:
		s.fail(codeSyntax, string(r))
	}
}

func (s *scanner) expect(c byte) bool {
	if s.peek() != c {
		s.unexpected()
		return false
	}
	s.pos++
	return true
}

// position returns line and column of an offset, both from 1, the column in
// characters.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

func (s *scanner) object(depth int) object {
	obj := object{open: s.pos}
	s.pos++
	s.blanks()
	for s.peek() != '}' {
		m := s.member(depth)
		s.blanks()
		if s.err != nil {
			return obj
		}
		obj.members = append(obj.members, m)
		if s.peek() == '}' {
			break
		}
		s.comma('}')
	}
	obj.close = s.pos
	s.expect('}')
	return obj
}

// comma passes over a comma that something must follow.
func (s *scanner) comma(end byte) {
	at := s.pos
	if !s.expect(',') {
		return
	}
	s.blanks()
	if s.peek() == end {
		s.pos = at
		s.fail(codeTrailing)
	}
}

func (s *scanner) member(depth int) member {
	m := member{start: s.pos}
	if s.peek() != '"' {
		s.unexpected()
		return m
	}
	m.key = s.str()
	s.blanks()
	s.expect(':')
	s.blanks()
	m.from = s.pos
	s.value(depth + 1)
	m.to = s.pos
	return m
}

func (s *scanner) value(depth int) {
	if depth > maxDepth {
		s.fail(codeDepth)
	}
	switch c := s.peek(); {
	case c == '{':
		s.object(depth)
	case c == '[':
		s.array(depth)
	case c == '"':
		s.str()
	case c == '-' || c >= '0' && c <= '9':
		s.number()
	default:
		s.word()
	}
}

func (s *scanner) array(depth int) {
	s.pos++
	s.blanks()
	for s.err == nil && s.peek() != ']' {
		s.value(depth + 1)
		s.blanks()
		if s.peek() == ']' {
			break
		}
		s.comma(']')
	}
	s.expect(']')
}

func (s *scanner) word() {
	for _, w := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(s.text[s.pos:], []byte(w)) && s.err == nil {
			s.pos += len(w)
			return
		}
	}
	s.unexpected()
}

func (s *scanner) number() {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else {
		s.digits()
	}
	if s.peek() == '.' {
		s.pos++
		s.digits()
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		s.digits()
	}
}

func (s *scanner) digits() {
	from := s.pos
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.pos++
	}
	if s.pos == from {
		s.unexpected()
	}
}

// str reads a string and returns what it means.
func (s *scanner) str() string {
	from := s.pos
	s.pos++
	for s.err == nil {
		switch c := s.peek(); {
		case s.pos >= len(s.text):
			s.fail(codeEnd)
		case c == '"':
			s.pos++
			return s.unquote(from)
		case c == '\\':
			s.pos = min(s.pos+2, len(s.text))
		case c < ' ':
			s.fail(codeBadString)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			s.character()
		}
	}
	return ""
}

func (s *scanner) character() {
	r, size := utf8.DecodeRune(s.text[s.pos:])
	if r == utf8.RuneError && size == 1 {
		s.fail(codeBadUTF8)
		return
	}
	s.pos += size
}

func (s *scanner) unquote(from int) string {
	var value string
	if err := json.Unmarshal(s.text[from:s.pos], &value); err != nil {
		s.pos = from
		s.fail(codeBadString)
	}
	return value
}
