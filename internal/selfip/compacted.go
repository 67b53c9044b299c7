package selfip

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/compact"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// Logs of compactions (spec/selfip.md 3.11).
const (
	compactLog         = "logs/compact.md"
	compactRejectedLog = "logs/compact-rejected.md"
)

// withdrawnStay is how long a withdrawn entry stays in its file: it can be
// restored to where it was, and says to a reader of the file what is no longer
// so.
const withdrawnStay = 30 * 24 * time.Hour

// settling is a plan that is put into effect on a partition as it is now.
type settling struct {
	*change
	taken taken
	plan  compact.Plan
	rows  []catalog.Row // of what was taken, where it stands now
	there []bool        // it still does
}

// compact does what a plan says to entries that have not changed since it was
// made. What was added or changed meanwhile is left alone (spec/selfip.md 29, W4).
func (c *change) compact(t taken, plan compact.Plan, out *Compacted) error {
	if err := c.view.unread[t.partition]; err != nil {
		return err
	}
	s := settling{c, t, plan, make([]catalog.Row, len(t.lines)), make([]bool, len(t.lines))}
	s.find()
	for n, l := range plan.Lines {
		s.line(n, l, out)
	}
	for i := range plan.Fates {
		s.leave(i, out)
	}
	s.withdraw(out)
	out.Missing = len(plan.Missing)
	for _, i := range plan.Low {
		out.Low = append(out.Low, t.entries[i].Text)
	}
	if len(c.edits[t.partition]) == 0 {
		return nil
	}
	out.After = c.units(t.partition)
	return s.backUp(out)
}

// find looks where the lines stand that were taken.
func (s *settling) find() {
	byLine := make(map[string][]int, len(s.taken.lines))
	for i, line := range s.taken.lines {
		byLine[unused(line)] = append(byLine[unused(line)], i)
	}
	for _, r := range s.view.rows(s.taken.partition) {
		if r.Flags&(catalog.Withdrawn|catalog.Blocked) != 0 {
			continue
		}
		line := unused(s.view.line(r))
		if list := byLine[line]; len(list) > 0 {
			s.rows[list[0]], s.there[list[0]] = r, true
			byLine[line] = list[1:]
		}
	}
}

// unused is a line without its counter of uses: that it was found by a search is
// no change.
func unused(line string) string {
	if !strings.Contains(line, "uses:") {
		return line
	}
	e, ok := entry.ParseLine(line)
	if !ok {
		return line
	}
	return e.With("uses", "").String()
}

// line writes a line of the answer, if all that it stands for is still there. A
// line of the model's own needs something that it says it of.
func (s *settling) line(n int, l compact.Line, out *Compacted) {
	for _, i := range l.Sources {
		if !s.there[i] {
			out.Stale++
			s.plan.Lines[n].Sources = nil
			return
		}
	}
	if len(l.Sources) == 0 && !s.lets() {
		out.Stale++
		return
	}
	s.store(l.Entry)
	out.Lines++
	out.Left++
}

// lets reports whether an entry that is still there moves to the archive.
func (s *settling) lets() bool {
	for i, f := range s.plan.Fates {
		if f == compact.Let && s.there[i] {
			return true
		}
	}
	return false
}

// leave takes an entry out of the file when something stands for it.
func (s *settling) leave(i int, out *Compacted) {
	if !s.there[i] {
		return
	}
	into := s.plan.Into[i]
	switch s.plan.Fates[i] {
	case compact.Twin:
		if s.there[into] {
			s.removeTwin(i, into)
			out.Twins++
			out.Left--
		}
	case compact.Merged:
		if len(s.plan.Lines[into].Sources) > 0 {
			s.withdrawMerged(i)
			out.Merged++
			out.Left--
		}
	case compact.Let:
		s.archiveLine(s.taken.partition, s.view.line(s.rows[i]))
		s.remove(s.rows[i])
		out.Archived++
		out.Left--
	}
}

// removeTwin takes out an entry that another one says, which gains its uses, and
// is as important and as well founded.
func (s *settling) removeTwin(i, keeper int) {
	r := s.rows[i]
	line := s.view.line(r)
	e := s.view.entry(r)
	s.remove(r)
	s.log = append(s.log, JournalChange{File: Partitions[s.taken.partition].File, Entry: e.ID(), Before: line})
	if s.plan.Fates[keeper] == compact.Keep {
		own := s.current(s.rows[keeper])
		if better := compact.Absorb(own, e); better.String() != own.String() {
			s.rewrite(s.rows[keeper], better)
		}
	}
}

