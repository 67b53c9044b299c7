// Package catalog is what a hook needs to know of every entry without reading
// it: where its line stands, what it weighs, until when it counts, and the key
// that tells a repetition. It is derived from the memory files, belongs to them
// by their identity, and can be thrown away at any time.
//
// A catalog keeps a session start at the same cost however large the library
// is: the choice of entries is made over its rows, and only the chosen lines are
// read (design/product.md 11).
package catalog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"sort"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Source is a file that a catalog was made from, with the identity by which a
// change of it is noticed.
type Source struct {
	Name    string
	Size    int64  // bytes
	ModTime int64  // nanoseconds since 1970
	Inode   uint64 // 0 where the system has none
	Units   int64  // length in UTF-16 code units, not part of the identity
	Entries int    // rows of it, not part of the identity
	Broken  int    // damaged lines, see Scanned; not part of the identity
	Clean   bool   // see Scanned, not part of the identity
}

// Same reports whether both sources are the same state of the same file.
func (s Source) Same(other Source) bool {
	return s.Name == other.Name && s.Size == other.Size && s.ModTime == other.ModTime && s.Inode == other.Inode
}

// AppendState appends the identity of the source to b.
func (s Source) AppendState(b []byte) []byte {
	le := binary.LittleEndian
	b = append(append(b, s.Name...), 0)
	b = le.AppendUint64(b, uint64(s.Size))
	b = le.AppendUint64(b, uint64(s.ModTime))
	return le.AppendUint64(b, s.Inode)
}

// Catalog holds one row for each entry of its sources, in file order.
type Catalog struct {
	Sources []Source
	Rows    []Row
	// Zone is the offset from UTC, in seconds, in which stamps without a zone
	// were read.
	Zone int
}

// ErrStale says that the bytes are no catalog of this version: cut, damaged or
// written by another program. The remedy is always to make a new one.
var ErrStale = errors.New("catalog: not a catalog of this version")

// Flags of a row.
const (
	Withdrawn = 1 << iota // the entry has been marked invalid
	Blocked               // a detector fires on its line: it must not reach a prompt
	induced               // trust levels; neither bit: trusted
	external
	Secret // its text holds a credential or hidden characters: they are taken out before it is shown
)

// Row is one entry.
type Row struct {
	Source     int    // index into the sources
	Offset     int64  // of the line in its file, in bytes
	Size       int    // of the line without its end, in bytes
	Cost       int    // of the line, in UTF-16 code units
	Importance int    // 1 to 10, before any cap
	Uses       int    // counted up to entry.MaxCountedUses
	Flags      int    // Withdrawn, Blocked and the level of trust
	Stamp      int64  // milliseconds since 1970; NoTime when unreadable
	Expires    int64  // milliseconds since 1970; NoTime when never
	Key        uint64 // tells entries that say the same
}

// NoTime stands for an instant that is not known, or that never comes.
const NoTime = math.MinInt64

// Judge looks at the text of an entry and returns which of Blocked and Secret
// are true of it.
type Judge func(entry.Entry) (flags int)

// NewRow describes the entry e whose line begins at offset of a source.
func NewRow(source int, offset int64, line string, e entry.Entry, judge Judge, loc *time.Location) Row {
	row := Row{
		Source: source, Offset: offset, Size: len(line), Cost: text.Len(line),
		Importance: e.BaseImportance(), Uses: min(e.Uses(), entry.MaxCountedUses),
		Flags: judge(e) & (Blocked | Secret), Stamp: NoTime, Expires: NoTime, Key: KeyOf(e.Key()),
	}
	if t, ok := e.Time(loc); ok {
		row.Stamp = t.UnixMilli()
	}
	if t, ok := e.Expiry(loc); ok {
		row.Expires = t.UnixMilli()
	}
	if !e.Live() {
		row.Flags |= Withdrawn
	}
	switch e.Trust() {
	case entry.Induced:
		row.Flags |= induced
	case entry.External:
		row.Flags |= external
	}
	return row
}

// KeyOf returns the first eight letters of an entry's key as a number.
func KeyOf(key string) uint64 { return binary.BigEndian.Uint64([]byte(key)) }

// Trust returns the level of trust of the row's entry.
func (r Row) Trust() entry.Trust {
	switch {
	case r.Flags&external != 0:
		return entry.External
	case r.Flags&induced != 0:
		return entry.Induced
	}
	return entry.Trusted
}

// Has reports whether all the given flags are set.
func (r Row) Has(flags int) bool { return r.Flags&flags == flags }

// Expired reports whether the review period has passed at now.
func (r Row) Expired(now time.Time) bool { return r.expired(now.UnixMilli()) }

func (r Row) expired(now int64) bool { return r.Expires != NoTime && now > r.Expires }

