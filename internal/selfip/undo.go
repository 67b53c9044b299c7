package selfip

import (
	"context"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Logged is a journal row with the library it belongs to.
type Logged struct {
	Journal
	Library Label
}

// Log returns the journals of the libraries that are read, oldest first, and
// how many of their lines could not be read.
func (m *Memory) Log() (rows []Logged, bad int, err error) {
	for _, lib := range m.readable() {
		own, n, err := lib.journal()
		if err != nil {
			return nil, 0, err
		}
		for _, row := range own {
			rows = append(rows, Logged{row, lib.Label})
		}
		bad += n
	}
	sortByTime(rows)
	return rows, bad, nil
}

func (l *Library) journal() ([]Journal, int, error) {
	var rows []Journal
	bad, seen := 0, map[string]bool{}
	for _, name := range append(l.journalSegments(), journalFile) {
		data, err := l.read(name)
		if err != nil {
			return nil, 0, err
		}
		own, n := parseJournal(data)
		for _, row := range own {
			if !seen[row.ID] { // killed while a segment was made, it stands in two files
				rows = append(rows, row)
			}
		}
		for _, row := range own {
			seen[row.ID] = true
		}
		bad += n
	}
	return rows, bad, nil
}

// Undo takes back the change with the given id, or the last one that has not
// been taken back. A new entry is withdrawn, a changed one gets its earlier line
// back. If one of its entries has been changed since, nothing is done.
func (m *Memory) Undo(ctx context.Context, id string, by Author) (Undone, error) {
	rows, _, err := m.Log()
	if err != nil {
		return Undone{}, err
	}
	target, err := undoTarget(rows, id)
	if err != nil {
		return Undone{}, err
	}
	for _, lib := range m.readable() {
		if lib.Label == target.Library {
			done, err := lib.undo(ctx, m, target.Journal, by)
			return Undone{target, done.id, done.changes}, err
		}
	}
	return Undone{}, fault.New(fault.NotFound, codeNoChange, id)
}

// Undone is a change that was taken back.
type Undone struct {
	Logged
	Redo    string          // the id of the change that did it; undoing that one brings Logged about again
	Effects []JournalChange // what it did
}

// undoTarget finds the change to take back.
func undoTarget(rows []Logged, id string) (Logged, error) {
	undone := map[string]bool{}
	for _, row := range rows {
		undone[row.Undoes] = true
	}
	for i := len(rows) - 1; i >= 0; i-- {
		row := rows[i]
		if id != "" && row.ID == id {
			return row, nil
		}
		if id == "" && row.Undoes == "" && !undone[row.ID] {
			return row, nil
		}
	}
	if id == "" {
		return Logged{}, fault.New(fault.NotFound, codeNothingToDo)
	}
	return Logged{}, fault.New(fault.NotFound, codeNoChange, id)
}

func (l *Library) undo(ctx context.Context, m *Memory, target Journal, by Author) (outcome, error) {
	if target.Op == opRelease {
		return l.undoRelease(ctx, m, target, by)
	}
	return l.revertAll(ctx, m, target, by)
}

// undoRelease takes back the release with the entry: the detectors keep the text
// from being shown again, wherever it stands.
func (l *Library) undoRelease(ctx context.Context, m *Memory, target Journal, by Author) (outcome, error) {
	out, err := l.revertAll(ctx, m, target, by)
	if err != nil {
		return out, err
	}
	var texts []string
	for _, j := range target.Changes {
		if e, ok := entry.ParseLine(j.After); ok {
			texts = append(texts, e.Text)
		}
	}
	if err := l.releases.drop(ctx, l.Root, texts); err != nil {
		return out, err
	}
	return out, l.dir.With(ctx, forgetDerived)
}

func (l *Library) revertAll(ctx context.Context, m *Memory, target Journal, by Author) (outcome, error) {
	return l.update(ctx, m, "undo", by, func(c *change) error {
		c.undoes, c.compacted = target.ID, target.Op == "compact"
		for i := len(target.Changes) - 1; i >= 0; i-- {
			if err := c.revert(target.Changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// revert takes back what happened to one entry, or to a proposal.
func (c *change) revert(j JournalChange) error {
	switch {
	case j.File == decisionsFile:
		return c.undecide(j)
	case j.File == candidatesFile:
		return c.unsettle(j)
	case slices.Contains(sheetFiles, j.File):
		return c.revertPoint(j)
	case j.Before != "" && j.After == "":
		return nil // it said what another entry says, which stands
	}
	hits, err := c.matching(needle{id: strings.ToLower(j.Entry), text: "\x00"}, func(e entry.Entry) bool {
		return j.After == "" && e.Live() || c.sameLine(e, j.After)
	})
	if err != nil {
		return err
	}
	if len(hits) == 0 {
		return fault.New(fault.Conflict, codeUndoConflict, j.Entry)
	}
	f := hits[len(hits)-1]
	for _, h := range hits {
		if !h.archived {
			f = h // what an archived line says as well, the live one stands for
		}
	}
	if j.Before == "" {
		c.put(f, withdrawn(f.entry, "undo", c))
		return nil
	}
	before, _ := entry.ParseLine(j.Before)
	if f.archived && c.compacted && before.Live() {
		c.store(before) // it left its file because a new line said it, and comes back to it
		return nil
	}
	c.put(f, before)
	return nil
}

// sameLine reports whether an entry still stands as the journal left it. That
// it has been found by a search since is no change.
func (c *change) sameLine(e entry.Entry, line string) bool {
	then, ok := entry.ParseLine(line)
	return ok && then.With("uses", "").String() == e.With("uses", "").String()
}
