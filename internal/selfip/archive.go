package selfip

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// A partition file has a capacity (spec/selfip.md 19). What is over it moves to
// the archive: files of the same format beside it, which are searched but not
// chosen from for injection. Nothing is lost by capacity.
const (
	segmentBytes = 4 << 20  // an archive file takes no more lines above this size
	tailBytes    = 64 << 10 // lines behind the catalog that are scanned before it is made anew
	addedRows    = 2 << 10  // rows of a catalog that are not in its key table before it is made anew
)

// archive is the state of a library's archive at one moment.
type archive struct {
	lib     *Library
	sources []catalog.Source
	file    filestore.File // the catalog; nil when there is none that fits
	header  catalog.Header // of the catalog
	tail    []catalog.Row  // entries that the catalog does not hold
	data    map[int][]byte // segments that have been read
}

// archived returns the state of the archive, or nil when there is none.
func (l *Library) archived(now time.Time) (*archive, error) {
	names, err := l.dir.List(archiveDir)
	if err != nil || len(names) == 0 {
		return nil, ignoreMissing(err)
	}
	a := &archive{lib: l, data: map[int][]byte{}}
	for _, name := range names {
		if strings.HasSuffix(name, ".md") {
			a.sources = append(a.sources, l.source(path.Join(archiveDir, name)))
		}
	}
	if !a.open(zoneOf(now)) {
		a.close()
	}
	if a.file != nil && a.header.Added() <= addedRows && a.scanTail(now.Location()) {
		return a, nil
	}
	err = a.rebuild(now)
	return a, err
}

// open takes the catalog on disk if its sources are still the beginning of the
// present ones: segments only grow, and every other change of one gives it a new
// inode.
func (a *archive) open(zone int) bool {
	f, info, err := a.lib.dir.OpenFile(archiveCatalog)
	if err != nil {
		return false
	}
	a.file = f
	a.header, err = catalog.ReadHeader(f, info.Size)
	if err != nil || a.header.Zone != zone || len(a.header.Sources) > len(a.sources) {
		return false
	}
	return slices.EqualFunc(a.header.Sources, a.sources[:len(a.header.Sources)], isBeginning)
}

// isBeginning reports whether a file is as it was, but for what was added to it.
func isBeginning(old, now catalog.Source) bool {
	return now.Same(old) || now.Name == old.Name && now.Inode == old.Inode && now.Size > old.Size
}

// scanTail reads what has been added behind the catalog, unless it is much.
func (a *archive) scanTail(loc *time.Location) bool {
	var size int64
	for i, s := range a.sources {
		size += s.Size - a.covered(i)
	}
	if size > tailBytes {
		return false
	}
	for i, s := range a.sources {
		begin := a.covered(i)
		if s.Size == begin {
			continue
		}
		rows, ok := a.rowsBehind(i, begin, loc)
		if !ok {
			return false
		}
		a.tail = append(a.tail, rows...)
	}
	return true
}

// covered is how many bytes of a segment the catalog holds.
func (a *archive) covered(source int) int64 {
	if a.file == nil || source >= len(a.header.Sources) {
		return 0
	}
	return max(a.header.Sources[source].Size, 0)
}

// rebuild makes the catalog anew and keeps it, unless a segment could not be
// read: its entries must come back when it can. Rows of files that the old one
// still knows are not made again.
func (a *archive) rebuild(now time.Time) error {
	c := catalog.Catalog{Sources: a.sources, Zone: zoneOf(now)}
	known, whole := a.oldRows(c.Zone), true
	for i, s := range a.sources {
		old := known[s.Name]
		if s.Size != old.covered {
			added, ok := a.rowsBehind(i, old.covered, now.Location())
			if !ok {
				whole = false
				continue
			}
			old.rows = append(old.rows[:len(old.rows):len(old.rows)], added...)
		}
		for _, r := range old.rows {
			r.Source = i
			c.Rows = append(c.Rows, r)
		}
	}
	a.close()
	data := c.Encode(true)
	if whole {
		_ = a.lib.dir.WriteDerived(archiveCatalog, data) // kept for the next reader if it can be
	}
	var err error
	a.header, err = catalog.ReadHeader(bytes.NewReader(data), int64(len(data)))
	a.tail = c.Rows
	return err
}

// rowsBehind makes the rows of the lines of a segment behind a place.
func (a *archive) rowsBehind(source int, begin int64, loc *time.Location) (rows []catalog.Row, ok bool) {
	data, ok := a.segment(source)
	if !ok || begin > int64(len(data)) {
		return nil, false
	}
	return shifted(catalog.Scan(source, data[begin:], loc, a.lib.blocked).Rows, begin), true
}

// oldSegment is what a catalog knows of a segment.
type oldSegment struct {
	rows    []catalog.Row
	covered int64
}

