package selfip

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// view is the state of a library's four partitions at one moment: a row for
// each entry, in the order of Partitions and of the files. The rows stay on disk
// until somebody needs all of them.
type view struct {
	lib     *Library
	loc     *time.Location
	catalog catalog.Catalog
	onDisk  catalog.Header // of the catalog on disk, when it is fresh
	fresh   bool           // the catalog on disk is this one, but for what was added
	loaded  bool           // catalog.Rows holds the rows
	added   []catalog.Row  // since the catalog on disk was written
	updated []catalog.Row  // rows that are not as in the catalog on disk
	finds   int            // keys that have been looked for
	byKey   []int32        // the numbers of all rows by key, when many are
	unread  map[int]error  // partitions that could not be read

	data    map[int][]byte         // partitions that have been read, by index
	scanned [len(Partitions)]bool  // the rows were made from these data
	files   map[int]filestore.File // partitions that are open, by index; nil: changed since
	glances [len(Partitions)]int   // lines that have been read one by one
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
	v := &view{lib: l, loc: now.Location(), data: map[int][]byte{}, catalog: catalog.Catalog{Zone: zoneOf(now)}}
	v.catalog.Sources = make([]catalog.Source, len(Partitions))
	for i, p := range Partitions {
		v.catalog.Sources[i] = l.source(p.File)
	}
	f := v.openCatalog()
	if f == nil {
		v.scanAll()
		return v
	}
	_ = f.Close()
	v.catalog.Sources, v.fresh = v.onDisk.Sources, true
	for i, s := range v.catalog.Sources {
		if s.Size == unreadable {
			_, err := l.read(s.Name)
			v.cannotRead(i, err)
		}
	}
	return v
}

func (v *view) cannotRead(partition int, err error) {
	if v.unread == nil {
		v.unread = map[int]error{}
	}
	v.unread[partition] = err
}

// damage lists the lines and files that could not be read.
func (v *view) damage() (list []Damage) {
	for i, s := range v.catalog.Sources {
		if err := v.unread[i]; err != nil {
			list = append(list, Damage{File: s.Name, Err: err})
			continue
		}
		if s.Broken == 0 {
			continue
		}
		data, _ := v.lib.read(s.Name)
		for _, line := range catalog.Damaged(data) {
			err := fault.New(fault.Damaged, codeBadLine, v.lib.Path(s.Name), line)
			list = append(list, Damage{File: s.Name, Line: line, Err: err})
		}
	}
	return list
}

// openCatalog opens the catalog on disk if it belongs to the sources as they
// are, else it returns nil.
func (v *view) openCatalog() filestore.File {
	f, info, err := v.lib.dir.OpenFile(liveCatalog)
	if err != nil {
		return nil
	}
	v.onDisk, err = catalog.ReadHeader(f, info.Size)
	if err != nil || v.onDisk.Zone != v.catalog.Zone || !slices.EqualFunc(v.onDisk.Sources, v.catalog.Sources, catalog.Source.Same) {
		_ = f.Close()
		return nil
	}
	return f
}

// all returns every row, in the order of the partitions and of the files.
func (v *view) all() []catalog.Row {
	if !v.loaded && !v.loadCatalog() {
		v.scanAll()
	}
	return v.catalog.Rows
}

func (v *view) loadCatalog() bool {
	f := v.openCatalog()
	if f == nil {
		return false
	}
	defer f.Close()
	rows, err := v.onDisk.Rows(f)
	if err == nil {
		v.catalog.Rows, v.loaded = rows, true
	}
	return err == nil
}

// forget lets go of rows that are not those of the files: who needs them makes
// them anew.
func (v *view) forget() {
	v.catalog.Rows, v.loaded, v.fresh, v.added, v.updated, v.byKey = nil, false, false, nil, nil, nil
	clear(v.data)
}

// scanAll makes the rows from the files.
func (v *view) scanAll() {
	v.catalog.Rows, v.loaded, v.fresh, v.added, v.updated, v.unread = nil, true, false, nil, nil, nil
	for i := range Partitions {
		v.scan(i)
	}
}

// scan reads a partition anew.
func (v *view) scan(partition int) {
	file := Partitions[partition].File
	data, err := v.lib.read(file)
	if err != nil {
		v.cannotRead(partition, err)
		return
	}
	v.replaceRows(partition, data, nil)
}

// replaceRows puts the rows of data in the place of those of the partition. The
// rows of lines that are known need not be made.
func (v *view) replaceRows(partition int, data []byte, known map[string]catalog.Row) {
	s := catalog.Rescan(partition, data, v.loc, v.lib.judge, known)
	first, end := v.span(partition)
	v.catalog.Rows = slices.Replace(v.all(), first, end, s.Rows...)
	v.data[partition], v.scanned[partition], v.fresh, v.byKey = data, true, false, nil
	source := &v.catalog.Sources[partition]
	source.Units, source.Entries, source.Broken, source.Clean = int64(s.Units), len(s.Rows), len(s.Damaged), s.Clean
}

// secrecy tells whether a text holds what the gate takes out.
func secrecy(e entry.Entry) (flags int) {
	if gate.Alters(e.Text) {
		flags |= catalog.Secret
	}
	return flags
}

