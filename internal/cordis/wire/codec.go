package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// ErrMalformed says that bytes are not what this package writes.
var ErrMalformed = errors.New("malformed frame")

// maxDepth is how deep values nest; the same as in package jsonvalue.
const maxDepth = 10000

// Every value begins with one of these. Data and leaves have different ones, so
// that no data can be taken for a leaf.
const (
	tagNull byte = iota
	tagFalse
	tagTrue
	tagInteger
	tagNumber
	tagText
	tagArray
	tagRecord
	tagBareRecord
	tagHole
	tagUndefined
	tagBytes
	tagContext
	tagFunc
	tagPromise
	tagIterator
	tagSignal
	tagObject
	tagThrown
)

// writer appends; the first error stays.
type writer struct {
	text  []byte
	lent  []lent // what has a lease
	depth int
	err   error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *writer) tag(t byte)       { w.text = append(w.text, t) }
func (w *writer) uvarint(n uint64) { w.text = binary.AppendUvarint(w.text, n) }

func (w *writer) string(s string) {
	w.uvarint(uint64(len(s)))
	w.text = append(w.text, s...)
}

func (w *writer) bool(b bool) {
	if b {
		w.tag(1)
		return
	}
	w.tag(0)
}

// value writes one value with its tag.
func (w *writer) value(v any) {
	if w.depth++; w.depth > maxDepth {
		w.fail("the value is nested too deeply to cross")
	}
	defer func() { w.depth-- }()
	if w.err != nil {
		return
	}
	if len(w.text) > MaxFrame {
		w.err = ErrTooLarge
		return
	}
	if !w.data(v) && !w.leaf(v) {
		w.fail("a value of type %T cannot cross", v)
	}
}

func (w *writer) data(v any) bool {
	switch v := v.(type) {
	case nil:
		w.tag(tagNull)
	case bool:
		w.truth(v)
	case float64:
		w.number(v)
	case string:
		w.tag(tagText)
		w.string(jsonvalue.WellFormed(v))
	case []any:
		w.tag(tagArray)
		w.values(v)
	case *jsonvalue.Object:
		w.record(v)
	case jsonvalue.Hole:
		w.tag(tagHole)
	default:
		return false
	}
	return true
}

func (w *writer) truth(b bool) {
	if b {
		w.tag(tagTrue)
		return
	}
	w.tag(tagFalse)
}

// number writes whole numbers short: most are small.
func (w *writer) number(f float64) {
	if i := int64(f); math.Abs(f) < 1<<53 && float64(i) == f && !(i == 0 && math.Signbit(f)) {
		w.tag(tagInteger)
		w.text = binary.AppendVarint(w.text, i)
		return
	}
	w.tag(tagNumber)
	w.text = binary.BigEndian.AppendUint64(w.text, math.Float64bits(f))
}

func (w *writer) values(list []any) {
	w.uvarint(uint64(len(list)))
	for _, v := range list {
		w.value(v)
	}
}

func (w *writer) record(o *jsonvalue.Object) {
	if o.Bare() {
		w.tag(tagBareRecord)
	} else {
		w.tag(tagRecord)
	}
	w.uvarint(uint64(o.Len()))
	for key, v := range o.All() {
		w.string(jsonvalue.WellFormed(key))
		w.value(v)
	}
}

func (w *writer) leaf(v any) bool {
	switch v := v.(type) {
	case Undefined:
		w.tag(tagUndefined)
	case Bytes:
		w.tag(tagBytes)
		w.string(string(v))
	case Context:
		w.tag(tagContext)
	case Func:
		w.tag(tagFunc)
		w.function(v)
	case Promise:
		w.tag(tagPromise)
		w.handle(v.Handle)
	case Iterator:
		w.tag(tagIterator)
		w.function(v.Next)
		w.function(v.Return)
	case Signal:
		w.tag(tagSignal)
		w.leased(v.Handle, v.Lease)
		w.bool(v.Aborted)
	case Object:
		w.tag(tagObject)
		w.object(v)
	case *Thrown:
		w.tag(tagThrown)
		w.thrown(v)
	default:
		return false
	}
	return true
}

func (w *writer) handle(h Handle) {
	w.string(string(h.Home))
	w.uvarint(h.ID)
}

// leased writes a handle that is to be given back if it has a lease.
func (w *writer) leased(h Handle, l *Lease) {
	w.handle(h)
	if l != nil {
		w.lent = append(w.lent, lent{h, l})
	}
}

func (w *writer) function(f Func) {
	w.leased(f.Handle, f.Lease)
	w.string(f.Name)
	w.bool(f.Async)
	w.bool(f.Effect)
}

func (w *writer) object(o Object) {
	w.bool(o.Call != nil)
	if o.Call != nil {
		w.function(*o.Call)
	}
	w.uvarint(uint64(len(o.Members)))
	for _, m := range o.Members {
		w.string(m.Name)
		w.bool(m.Inherited)
		w.bool(m.Hidden)
		w.bool(m.Getter != nil)
		if m.Getter != nil {
			w.function(*m.Getter)
			continue
		}
		w.value(m.Value)
	}
}

func (w *writer) thrown(t *Thrown) {
	for _, s := range []string{t.Name, t.Message, t.Stack, t.Code} {
		w.string(s)
	}
	w.bool(t.Plain)
}
