package selfip

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/search"
	"github.com/dshkit/dshkit/pkg/text"
)

// Hit is an entry that a search found.
type Hit struct {
	Entry
	Score    float64 // as shown to a reader: of the words, two decimals
	Weight   float64 // orders the hits of one search
	Share    float64 // of the query's words that the entry has, 0 to 1
	Trust    entry.Trust
	Expired  bool
	Archived bool
	ref      search.Ref
}

// countedHits is how many hits of a search count as used (spec/selfip.md 13.3).
const countedHits = 5

// SearchLimit is how many hits a search gives when nothing else is asked.
const SearchLimit = 12

// Search returns the entries that fit the query best, best first: at most limit
// of them, and no more text than the limit of characters in the settings, but
// always one. Only libraries that the scope reads are searched; an entry that a
// detector fires on is not shown.
func (m *Memory) Search(query string, limit int) []Hit {
	q := search.Parse(query)
	if q.Empty() || limit < 1 {
		return nil
	}
	var hits []Hit
	for _, lib := range m.readable() {
		hits = append(hits, lib.search(m, q, limit)...)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	hits = withoutTwins(hits)
	return withinLength(hits[:min(limit, len(hits))], m.Settings.SearchChars)
}

// withoutTwins drops what another library, or the archive, says as well.
func withoutTwins(hits []Hit) []Hit {
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h Hit) bool {
		key := h.Entry.Entry.Key()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// withinLength cuts the list where the lines get too long in all; a budget of 0
// is no bound.
func withinLength(hits []Hit, budget int) []Hit {
	used := 0
	for i, h := range hits {
		used += text.Len(h.Entry.Entry.String()) + 1
		if budget > 0 && used > budget && i > 0 {
			return hits[:i]
		}
	}
	return hits
}

// search ranks the entries of one library.
func (l *Library) search(m *Memory, q search.Query, limit int) []Hit {
	var hits []Hit
	_ = l.over(m.Now(), func(c *corpus) { hits = c.search(m, q, limit) }) // what cannot be read holds no hit
	return hits
}

func (c *corpus) search(m *Memory, q search.Query, limit int) []Hit {
	c.quick = m.Quick
	var hits []Hit
	for _, h := range c.rank(q, limit) {
		e, ok := c.read(h.Ref)
		if !ok {
			continue
		}
		e, v := gate.Entry(e)
		if v.Poison != nil && !c.lib.released(e.Text) {
			continue // written by hand, or not looked at before
		}
		hit := Hit{
			Entry: Entry{ID: e.ID(), Kind: e.Kind, Text: e.Text, Library: c.lib.Label, File: c.sources[h.Source].Name, Entry: e},
			Score: h.Score, Weight: h.Weight, Share: h.Share, Trust: e.Trust(), Expired: e.Expired(c.now),
			Archived: h.Source >= len(Partitions), ref: h.Ref,
		}
		if h.Phrase {
			hit.Weight += phraseFirst
		}
		hits = append(hits, hit)
	}
	m.IndexWanted = m.IndexWanted || c.wanting
	return hits
}

// phraseFirst puts hits that hold the query literally before all others.
const phraseFirst = math.MaxInt32

// CountUses adds one to the use counters of the first hits, in the libraries
// they come from. Each counts for itself (spec/selfip.md 29, W17). An archived
// entry that is found again moves back to its partition.
func (m *Memory) CountUses(ctx context.Context, hits []Hit) error {
	if m.Learns() != nil {
		return nil // reading writes nothing
	}
	for _, lib := range m.readable() {
		var own []Hit
		for _, h := range hits[:min(countedHits, len(hits))] {
			if h.Library == lib.Label {
				own = append(own, h)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := lib.countUses(ctx, m, own); err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) countUses(ctx context.Context, m *Memory, hits []Hit) error {
	_, err := l.update(ctx, m, "use", Author{}, func(c *change) error {
		c.silent = true
		for _, h := range hits {
			c.use(h)
		}
		return nil
	})
	return err
}

// use adds one to the counter of the entry that a hit found.
func (c *change) use(h Hit) {
	full := h.Entry.Entry.Key()
	key := catalog.KeyOf(full)
	for _, r := range c.view.find(partitionOf(h.Kind), key) {
		if r.Has(catalog.Withdrawn) {
			continue
		}
		if e := c.current(r); e.Live() && e.Key() == full {
			c.rewrite(r, e.With("uses", strconv.Itoa(e.Uses()+1)))
			return
		}
	}
	if !h.Archived {
		return
	}
	if e, ok := c.archivedTwin(h.Entry.Entry); ok { // else it was withdrawn since it was found
		c.add(e.With("uses", strconv.Itoa(e.Uses()+1)))
	}
}
