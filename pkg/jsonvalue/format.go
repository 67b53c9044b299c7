package jsonvalue

import (
	"math"
	"strings"
)

// deepest is how far Parse and Format follow a nesting: further than any text in
// use, and short of what the stack holds.
const deepest = 10_000

// Quote writes a text as JSON.stringify does: in double quotes, short escapes
// where there are such, \u00xx for other controls and \udxxx for a lone surrogate,
// all else as it is.
func Quote(s string) string { return string(appendQuoted(nil, s)) }

const hexDigits = "0123456789abcdef"

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0 // what stands before it is written
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < 0x80 && c != '"' && c != '\\' {
			i++
			continue
		}
		r, n := decode(s[i:])
		if r >= ' ' && r != '"' && r != '\\' && !isSurrogate(r) && n != 6 && (r != '\uFFFD' || n == 3) {
			i += n
			continue
		}
		dst = append(dst, s[done:i]...)
		dst = appendEscaped(dst, r)
		i += n
		done = i
	}
	dst = append(dst, s[done:]...)
	return append(dst, '"')
}

// appendEscaped writes a character that does not stand for itself, or was not
// written as it should.
func appendEscaped(dst []byte, r rune) []byte {
	if i := strings.IndexRune("\b\t\n\f\r\"\\", r); i >= 0 {
		return append(dst, '\\', `btnfr"\`[i])
	}
	if r < ' ' || isSurrogate(r) {
		return append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
	}
	return appendRune(dst, r)
}

// Format writes a value as JSON.stringify(v) does. What JSON cannot hold is left
// out of objects and null elsewhere; so is what nests deeper than 10000.
func Format(v any) string { return FormatIndent(v, "") }

// FormatIndent writes a value as JSON.stringify(v, null, indent) does.
func FormatIndent(v any, indent string) string {
	f := formatter{indent: indent, line: "\n"}
	f.value(v)
	return string(f.dst)
}

type formatter struct {
	dst    []byte
	indent string
	line   string // a line end and the indent of the present depth
	depth  int
}

func (f *formatter) value(v any) {
	if f.depth > deepest {
		v = nil
	}
	switch v := v.(type) {
	case bool:
		f.dst = append(f.dst, boolText(v)...)
	case float64:
		f.number(v)
	case string:
		f.dst = appendQuoted(f.dst, v)
	case []any:
		f.array(v)
	case *Object:
		f.object(v)
	default:
		f.dst = append(f.dst, "null"...)
	}
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func (f *formatter) number(n float64) {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		f.dst = append(f.dst, "null"...)
		return
	}
	f.dst = append(f.dst, FormatNumber(n)...)
}

func (f *formatter) array(items []any) {
	if len(items) == 0 {
		f.dst = append(f.dst, "[]"...)
		return
	}
	outer := f.open('[')
	for i, item := range items {
		f.next(i)
		f.value(item)
	}
	f.shut(outer, ']')
}

func (f *formatter) object(o *Object) {
	outer, n := f.open('{'), 0
	for key, v := range o.All() {
		if leftOut(v) {
			continue
		}
		f.next(n)
		n++
		f.dst = append(appendQuoted(f.dst, key), ':')
		if f.indent != "" {
			f.dst = append(f.dst, ' ')
		}
		f.value(v)
	}
	if n == 0 {
		f.line, f.depth = outer, f.depth-1
		f.dst = append(f.dst, '}')
		return
	}
	f.shut(outer, '}')
}

// leftOut says whether JSON.stringify passes over such a member.
func leftOut(v any) bool {
	if _, ok := v.(Hole); ok {
		return true
	}
	f, ok := v.(Foreign)
	return ok && (f.Kind == Undefined || f.Kind == Function || f.Kind == Symbol)
}

// open begins an array or object and returns the line end for its closing.
func (f *formatter) open(bracket byte) (outer string) {
	outer = f.line
	f.dst = append(f.dst, bracket)
	f.line += f.indent
	f.depth++
	return outer
}

// next stands before each element.
func (f *formatter) next(i int) {
	if i > 0 {
		f.dst = append(f.dst, ',')
	}
	if f.indent != "" {
		f.dst = append(f.dst, f.line...)
	}
}

func (f *formatter) shut(outer string, bracket byte) {
	f.line = outer
	f.depth--
	if f.indent != "" {
		f.dst = append(f.dst, outer...)
	}
	f.dst = append(f.dst, bracket)
}