// Weight returns the same weight as entry.Entry.Weigh does for the line.
func (r Row) Weight(now time.Time) entry.Weight {
	w, _ := r.Weigh(now.UnixMilli())
	return w
}

// Weigh is Weight and Expired at an instant in milliseconds since 1970: who asks
// every row converts it once. Stamps are whole milliseconds, so nothing is lost.
func (r Row) Weigh(now int64) (w entry.Weight, expired bool) {
	expired = r.expired(now)
	recency := 1
	if r.Stamp != NoTime {
		recency = entry.RecencyOf(now - r.Stamp)
	}
	return entry.WeightOf(r.Importance, r.Flags&(induced|external) != 0 || expired, r.Uses, recency), expired
}

// Score returns the same number as entry.Entry.Score does for the line.
func (r Row) Score(now time.Time) float64 { return r.Weight(now).Score() }

const (
	magic   = "selfipC6"
	rowSize = 48
	keySize = 12 // a key and the number of its row
	// sourceSize is that of a source behind its name.
	sourceSize = 8 + 8 + 8 + 8 + 4 + 4 + 1
	// fixedSize is that of what stands before the sources: magic, numbers of
	// sources, of rows and of those in the key table, zone, length of the sources,
	// checksum of the rows.
	fixedSize = len(magic) + 6*4
	sumSize   = 4 // behind the sources, of all before it
)

// Encode writes the catalog. With a key table, Lookup finds a key without
// reading all rows.
func (c Catalog) Encode(keyTable bool) []byte {
	h := Header{Sources: c.Sources, Zone: c.Zone, rows: len(c.Rows)}
	if keyTable {
		h.keyed = h.rows
	}
	head := h.encode()
	out := make([]byte, 0, len(head)+h.rows*rowSize+h.keyed*keySize)
	out = append(out, head...)
	for _, r := range c.Rows {
		out = r.append(out)
	}
	h.sum = sumOf(h.blockAt(0), out[len(head):])
	copy(out, h.encode())
	if keyTable {
		out = appendKeys(out, c.Rows)
	}
	return out
}

// encode writes the header with its checksum.
func (h Header) encode() []byte {
	names := 0
	for _, s := range h.Sources {
		names += 2 + len(s.Name) + sourceSize
	}
	le := binary.LittleEndian
	out := make([]byte, 0, fixedSize+names+sumSize)
	out = append(out, magic...)
	out = le.AppendUint32(out, uint32(len(h.Sources)))
	out = le.AppendUint32(out, uint32(h.rows))
	out = le.AppendUint32(out, uint32(h.keyed))
	out = le.AppendUint32(out, uint32(int32(h.Zone)))
	out = le.AppendUint32(out, uint32(names))
	out = le.AppendUint32(out, h.sum)
	for _, s := range h.Sources {
		out = s.append(out)
	}
	return le.AppendUint32(out, crc32.ChecksumIEEE(out))
}

func (s Source) append(out []byte) []byte {
	le := binary.LittleEndian
	out = le.AppendUint16(out, uint16(len(s.Name)))
	out = append(out, s.Name...)
	out = le.AppendUint64(out, uint64(s.Size))
	out = le.AppendUint64(out, uint64(s.ModTime))
	out = le.AppendUint64(out, s.Inode)
	out = le.AppendUint64(out, uint64(s.Units))
	out = le.AppendUint32(out, uint32(s.Entries))
	out = le.AppendUint32(out, uint32(s.Broken))
	return append(out, boolByte(s.Clean))
}

func (r Row) append(out []byte) []byte {
	le := binary.LittleEndian
	out = le.AppendUint32(out, uint32(r.Offset))
	out = le.AppendUint32(out, uint32(r.Size))
	out = le.AppendUint32(out, uint32(r.Cost))
	out = le.AppendUint16(out, uint16(r.Source))
	out = append(out, byte(r.Importance), byte(r.Uses), byte(r.Flags), 0, 0, 0)
	out = le.AppendUint64(out, uint64(r.Stamp))
	out = le.AppendUint64(out, uint64(r.Expires))
	out = le.AppendUint64(out, r.Key)
	return le.AppendUint32(out, 0)
}

func appendKeys(out []byte, rows []Row) []byte {
	order := make([]uint32, len(rows))
	for i := range order {
		order[i] = uint32(i)
	}
	sort.Slice(order, func(a, b int) bool {
		ka, kb := rows[order[a]].Key, rows[order[b]].Key
		return ka < kb || ka == kb && order[a] < order[b]
	})
	for _, i := range order {
		out = binary.LittleEndian.AppendUint64(out, rows[i].Key)
		out = binary.LittleEndian.AppendUint32(out, i)
	}
	return out
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
