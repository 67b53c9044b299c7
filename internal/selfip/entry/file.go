package entry

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// Line is one line of a partition file.
type Line struct {
	Number int    // from 1
	Raw    string // as it stands in the file, without its line end
	Entry  Entry  // set when OK
	OK     bool   // the line is an entry
}

// Shown returns the line as it is shown and measured: without blanks and byte
// order marks at either end.
func (l Line) Shown() string { return trimLine(l.Raw) }

// Reasons of a Damage.
const (
	InvalidUTF8 = "invalid-utf8"
	HasNUL      = "nul"
)

// Damage is a line that no reader should trust: a write was cut inside it.
type Damage struct {
	Line   int    // number of the line, from 1
	Reason string // InvalidUTF8 or HasNUL
}

// File is a partition file as lines (spec/selfip.md 3.2). What is not
// understood is kept: headings, prose, unknown keys, damaged lines. Its methods
// leave the receiver as it was. The zero File is an empty file.
type File struct {
	Lines  []Line
	Damage []Damage // damaged lines, each once, in file order; they are no entries
	ended  bool     // the last line has a line end
}

// ParseFile reads a partition file. A byte order mark is dropped and CRLF and
// lone CR become LF. A damaged line is no entry; its bytes stay as they are.
func ParseFile(data []byte) File {
	s := strings.TrimPrefix(string(data), "\ufeff")
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if s == "" {
		return File{}
	}
	f := File{Lines: make([]Line, 0, strings.Count(s, "\n")+1)}
	s, f.ended = strings.CutSuffix(s, "\n")
	return f.add(s, utf8.ValidString(s) && strings.IndexByte(s, 0) < 0)
}

// add puts the lines of s at the end. sound says that none is damaged, which
// spares the look at each.
func (f File) add(s string, sound bool) File {
	for raw := range strings.SplitSeq(s, "\n") {
		l := Line{Number: len(f.Lines) + 1, Raw: raw}
		if reason := damage(raw, sound); reason != "" {
			f.Damage = append(f.Damage, Damage{Line: l.Number, Reason: reason})
		} else {
			l.Entry, l.OK = ParseLine(raw)
		}
		f.Lines = append(f.Lines, l)
	}
	return f
}

func damage(raw string, sound bool) string {
	switch {
	case sound:
		return ""
	case strings.IndexByte(raw, 0) >= 0:
		return HasNUL
	case !utf8.ValidString(raw):
		return InvalidUTF8
	}
	return ""
}

// Bytes returns the file as it is written: LF between lines, and at the end
// only if the file that was read had one there.
func (f File) Bytes() []byte {
	size := len(f.Lines)
	for i := range f.Lines {
		size += len(f.Lines[i].Raw)
	}
	out := make([]byte, 0, size)
	for i := range f.Lines {
		if i > 0 {
			out = append(out, '\n')
		}
		out = append(out, f.Lines[i].Raw...)
	}
	if f.ended {
		out = append(out, '\n')
	}
	return out
}

// Append returns the file with the given lines at its end, by the rule of
// spec/selfip.md 4.3: one LF goes in front unless the file is empty, so a file
// that ended in LF gets a blank line there, and none goes behind. Line ends
// inside a line become blanks: one line given is one line written (W9).
func (f File) Append(lines ...string) File {
	if len(lines) == 0 {
		return f
	}
	next := f.clone(len(lines) + 1)
	if f.ended {
		next = next.add("", true)
		next.ended = false
	}
	for _, l := range lines {
		next = next.add(oneLine(l), false)
	}
	return next
}

// Replace returns the file in which line i (an index of Lines) is the entry e.
// The other lines keep their bytes.
func (f File) Replace(i int, e Entry) File {
	next := f.clone(0)
	l := &next.Lines[i]
	l.Raw = e.String()
	l.Entry, l.OK = ParseLine(l.Raw)
	return next
}

func (f File) clone(room int) File {
	f.Lines = append(make([]Line, 0, len(f.Lines)+room), f.Lines...)
	f.Damage = append([]Damage(nil), f.Damage...)
	return f
}

// oneLine is s without line ends; other characters, damaged ones too, stay.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\r' || r == '\n' }), " ")
}

// Live counts the entries that have not been withdrawn (spec/selfip.md 10.3).
func (f File) Live() int {
	live := 0
	for i := range f.Lines {
		if f.Lines[i].OK && f.Lines[i].Entry.Live() {
			live++
		}
	}
	return live
}

// Len returns the length of the file as it is written, in UTF-16 units.
func (f File) Len() int {
	n := max(len(f.Lines)-1, 0)
	for i := range f.Lines {
		n += text.Len(f.Lines[i].Raw)
	}
	if f.ended {
		n++
	}
	return n
}
