package selfip

import (
	"context"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Author says who makes a change.
type Author struct {
	Origin  string // written to the entry: tool, command, panel, retro, sleep, import
	Session string // of the harness, when there is one
}

// change collects what one use case does to the partitions of a library, under
// the library's lock, and writes it in one go.
type change struct {
	lib   *Library
	op    string
	by    Author
	tx    *filestore.Tx
	now   time.Time
	cap   int // UTF-16 code units of one partition file
	view  *view
	edits [len(Partitions)][]edit
	// editAt finds an edit by the offset of its line. Writing a file sorts its edits.
	editAt [len(Partitions)]map[int64]int
	added  [len(Partitions)][]string
	log    []JournalChange
	// length is that of a partition as it will be, once it is known.
	length [len(Partitions)]int
	// undoes is the id of the journal row that this change takes back.
	undoes    string
	compacted bool // that row is one of a compaction

	addedKeys map[string]addition // by entry key
	lastKey   struct {            // that was asked for
		kind entry.Kind
		text string
		key  string
	}

	decisions []decision
	extra     []func() error // further files, see also
	recalled  bool           // the log tells of lines that a killed try has written

	asks       bool                   // what is placed waits for the user's word
	candidates candidates             // those that this change adds or gives another status
	sheets     map[string]sleep.Sheet // by file

	moved []movement // what the search index has to be told

	archive       *archive // opened when first needed
	archived      []addedLines
	archiveErr    error
	archiveOpened bool
	archiveEdits  map[int][]edit // by segment
	evicted       [len(Partitions)]Evicted
	leavers       [len(Partitions)][]entry.Line // what leaves for the archive because it is told to

	silent bool // not a change that the journal tells of
	brief  bool // the journal names new entries without their lines
}

// addition is where a new entry of this change stands: its line among those
// added to a partition, and its row in the log.
type addition struct{ partition, line, log int }

// edit puts a new line in the place of the line of a row, or takes that out.
type edit struct {
	row  catalog.Row
	line string
	gone bool
}

// outcome is what a change came to.
type outcome struct {
	id       string // of its journal row; empty when nothing was changed
	archived int    // entries that moved to the archive for lack of room
	changes  []JournalChange
}

// update runs f under the lock of the library and writes what it has collected.
// If f fails nothing is written. The journal gets one row for all of it.
func (l *Library) update(ctx context.Context, m *Memory, op string, by Author, f func(*change) error) (outcome, error) {
	return l.updateThen(ctx, m, op, by, f, nil)
}

// updateThen is update with something that is done under the same lock when the
// change is on disk; then may be nil.
func (l *Library) updateThen(ctx context.Context, m *Memory, op string, by Author, f func(*change) error, then func(*filestore.Tx) error) (outcome, error) {
	var out outcome
	err := l.dir.With(ctx, func(tx *filestore.Tx) error {
		now := m.Now()
		c := &change{
			lib: l, op: op, by: by, tx: tx, now: now, cap: m.Settings.FileChars, view: l.live(now),
			addedKeys: map[string]addition{}, asks: m.asks(by),
		}
		defer func() { c.archive.close(); c.view.close() }()
		if err := f(c); err != nil {
			return err
		}
		row := Journal{
			ID: m.NewID("c"), Time: entry.Stamp(now), Op: op, By: by.Origin, Session: by.Session,
			Undoes: c.undoes, Changes: c.log,
		}
		if err := c.write(row); err != nil {
			return err
		}
		if len(c.log) > 0 {
			out.id, out.changes = row.ID, row.Changes
		}
		for _, e := range c.evicted {
			out.archived += e.Entries
		}
		if then != nil {
			return then(tx)
		}
		return nil
	})
	return out, err
}

// also has f write a further file when the change is written: behind the entries,
// before the journal.
func (c *change) also(f func() error) { c.extra = append(c.extra, f) }

// add stores a new entry in the partition of its kind.
func (c *change) add(e entry.Entry) {
	p := partitionOf(e.Kind)
	c.addedKeys[c.keyOf(e)] = addition{p, len(c.added[p]), len(c.log)}
	c.added[p] = append(c.added[p], e.String())
	row := JournalChange{File: Partitions[p].File, Entry: e.ID()}
	if !c.brief {
		row.After = e.String()
	}
	c.log = append(c.log, row)
}

// replaceAdded changes an entry that this change adds.
func (c *change) replaceAdded(at addition, e entry.Entry) {
	c.added[at.partition][at.line] = e.String()
	if !c.brief {
		c.log[at.log].After = e.String()
	}
}

// headAt puts a heading in front of what has been added to a partition from
// place on.
func (c *change) headAt(p, place int, heading string) {
	c.added[p] = slices.Insert(c.added[p], place, "", heading)
	for key, at := range c.addedKeys {
		if at.partition == p && at.line >= place {
			at.line += 2
			c.addedKeys[key] = at
		}
	}
}

// rewrite puts e in the place of the row's entry.
func (c *change) rewrite(r catalog.Row, e entry.Entry) {
	change := JournalChange{File: Partitions[r.Source].File, Entry: e.ID(), Before: c.view.line(r), After: e.String()}
	if change.Before == change.After && !c.edited(r) {
		return // a repetition that brings nothing new is no change
	}
	c.log = append(c.log, change)
	if i := c.editOf(r); i >= 0 {
		c.edits[r.Source][i].line = change.After
		return
	}
	c.edit(edit{row: r, line: change.After})
}

// editOf returns the place of the edit of a row's line, -1 when there is none.
func (c *change) editOf(r catalog.Row) int {
	edits := c.edits[r.Source]
	i, ok := c.editAt[r.Source][r.Offset]
	switch {
	case !ok:
		return -1
	case i < len(edits) && edits[i].row.Offset == r.Offset:
		return i
	}
	return slices.IndexFunc(edits, func(e edit) bool { return e.row.Offset == r.Offset })
}

// remove takes the line of a row out of its partition.
func (c *change) remove(r catalog.Row) { c.edit(edit{row: r, gone: true}) }

// edit adds an edit, the first of its line.
func (c *change) edit(e edit) {
	p := e.row.Source
	if c.editAt[p] == nil {
		c.editAt[p] = map[int64]int{}
	}
	c.editAt[p][e.row.Offset] = len(c.edits[p])
	c.edits[p] = append(c.edits[p], e)
}

// archiveLine adds a line to the archive of a partition, before the partition is
// written.
func (c *change) archiveLine(p int, line string) {
	c.leavers[p] = append(c.leavers[p], entry.Line{Raw: line})
}

// edited reports whether this change has put another line in the row's place.
func (c *change) edited(r catalog.Row) bool {
	return c.editOf(r) >= 0
}

// write brings the collected changes to disk: archive, partitions, further files,
// journal, catalog, in this order, so that a process killed in between has lost
// nothing.
func (c *change) write(row Journal) error {
	if len(c.log)+len(c.extra) == 0 {
		return nil
	}
	if err := c.lib.furnish(c.tx); err != nil {
		return err
	}
	if err := c.writeArchive(); err != nil {
		return err
	}
	touched := c.recalled || c.candidates.touched || len(c.archiveEdits)+len(c.decisions)+len(c.sheets)+len(c.extra) > 0
	for p := range Partitions {
		if len(c.edits[p]) == 0 && len(c.added[p]) == 0 {
			continue
		}
		touched = true
		if err := c.writePartition(p); err != nil {
			return err
		}
	}
	if !touched {
		return nil
	}
	further := []func() error{c.writeDecisions, c.writeSheets, c.writeCandidates}
	for _, write := range append(further, c.extra...) {
		if err := write(); err != nil {
			return err
		}
	}
	if !c.silent && len(c.log) > 0 {
		if err := c.tx.Append(journalFile, row.line(), filestore.NoSync); err != nil {
			return err
		}
	}
	c.view.save()
	c.lib.tellIndex(c.moved)
	c.tellArchive()
	return c.countEvicted()
}

// countEvicted adds what moved to the archive to the library's counters.
func (c *change) countEvicted() error {
	files, entries := 0, 0
	for _, e := range c.evicted {
		if e.Entries > 0 {
			files, entries = files+1, entries+e.Entries
		}
	}
	if err := c.lib.count(c.tx, state.Truncations, files); err != nil {
		return err
	}
	return c.lib.count(c.tx, state.Evicted, entries)
}
