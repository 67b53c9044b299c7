package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

// Link carries frames both ways, in order. Read is called by one goroutine at a
// time, Write by one; Close by any, and ends both.
type Link interface {
	Read() (Frame, error)
	Write(f Frame) error
	Close() error
}

// stream is a Link over bytes: each frame is its length and itself.
type stream struct {
	in  *bufio.Reader
	out io.Writer
	end func() error
}

// NewLink makes a Link of two streams. closing ends both, so that a Read that
// waits returns.
func NewLink(in io.Reader, out io.Writer, closing func() error) Link {
	return &stream{in: bufio.NewReader(in), out: out, end: sync.OnceValue(closing)}
}

func (s *stream) Read() (Frame, error) {
	var size [4]byte
	if _, err := io.ReadFull(s.in, size[:]); err != nil {
		return Frame{}, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > MaxFrame {
		return Frame{}, ErrTooLarge
	}
	text, err := readAll(s.in, int(n))
	if err != nil {
		return Frame{}, err
	}
	return parseFrame(text)
}

// readAll reads in pieces, so that a length that lies costs no memory.
func readAll(in io.Reader, n int) ([]byte, error) {
	const piece = 64 << 10
	text := make([]byte, 0, min(n, piece))
	for len(text) < n {
		had := len(text)
		text = append(text, make([]byte, min(n-had, max(piece, had)))...)
		if _, err := io.ReadFull(in, text[had:]); err != nil {
			return nil, errors.Join(io.ErrUnexpectedEOF, err)
		}
	}
	return text, nil
}

func (s *stream) Write(f Frame) error {
	text := f.append(make([]byte, 4, 4+32+len(f.Verb)+len(f.Body)))
	if len(text)-4 > MaxFrame {
		return ErrTooLarge
	}
	binary.BigEndian.PutUint32(text, uint32(len(text)-4))
	_, err := s.out.Write(text)
	return err
}

func (s *stream) Close() error { return s.end() }

// half of a pair in memory.
type pipe struct {
	in, out chan Frame
	done    chan struct{} // of both
	end     func()
}

// Pair makes two Links that are each other's other end. Closing one ends both.
func Pair() (Link, Link) {
	a, b := make(chan Frame, 16), make(chan Frame, 16)
	done := make(chan struct{})
	end := sync.OnceFunc(func() { close(done) })
	return &pipe{a, b, done, end}, &pipe{b, a, done, end}
}

// Read gives what has been written before the end, then io.EOF.
func (p *pipe) Read() (Frame, error) {
	select {
	case f := <-p.in:
		return f, nil
	default:
	}
	select {
	case f := <-p.in:
		return f, nil
	case <-p.done:
		return Frame{}, io.EOF
	}
}

func (p *pipe) Write(f Frame) error {
	select {
	case <-p.done:
		return io.ErrClosedPipe
	default:
	}
	select {
	case p.out <- f:
		return nil
	case <-p.done:
		return io.ErrClosedPipe
	}
}

func (p *pipe) Close() error {
	p.end()
	return nil
}
