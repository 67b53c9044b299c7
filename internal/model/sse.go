package model

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// Bounds of what is read of an answer, in bytes.
const (
	maxAnswer = 16 << 20
	maxLine   = 4 << 20
)

// errTooLong says that an answer is over its bound.
var errTooLong = errors.New("too long")

// bounded reads at most n bytes of r; more is errTooLong.
type bounded struct {
	r io.Reader
	n int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.n <= 0 {
		return 0, errTooLong
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.n)])
	b.n -= int64(n)
	return n, err
}

// events yields the data of the events of a stream, each joined from its lines.
// The last event need not be closed. The last error is that of the reader; the end
// of the stream is none.
func events(r *bufio.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var data []byte
		open := false
		flush := func() bool {
			if !open {
				return true
			}
			open = false
			return yield(data, nil)
		}
		for {
			line, err := readLine(r)
			switch value, ok := bytes.CutPrefix(line, []byte("data:")); {
			case len(line) == 0 && err == nil:
				if !flush() {
					return
				}
			case ok:
				value = bytes.TrimPrefix(value, []byte(" "))
				if open {
					data = append(append(data, '\n'), value...)
				} else {
					data, open = append(data[:0], value...), true
				}
			}
			if err == nil {
				continue
			}
			if errors.Is(err, io.EOF) {
				flush()
			} else {
				yield(nil, err)
			}
			return
		}
	}
}

// readLine reads a line without its end, at most maxLine bytes.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxLine:
			continue
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, errTooLong
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
