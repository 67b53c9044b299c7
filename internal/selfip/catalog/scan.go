package catalog

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Scanned is what one reading of a memory file found.
type Scanned struct {
	Rows    []Row
	Units   int   // length of the whole file in UTF-16 code units
	Clean   bool  // lines end in LF alone and there is no byte order mark
	Damaged []int // numbers, from 1, of lines that are not valid UTF-8 or hold a NUL
}

// Scan finds the entries of a memory file. The lines may end in LF, CRLF or CR;
// offsets are those of the bytes as they are. A damaged line is no entry.
func Scan(source int, data []byte, loc *time.Location, judge Judge) Scanned {
	return Rescan(source, data, loc, judge, nil)
}

// Rescan is Scan of a file of which most lines are known: the rows of those that
// stood there before, by line.
func Rescan(source int, data []byte, loc *time.Location, judge Judge, known map[string]Row) Scanned {
	out := Scanned{
		Units: len(data), // less what is longer in bytes, below
		Clean: bytes.IndexByte(data, '\r') < 0 && !bytes.HasPrefix(data, []byte("\ufeff")),
	}
	number := 0
	for line, offset := range Lines(data) {
		number++
		if row, ok := known[string(line)]; ok {
			row.Source, row.Offset = source, int64(offset)
			out.Units -= len(line) - row.Cost
			out.Rows = append(out.Rows, row)
			continue
		}
		raw := string(line)
		out.Units -= len(raw) - text.Len(raw)
		if isDamaged(line) {
			out.Damaged = append(out.Damaged, number)
			continue
		}
		if e, ok := entry.ParseLine(raw); ok {
			trimmed := strings.TrimLeft(raw, " \t\u00a0\ufeff")
			offset += len(raw) - len(trimmed)
			trimmed = strings.TrimRight(trimmed, " \t\u00a0")
			out.Rows = append(out.Rows, NewRow(source, int64(offset), trimmed, e, judge, loc))
		}
	}
	return out
}

// isDamaged reports whether a write was cut inside a line.
func isDamaged(line []byte) bool { return !utf8.Valid(line) || bytes.IndexByte(line, 0) >= 0 }

// Damaged returns the numbers of the damaged lines, as Scan does.
func Damaged(data []byte) (numbers []int) {
	number := 0
	for line := range Lines(data) {
		if number++; isDamaged(line) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Lines yields every line of data with the offset at which it begins. A line
// ends at LF, CRLF or CR, which are not part of it.
func Lines(data []byte) func(yield func(line []byte, offset int) bool) {
	return func(yield func([]byte, int) bool) {
		for offset := 0; offset < len(data); {
			rest := data[offset:]
			end := bytes.IndexAny(rest, "\r\n")
			if end < 0 {
				yield(rest, offset)
				return
			}
			if !yield(rest[:end], offset) {
				return
			}
			offset += end + 1
			if rest[end] == '\r' && end+1 < len(rest) && rest[end+1] == '\n' {
				offset++
			}
		}
	}
}
