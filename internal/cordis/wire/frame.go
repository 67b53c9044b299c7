package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxFrame is how long a frame may be, in bytes.
const MaxFrame = 16 << 20

// ErrTooLarge says that something does not fit into a frame.
var ErrTooLarge = errors.New("the value is too large to cross: more than 16 MiB")

// Kind says what a Frame is.
type Kind byte

// The kinds of frames.
const (
	KindCall   Kind = 1 + iota // wants a reply
	KindReply                  // to the call of that ID, with a body
	KindError                  // to the call of that ID, with an error
	KindTell                   // wants none
	KindCancel                 // the caller of that ID waits no longer
)

// Frame is what crosses at once. The ID of a call is the caller's own. A chain
// is a line of calls that wait for each other: odd numbers are given by the host,
// even ones by the sandbox, for what it begins itself; 0 is none.
type Frame struct {
	Kind  Kind
	ID    uint64
	Chain uint64
	Verb  Verb
	Body  []byte // see Marshal

	Lent   []Handle          // what of the body has to be given back
	Leases map[Handle]*Lease // of what was lent, where the frame has arrived
}

// append writes the frame without its length.
func (f Frame) append(to []byte) []byte {
	to = append(to, byte(f.Kind))
	to = binary.AppendUvarint(to, f.ID)
	to = binary.AppendUvarint(to, f.Chain)
	to = binary.AppendUvarint(to, uint64(len(f.Verb)))
	to = append(to, f.Verb...)
	w := writer{text: binary.AppendUvarint(to, uint64(len(f.Lent)))}
	for _, h := range f.Lent {
		w.handle(h)
	}
	return append(w.text, f.Body...)
}

func parseFrame(text []byte) (Frame, error) {
	r := reader{text: text}
	f := Frame{Kind: Kind(r.byte()), ID: r.uvarint(), Chain: r.uvarint(), Verb: Verb(r.string())}
	for range r.count() {
		f.Lent = append(f.Lent, r.handle())
	}
	if r.err != nil || f.Kind < KindCall || f.Kind > KindCancel {
		return Frame{}, fmt.Errorf("%w: no frame", ErrMalformed)
	}
	if len(r.text) > 0 {
		f.Body = r.text
	}
	return f, nil
}
