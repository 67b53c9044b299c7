package selfip

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/pkg/fault"
)

// sheetFiles are the files of notes that sleep writes.
var sheetFiles = []string{principlesFile, hypothesesFile, prefetchFile}

// titleOf is the title of a sheet, by its file.
func titleOf(name string) string {
	switch name {
	case principlesFile:
		return sleep.PrinciplesTitle
	case hypothesesFile:
		return sleep.HypothesesTitle
	}
	return sleep.PrefetchTitle
}

// sheet reads a sheet for a change of it, as it stands in its file.
func (l *Library) sheet(name string) (sleep.Sheet, error) {
	data, err := l.read(name)
	return sleep.ParseSheet(titleOf(name), data), err
}

// sheetText is a sheet as it is shown to an agent: through the gate, for a person
// or another program may have written anything into the file.
func (l *Library) sheetText(name string) string {
	safe := l.gated(name)
	if safe == "" {
		return ""
	}
	return sleep.ParseSheet(titleOf(name), []byte(safe)).Text()
}

// prefetch is what the last sleep of the library that is read first says the next
// session should know, without the heading of its file.
func (m *Memory) prefetch() string {
	libs := m.readable()
	if len(libs) == 0 {
		return ""
	}
	return libs[0].prefetch()
}

func (l *Library) prefetch() string {
	_, said, _ := strings.Cut(l.sheetText(prefetchFile), "\n")
	return said
}

// sheet is the sheet as this change leaves it.
func (c *change) sheet(name string) (sleep.Sheet, error) {
	if s, ok := c.sheets[name]; ok {
		return s, nil
	}
	return c.lib.sheet(name)
}

// setSheet puts another sheet in the place of the one that is there, and logs the
// points that differ.
func (c *change) setSheet(name string, next sleep.Sheet) error {
	old, err := c.sheet(name)
	if err != nil || old.Same(next) {
		return err
	}
	if c.sheets == nil {
		c.sheets = map[string]sleep.Sheet{}
	}
	c.sheets[name] = next.WithLines(next.Lines(), entry.Stamp(c.now))
	gone, fresh := apart(old.Lines(), next.Lines()), apart(next.Lines(), old.Lines())
	for _, line := range fresh {
		row := JournalChange{File: name, Entry: pointID(line), After: line}
		if i := slices.IndexFunc(gone, func(was string) bool { return pointID(was) == row.Entry }); i >= 0 {
			row.Before = gone[i]
			gone = slices.Delete(gone, i, i+1)
		}
		c.log = append(c.log, row)
	}
	for _, line := range gone {
		c.log = append(c.log, JournalChange{File: name, Entry: pointID(line), Before: line})
	}
	return nil
}

func pointID(line string) string {
	p, _ := sleep.ParsePoint(line)
	return p.ID()
}

// apart returns the lines that others do not have.
func apart(lines, others []string) (out []string) {
	others = slices.Clone(others)
	for _, line := range lines {
		if i := slices.Index(others, line); i >= 0 {
			others = slices.Delete(others, i, i+1)
			continue
		}
		out = append(out, line)
	}
	return out
}

// writeSheets brings the sheets to disk.
func (c *change) writeSheets() error {
	for _, name := range sheetFiles {
		if s, ok := c.sheets[name]; ok {
			if err := c.tx.Replace(name, s.Format()); err != nil {
				return err
			}
		}
	}
	return nil
}

// revertPoint takes back what happened to a point of a sheet. A principle or a
// prefetch point that is not there any more needs no taking back.
func (c *change) revertPoint(j JournalChange) error {
	s, err := c.sheet(j.File)
	if err != nil {
		return err
	}
	lines := s.Lines()
	at := slices.Index(lines, j.After)
	switch {
	case j.After == "":
		lines = append(lines, j.Before)
	case at < 0 && j.File == hypothesesFile:
		return fault.New(fault.Conflict, codeUndoConflict, j.Entry)
	case at < 0:
	case j.Before == "":
		lines = slices.Delete(lines, at, at+1)
	default:
		lines[at] = j.Before
	}
	return c.setSheet(j.File, s.WithLines(lines, s.Stamp))
}

// safePoints passes points through the gate on their way into a sheet. One that a
// detector fires on goes to quarantine.
func (c *change) safePoints(points []sleep.Point, source string) (safe []sleep.Point, aside int, err error) {
	for _, p := range points {
		v := gate.Note(p.Text)
		if v.Poison != nil {
			if _, err := c.aside(v, source); err != nil {
				return nil, aside, err
			}
			aside++
			continue
		}
		if p.Text = v.Text; p.Text != "" {
			safe = append(safe, p)
		}
	}
	return safe, aside, nil
}