// withdrawMerged moves an entry to the archive, withdrawn: a new line says it.
func (s *settling) withdrawMerged(i int) {
	r := s.rows[i]
	e := withdrawn(s.view.entry(r), "merged", s.change)
	s.archiveLine(s.taken.partition, e.String())
	s.remove(r)
	s.log = append(s.log, JournalChange{
		File: Partitions[s.taken.partition].File, Entry: e.ID(), Before: s.view.line(r), After: e.String(),
	})
}

// withdraw moves entries to the archive that were withdrawn long ago.
func (s *settling) withdraw(out *Compacted) {
	for _, r := range s.view.rows(s.taken.partition) {
		if !r.Has(catalog.Withdrawn) {
			continue
		}
		at, ok := entry.ParseTime(s.view.entry(r).Get("invalid"), s.now.Location())
		if ok && s.now.Sub(at) > withdrawnStay {
			s.archiveLine(s.taken.partition, s.view.line(r))
			s.remove(r)
			out.Archived++
		}
	}
}

// backupName is the backup of a file; slots hold the two before it.
func backupName(file, slot string) string {
	return path.Join(path.Dir(file), "backup-"+slot+path.Base(file))
}

// backUp keeps the text of the file before the compaction (spec/selfip.md 20.6).
func (s *settling) backUp(out *Compacted) error {
	file := Partitions[s.taken.partition].File
	old, err := s.tx.Read(file)
	if err != nil {
		return err
	}
	out.Backup = backupName(file, "")
	before, err := s.tx.Read(out.Backup)
	if ignoreMissing(err) != nil {
		return err
	}
	if err == nil && string(before) != string(old) {
		st, _ := s.lib.State()
		slot := fmt.Sprintf("%d-", 1-st.Int(state.CompactSlot)&1)
		if err := s.tx.Replace(backupName(file, slot), before); err != nil {
			return err
		}
	}
	return s.tx.Replace(out.Backup, old)
}

// noteCompaction writes down how a compaction went: the pause of the file, which
// runs after a rejection too (spec/selfip.md 29, W23), the counters, and a row.
func (l *Library) noteCompaction(ctx context.Context, m *Memory, out Compacted, w window) error {
	return l.dir.With(ctx, func(tx *filestore.Tx) error {
		err := l.noteState(tx, func(s state.State) state.State { return compactedState(s, m.Now(), out, w) })
		if err != nil {
			return err
		}
		name, row := compactRow(out)
		if name == "" {
			return nil
		}
		return tx.Append(name, []byte("- ["+entry.Stamp(m.Now())+"] "+row+"\n"), filestore.NoSync)
	})
}

func compactedState(s state.State, now time.Time, out Compacted, w window) state.State {
	s = setInMap(s, state.CompactedAt, out.File, now.UnixMilli())
	s = setInMap(s, state.CompactLocal, out.File, out.Status == CompactRejected)
	switch out.Status {
	case CompactRejected:
		return s.Add(state.Rejected, 1)
	case CompactDone:
		s = s.Add(state.Compacted, 1).Set(state.CompactSlot, 1-s.Int(state.CompactSlot)&1)
	}
	if w.asked {
		s = setInMap(s, state.CompactNext, out.File, w.next)
		if w.next == "" {
			s = setInMap(s, state.CompactGrown, out.File, out.After)
		}
	}
	return s
}

// setInMap sets a value in an object of the state.
func setInMap[T any](s state.State, key, file string, value T) state.State {
	all := map[string]T{}
	s.Decode(key, &all)
	all[file] = value
	return s.Set(key, all)
}

// Bounds of the samples in a row.
const (
	maxSamples   = 3
	sampleLength = 24 // UTF-16 code units
)

// compactRow is what a log says of a compaction, in the words of the original.
func compactRow(out Compacted) (log, row string) {
	switch out.Status {
	case CompactRejected:
		return compactRejectedLog, fmt.Sprintf("压缩被拒 %s：%s（%s，%d 字，原文保留）", out.File, out.Reason, out.By, out.Before)
	case CompactDone:
		row = fmt.Sprintf("%s：%d -> %d（条目 %d -> %d，%s，备份 %s）", out.File, out.Before, out.After, out.Entries, out.Left, out.By, out.Backup)
		if len(out.Low) > 0 {
			row += fmt.Sprintf("；低覆盖 %d：", len(out.Low))
			for n, s := range out.Low[:min(len(out.Low), maxSamples)] {
				if n > 0 {
					row += " / "
				}
				row += text.Head(s, sampleLength)
			}
		}
		return compactLog, row
	}
	return "", ""
}
