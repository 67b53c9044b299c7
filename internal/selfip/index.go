package selfip

import (
	"bytes"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/search"
)

// A search scans what is small. Above indexBytes the files have an index, which
// is thrown away and made anew at will. What we change ourselves we tell it
// (see moved); what has been added since, and files that others have changed,
// are scanned beside it, until that is more than a share of all.
const (
	indexBytes = 48 << 10
	minStale   = 32 << 10
	maxStale   = 1 << 20
	staleShare = 8
	// softStale is what is worth a new index by a worker, for the next search.
	softStale = 64 << 10

	// hookBytes bounds what a hook reads to make an index itself, and of one
	// file to scan it. More is left out, until a worker has made an index.
	hookBytes = 512 << 10
)

// rank returns the best entries for q, from the index when there is one.
func (c *corpus) rank(q search.Query, limit int) []search.Hit {
	total := c.bytes()
	if total <= indexBytes {
		return search.Rank(q, c.docs(everything), limit)
	}
	ix := c.openIndex()
	if c.isStale(ix, total) && (!c.quick || total <= hookBytes) {
		ix = c.buildIndex(ix)
	}
	c.wanting = ix == nil || c.stale(ix) > softStale
	if ix == nil {
		return search.Rank(q, c.docs(c.bearable(everything)), limit)
	}
	defer ix.close()
	hits, err := ix.Search(q, search.Settings{
		Limit: limit, Number: ix.number, Load: c.load, Scanned: c.docs(c.bearable(c.uncovered(ix))),
	})
	if err != nil { // damaged: the files are the truth
		return search.Rank(q, c.docs(c.bearable(everything)), limit)
	}
	return hits
}

// bearable is want, but for what a hook cannot wait for.
func (c *corpus) bearable(want part) part {
	return func(source int) (int64, bool) {
		from, ok := want(source)
		if ok && c.quick && c.sources[source].Size-from > hookBytes {
			c.wanting = true
			return 0, false
		}
		return from, ok
	}
}

// openedIndex is an index with what it still knows of the sources.
type openedIndex struct {
	*search.Index
	numbers []int         // of our sources, by those of the index; -1: changed since
	covered map[int]int64 // how much it knows of ours, in bytes
	close   func()
}

func (ix *openedIndex) number(source int) int { return ix.numbers[source] }

// openIndex opens the index on disk, if there is one that can be read.
func (c *corpus) openIndex() *openedIndex {
	f, info, err := c.lib.dir.OpenFile(indexFile)
	if err != nil {
		return nil
	}
	ix, err := search.OpenIndex(f, info.Size)
	if err != nil {
		_ = f.Close()
		return nil
	}
	return c.match(ix, func() { _ = f.Close() })
}

// match tells which sources of an index are as they were.
func (c *corpus) match(ix *search.Index, done func()) *openedIndex {
	out := &openedIndex{Index: ix, covered: map[int]int64{}, close: done}
	for _, s := range ix.Sources() {
		number := slices.IndexFunc(c.sources, isSource(s))
		out.numbers = append(out.numbers, number)
		if number >= 0 {
			out.covered[number] = s.Covered
		}
	}
	return out
}

// isSource returns a function that recognizes the source of an index.
func isSource(s search.Source) func(catalog.Source) bool {
	return catalog.Source{Name: s.Name, Size: s.Size, ModTime: s.ModTime, Inode: s.Inode}.Same
}

// uncovered is what an index does not know.
func (c *corpus) uncovered(ix *openedIndex) part {
	return func(source int) (int64, bool) {
		covered := ix.covered[source]
		return covered, covered < c.sources[source].Size
	}
}

// isStale reports whether an index is worth making anew, though somebody waits
// for it; nil is none.
func (c *corpus) isStale(ix *openedIndex, total int64) bool {
	return ix == nil || ix.Gone() > ix.Docs()/staleShare || c.stale(ix) > min(max(minStale, total/staleShare), maxStale)
}

// stale is how much an index does not know, in bytes.
func (c *corpus) stale(ix *openedIndex) (bytes int64) {
	for i, s := range c.sources {
		bytes += max(s.Size-ix.covered[i], 0)
	}
	return bytes
}

// load reads a candidate of the index.
func (c *corpus) load(ref search.Ref) (search.Doc, bool) {
	e, ok := c.read(ref)
	return search.Doc{Ref: ref, Text: e.Text, Prior: e.Score(c.now)}, ok && e.Live()
}

// buildIndex makes the index anew and keeps it for the next search.
func (c *corpus) buildIndex(old *openedIndex) *openedIndex {
	if old != nil {
		old.close()
	}
	parts := make([]search.Part, len(c.sources))
	for i, s := range c.sources {
		parts[i] = search.Part{
			Source: search.Source{Name: s.Name, Size: s.Size, ModTime: s.ModTime, Inode: s.Inode, Covered: s.Size},
			Docs:   c.docs(func(source int) (int64, bool) { return 0, source == i }),
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

// upkeepFile is locked by the one worker that makes an index.
const upkeepFile = "run/upkeep.lock"

// upkeep makes the indexes anew that a search would like to be. Not being able
// to is no fault: a search does without.
func (m *Memory) upkeep() {
	m.eachIndex(func(c *corpus, ix *openedIndex, stale bool) *openedIndex {
		if !stale && (ix == nil || c.stale(ix) <= softStale) {
			return ix
		}
		c.lib.dir.Alone(upkeepFile, func() { ix = c.buildIndex(ix) })
		return ix
	})
}

// NeedsUpkeep reports whether a search would make an index first: a worker can do
// that before somebody waits for it.
func (m *Memory) NeedsUpkeep() (needed bool) {
	m.eachIndex(func(_ *corpus, ix *openedIndex, stale bool) *openedIndex {
		needed = needed || stale
		return ix
	})
	return needed
}

// eachIndex calls f with every library that is read, its index, nil for none,
// and whether that is worth making anew. f returns the index that is open then.
func (m *Memory) eachIndex(f func(c *corpus, ix *openedIndex, stale bool) *openedIndex) {
	for _, lib := range m.readable() {
		c, err := lib.corpus(m.Now())
		if err != nil {
			continue
		}
		ix, total := c.openIndex(), c.bytes()
		if ix = f(c, ix, total > indexBytes && c.isStale(ix, total)); ix != nil {
			ix.close()
		}
		c.close()
	}
}
