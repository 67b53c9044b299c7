package selfip

import (
	"bytes"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/search"
)

// A search scans what is small. Above indexBytes the files have an index, which
// is thrown away and made anew at will; files that have changed since are
// scanned beside it, until that is more than the part staleShare of all.
const (
	indexBytes = 48 << 10
	staleBytes = 512 << 10
	staleShare = 8
	// hookBytes bounds the files for which a hook makes an index itself; for
	// larger ones it scans and leaves it to a worker.
	hookBytes = 4 << 20
)

// rank returns the best entries for q, from the index when there is one.
func (c *corpus) rank(q search.Query, limit int) []search.Hit {
	everything := func(int) bool { return true }
	total := c.bytes(everything)
	if total <= indexBytes {
		return search.Rank(q, c.docs(everything), limit)
	}
	ix := c.openIndex()
	if stale := c.staleBytes(ix); stale > staleBytes && stale > total/staleShare || ix == nil {
		ix = c.buildIndex(ix, total)
	}
	if ix == nil {
		return search.Rank(q, c.docs(everything), limit)
	}
	defer ix.close()
	hits, err := ix.Search(q, search.Settings{
		Limit: limit, Number: ix.number, Load: c.load, Scanned: c.docs(func(i int) bool { return !ix.has(i) }),
	})
	if err != nil { // damaged: the files are the truth
		return search.Rank(q, c.docs(everything), limit)
	}
	return hits
}

// openedIndex is an index with what it still knows of the sources.
type openedIndex struct {
	*search.Index
	numbers []int // of our sources, by those of the index; -1: changed since
	known   []int // our sources that it knows as they are
	close   func()
}

func (ix *openedIndex) number(source int) int { return ix.numbers[source] }
func (ix *openedIndex) has(source int) bool   { return slices.Contains(ix.known, source) }

// openIndex opens the index on disk, if there is one that can be read.
func (c *corpus) openIndex() *openedIndex {
	f, info, err := c.lib.dir.OpenFile(indexFile)
	if err != nil {
		return nil
	}
	ix, err := search.OpenIndex(f, info.Size)
	if err != nil {
		f.Close()
		return nil
	}
	return c.match(ix, func() { f.Close() })
}

// match tells which sources of an index are as they were.
func (c *corpus) match(ix *search.Index, done func()) *openedIndex {
	out := &openedIndex{Index: ix, close: done}
	for _, s := range ix.Sources() {
		old := catalog.Source{Name: s.Name, Size: s.Size, ModTime: s.ModTime, Inode: s.Inode}
		number := slices.IndexFunc(c.sources, old.Same)
		out.numbers = append(out.numbers, number)
		if number >= 0 {
			out.known = append(out.known, number)
		}
	}
	return out
}

// staleBytes is the size of the files that an index does not know as they are.
func (c *corpus) staleBytes(ix *openedIndex) int64 {
	if ix == nil {
		return 0
	}
	return c.bytes(func(i int) bool { return !ix.has(i) })
}

// load reads a candidate of the index.
func (c *corpus) load(ref search.Ref) (search.Doc, bool) {
	e, ok := c.read(ref)
	return search.Doc{Ref: ref, Text: e.Text, Prior: e.Score(c.now)}, ok
}

// buildIndex makes the index anew and keeps it for the next search. A hook that
// would take too long at it goes on with the old one.
func (c *corpus) buildIndex(old *openedIndex, total int64) *openedIndex {
	if c.quick && total > hookBytes {
		return old
	}
	if old != nil {
		old.close()
	}
	parts := make([]search.Part, len(c.sources))
	for i, s := range c.sources {
		parts[i] = search.Part{
			Source: search.Source{Name: s.Name, Size: s.Size, ModTime: s.ModTime, Inode: s.Inode},
			Docs:   c.docs(func(source int) bool { return source == i }),
		}
	}
	data, err := search.Build(parts)
	if err != nil {
		return nil
	}
	_ = c.lib.dir.WriteDerived(indexFile, data) // kept for the next search if it can be
	ix, err := search.OpenIndex(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	return c.match(ix, func() {})
}
