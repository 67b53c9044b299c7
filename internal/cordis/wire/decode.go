package wire

import (
	"encoding/binary"
	"math"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// reader takes from the front; the first error stays, and all that is read
// after it is zero.
type reader struct {
	text   []byte
	leases map[Handle]*Lease
	depth  int
	err    error
}

func (r *reader) fail() {
	r.err = ErrMalformed
	r.text = nil
}

func (r *reader) byte() byte {
	if len(r.text) == 0 {
		r.fail()
		return 0
	}
	b := r.text[0]
	r.text = r.text[1:]
	return b
}

func (r *reader) bool() bool { return r.byte() != 0 }

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.text)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.text = r.text[size:]
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.text)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.text = r.text[size:]
	return n
}

// count reads how many parts follow, each of which takes a byte at least, so
// that a lie costs no memory.
func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.text)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) bytes() []byte {
	n := r.count()
	b := r.text[:n]
	r.text = r.text[n:]
	return b
}

func (r *reader) string() string { return string(r.bytes()) }

// words is a text that a script is going to see.
func (r *reader) words() string { return jsonvalue.WellFormed(r.string()) }

func (r *reader) value() any {
	if r.depth++; r.depth > maxDepth {
		r.fail()
	}
	defer func() { r.depth-- }()
	switch tag := r.byte(); tag {
	case tagNull:
		return nil
	case tagFalse, tagTrue:
		return tag == tagTrue
	case tagInteger:
		return float64(r.varint())
	case tagNumber:
		return r.number()
	case tagText:
		return r.words()
	case tagArray:
		return r.values()
	case tagRecord, tagBareRecord:
		return r.record(tag == tagBareRecord)
	case tagHole:
		return jsonvalue.Hole{}
	default:
		return r.leaf(tag)
	}
}

func (r *reader) number() float64 {
	if len(r.text) < 8 {
		r.fail()
		return 0
	}
	f := math.Float64frombits(binary.BigEndian.Uint64(r.text))
	r.text = r.text[8:]
	return f
}

func (r *reader) values() []any {
	list := make([]any, r.count())
	for i := range list {
		list[i] = r.value()
	}
	return list
}

func (r *reader) record(bare bool) *jsonvalue.Object {
	o := &jsonvalue.Object{}
	if bare {
		o.SetBare()
	}
	for range r.count() {
		key := r.words()
		o.Set(key, r.value())
	}
	return o
}

func (r *reader) leaf(tag byte) any {
	switch tag {
	case tagUndefined:
		return Undefined{}
	case tagBytes:
		return Bytes(append([]byte{}, r.bytes()...))
	case tagContext:
		return Context{}
	case tagFunc:
		return r.function()
	case tagPromise:
		return Promise{r.handle()}
	case tagIterator:
		return Iterator{Next: r.function(), Return: r.function()}
	case tagSignal:
		h := r.handle()
		return Signal{Handle: h, Aborted: r.bool(), Lease: r.leases[h]}
	case tagObject:
		return r.object()
	case tagThrown:
		return r.thrown()
	default:
		r.fail()
		return nil
	}
}

func (r *reader) handle() Handle {
	return Handle{Home: Home(r.string()), ID: r.uvarint()}
}

func (r *reader) function() Func {
	h := r.handle()
	return Func{Handle: h, Name: r.words(), Async: r.bool(), Effect: r.bool(), Lease: r.leases[h]}
}

func (r *reader) object() Object {
	var o Object
	if r.bool() {
		call := r.function()
		o.Call = &call
	}
	for range r.count() {
		o.Members = append(o.Members, r.member())
	}
	return o
}

func (r *reader) member() Member {
	m := Member{Name: r.words(), Inherited: r.bool(), Hidden: r.bool()}
	if r.bool() {
		getter := r.function()
		m.Getter = &getter
		return m
	}
	m.Value = r.value()
	return m
}

func (r *reader) thrown() *Thrown {
	return &Thrown{Name: r.words(), Message: r.words(), Stack: r.words(), Code: r.words(), Plain: r.bool()}
}
