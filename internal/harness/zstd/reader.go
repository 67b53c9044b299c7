// Package zstd unpacks Zstandard frames (RFC 8878), in which one harness keeps
// its session logs. It unpacks only, and without dictionaries.
//
// The well-kept package for the format costs every start of a program that links
// it as much as a twentieth of a hook, whether a log is read or not: tables for
// another format are made first. This one makes nothing before it is asked.
//
// Input comes from outside: whatever it holds, memory is bounded by the window
// that the caller allows, and damage is an error, never a panic.
package zstd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt says that the input is no valid frame. Errors that match it name
// what is wrong. Input that ends in the middle of a frame is
// io.ErrUnexpectedEOF.
var ErrCorrupt = errors.New("zstd: corrupt input")

func corrupt(what string) error { return fmt.Errorf("%w: %s", ErrCorrupt, what) }

const (
	magic         = 0xFD2FB528
	skipMagic     = 0x184D2A50 // and fifteen more
	maxBlock      = 128 << 10
	blockOverhead = 3
)

// Reader unpacks one frame after the other.
type Reader struct {
	in     *bufio.Reader
	limit  int // bytes of a window
	frame  frame
	within bool   // a frame has begun
	buf    []byte // unpacked: the window, then what has not been read
	from   int    // of what has not been read, in buf
	block  []byte // packed
	err    error  // after what has not been read
}

// frame is what a frame says of itself, and what its blocks leave for the next.
type frame struct {
	window  int
	size    uint64 // unpacked, when sized
	sized   bool
	summed  bool
	last    bool // the last block has been unpacked
	length  uint64
	sum     sum64
	decoder decoder
}

// NewReader returns a Reader of r. A frame that needs a window of more than
// limit bytes is an error.
func NewReader(r io.Reader, limit int) *Reader {
	in, ok := r.(*bufio.Reader)
	if !ok {
		in = bufio.NewReader(r)
	}
	return &Reader{in: in, limit: limit}
}

// Read returns unpacked bytes. It is io.EOF at the end of the last frame.
func (r *Reader) Read(p []byte) (int, error) {
	for r.from == len(r.buf) && r.err == nil {
		r.err = r.next()
	}
	n := copy(p, r.buf[r.from:])
	r.from += n
	if n == 0 && len(p) > 0 {
		return 0, r.err
	}
	return n, nil
}

// next goes on by a frame's head, a block, or a frame's end.
func (r *Reader) next() error {
	switch {
	case !r.within:
		return r.begin()
	case r.frame.last:
		return r.end()
	}
	return r.nextBlock()
}

// fill reads n bytes of a frame.
func (r *Reader) fill(b []byte) error {
	_, err := io.ReadFull(r.in, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// begin reads the head of a frame, or passes over one that is to be skipped.
func (r *Reader) begin() error {
	var b [4]byte
	if _, err := io.ReadFull(r.in, b[:]); err != nil {
		return err // io.EOF between frames is the end
	}
	switch word := binary.LittleEndian.Uint32(b[:]); {
	case word == magic:
		return r.head()
	case word&^15 == skipMagic:
		if err := r.fill(b[:]); err != nil {
			return err
		}
		n := int64(binary.LittleEndian.Uint32(b[:]))
		if skipped, err := io.CopyN(io.Discard, r.in, n); skipped < n {
			return unexpected(err)
		}
		return nil
	}
	return corrupt("no frame")
}

func unexpected(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// head reads the header of a frame (RFC 8878, 3.1.1.1).
func (r *Reader) head() error {
	var b [14]byte
	if err := r.fill(b[:1]); err != nil {
		return err
	}
	flags := b[0]
	single := flags>>5&1 == 1
	windowBytes := 1
	if single {
		windowBytes = 0
	}
	dictBytes := [4]int{0, 1, 2, 4}[flags&3]
	sizeBytes := [4]int{0, 2, 4, 8}[flags>>6]
	if single && sizeBytes == 0 {
		sizeBytes = 1
	}
	if flags>>3&1 == 1 {
		return corrupt("reserved bit of a frame")
	}
	rest := b[1 : 1+windowBytes+dictBytes+sizeBytes]
	if err := r.fill(rest); err != nil {
		return err
	}
	f := frame{sized: sizeBytes > 0, summed: flags>>2&1 == 1, sum: newSum(), decoder: newDecoder()}
	if little(rest[windowBytes:windowBytes+dictBytes]) != 0 {
		return corrupt("a dictionary is needed")
	}
	f.size = little(rest[windowBytes+dictBytes:])
	if sizeBytes == 2 {
		f.size += 256
	}
	window := f.size
	if !single {
		base := uint64(1) << (10 + rest[0]>>3)
		window = base + base/8*uint64(rest[0]&7)
	}
	if window > uint64(r.limit) {
		return corrupt("window too large")
	}
	f.window = int(window)
	r.frame, r.within, r.buf, r.from = f, true, r.buf[:0], 0
	return nil
}

// little reads a number of up to eight bytes.
func little(b []byte) (n uint64) {
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	return n
}

// nextBlock unpacks a block behind what is left of the window.
func (r *Reader) nextBlock() error {
	var b [blockOverhead]byte
	if err := r.fill(b[:]); err != nil {
		return err
	}
	head := int(little(b[:]))
	kind, size := head>>1&3, head>>3
	f := &r.frame
	most := min(f.window, maxBlock)
	if size > most {
		return corrupt("block too large")
	}
	r.slide()
	was := len(r.buf)
	if err := r.unpack(kind, size, most); err != nil {
		return err
	}
	added := r.buf[was:]
	f.last = head&1 == 1
	f.length += uint64(len(added))
	if f.sized && f.length > f.size {
		r.buf = r.buf[:was]
		return corrupt("more than the frame says")
	}
	if f.summed {
		f.sum.add(added)
	}
	return nil
}

// slide lets go of what is behind the window, once that is much.
func (r *Reader) slide() {
	if keep := r.frame.window; len(r.buf) > 2*keep+maxBlock {
		r.buf = r.buf[:copy(r.buf, r.buf[len(r.buf)-keep:])]
	}
	r.from = len(r.buf)
}

// The kinds of block.
const (
	rawBlock = iota
	runBlock
	packedBlock
)

func (r *Reader) unpack(kind, size, most int) (err error) {
	switch kind {
	case rawBlock:
		was := len(r.buf)
		r.buf = append(r.buf, make([]byte, size)...)
		if err = r.fill(r.buf[was:]); err != nil {
			r.buf = r.buf[:was]
		}
		return err
	case runBlock:
		c, err := r.in.ReadByte()
		if err != nil {
			return unexpected(err)
		}
		for range size {
			r.buf = append(r.buf, c)
		}
		return nil
	case packedBlock:
		if cap(r.block) < size {
			r.block = make([]byte, size)
		}
		if err := r.fill(r.block[:size]); err != nil {
			return err
		}
		was := len(r.buf)
		if r.buf, err = r.frame.decoder.block(r.buf, r.block[:size], r.frame.window, most); err != nil {
			r.buf = r.buf[:was]
		}
		return err
	}
	return corrupt("kind of a block")
}

// end looks at what stands behind the last block.
func (r *Reader) end() error {
	f := &r.frame
	r.within = false
	if f.sized && f.length != f.size {
		return corrupt("less than the frame says")
	}
	if !f.summed {
		return nil
	}
	var b [4]byte
	if err := r.fill(b[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b[:]) != uint32(f.sum.value()) {
		return corrupt("checksum")
	}
	return nil
}
