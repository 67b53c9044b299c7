package retro

import (
	"bytes"
	"time"
)

// A Queue is the waiting items, oldest first, or the dead ones. Its methods
// return a new Queue and leave the receiver as it was.
type Queue []Item

// BadLine is a line of a queue file that is no row. It belongs in a side file:
// Format does not write it again.
type BadLine struct {
	Line int    // counted from 1
	Raw  string // the line without its end
	Torn bool   // the last line, and its end is missing: a write was cut short
}

// Parse reads a queue file. It never fails: what is no row comes back as bad.
// Lines end in LF, CRLF or CR, a byte order mark is dropped, blank lines and
// runs of NUL that a crash left are skipped. Arrays, numbers and null are no
// rows (spec/selfip.md 3.4 lets arrays pass; nothing can be done with them).
func Parse(data []byte) (Queue, []BadLine) {
	q := make(Queue, 0, bytes.Count(data, []byte("\n"))+1)
	var bad []BadLine
	for number := 1; len(data) > 0; number++ {
		var line []byte
		var ended bool
		line, data, ended = cutLine(data)
		trimmed := bytes.Trim(line, " \t\x00\ufeff")
		if len(trimmed) == 0 {
			continue
		}
		if item, ok := parseRow(trimmed); ok {
			q = append(q, item)
			continue
		}
		bad = append(bad, BadLine{Line: number, Raw: string(line), Torn: !ended})
	}
	return q, bad
}

// cutLine splits off the first line. CR cannot stand inside a JSON string, so it
// ends a line wherever it is; the other separators of Unicode can, and do not.
func cutLine(data []byte) (line, rest []byte, ended bool) {
	end := bytes.IndexAny(data, "\r\n")
	if end < 0 {
		return data, nil, false
	}
	line, rest = data[:end], data[end+1:]
	if data[end] == '\r' && len(rest) > 0 && rest[0] == '\n' {
		rest = rest[1:]
	}
	return line, rest, true
}

// Format writes a queue file: one JSON object a line, LF at the end of each, no
// byte for an empty queue.
func (q Queue) Format() []byte {
	var b bytes.Buffer
	for _, item := range q {
		b.WriteString(item.line())
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// FormatBad writes bad lines as rows for the side file: one JSON object a line
// with at (a stamp), line, torn (only when true) and text.
func FormatBad(bad []BadLine, now time.Time) []byte {
	var b bytes.Buffer
	for _, line := range bad {
		var w rowWriter
		w.add(`"at"`, encodeString(now.Format(stampLayout)))
		w.add(`"line"`, encodeCount(int64(line.Line)))
		w.add(`"torn"`, encodeFlag(line.Torn))
		w.add(`"text"`, encodeString(line.Raw))
		b.WriteString(w.close())
		b.WriteByte('\n')
	}
	return b.Bytes()
}
