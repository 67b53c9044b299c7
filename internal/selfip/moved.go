package selfip

import (
	"os"
	"slices"
	"sort"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/search"
)

// movement is what a change did to the lines of one file.
type movement struct {
	was, now catalog.Source
	lost     bool // it cannot be told: the index does not know the file any more
	lines    placer
}

// placer tells where things stand now. Nil: where they stood, for lines were
// only added at the end.
type placer interface {
	// line returns where the line stands that stood at an offset, and its length.
	line(offset int64, size int) (now int64, length int, ok bool)
	// end returns the end of what ended at an offset: behind it stand only lines
	// that stood behind it, or are new.
	end(offset int64) int64
}

// moved are the lines of a file that are left, by their old offset.
type moved []movedLine

type movedLine struct {
	from, to int64
	size     int
}

func (m moved) line(offset int64, _ int) (now int64, length int, ok bool) {
	i := sort.Search(len(m), func(i int) bool { return m[i].from >= offset })
	if i == len(m) || m[i].from != offset {
		return 0, 0, false
	}
	return m[i].to, m[i].size, true
}

func (m moved) end(offset int64) int64 {
	i := sort.Search(len(m), func(i int) bool { return m[i].from >= offset })
	if i == 0 {
		return 0
	}
	return m[i-1].to + int64(m[i-1].size)
}

// spliced are edits of a file that is otherwise as it was, by offset.
type spliced []edit

func (s spliced) line(offset int64, size int) (now int64, length int, ok bool) {
	for _, e := range s {
		if e.row.Offset == offset {
			size = len(e.line)
		}
	}
	return s.end(offset), size, true
}

func (s spliced) end(offset int64) int64 {
	now := offset
	for _, e := range s {
		if e.row.Offset < offset {
			now += int64(len(e.line) - e.row.Size)
		}
	}
	return now
}

// tellIndex brings the search index up to date with what the holder of the lock
// has changed, so that it goes on to know the files. If that fails it does not,
// and they are scanned until the next one is made.
func (l *Library) tellIndex(movements []movement) {
	if len(movements) == 0 {
		return
	}
	_ = l.dir.Amend(indexFile, func(f *os.File) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		ix, err := search.OpenIndex(f, info.Size())
		if err != nil {
			return err
		}
		for _, m := range movements {
			if err := m.tell(ix, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// tell tells an index, if it knows the file as it was.
func (m movement) tell(ix *search.Index, f *os.File) error {
	sources := ix.Sources()
	number := slices.IndexFunc(sources, func(s search.Source) bool { return isSource(s)(m.was) })
	if m.lost || number < 0 {
		return nil
	}
	move := search.Move{Source: number, Now: search.Source{
		Size: m.now.Size, ModTime: m.now.ModTime, Inode: m.now.Inode, Covered: sources[number].Covered,
	}}
	if m.lines != nil {
		move.To, move.Now.Covered = m.lines.line, m.lines.end(move.Now.Covered)
	}
	return ix.Move(f, []search.Move{move})
}

// renewal is what is known of the lines of a partition that is written anew.
type renewal struct {
	before []catalog.Row
	lines  []string               // as they are now, by row
	known  map[string]catalog.Row // rows by line
	lost   bool
}

// renewal looks at the lines of a partition before and after its edits.
func (c *change) renewal(p int, before []catalog.Row, old []byte) renewal {
	r := renewal{before: before, lines: make([]string, len(before)), known: make(map[string]catalog.Row, len(before))}
	text := string(old)
	for i, row := range before {
		r.lines[i] = text[row.Offset : int(row.Offset)+row.Size]
		r.known[r.lines[i]] = row
	}
	for _, e := range c.edits[p] {
		i, ok := rowAt(before, e.row.Offset)
		if !ok {
			r.lost = true
			continue
		}
		if e.gone {
			r.lines[i] = "" // no line of the file
			continue
		}
		r.lost = r.lost || !sameToSearch(r.lines[i], e.line)
		r.lines[i] = e.line
	}
	return r
}

// sameToSearch reports whether an index that holds a line need not know that
// another stands in its place: it says the same, and is not live where the first
// was not.
func sameToSearch(old, line string) bool {
	a, okA := entry.ParseLine(old)
	b, okB := entry.ParseLine(line)
	return okA && okB && a.Text == b.Text && (a.Live() || !b.Live())
}

// movement tells where the lines stand in data, the rows of which are after.
// Lines keep their order, and new ones stand at the end.
func (r renewal) movement(was, now catalog.Source, after []catalog.Row, data []byte) movement {
	kept := make(moved, 0, len(r.before))
	for i, row := range r.before {
		if len(after) == 0 {
			break
		}
		next := after[0]
		if string(data[next.Offset:int(next.Offset)+next.Size]) == r.lines[i] {
			kept = append(kept, movedLine{row.Offset, next.Offset, next.Size})
			after = after[1:]
		}
	}
	return movement{was: was, now: now, lost: r.lost, lines: kept}
}

// splicing tells where the lines stand of a file in which edits were made.
func splicing(was, now catalog.Source, edits []edit, old []byte) movement {
	m := movement{was: was, now: now, lines: spliced(edits)}
	for _, e := range edits {
		m.lost = m.lost || !sameToSearch(string(old[e.row.Offset:int(e.row.Offset)+e.row.Size]), e.line)
	}
	return m
}
