package jsontext

import "bytes"

// Kind is the kind of a Node.
type Kind byte

// The kinds of nodes.
const (
	Object Kind = '{'
	Array  Kind = '['
	String Kind = '"'
	Scalar Kind = '0' // a number, true, false, null
)

// Node is a value of a strictly parsed document; Begin and End are byte offsets
// in it, End after the last byte.
type Node struct {
	Kind       Kind
	Begin, End int
	Members    []Member // of an object, in the order of the text
	Items      []Node   // of an array
}

// Member is a member of an object.
type Member struct {
	Key   string // decoded
	Begin int    // offset of the key's quote
	Value Node
}

// Get returns the last member of that name, or nil.
func (n *Node) Get(key string) *Member {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Key == key {
			return &n.Members[i]
		}
	}
	return nil
}

// Text returns the characters of a string node of the document data, "" for
// other kinds.
func (n *Node) Text(data []byte) string {
	if n.Kind != String {
		return ""
	}
	return Unquote(data[n.Begin:n.End])
}

// Trouble says why a text is not strict JSON.
type Trouble string

// The troubles.
const (
	Comment       Trouble = "comment"        // a comment where none is allowed
	TrailingComma Trouble = "trailing-comma" // a comma before a closing bracket
	Unexpected    Trouble = "unexpected"     // a byte that cannot stand here
	Cut           Trouble = "cut"            // the text ends in the middle
	TooDeep       Trouble = "too-deep"       // nested deeper than any settings are
)

// SyntaxError is where and why a text is not strict JSON.
type SyntaxError struct {
	Trouble Trouble
	Offset  int // bytes from the start
}

// Error gives the trouble; Position turns the offset into a line and column.
func (e *SyntaxError) Error() string { return "not strict JSON: " + string(e.Trouble) }

// Position returns the line and column of an offset, both from 1; a column is a
// byte of the line.
func Position(data []byte, offset int) (line, column int) {
	before := data[:min(offset, len(data))]
	return bytes.Count(before, []byte("\n")) + 1, len(before) - bytes.LastIndexByte(before, '\n')
}

// maxDepth bounds the nesting of a document: settings are never that deep, and
// each level costs stack.
const maxDepth = 500

// Parse reads data as exactly one strict JSON document (RFC 8259); a byte order
// mark in front and bytes that are not UTF-8 inside strings are let through.
// The error is a *SyntaxError.
func Parse(data []byte) (*Node, error) { return parser{data: data}.document() }

// ParseCommented is Parse for files that may hold comments, of both forms, where
// blanks may stand. One that is not closed is none.
func ParseCommented(data []byte) (*Node, error) {
	return parser{data: data, comments: true}.document()
}

func (p parser) document() (*Node, error) {
	data := p.data
	if bytes.HasPrefix(data, byteOrderMark) {
		p.at = len(byteOrderMark)
	}
	p.blanks()
	node := p.value(0)
	if p.blanks(); p.err == nil && p.at < len(data) {
		p.fail(Unexpected)
	}
	if p.err != nil {
		return nil, p.err
	}
	return &node, nil
}

type parser struct {
	data     []byte
	comments bool // are blanks
	at       int
	err      *SyntaxError
}

// fail keeps the first trouble. A slash that begins a comment is named as one,
// whatever was expected in its place.
func (p *parser) fail(t Trouble) {
	if p.err != nil {
		return
	}
	if rest := p.data[p.at:]; t == Unexpected {
		switch {
		case len(rest) == 0:
			t = Cut
		case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
			t = Comment
		}
	}
	p.err = &SyntaxError{Trouble: t, Offset: p.at}
}

func (p *parser) blanks() {
	p.at = blanks(p.data, p.at)
	for p.comments {
		end := CommentEnd(p.data, p.at)
		if end < 0 {
			return
		}
		p.at = blanks(p.data, end)
	}
}

// CommentEnd returns the offset after the comment that begins at offset at of
// data, or -1 when none does. The line feed of a comment to the end of the line
// is not part of it.
func CommentEnd(data []byte, at int) int {
	switch rest := data[min(at, len(data)):]; {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return at + n
		}
		return len(data)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest[2:], []byte("*/")); n >= 0 {
			return at + 2 + n + 2
		}
	}
	return -1
}

func (p *parser) peek() byte {
	if p.at < len(p.data) {
		return p.data[p.at]
	}
	return 0
}

func (p *parser) value(depth int) Node {
	node := Node{Begin: p.at}
	switch c := p.peek(); {
	case depth > maxDepth:
		p.fail(TooDeep)
	case c == '{':
		node.Kind = Object
		p.list('}', func() { node.Members = append(node.Members, p.member(depth+1)) })
	case c == '[':
		node.Kind = Array
		p.list(']', func() { node.Items = append(node.Items, p.value(depth+1)) })
	case c == '"':
		node.Kind = String
		p.text()
	default:
		node.Kind = Scalar
		p.scalar()
	}
	node.End = p.at
	return node
}

// list reads what stands between two brackets, one element a call of element.
func (p *parser) list(closing byte, element func()) {
	p.at++
	if p.blanks(); p.peek() == closing {
		p.at++
		return
	}
	for p.err == nil {
		element()
		p.blanks()
		switch p.peek() {
		case closing:
			p.at++
			return
		case ',':
			comma := p.at
			p.at++
			if p.blanks(); p.peek() == closing {
				p.at = comma
				p.fail(TrailingComma)
			}
		default:
			p.fail(Unexpected)
		}
	}
}

func (p *parser) member(depth int) Member {
	m := Member{Begin: p.at}
	if p.peek() != '"' {
		p.fail(Unexpected)
		return m
	}
	p.text()
	if p.err != nil {
		return m
	}
	m.Key = Unquote(p.data[m.Begin:p.at])
	if p.blanks(); p.peek() != ':' {
		p.fail(Unexpected)
		return m
	}
	p.at++
	p.blanks()
	m.Value = p.value(depth)
	return m
}

func (p *parser) text() {
	for p.at++; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; {
		case c == '"':
			p.at++
			return
		case c < ' ':
			p.fail(Unexpected)
			return
		case c == '\\':
			if !p.escape() {
				p.fail(Unexpected)
				return
			}
		}
	}
	p.fail(Cut)
}

// escape moves to the last byte of the escape at hand.
func (p *parser) escape() bool {
	p.at++
	switch p.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if _, ok := hex4(p.data[p.at-1:]); ok {
			p.at += 4
			return true
		}
	}
	return false
}

func (p *parser) scalar() {
	for _, word := range [...]string{"true", "false", "null"} {
		if bytes.HasPrefix(p.data[p.at:], []byte(word)) {
			p.at += len(word)
			return
		}
	}
	n := number(p.data[p.at:])
	if n == 0 {
		p.fail(Unexpected)
	}
	p.at += n
}

// number returns the length of the number that b begins with, or 0.
func number(b []byte) int {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	whole := digits(b, i)
	if whole == i || b[i] == '0' && whole > i+1 {
		return 0
	}
	i = whole
	if i < len(b) && b[i] == '.' {
		end := digits(b, i+1)
		if end == i+1 {
			return 0
		}
		i = end
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		sign := i + 1
		if sign < len(b) && (b[sign] == '+' || b[sign] == '-') {
			sign++
		}
		end := digits(b, sign)
		if end == sign {
			return 0
		}
		i = end
	}
	return i
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}
