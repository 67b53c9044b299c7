package selfip

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// writePartition brings what was collected for a partition to disk, in the
// cheapest way that will do.
func (c *change) writePartition(p int) error {
	if err := c.view.unread[p]; err != nil {
		return err // a file that cannot be read is never replaced
	}
	if pieces := c.counts(p); pieces != nil {
		return c.count(p, pieces)
	}
	addition := strings.Join(c.added[p], "\n")
	if c.rewrites(p) {
		return c.replaceLines(p, addition)
	}
	return c.appendLines(p, addition)
}

// units is the length that the partition will have, in UTF-16 code units.
func (c *change) units(p int) int {
	if c.length[p] > 0 {
		return c.length[p] // everything has been collected
	}
	units := int(c.view.catalog.Sources[p].Units)
	for _, line := range c.added[p] {
		units += text.Len(line) + 1
	}
	for _, e := range c.edits[p] {
		units += text.Len(e.line) - e.row.Cost
		if e.gone {
			units-- // its line end
		}
	}
	c.length[p] = units
	return units
}

// rewrites reports whether a partition cannot just be added to.
func (c *change) rewrites(p int) bool {
	return len(c.edits[p]) > 0 || !c.view.catalog.Sources[p].Clean || c.units(p) > c.cap
}

// counts returns the digits to write over those on disk, when counters of uses
// are all that changes and they do not get longer; else nil.
func (c *change) counts(p int) []filestore.Piece {
	if len(c.added[p]) > 0 {
		return nil
	}
	var pieces []filestore.Piece
	for _, e := range c.edits[p] {
		at, digits := countedUp(c.view.line(e.row), e.line)
		if digits == "" {
			return nil
		}
		pieces = append(pieces, filestore.Piece{At: e.row.Offset + int64(at), Data: []byte(digits)})
	}
	return pieces
}

