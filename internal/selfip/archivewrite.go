package selfip

import (
	"os"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// rewriteArchived puts e in the place of an archived entry.
func (c *change) rewriteArchived(r catalog.Row, e entry.Entry) {
	if c.archiveEdits == nil {
		c.archiveEdits = map[int][]edit{}
	}
	c.archiveEdits[r.Source] = append(c.archiveEdits[r.Source], edit{row: r, line: e.String()})
	c.log = append(c.log, JournalChange{
		File: c.archive.sources[r.Source].Name, Entry: e.ID(), Before: c.archive.line(r), After: e.String(),
	})
}

// writeArchive brings the edits of archived entries to disk.
func (c *change) writeArchive() error {
	sources := make([]int, 0, len(c.archiveEdits))
	for i := range c.archiveEdits {
		sources = append(sources, i)
	}
	slices.Sort(sources)
	for _, i := range sources {
		name := c.archive.sources[i].Name
		old, err := c.lib.dir.Read(name)
		if err != nil {
			return err
		}
		if err := c.tx.Replace(name, splice(old, c.archiveEdits[i], 0)); err != nil {
			return err
		}
		c.moved = append(c.moved, splicing(c.archive.sources[i], c.lib.source(name), c.archiveEdits[i], old))
	}
	return nil
}

// evict keeps a partition within its capacity: what weighs least moves to the
// archive, which is written first, so that a crash in between leaves an entry in
// both places and loses none.
func (c *change) evict(p int, data []byte, fresh int, known map[string]catalog.Row) ([]byte, error) {
	if len(data) <= c.cap {
		return data, nil
	}
	if fresh > maxFresh {
		fresh = 0 // of a bulk import the weakest may go at once
	}
	out := entry.Evict(entry.ParseFile(data), c.cap, fresh, c.now)
	if len(out.Evicted) == 0 {
		return data, nil
	}
	c.evicted[p] = Evicted{File: Partitions[p].File, Entries: len(out.Evicted), Sections: out.Sections}
	return out.Kept.Bytes(), c.toArchive(p, out.Evicted, known)
}

// maxFresh is how many of the lines just written are kept out of an eviction.
const maxFresh = 50

// Evicted reports what left a partition file for the archive.
type Evicted struct {
	File     string
	Entries  int
	Sections []string // headings of sections that left whole
}

// toArchive adds lines to the archive of a partition, filling one segment after
// the other. The rows of lines that are known need not be made.
func (c *change) toArchive(p int, lines []entry.Line, known map[string]catalog.Row) error {
	for len(lines) > 0 {
		name := c.lib.segmentName(p)
		was := c.lib.source(name)
		room := segmentBytes - max(was.Size, 0)
		var part []byte
		for len(lines) > 0 && (len(part) == 0 || int64(len(part)) < room) {
			part = append(part, lines[0].Raw...)
			part = append(part, '\n')
			lines = lines[1:]
		}
		if err := c.tx.Append(name, part); err != nil {
			return err
		}
		now := c.lib.source(name)
		c.moved = append(c.moved, movement{was: was, now: now})
		c.archived = append(c.archived, addedLines{was, now, part, known})
	}
	return nil
}

// addedLines are lines that were added to a segment.
type addedLines struct {
	was, now catalog.Source
	lines    []byte
	known    map[string]catalog.Row
}

// tellArchive adds to the catalog of the archive what was moved there, so that
// the next change need not look at it again. If that fails, it does.
func (c *change) tellArchive() {
	if len(c.archived) == 0 || len(c.archiveEdits) > 0 {
		return
	}
	_ = c.lib.dir.Amend(archiveCatalog, func(f *os.File) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		h, err := catalog.ReadHeader(f, info.Size())
		if err != nil || h.Zone != zoneOf(c.now) {
			return err
		}
		sources := slices.Clone(h.Sources)
		var rows []catalog.Row
		for _, a := range c.archived {
			i := slices.IndexFunc(sources, a.was.Same)
			if i < 0 || len(a.lines) > tailBytes {
				return nil // made anew when it is needed
			}
			s := catalog.Rescan(i, a.lines, c.now.Location(), c.lib.blocked, a.known)
			rows = append(rows, shifted(s.Rows, a.now.Size-int64(len(a.lines)))...)
			sources[i] = a.now
		}
		_, err = h.Append(f, sources, rows)
		return err
	})
}

// current returns the entry of a row as this change leaves it so far.
func (c *change) current(r catalog.Row) entry.Entry {
	if i := c.editOf(r); i >= 0 {
		now, _ := entry.ParseLine(c.edits[r.Source][i].line)
		return now
	}
	return c.view.entry(r)
}

// currentArchived is current for an archived entry.
func (c *change) currentArchived(r catalog.Row) entry.Entry {
	for _, e := range c.archiveEdits[r.Source] {
		if e.row.Offset == r.Offset {
			now, _ := entry.ParseLine(e.line)
			return now
		}
	}
	return c.archive.entry(r)
}
