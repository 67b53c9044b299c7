package selfip

import (
	"iter"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/search"
)

// corpus is what a search of one library goes over: the four partitions, then
// the segments of the archive, each a source with a number.
type corpus struct {
	lib     *Library
	now     time.Time
	view    *view
	sources []catalog.Source
	data    map[int][]byte // segments that have been read
	quick   bool           // a hook asks: nothing that takes long
}

func (l *Library) corpus(now time.Time) (*corpus, error) {
	c := &corpus{lib: l, now: now, view: l.live(now), data: map[int][]byte{}}
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

// bytes is the size of the sources that want is true of.
func (c *corpus) bytes(want func(source int) bool) int64 {
	var n int64
	for i, s := range c.sources {
		if want(i) {
			n += max(s.Size, 0)
		}
	}
	return n
}

// rows returns the entries of a source.
func (c *corpus) rows(source int) []catalog.Row {
	if source < len(Partitions) {
		return c.view.rows(source)
	}
	return catalog.Scan(source, c.segment(source), c.now.Location(), judge).Rows
}

// docs yields the entries of the sources that want is true of, but for those
// that are withdrawn or must not be shown.
func (c *corpus) docs(want func(source int) bool) iter.Seq[search.Doc] {
	return func(yield func(search.Doc) bool) {
		for i := range c.sources {
			if !want(i) {
				continue
			}
			for _, r := range c.rows(i) {
				if r.Flags&(catalog.Withdrawn|catalog.Blocked) == 0 && !yield(c.doc(r)) {
					return
				}
			}
		}
	}
}

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

// line reads the line at ref, of a large file without the rest of it.
func (c *corpus) line(ref search.Ref) (string, bool) {
	data, read := c.data[ref.Source]
	if !read && c.sources[ref.Source].Size > segmentBytes/8 {
		return c.lineOf(ref)
	}
	if !read {
		data = c.segment(ref.Source)
	}
	end := ref.Offset + int64(ref.Size)
	if ref.Offset < 0 || end > int64(len(data)) {
		return "", false
	}
	return string(data[ref.Offset:end]), true
}

func (c *corpus) lineOf(ref search.Ref) (string, bool) {
	f, _, err := c.lib.dir.OpenFile(c.sources[ref.Source].Name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	line := make([]byte, ref.Size)
	if _, err := f.ReadAt(line, ref.Offset); err != nil {
		return "", false
	}
	return string(line), true
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

// segment returns the bytes of a source.
func (c *corpus) segment(source int) []byte {
	data, ok := c.data[source]
	if !ok {
		data, _ = c.lib.read(c.sources[source].Name)
		c.data[source] = data
	}
	return data
}
