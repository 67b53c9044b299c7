package selfip

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/pkg/fault"
)

// view is the state of a library's four partitions at one moment: a row for
// each entry, in the order of Partitions and of the files.
type view struct {
	lib     *Library
	catalog catalog.Catalog
	fresh   bool           // the catalog on disk is this one
	damage  []Damage       // lines and files that could not be read
	data    map[int][]byte // partitions that have been read, by index
}

// Damage is a place in a file that could not be read. The rest of the file
// serves; nothing of it is changed.
type Damage struct {
	File string
	Line int // from 1; 0: the whole file
	Err  error
}

// live returns the present state of the partitions, from the catalog when it
// still belongs to them, else from the files. A partition that cannot be read
// is reported as damage and has no rows.
func (l *Library) live(now time.Time) *view {
	sources := make([]catalog.Source, len(Partitions))
	for i, p := range Partitions {
		sources[i] = l.source(p.File)
	}
	v := &view{lib: l, data: map[int][]byte{}}
	if c, ok := l.readCatalog(liveCatalog, sources, zoneOf(now)); ok {
		v.catalog, v.fresh = c, true
		return v
	}
	v.catalog = catalog.Catalog{Sources: sources, Zone: zoneOf(now)}
	for i := range Partitions {
		v.scan(i, now.Location())
	}
	return v
}

// scan reads a partition anew.
func (v *view) scan(partition int, loc *time.Location) {
	file := Partitions[partition].File
	data, err := v.lib.read(file)
	if err != nil {
		v.damage = append(v.damage, Damage{File: file, Err: err})
		return
	}
	v.data[partition] = data
	v.replaceRows(partition, data, loc)
}

// replaceRows puts the rows of data in the place of those of the partition.
func (v *view) replaceRows(partition int, data []byte, loc *time.Location) {
	s := catalog.Scan(partition, data, loc, blocked)
	source := &v.catalog.Sources[partition]
	source.Units, source.Clean = int64(s.Units), s.Clean
	for _, line := range s.Damaged {
		err := fault.New(fault.Damaged, codeBadLine, v.lib.Path(source.Name), line)
		v.damage = append(v.damage, Damage{File: source.Name, Line: line, Err: err})
	}
	first, end := v.span(partition)
	v.catalog.Rows = slices.Replace(v.catalog.Rows, first, end, s.Rows...)
}

// blocked reports whether an entry must not reach a prompt.
func blocked(e entry.Entry) bool {
	_, hit := quarantine.Detect(e.Text)
	return hit
}

// span returns the range of the partition's rows.
func (v *view) span(partition int) (first, end int) {
	rows := v.catalog.Rows
	for first < len(rows) && rows[first].Source < partition {
		first++
	}
	end = first
	for end < len(rows) && rows[end].Source == partition {
		end++
	}
	return first, end
}

// rows returns the rows of a partition.
func (v *view) rows(partition int) []catalog.Row {
	first, end := v.span(partition)
	return v.catalog.Rows[first:end]
}

// line returns the line of a row. It is empty when the file has changed under
// the view so much that no line begins there any more.
func (v *view) line(r catalog.Row) string {
	data, ok := v.data[r.Source]
	if !ok {
		data, _ = v.lib.read(Partitions[r.Source].File)
		v.data[r.Source] = data
	}
	end := int(r.Offset) + r.Size
	if end > len(data) {
		return ""
	}
	return string(data[r.Offset:end])
}

// entry returns the entry of a row.
func (v *view) entry(r catalog.Row) entry.Entry {
	e, _ := entry.ParseLine(v.line(r))
	if e.Kind == "" {
		e.Kind = Partitions[r.Source].Kind
	}
	return e
}

// save keeps the view for the next reader. Not being able to is no fault: the
// next reader scans again.
func (v *view) save() {
	if v.fresh || len(v.damage) > 0 {
		return
	}
	if err := v.lib.dir.WriteDerived(liveCatalog, v.catalog.Encode(false)); err == nil {
		v.fresh = true
	}
}

// source returns the identity of a file; a missing one has the size -1.
func (l *Library) source(name string) catalog.Source {
	info, err := l.dir.Stat(name)
	if err != nil {
		return catalog.Source{Name: name, Size: -1, Clean: true}
	}
	return catalog.Source{Name: name, Size: info.Size, ModTime: info.ModTime, Inode: info.Inode}
}

// readCatalog reads a derived catalog if it belongs to the sources as they are.
func (l *Library) readCatalog(name string, sources []catalog.Source, zone int) (catalog.Catalog, bool) {
	data, err := l.dir.Read(name)
	if err != nil {
		return catalog.Catalog{}, false
	}
	r := bytes.NewReader(data)
	h, err := catalog.ReadHeader(r, int64(len(data)))
	if err != nil || h.Zone != zone || !slices.EqualFunc(h.Sources, sources, catalog.Source.Same) {
		return catalog.Catalog{}, false
	}
	rows, err := h.Rows(r)
	if err != nil {
		return catalog.Catalog{}, false
	}
	return catalog.Catalog{Sources: h.Sources, Rows: rows, Zone: zone}, true
}

func zoneOf(now time.Time) int {
	_, offset := now.Zone()
	return offset
}

// isMissing reports whether err says that a file does not exist.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// trimLine is a line as the formats compare it.
func trimLine(s string) string { return strings.Trim(s, " \t\r\n\u00a0\ufeff") }