// span returns the range of the partition's rows.
func (v *view) span(partition int) (first, end int) {
	rows := v.all()
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
	return v.all()[first:end]
}

// fewFinds is how many keys are looked for by going through the rows. Whoever
// looks for more gets a table.
const fewFinds = 8

// find returns the rows of a partition that have the key.
func (v *view) find(partition int, key uint64) (found []catalog.Row) {
	if v.finds++; v.finds > fewFinds {
		return v.findMany(partition, key)
	}
	v.each(func() { found = nil }, func(r catalog.Row) {
		if r.Source == partition && r.Key == key {
			found = append(found, r)
		}
	})
	return found
}

// findMany is find by a table of the rows.
func (v *view) findMany(partition int, key uint64) (found []catalog.Row) {
	rows := v.all()
	if len(v.byKey) != len(rows) || len(rows) == 0 {
		v.byKey = make([]int32, len(rows))
		for i := range v.byKey {
			v.byKey[i] = int32(i)
		}
		slices.SortStableFunc(v.byKey, func(a, b int32) int { return cmp.Compare(rows[a].Key, rows[b].Key) })
	}
	first, _ := slices.BinarySearchFunc(v.byKey, key, func(i int32, key uint64) int { return cmp.Compare(rows[i].Key, key) })
	for _, i := range v.byKey[first:] {
		if rows[i].Key != key {
			break
		}
		if rows[i].Source == partition {
			found = append(found, rows[i])
		}
	}
	return found
}

// each calls yield with every row, without keeping them. It begins anew, which
// begin is told of, when the catalog on disk proves to be damaged.
func (v *view) each(begin func(), yield func(catalog.Row)) {
	begin()
	if !v.loaded {
		if v.stream(yield) {
			return
		}
		begin()
	}
	for _, r := range v.all() {
		yield(r)
	}
}

// stream goes through the catalog on disk, and reports whether it could.
func (v *view) stream(yield func(catalog.Row)) bool {
	f := v.openCatalog()
	if f == nil {
		return false
	}
	defer f.Close()
	return v.onDisk.Each(f, yield) == nil
}

// appendRows adds rows of lines that have been added to a partition, units long.
func (v *view) appendRows(partition int, rows []catalog.Row, units int64) {
	if v.loaded {
		_, end := v.span(partition)
		v.catalog.Rows = slices.Insert(v.catalog.Rows, end, rows...)
	}
	v.added, v.byKey = append(v.added, rows...), nil
	delete(v.data, partition)
	source := v.catalog.Sources[partition]
	v.restate(partition, source.Units+units, source.Entries+len(rows))
}

// updateRows puts rows in the place of those at the same offsets of a partition
// file that is otherwise as it was.
func (v *view) updateRows(partition int, rows []catalog.Row) {
	if v.loaded {
		own := v.rows(partition)
		for _, r := range rows {
			if i, ok := rowAt(own, r.Offset); ok {
				own[i] = r
			}
		}
	}
	v.updated = append(v.updated, rows...)
	delete(v.data, partition)
	source := v.catalog.Sources[partition]
	v.restate(partition, source.Units, source.Entries)
}

// setRows puts rows in the place of those of a partition file that holds data
// now, units long.
func (v *view) setRows(partition int, data []byte, rows []catalog.Row, units int) {
	first, end := v.span(partition)
	v.catalog.Rows = slices.Replace(v.all(), first, end, rows...)
	v.data[partition], v.scanned[partition], v.fresh, v.byKey = data, true, false, nil
	v.restate(partition, int64(units), len(rows))
}

// restate makes the partition file as it is now the one that the rows are of. It
// is as clean as it was.
func (v *view) restate(partition int, units int64, entries int) {
	was := v.catalog.Sources[partition]
	source := v.lib.source(was.Name)
	source.Units, source.Entries, source.Broken, source.Clean = units, entries, was.Broken, was.Clean
	v.catalog.Sources[partition] = source
}

// save keeps the view for the next reader. Not being able to is no fault: the
// next reader scans again.
func (v *view) save() {
	same := v.fresh && len(v.added)+len(v.updated) == 0
	if same || v.fresh && v.amend() {
		return
	}
	for i := range v.unread {
		if v.catalog.Sources[i].Size != unreadable {
			return // it can be told from this state only by reading it
		}
	}
	v.catalog.Rows = v.all()
	if err := v.lib.dir.WriteDerived(liveCatalog, v.catalog.Encode(false)); err == nil {
		v.fresh, v.added, v.updated = false, nil, nil // what is on disk now, nobody has to know
	}
}

// amend brings the catalog on disk up to date in place, and reports whether it
// could.
func (v *view) amend() bool {
	err := v.lib.dir.Amend(liveCatalog, func(f *os.File) (err error) {
		if len(v.updated) > 0 {
			v.onDisk, err = v.onDisk.Update(f, v.catalog.Sources, v.updated)
		}
		if len(v.added) > 0 && err == nil {
			v.onDisk, err = v.onDisk.Append(f, v.catalog.Sources, v.added)
		}
		return err
	})
	if err == nil {
		v.added, v.updated = nil, nil
	}
	return err == nil
}

func zoneOf(now time.Time) int {
	_, offset := now.Zone()
	return offset
}

// isMissing reports whether err says that a file does not exist.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