// oldRows are the rows of the catalog on disk of the segments that still begin
// as they did.
func (a *archive) oldRows(zone int) map[string]oldSegment {
	f, info, err := a.lib.dir.OpenFile(archiveCatalog)
	if err != nil {
		return nil
	}
	defer f.Close()
	h, err := catalog.ReadHeader(f, info.Size)
	if err != nil || h.Zone != zone {
		return nil
	}
	rows, err := h.Rows(f)
	if err != nil {
		return nil
	}
	out := map[string]oldSegment{}
	for i, old := range h.Sources {
		if slices.ContainsFunc(a.sources, func(now catalog.Source) bool { return isBeginning(old, now) }) {
			from, _ := slices.BinarySearchFunc(rows, i, func(r catalog.Row, i int) int { return r.Source - i })
			to, _ := slices.BinarySearchFunc(rows, i+1, func(r catalog.Row, i int) int { return r.Source - i })
			out[old.Name] = oldSegment{rows[from:to], old.Size}
		}
	}
	return out
}

func (a *archive) close() {
	if a != nil && a.file != nil {
		_ = a.file.Close()
		a.file = nil
	}
}

// find returns the archived entries with the key of e, oldest first.
func (a *archive) find(key uint64) []catalog.Row {
	var rows []catalog.Row
	if a.file != nil {
		rows, _ = a.header.Lookup(a.file, key)
	}
	for _, r := range a.tail {
		if r.Key == key {
			rows = append(rows, r)
		}
	}
	return rows
}

// rows returns every row of the archive.
func (a *archive) rows() []catalog.Row {
	if a.file == nil {
		return a.tail
	}
	rows, _ := a.header.Rows(a.file)
	return append(rows, a.tail...)
}

// segment returns the bytes of a segment. It is not ok when they cannot be read,
// or are fewer than there were a moment ago.
func (a *archive) segment(i int) (data []byte, ok bool) {
	data, known := a.data[i]
	if !known {
		data, _ = a.lib.read(a.sources[i].Name)
		a.data[i] = data
	}
	size := a.sources[i].Size
	return data, size != unreadable && int64(len(data)) >= size
}

// line reads the line of a row, without the rest of its segment.
func (a *archive) line(r catalog.Row) string {
	if data, ok := a.data[r.Source]; ok {
		if end := r.Offset + int64(r.Size); end <= int64(len(data)) {
			return string(data[r.Offset:end])
		}
		return ""
	}
	f, _, err := a.lib.dir.OpenFile(a.sources[r.Source].Name)
	if err != nil {
		return ""
	}
	defer f.Close()
	line := make([]byte, r.Size)
	if _, err := io.ReadFull(io.NewSectionReader(f, r.Offset, int64(r.Size)), line); err != nil {
		return ""
	}
	return string(line)
}

// partition returns the index of the partition that a segment belongs to.
func (a *archive) partition(r catalog.Row) int {
	base := path.Base(a.sources[r.Source].Name)
	return slices.IndexFunc(Partitions[:], func(p Partition) bool { return strings.HasPrefix(base, p.Name+"-") })
}

// entry returns the entry of a row.
func (a *archive) entry(r catalog.Row) entry.Entry {
	e, _ := entry.ParseLine(a.line(r))
	if p := a.partition(r); e.Kind == "" && p >= 0 {
		e.Kind = Partitions[p].Kind
	}
	return e
}

// segmentName returns the archive file of a partition that takes new lines.
func (l *Library) segmentName(p int) string {
	names, _ := l.dir.List(archiveDir)
	prefix, last := Partitions[p].Name+"-", 0
	for _, name := range names {
		var n int
		if strings.HasPrefix(name, prefix) {
			if _, err := fmt.Sscanf(name[len(prefix):], "%d.md", &n); err == nil {
				last = max(last, n)
			}
		}
	}
	name := func(n int) string { return fmt.Sprintf("%s/%s%04d.md", archiveDir, prefix, n) }
	if last == 0 {
		return name(1)
	}
	if l.source(name(last)).Size >= segmentBytes {
		last++
	}
	return name(last)
}

// archivedTwin finds the live archived entry that says the same as e.
func (c *change) archivedTwin(e entry.Entry) (entry.Entry, bool) {
	a, err := c.openArchive()
	if a == nil || err != nil {
		return entry.Entry{}, false
	}
	full := c.keyOf(e)
	for _, r := range a.find(catalog.KeyOf(full)) {
		if old := a.entry(r); old.Live() && old.Key() == full {
			return old, true
		}
	}
	return entry.Entry{}, false
}

// openArchive opens the archive once for the whole change.
func (c *change) openArchive() (*archive, error) {
	if !c.archiveOpened {
		c.archive, c.archiveErr = c.lib.archived(c.now)
		c.archiveOpened = true
	}
	return c.archive, c.archiveErr
}

func ignoreMissing(err error) error {
	if isMissing(err) {
		return nil
	}
	return err
}
