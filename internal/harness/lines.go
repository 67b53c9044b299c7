package harness

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// MaxRow is the longest row of a log that is read, in bytes. Rows above 100 KB
// are normal; above this they are pictures.
const MaxRow = 8 << 20

const bufferSize = 256 << 10

// lineReader splits a log into lines. Only LF ends a line: other separators
// stand inside JSON strings (case 24).
type lineReader struct {
	source *bufio.Reader
	report *Report
	buffer []byte // a line longer than the buffer of source
	torn   bool   // the line at hand has no end
	err    error  // why reading stopped, nil at the end of the file
}

// all yields every row; a line with holes of NUL bytes is several. A row is
// valid until the next is asked for.
func (l *lineReader) all() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for more := true; more; {
			var line []byte
			if line, more = l.next(); bytes.IndexByte(line, 0) < 0 {
				if !l.give(line, yield) {
					return
				}
				continue
			}
			for part := range bytes.SplitSeq(line, []byte{0}) {
				l.report.NulBytes++
				if !l.give(part, yield) {
					return
				}
			}
			l.report.NulBytes-- // n separators make n+1 parts
		}
	}
}

func (l *lineReader) give(row []byte, yield func([]byte) bool) bool {
	if row = bytes.TrimSpace(row); len(row) == 0 {
		return true
	}
	l.report.Rows++
	return yield(row)
}

// next returns the next line, and whether there may be more.
func (l *lineReader) next() (line []byte, more bool) {
	line, err := l.source.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.long(line)
	}
	switch {
	case err == nil:
		return line, true
	case err != io.EOF && !isTorn(err):
		l.err = err
		return nil, false
	}
	l.torn = true
	return line, false
}

// long gathers a line that is longer than the source's buffer, or steps over it
// when it is longer than MaxRow.
func (l *lineReader) long(head []byte) (line []byte, err error) {
	l.buffer = append(l.buffer[:0], l.leadingNul(head)...)
	for tooLong := false; ; {
		var piece []byte
		piece, err = l.source.ReadSlice('\n')
		if len(l.buffer) == 0 {
			piece = l.leadingNul(piece)
		}
		switch tooLong = tooLong || len(l.buffer)+len(piece) > MaxRow; {
		case tooLong:
			l.buffer = l.buffer[:0]
		default:
			l.buffer = append(l.buffer, piece...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if tooLong {
			l.report.Rows++
			l.report.TooLong++
		}
		return l.buffer, err
	}
}

// leadingNul drops the hole that b begins with: holes can be longer than MaxRow.
func (l *lineReader) leadingNul(b []byte) []byte {
	rest := bytes.TrimLeft(b, "\x00")
	l.report.NulBytes += int64(len(b) - len(rest))
	return rest
}
