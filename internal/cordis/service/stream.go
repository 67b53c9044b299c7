package service

import (
	"io"
	"sync"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// stream is a file that plugin code reads piece by piece.
type stream struct {
	name string
	gone func() // the handles are needed no longer; set before anybody has them
	mu   sync.Mutex
	file io.ReadCloser // nil when it has ended
	rest []byte        // the beginning of a character
}

// newStream gives the async iterator of a file, which it closes at its end.
func newStream(c *call, file io.ReadCloser, name string) (any, error) {
	s := &stream{name: name, file: file, gone: func() {}}
	next, err := c.function("next", true, s.next, s.close)
	if err != nil {
		return nil, err
	}
	end, err := c.function("return", true, func(d *call) (any, error) {
		s.close()
		s.gone()
		return step(d.arg(0), true), nil
	}, nil)
	if err != nil {
		s.close()
		return nil, err
	}
	s.gone = func() { c.forget(next.ID, end.ID) }
	lease := wire.NewLease(func() { go s.gone() }) // closing a file may take its time
	next.Lease, end.Lease = lease, lease
	return wire.Iterator{Next: next, Return: end}, nil
}

func step(value any, done bool) *jsonvalue.Object {
	if value == nil {
		value = wire.Undefined{}
	}
	return jsonvalue.Of("value", value, "done", done)
}

func (s *stream) next(*call) (any, error) {
	text, err := s.more()
	if err != nil || text == "" {
		s.gone()
	}
	switch {
	case err != nil:
		return nil, about(s.name, err)
	case text == "":
		return step(nil, true), nil
	}
	return step(text, false), nil
}

// more is the next piece that is not empty; "" at the end.
func (s *stream) more() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.file != nil {
		text, err := s.piece()
		if err != nil || text != "" {
			return text, err
		}
	}
	return "", nil
}

// piece is the next whole characters; "" when there are none yet, or none left.
func (s *stream) piece() (string, error) {
	buffer := make([]byte, maxChunk)
	n := copy(buffer, s.rest)
	m, err := s.file.Read(buffer[n:])
	buffer = buffer[:n+m]
	if err == io.EOF {
		s.end()
		return decode(buffer), nil
	}
	if err != nil {
		return "", err
	}
	cut := whole(buffer)
	s.rest = append([]byte(nil), buffer[cut:]...)
	return decode(buffer[:cut]), nil
}

// whole is where the last character of a text that is not all there begins.
func whole(text []byte) int {
	for i := len(text) - 1; i >= 0 && i >= len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

func (s *stream) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end()
}

func (s *stream) end() {
	if s.file != nil {
		_ = s.file.Close() // it was only read
		s.file, s.rest = nil, nil
	}
}
