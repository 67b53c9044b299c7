package zstd

import (
	"encoding/binary"
	"math/bits"
)

// forward reads bits from the first byte on, lowest first.
type forward struct {
	data []byte
	at   int // in bits
}

// read returns n bits, at most 24. Behind the end there are zeros.
func (f *forward) read(n int) int {
	var b [4]byte
	if i := f.at >> 3; i < len(f.data) {
		copy(b[:], f.data[i:])
	}
	v := binary.LittleEndian.Uint32(b[:]) >> (f.at & 7) & (1<<n - 1)
	f.at += n
	return int(v)
}

// bytes is how many bytes have been begun.
func (f *forward) bytes() int { return (f.at + 7) >> 3 }

// backward reads bits from the end on: the stream ends below its highest set
// bit (RFC 8878, 4.1). In front of the first byte there are zeros; who reads
// there has at below zero.
type backward struct {
	data []byte
	at   int // bits that are left
}

func newBackward(data []byte) (backward, error) {
	if len(data) == 0 || data[len(data)-1] == 0 {
		return backward{}, corrupt("stream without an end")
	}
	return backward{data, 8*len(data) - bits.LeadingZeros8(data[len(data)-1]) - 1}, nil
}

// peek returns the next n bits, at most 56, and leaves them.
func (b *backward) peek(n int) uint64 {
	if b.at >= n {
		return b.from(b.at-n) & (1<<n - 1)
	}
	if b.at <= 0 {
		return 0
	}
	return b.from(0) & (1<<b.at - 1) << (n - b.at)
}

// read returns the next n bits, at most 56.
func (b *backward) read(n int) uint64 {
	v := b.peek(n)
	b.at -= n
	return v
}

// from returns 57 bits or more that begin with the bit at a place.
func (b *backward) from(at int) uint64 {
	i := at >> 3
	if i+8 <= len(b.data) {
		return binary.LittleEndian.Uint64(b.data[i:]) >> (at & 7)
	}
	var last [8]byte
	copy(last[:], b.data[i:])
	return binary.LittleEndian.Uint64(last[:]) >> (at & 7)
}

// highBit is the place of the highest set bit of n, which is not zero.
func highBit(n int) int { return bits.Len(uint(n)) - 1 }
