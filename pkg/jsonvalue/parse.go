package jsonvalue

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A SyntaxError says where a text stops being JSON. Line and Column count from 1,
// a column in characters.
type SyntaxError struct {
	Line, Column int
	Problem      string
}

// Error gives the place and the problem.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Problem)
}

// Parse reads JSON text as JSON.parse does. Members come in ECMAScript's order:
// keys that are array indexes first, by number, then the others as they stand; of
// two with one name the later value counts, in the place of the earlier. A lone
// surrogate is kept, bytes that are not UTF-8 become U+FFFD. A number that is too
// large is infinite, as there. What nests deeper than 10000 is an error.
func Parse(text []byte) (any, error) { return (&parser{text: string(text)}).document() }

func (p *parser) document() (any, error) {
	p.space()
	v, err := p.value(0)
	if err != nil {
		return nil, p.placed(err)
	}
	p.space()
	if p.at < len(p.text) {
		return nil, p.unexpected()
	}
	return v, nil
}

type parser struct {
	text  string
	at    int
	exact bool     // see ParseExact
	steps []string // to a loss, the last one first
}

// fail makes an error at the present place.
func (p *parser) fail(problem string) error {
	before := p.text[:p.at]
	start := strings.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Line:    strings.Count(before, "\n") + 1,
		Column:  utf8.RuneCountInString(before[start:]) + 1,
		Problem: problem,
	}
}

func (p *parser) unexpected() error {
	if p.at >= len(p.text) {
		return p.fail("unexpected end")
	}
	r, _ := decode(p.text[p.at:])
	return p.fail("unexpected " + strconv.QuoteRune(r))
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// peek returns the byte that comes next, or 0 at the end. No JSON has a 0 outside
// of a string, so both are unexpected.
func (p *parser) peek() byte {
	if p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// take passes over c after white space, if it comes next.
func (p *parser) take(c byte) bool {
	p.space()
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) value(depth int) (any, error) {
	if depth > deepest {
		return nil, p.fail("nested too deeply")
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.str()
	case c == '-' || isDigit(c):
		return p.number()
	}
	return p.word()
}

func (p *parser) word() (any, error) {
	for _, w := range []struct {
		text  string
		value any
	}{{"null", nil}, {"true", true}, {"false", false}} {
		if strings.HasPrefix(p.text[p.at:], w.text) {
			p.at += len(w.text)
			return w.value, nil
		}
	}
	return nil, p.unexpected()
}

func (p *parser) array(depth int) (any, error) {
	p.at++
	items := []any{}
	if p.take(']') {
		return items, nil
	}
	for {
		p.space()
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, p.below(err, "["+strconv.Itoa(len(items))+"]")
		}
		items = append(items, v)
		if p.take(']') {
			return items, nil
		}
		if !p.take(',') {
			return nil, p.unexpected()
		}
	}
}

func (p *parser) object(depth int) (any, error) {
	p.at++
	o := &Object{}
	if p.take('}') {
		return o, nil
	}
	for {
		if err := p.member(o, depth); err != nil {
			return nil, err
		}
		if p.take('}') {
			return o.inOrder(), nil
		}
		if !p.take(',') {
			return nil, p.unexpected()
		}
	}
}

func (p *parser) member(o *Object, depth int) error {
	p.space()
	if p.peek() != '"' {
		return p.unexpected()
	}
	key, err := p.str()
	if err != nil {
		return err
	}
	if !p.take(':') {
		return p.unexpected()
	}
	p.space()
	if p.exact && o.Has(key) {
		return p.below(&LossError{Twice: true}, "."+key)
	}
	v, err := p.value(depth + 1)
	if err != nil {
		return p.below(err, "."+key)
	}
	o.Set(key, v)
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits passes over digits and says whether there was one.
func (p *parser) digits() bool {
	start := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	return p.at > start
}

func (p *parser) number() (any, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if !p.digits() {
		return nil, p.unexpected()
	}
	if p.peek() == '.' {
		p.at++
		if !p.digits() {
			return nil, p.unexpected()
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !p.digits() {
			return nil, p.unexpected()
		}
	}
	// The only error left is that of the range, with an infinity as the answer.
	f, err := strconv.ParseFloat(p.text[start:p.at], 64)
	if err != nil && p.exact {
		return nil, &LossError{}
	}
	return f, nil
}

// str reads a string. What holds no escape is cut out of the text as it is.
func (p *parser) str() (string, error) {
	p.at++
	start := p.at
	var dst []byte // what was read before start, once there was an escape
	for {
		switch c := p.peek(); {
		case c == '"':
			rest := p.text[start:p.at]
			p.at++
			if dst == nil {
				return WellFormed(rest), nil
			}
			return string(appendText(dst, rest)), nil
		case c == '\\':
			dst = appendText(dst, p.text[start:p.at])
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			dst = appendRune(dst, r)
			start = p.at
		case c < ' ':
			return "", p.unexpected()
		default:
			p.at++
		}
	}
}

// appendText appends a text so that the result is well-formed if dst was.
func appendText(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, n := decode(s)
		dst, s = appendRune(dst, r), s[n:]
	}
	return dst
}

func (p *parser) escape() (rune, error) {
	p.at++
	c := p.peek()
	if c == 'u' {
		return p.unicodeEscape()
	}
	i := strings.IndexByte(`btnfr"\/`, c)
	if i < 0 {
		return 0, p.unexpected()
	}
	p.at++
	return rune("\b\t\n\f\r\"\\/"[i]), nil
}

func (p *parser) unicodeEscape() (rune, error) {
	var r rune
	for range 4 {
		p.at++
		i := strings.IndexByte("0123456789abcdefABCDEF", p.peek())
		if i < 0 {
			return 0, p.unexpected()
		}
		if i > 15 {
			i -= 6
		}
		r = r<<4 | rune(i)
	}
	p.at++
	return r, nil
}
