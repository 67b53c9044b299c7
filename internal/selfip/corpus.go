package selfip

import (
	"iter"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/search"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// corpus is what a search of one library goes over: the four partitions, then
// the segments of the archive, each a source with a number.
type corpus struct {
	lib      *Library
	now      time.Time
	view     *view
	sources  []catalog.Source
	segments map[int][]catalog.Row  // of the archive, by source, when they were asked for
	data     map[int][]byte         // sources that have been read
	files    map[int]filestore.File // sources that are open
	quick    bool                   // a hook asks: nothing that takes long
	wanting  bool                   // a hook had to do without an index
}

// corpus reads the state of a library for a search. The caller closes it.
func (l *Library) corpus(now time.Time) (*corpus, error) {
	c := &corpus{lib: l, now: now, view: l.live(now), data: map[int][]byte{}, files: map[int]filestore.File{}}
	c.view.save()
	c.sources = append(c.sources, c.view.catalog.Sources...)
	names, err := l.dir.List(archiveDir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".md") {
			c.sources = append(c.sources, l.source(path.Join(archiveDir, name)))
		}
	}
	return c, nil
}

// maxReads is how often a corpus is read anew because its files were replaced
// meanwhile. Each time takes milliseconds, and somebody has to write in each.
const maxReads = 8

// over calls read with the corpus of the library, and again when a file that it
// read was replaced meanwhile: then lines did not stand where they were looked
// for. What the call before has gathered is to be thrown away.
func (l *Library) over(now time.Time, read func(*corpus)) error {
	for n := 1; ; n++ {
		c, err := l.corpus(now)
		if err != nil {
			return err
		}
		read(c)
		moved := c.moved()
		c.close()
		if !moved || n == maxReads {
			return nil
		}
	}
}

// moved reports whether a file that was read is not what it was any more.
func (c *corpus) moved() bool {
	for i, s := range c.sources {
		_, whole := c.data[i]
		_, open := c.files[i]
		if (whole || open) && !s.Same(c.lib.source(s.Name)) {
			return true
		}
	}
	return false
}

func (c *corpus) close() {
	for _, f := range c.files {
		if f != nil {
			_ = f.Close()
		}
	}
	c.files = nil
}

// bytes is the size of all sources.
func (c *corpus) bytes() int64 {
	var n int64
	for _, s := range c.sources {
		n += max(s.Size, 0)
	}
	return n
}

// rows returns the entries of a source.
func (c *corpus) rows(source int) []catalog.Row {
	if source < len(Partitions) {
		return c.view.rows(source)
	}
	if c.segments == nil {
		c.segments = map[int][]catalog.Row{}
		if a, err := c.lib.archived(c.now); err == nil && a != nil {
			defer a.close()
			c.takeRows(a)
		}
	}
	return c.segments[source]
}

// takeRows sorts the rows of the archive by our numbers of its segments.
func (c *corpus) takeRows(a *archive) {
	number := map[string]int{}
	for i, s := range c.sources {
		number[s.Name] = i
	}
	for _, r := range a.rows() {
		if i, ok := number[a.sources[r.Source].Name]; ok {
			r.Source = i
			c.segments[i] = append(c.segments[i], r)
		}
	}
}

// part says from which byte of a source on its entries are meant; ok is false
// when none of them are.
type part func(source int) (from int64, ok bool)

func everything(int) (int64, bool) { return 0, true }

// docs yields the entries of the parts of sources, but for those that are
// withdrawn or must not be shown.
func (c *corpus) docs(want part) iter.Seq[search.Doc] {
	return func(yield func(search.Doc) bool) {
		for i := range c.sources {
			from, ok := want(i)
			if !ok {
				continue
			}
			for _, r := range c.rowsFrom(i, from) {
				if r.Flags&(catalog.Withdrawn|catalog.Blocked) == 0 && !yield(c.doc(r)) {
					return
				}
			}
		}
	}
}

// rowsFrom returns the entries of a source that stand at from or behind it.
func (c *corpus) rowsFrom(source int, from int64) (rows []catalog.Row) {
	switch {
	case from == 0:
		c.whole(source) // all of it is going to be read
		return c.rows(source)
	case source < len(Partitions):
		c.view.each(func() { rows = nil }, func(r catalog.Row) {
			if r.Source == source && r.Offset >= from {
				rows = append(rows, r)
			}
		})
		return rows
	}
	tail := make([]byte, max(c.sources[source].Size-from, 0))
	if f := c.file(source); f != nil {
		n, _ := f.ReadAt(tail, from)
		rows = catalog.Scan(source, tail[:n], c.now.Location(), unjudged).Rows
	}
	for i := range rows {
		rows[i].Offset += from
	}
	return rows
}

// unjudged leaves it to the gate to look at what is found.
func unjudged(entry.Entry) int { return 0 }

func (c *corpus) doc(r catalog.Row) search.Doc {
	e, _ := c.read(ref(r))
	return search.Doc{Ref: ref(r), Text: e.Text, Prior: r.Score(c.now)}
}

func ref(r catalog.Row) search.Ref {
	return search.Ref{Source: r.Source, Offset: r.Offset, Size: r.Size}
}

// read returns the entry that stands at ref.
func (c *corpus) read(ref search.Ref) (entry.Entry, bool) {
	line, ok := c.line(ref)
	if !ok {
		return entry.Entry{}, false
	}
	e, ok := entry.ParseLine(line)
	if e.Kind == "" {
		e.Kind = c.kind(ref.Source)
	}
	return e, ok
}

// line returns the line at ref, without reading the rest of its file. It is not
// ok when no line stands there: the file has changed since.
func (c *corpus) line(ref search.Ref) (string, bool) {
	if data, ok := c.data[ref.Source]; ok {
		return wholeLine(data, ref.Offset, ref.Size)
	}
	f := c.file(ref.Source)
	if f == nil || ref.Offset < 0 {
		return "", false
	}
	from := max(ref.Offset-1, 0)
	b := make([]byte, ref.Size+2)
	n, _ := f.ReadAt(b, from)
	return wholeLine(b[:n], ref.Offset-from, ref.Size)
}

// wholeLine returns the size bytes of data at a place if they are a line, but
// for blanks around it.
func wholeLine(data []byte, at int64, size int) (string, bool) {
	end := at + int64(size)
	if at < 0 || end > int64(len(data)) {
		return "", false
	}
	if at > 0 && strings.IndexByte("\n\r \t\xa0\xbf", data[at-1]) < 0 { // the last two end a wide blank and a mark
		return "", false
	}
	if end < int64(len(data)) && strings.IndexByte("\n\r \t\xc2", data[end]) < 0 {
		return "", false
	}
	return string(data[at:end]), true
}

// kind is that of a line which names none.
func (c *corpus) kind(source int) entry.Kind {
	if source < len(Partitions) {
		return Partitions[source].Kind
	}
	base := path.Base(c.sources[source].Name)
	for _, p := range Partitions {
		if strings.HasPrefix(base, p.Name+"-") {
			return p.Kind
		}
	}
	return entry.Fact
}

// whole reads a source.
func (c *corpus) whole(source int) {
	if _, ok := c.data[source]; !ok {
		c.data[source], _ = c.lib.read(c.sources[source].Name)
	}
}

// file opens a source; nil when it cannot be read.
func (c *corpus) file(source int) filestore.File {
	f, ok := c.files[source]
	if !ok {
		var err error
		if f, _, err = c.lib.dir.OpenFile(c.sources[source].Name); err != nil {
			f = nil
		}
		c.files[source] = f
	}
	return f
}
