package zstd

import (
	"encoding/binary"
	"math/bits"
)

// sum64 is the checksum of a frame's content: XXH64 with the seed zero.
type sum64 struct {
	lanes  [4]uint64
	rest   [32]byte // of a stripe
	filled int
	length uint64
}

// The primes of XXH64.
const (
	prime1 uint64 = 0x9E3779B185EBCA87
	prime2 uint64 = 0xC2B2AE3D27D4EB4F
	prime3 uint64 = 0x165667B19E3779F9
	prime4 uint64 = 0x85EBCA77C2B2AE63
	prime5 uint64 = 0x27D4EB2F165667C5
)

func newSum() sum64 {
	one, two := prime1, prime2 // constants must not overflow
	return sum64{lanes: [4]uint64{one + two, two, 0, -one}}
}

func mix(lane, word uint64) uint64 {
	return bits.RotateLeft64(lane+word*prime2, 31) * prime1
}

func (s *sum64) add(b []byte) {
	s.length += uint64(len(b))
	if s.filled > 0 {
		n := copy(s.rest[s.filled:], b)
		s.filled += n
		b = b[n:]
		if s.filled < len(s.rest) {
			return
		}
		s.stripe(s.rest[:])
		s.filled = 0
	}
	for ; len(b) >= len(s.rest); b = b[len(s.rest):] {
		s.stripe(b)
	}
	s.filled = copy(s.rest[:], b)
}

func (s *sum64) stripe(b []byte) {
	for i := range s.lanes {
		s.lanes[i] = mix(s.lanes[i], binary.LittleEndian.Uint64(b[8*i:]))
	}
}

func (s *sum64) value() uint64 {
	h := prime5
	if s.length >= uint64(len(s.rest)) {
		h = 0
		for i, n := range [4]int{1, 7, 12, 18} {
			h += bits.RotateLeft64(s.lanes[i], n)
		}
		for _, lane := range s.lanes {
			h = (h^mix(0, lane))*prime1 + prime4
		}
	}
	h += s.length
	b := s.rest[:s.filled]
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^mix(0, binary.LittleEndian.Uint64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h = bits.RotateLeft64(h^uint64(binary.LittleEndian.Uint32(b))*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}
