package harness

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
)

// MaxPayload is the longest payload that is read, in bytes (spec/harness-hooks.md
// 1.4).
const MaxPayload = 16 << 20

// Payload is what a harness put on standard input: one JSON document, possibly
// cut or none at all.
type Payload struct {
	doc   jsontext.Value
	named string // the event, by the command line
}

// ParsePayload reads the first document of data. It never fails: members that
// are whole are there, even when data breaks off after them.
func ParsePayload(data []byte) Payload {
	doc, _, _ := jsontext.First(data)
	return Payload{doc: doc}
}

// Named returns p with the name that the command line gives the event. It counts
// for a harness whose payloads do not say what they are of.
func (p Payload) Named(event string) Payload {
	p.named = event
	return p
}

// Empty reports whether there is no object to read from.
func (p Payload) Empty() bool { return !p.doc.IsObject() }

// text returns the named member as text, "" when it is neither text nor number.
func (p Payload) text(path ...string) string { return p.doc.Get(path...).String() }

// firstText returns the first of the members that has text; the names of a path
// are joined by dots.
func firstText(p Payload, paths ...string) string {
	for _, path := range paths {
		if said := p.text(strings.Split(path, ".")...); said != "" {
			return said
		}
	}
	return ""
}

// words returns the named member's words, also of a list of parts.
func (p Payload) words(path ...string) string { return wordsOf(p.doc.Get(path...)) }

// either returns the first of the members that is there: some harnesses spell
// them in two ways.
func (p Payload) either(keys ...string) jsontext.Value { return eitherOf(p.doc, keys...) }

func eitherOf(object jsontext.Value, keys ...string) jsontext.Value {
	for _, key := range keys {
		if value := object.Get(key); value != nil {
			return value
		}
	}
	return nil
}

// flag reports whether the named member is true.
func (p Payload) flag(path ...string) bool { return p.doc.Get(path...).IsTrue() }

// ReadPayload reads one JSON document from r and returns its bytes as soon as it
// is complete, although r may stay open and silent after it (case 72). It gives
// up when r does with os.ErrDeadlineExceeded, at the end of r, or at limit bytes;
// then it returns what it has with the reason: payload-timeout (Timeout),
// payload-none (NotFound), payload-cut (Partial) or payload-too-long (Refused).
// How long a read may take is for r to bound.
func ReadPayload(r io.Reader, limit int) ([]byte, error) {
	data := make([]byte, 0, firstRead)
	var scanner jsontext.Scanner
	for {
		if len(data) == cap(data) {
			data = slices.Grow(data, min(cap(data), mostRead))
		}
		n, err := r.Read(data[len(data):cap(data)])
		n, complete := scanner.Feed(data[len(data) : len(data)+n])
		data = data[:len(data)+n]
		switch {
		case len(data) > limit:
			return data[:limit], fault.New(fault.Refused, codePayloadTooLong, limit)
		case complete:
			return data, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return data, fault.New(fault.Timeout, codePayloadTimeout, len(data))
		case err != nil:
			return data, ended(data, err)
		}
	}
}

// The room for the first read, which nearly every payload fits in, and the most
// that is added for the next, in bytes.
const (
	firstRead = 4 << 10
	mostRead  = 1 << 20
)

// ended says what the end of the input means for what was read. A number or a
// word at the top has no end of its own.
func ended(data []byte, err error) error {
	value, _, whole := jsontext.First(data)
	switch {
	case value == nil:
		return fault.New(fault.NotFound, codePayloadNone).Because(unlessEOF(err))
	case whole:
		return nil
	}
	return fault.New(fault.Partial, codePayloadCut, len(data)).Because(unlessEOF(err))
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