// countedUp returns the counter of uses in line and where it stands, if that is
// all in which the lines differ, and it is as long in both.
func countedUp(old, line string) (at int, digits string) {
	at = strings.LastIndex(line, "uses:") + len("uses:")
	if len(old) != len(line) || at < len("uses:") {
		return 0, ""
	}
	end := at
	for end < len(line) && isDigit(line[end]) && isDigit(old[end]) {
		end++
	}
	if old[:at] != line[:at] || old[end:] != line[end:] || strings.IndexByte("{,", line[at-len("uses:")-1]) < 0 {
		return 0, ""
	}
	return at, line[at:end]
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// count writes counters over those on disk. They can be lost, entries cannot:
// nothing is synced and nothing moved, so that a search does not pay for a new
// file.
func (c *change) count(p int, pieces []filestore.Piece) error {
	was := c.view.catalog.Sources[p]
	state := filestore.Info{Size: was.Size, ModTime: was.ModTime, Inode: was.Inode}
	if err := c.tx.Patch(was.Name, state, pieces); err != nil {
		return err
	}
	rows := make([]catalog.Row, len(c.edits[p]))
	for i, e := range c.edits[p] {
		now, _ := entry.ParseLine(e.line)
		rows[i] = e.row
		rows[i].Uses = min(now.Uses(), entry.MaxCountedUses)
	}
	c.view.updateRows(p, rows)
	c.moved = append(c.moved, movement{was: was, now: c.view.catalog.Sources[p]})
	return nil
}

// appendLines adds to the end of a partition file by one synced write.
func (c *change) appendLines(p int, addition string) error {
	was := c.view.catalog.Sources[p]
	begin := max(was.Size, 0)
	if begin > 0 {
		addition = "\n" + addition // spec/selfip.md 4.3
	}
	lost := !c.lib.source(was.Name).Same(was)
	if err := c.tx.Append(was.Name, []byte(addition)); err != nil {
		return err
	}
	s := catalog.Scan(p, []byte(addition), c.now.Location(), c.lib.judge)
	c.view.appendRows(p, shifted(s.Rows, begin), int64(s.Units))
	now := c.view.catalog.Sources[p]
	if lost = lost || now.Size != begin+int64(len(addition)); lost {
		c.view.forget() // somebody has written to it by hand at this moment
	}
	c.moved = append(c.moved, movement{was: was, now: now, lost: lost})
	return nil
}

func shifted(rows []catalog.Row, by int64) []catalog.Row {
	for i := range rows {
		rows[i].Offset += by
	}
	return rows
}

// replaceLines writes a partition file anew, with its edits and additions, and
// moves what no longer fits into the archive.
func (c *change) replaceLines(p int, addition string) error {
	was, before := c.view.catalog.Sources[p], slices.Clone(c.view.rows(p))
	old, err := c.readAsKnown(was)
	if err != nil {
		return err
	}
	data := splice(old, c.edits[p], len(addition)+1)
	if len(data) > 0 && addition != "" {
		data = append(data, '\n')
	}
	data = append(data, addition...)
	shorter := slices.ContainsFunc(c.edits[p], func(e edit) bool { return e.gone })
	switch {
	case shorter:
		data = entry.Sweep(entry.ParseFile(data)).Bytes()
	case !was.Clean:
		data = normalize(data)
	case c.units(p) <= c.cap:
		return c.replaceMost(p, was, before, old, data)
	}
	r := c.renewal(p, before, old)
	if err := c.toArchive(p, c.leavers[p], r.known); err != nil {
		return err
	}
	if data, err = c.evict(p, data, len(c.added[p]), r.known); err != nil {
		return err
	}
	if err := c.tx.Replace(was.Name, data); err != nil {
		return err
	}
	c.view.catalog.Sources[p] = c.lib.source(was.Name)
	c.view.replaceRows(p, data, r.known)
	c.moved = append(c.moved, r.movement(was, c.view.catalog.Sources[p], c.view.rows(p), data))
	return nil
}

// readAsKnown reads a partition file in the state that the rows were made from.
func (c *change) readAsKnown(known catalog.Source) ([]byte, error) {
	data, info, err := c.lib.dir.ReadInfo(known.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && known.Size == missing:
		return nil, nil
	case err != nil:
		return nil, err
	case !known.Same(sourceOf(known.Name, info)):
		return nil, fault.New(fault.Conflict, codeFileChanged, c.lib.Path(known.Name))
	}
	return data, nil
}

// replaceMost writes a partition of which all lines stay but for edits and
// additions: their rows only move.
func (c *change) replaceMost(p int, was catalog.Source, before []catalog.Row, old, data []byte) error {
	if err := c.tx.Replace(was.Name, data); err != nil {
		return err
	}
	rows, m := before, splicing(was, was, c.edits[p], old)
	for i, r := range rows {
		rows[i].Offset, _, _ = m.lines.line(r.Offset, 0)
	}
	for _, e := range c.edits[p] {
		i, ok := rowAt(rows, func() int64 { at, _, _ := m.lines.line(e.row.Offset, 0); return at }())
		if ok {
			rows[i] = c.editedRow(p, rows[i], e, old)
		}
	}
	end := len(data) - len(strings.Join(c.added[p], "\n"))
	added := catalog.Scan(p, data[end:], c.now.Location(), c.lib.judge)
	units := c.units(p)
	c.view.setRows(p, data, append(rows, shifted(added.Rows, int64(end))...), units)
	m.now = c.view.catalog.Sources[p]
	c.moved = append(c.moved, m)
	return nil
}

// rowAt finds the row of the line at an offset.
func rowAt(rows []catalog.Row, offset int64) (int, bool) {
	return slices.BinarySearchFunc(rows, offset, func(r catalog.Row, offset int64) int { return int(r.Offset - offset) })
}

// editedRow is the row of an edited line. A text that was looked at before need
// not be looked at again.
func (c *change) editedRow(p int, was catalog.Row, e edit, old []byte) catalog.Row {
	now, _ := entry.ParseLine(e.line)
	before, _ := entry.ParseLine(string(old[e.row.Offset : int(e.row.Offset)+e.row.Size]))
	look := catalog.Judge(c.lib.judge)
	if now.Text == before.Text {
		look = func(entry.Entry) int { return was.Flags }
	}
	return catalog.NewRow(p, was.Offset, e.line, now, look, c.now.Location())
}

// splice returns data with the edits made, and with room behind it.
func splice(data []byte, edits []edit, room int) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return int(a.row.Offset - b.row.Offset) })
	for _, e := range edits {
		room += max(len(e.line)-e.row.Size, 0)
	}
	out := make([]byte, 0, len(data)+room)
	done := 0
	for _, e := range edits {
		out = append(out, data[done:e.row.Offset]...)
		out = append(out, e.line...)
		done = int(e.row.Offset) + e.row.Size
		if e.gone {
			out, done = joined(out, data, done)
		}
	}
	return append(out, data[done:]...)
}

// joined takes the line end behind a line that is taken out as well, or the one
// before it when it was the last.
func joined(out, data []byte, done int) ([]byte, int) {
	switch {
	case done == len(data):
		return bytes.TrimSuffix(bytes.TrimSuffix(out, []byte("\n")), []byte("\r")), done
	case bytes.HasPrefix(data[done:], []byte("\r\n")):
		return out, done + 2
	}
	return out, done + 1
}

// normalize gives a file one kind of line end, LF, and no byte order mark.
func normalize(data []byte) []byte {
	s := strings.TrimPrefix(string(data), "\ufeff")
	if strings.Contains(s, "\r") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return []byte(s)
}
