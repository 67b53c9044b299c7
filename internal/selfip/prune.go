package selfip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// pruneLog tells what was pruned, and when.
const pruneLog = "logs/prune.md"

// prunePause is how often a worker prunes at most.
const prunePause = 24 * time.Hour

// segmentJournal is the size, in bytes, from which the journal goes on in a new
// file.
const segmentJournal = 4 << 20

// PruneOptions says what to prune.
type PruneOptions struct {
	Days int  // age from which; 0: that of the settings
	Due  bool // only when it has not been done for a day, and the settings have an age
}

// Pruned is what went of one kind in one library.
type Pruned struct {
	Library Label
	What    Prunable
	Names   []string // of files, relative to the library
	Rows    int      // of files that stay
	Bytes   int64
}

// Prunable is a kind of thing that is pruned by age. Entries are none.
type Prunable string

// The kinds (spec/selfip.md 29, W40).
const (
	PruneLogs       Prunable = "logs"       // session logs that were learned from
	PruneSnapshots  Prunable = "snapshots"  // of sessions that were learned from
	PruneQuarantine Prunable = "quarantine" // texts that a detector fired on
	PruneBackups    Prunable = "backups"    // of compactions and of sleep, and texts of playbooks that were told anew
	PruneDead       Prunable = "dead"       // dead letters of which there is nothing left to learn
	PruneRows       Prunable = "rows"       // of logs that are only for reading
	PruneFailures   Prunable = "failures"   // of hooks and workers
	PruneHeartbeats Prunable = "heartbeats" // of harnesses that no longer send events
)

// Prune removes what is older than the settings say and of no use any more, and
// reports what went. It never removes an entry, and nothing that was not learned
// from. The journal is kept whole, in files of bounded size.
func (m *Memory) Prune(ctx context.Context, opt PruneOptions) ([]Pruned, error) {
	days := opt.Days
	if days == 0 {
		days = m.Settings.KeepDays
	}
	var out []Pruned
	var failed []error
	for _, lib := range m.readable() {
		if opt.Due && (days <= 0 || !lib.pruneDue(m.Now())) || len(lib.listed(".", "")) == 0 {
			continue
		}
		got, err := m.prune(ctx, lib, days)
		out = append(out, got...)
		if err != nil {
			failed = append(failed, err)
		}
	}
	return out, errors.Join(failed...)
}

// PruneDue reports whether a worker has something to do: a library has not been
// pruned for a day.
func (m *Memory) PruneDue() bool {
	return m.Settings.KeepDays > 0 && slices.ContainsFunc(m.readable(), func(l *Library) bool {
		return l.furnished() && l.pruneDue(m.Now())
	})
}

func (l *Library) pruneDue(now time.Time) bool {
	s, err := l.State()
	age := now.Sub(time.UnixMilli(s.Int(state.PrunedAt)))
	return err == nil && (age >= prunePause || age < 0)
}

// pruning is a library that is being pruned.
type pruning struct {
	lib    *Library
	tx     *filestore.Tx
	before time.Time // what is older goes
	zone   *time.Location
	out    map[Prunable]*Pruned
}

// prune works under the lock: it only removes small files. A session that ends
// meanwhile waits for some milliseconds.
func (m *Memory) prune(ctx context.Context, lib *Library, days int) (list []Pruned, err error) {
	now := m.Now()
	p := pruning{lib: lib, before: now.AddDate(0, 0, -days), zone: now.Location(), out: map[Prunable]*Pruned{}}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		p.tx = tx
		steps := []func() error{p.logs, p.quarantine, p.backups, p.dead, p.rows, p.failures, p.heartbeats}
		if days <= 0 {
			steps = nil
		}
		for _, step := range append(steps, p.journal) {
			if err := step(); err != nil {
				return err
			}
		}
		return p.note(now)
	})
	for _, what := range []Prunable{
		PruneLogs, PruneSnapshots, PruneQuarantine, PruneBackups, PruneDead, PruneRows, PruneFailures, PruneHeartbeats,
	} {
		if got := p.out[what]; got != nil {
			list = append(list, *got)
		}
	}
	return list, err
}

func (p *pruning) of(what Prunable) *Pruned {
	if p.out[what] == nil {
		p.out[what] = &Pruned{Library: p.lib.Label, What: what}
	}
	return p.out[what]
}

// remove removes a file.
func (p *pruning) remove(what Prunable, name string) error {
	size := max(0, p.lib.source(name).Size)
	if err := p.tx.Remove(name, filestore.NoSync); err != nil {
		return ignoreMissing(err)
	}
	got := p.of(what)
	got.Names, got.Bytes = append(got.Names, name), got.Bytes+size
	return nil
}

// old reports whether a file is older than what is kept: by the date in its
// name, else by the time at which it was written.
func (p *pruning) old(name string) bool {
	if at, ok := dateIn(path.Base(name), p.zone); ok {
		return at.Before(p.before)
	}
	return p.writtenBefore(name)
}

func (p *pruning) writtenBefore(name string) bool {
	info, err := p.lib.dir.Stat(name)
	return err == nil && time.Unix(0, info.ModTime).Before(p.before)
}

// dateIn reads the date in the name of a file, as the end of that day.
func dateIn(base string, zone *time.Location) (time.Time, bool) {
	for _, prefix := range []string{"session-", "backup-"} {
		base = strings.TrimPrefix(base, prefix)
	}
	if len(base) < len(time.DateOnly) {
		return time.Time{}, false
	}
	at, err := time.ParseInLocation(time.DateOnly, base[:len(time.DateOnly)], zone)
	return at.AddDate(0, 0, 1), err == nil
}

// logs removes session logs and snapshots that were learned from and that no row
// points at.
func (p *pruning) logs() error {
	named, err := p.evidence()
	if err != nil {
		return err
	}
	for _, base := range p.lib.listed(logDir, "") {
		name := path.Join(logDir, base)
		what := PruneLogs
		switch {
		case strings.HasPrefix(base, "partial-"):
			what = PruneSnapshots
		case !strings.HasPrefix(base, "session-"):
			continue
		}
		if named[base] || !p.old(name) {
			continue
		}
		data, err := p.lib.read(name)
		if err != nil || snapshot.StateOf(string(data)) != snapshot.Done {
			continue // it cannot be judged now, or waits to be learned from
		}
		if err := p.remove(what, name); err != nil {
			return err
		}
	}
	return nil
}

// evidence names the files that rows of the queue and dead letters point at.
func (p *pruning) evidence() (map[string]bool, error) {
	named := map[string]bool{}
	for _, file := range []string{queueFile, deadFile} {
		data, err := p.lib.read(file)
		if err != nil {
			return nil, err
		}
		rows, _ := retro.Parse(data)
		for _, row := range rows {
			if name, ok := row.Path(); ok {
				named[path.Base(name)] = true
			}
		}
	}
	return named, nil
}

func (p *pruning) quarantine() error {
	return p.removeOld(PruneQuarantine, quarantineDir, "")
}

func (p *pruning) backups() error {
	if err := p.removeOld(PruneBackups, path.Dir(Partitions[0].File), "backup-"); err != nil {
		return err
	}
	for _, base := range p.lib.listed(replacedDir, "") {
		name := path.Join(replacedDir, base)
		if !p.writtenBefore(name) { // a date in front would be part of the title
			continue
		}
		if err := p.remove(PruneBackups, name); err != nil {
			return err
		}
	}
	return nil
}

func (p *pruning) heartbeats() error {
	return p.removeOld(PruneHeartbeats, heartbeatDir, "")
}

func (p *pruning) removeOld(what Prunable, folder, prefix string) error {
	for _, base := range p.lib.listed(folder, prefix) {
		if name := path.Join(folder, base); !strings.HasSuffix(base, "/") && p.old(name) {
			if err := p.remove(what, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// dead drops dead letters whose evidence is gone or was learned from after all.
// Of the others the session can still be learned from.
func (p *pruning) dead() error {
	data, err := p.lib.read(deadFile)
	if err != nil || data == nil {
		return err
	}
	rows, bad := retro.Parse(data)
	kept := slices.DeleteFunc(slices.Clone(rows), func(row retro.Item) bool {
		at, ok := entry.ParseTime(row.DeadAt, p.zone)
		if !ok || !at.Before(p.before) {
			return false
		}
		e := p.lib.evidenceOf(row)
		return e == retro.Missing || e == retro.Done
	})
	if len(kept) == len(rows) || len(bad) > 0 {
		return nil
	}
	return p.shorten(PruneDead, deadFile, data, kept.Format(), len(rows)-len(kept))
}

// shorten puts a shorter text in the place of a file.
func (p *pruning) shorten(what Prunable, name string, old, data []byte, rows int) error {
	if rows == 0 {
		return nil
	}
	if err := p.tx.Replace(name, data, filestore.NoSync); err != nil {
		return err
	}
	got := p.of(what)
	got.Rows, got.Bytes = got.Rows+rows, got.Bytes+int64(len(old)-len(data))
	return nil
}

// rowLogs are the logs that are only for reading (spec/selfip.md 3.11).
var rowLogs = []string{
	compactLog, compactRejectedLog, pruneLog, skippedFile, truncatedFile, missFile, overturnFile, asideFile,
	"logs/subagent-rollup.md", // of the original
}

// rows takes old rows out of the logs.
func (p *pruning) rows() error {
	for _, name := range rowLogs {
		data, err := p.lib.read(name)
		if err != nil || data == nil {
			continue // nobody needs them
		}
		kept, n := p.young(data, func(line string) string {
			if stamp, _, ok := strings.Cut(strings.TrimPrefix(line, "- ["), "]"); ok && strings.HasPrefix(line, "- [") {
				return stamp
			}
			return ""
		})
		if err := p.shorten(PruneRows, name, data, kept, n); err != nil {
			return err
		}
	}
	return nil
}

// failures takes old rows out of what went wrong.
func (p *pruning) failures() error {
	data, err := p.lib.read(failureFile)
	if err != nil || data == nil {
		return nil
	}
	kept, n := p.young(data, func(line string) string {
		if list := ParseFailures([]byte(line)); len(list) == 1 {
			return list[0].Time
		}
		return ""
	})
	return p.shorten(PruneFailures, failureFile, data, kept, n)
}

// young returns the lines that are not old, and how many are. A line without a
// stamp is kept.
func (p *pruning) young(data []byte, stampOf func(line string) string) (kept []byte, old int) {
	for line := range bytes.Lines(data) {
		at, ok := entry.ParseTime(stampOf(strings.TrimSpace(string(line))), p.zone)
		if ok && at.Before(p.before) {
			old++
			continue
		}
		kept = append(kept, line...)
	}
	return kept, old
}

// journal begins a new file when the journal has become long. The old one stays
// as a segment, with all that it says.
func (p *pruning) journal() error {
	if p.lib.source(journalFile).Size < segmentJournal {
		return nil
	}
	data, err := p.tx.Read(journalFile)
	if err != nil {
		return err
	}
	last := 0
	if segments := p.lib.journalSegments(); len(segments) > 0 {
		_, _ = fmt.Sscanf(path.Base(segments[len(segments)-1]), "journal-%d.jsonl", &last)
	}
	if err := p.tx.Replace(fmt.Sprintf("%s/journal-%04d.jsonl", logDir, last+1), data); err != nil {
		return err
	}
	return p.tx.Replace(journalFile, nil)
}

// journalSegments lists the earlier files of the journal, the oldest first.
func (l *Library) journalSegments() (names []string) {
	for _, base := range l.listed(logDir, "journal-") {
		if strings.HasSuffix(base, ".jsonl") {
			names = append(names, path.Join(logDir, base))
		}
	}
	slices.Sort(names)
	return names
}

// note writes down when it was pruned and what went.
func (p *pruning) note(now time.Time) error {
	err := p.lib.noteState(p.tx, func(s state.State) state.State { return s.Set(state.PrunedAt, now.UnixMilli()) })
	if err != nil || len(p.out) == 0 {
		return err
	}
	var parts []string
	var size int64
	for what, got := range p.out {
		parts = append(parts, fmt.Sprintf("%s %d", what, len(got.Names)+got.Rows))
		size += got.Bytes
	}
	slices.Sort(parts)
	row := fmt.Sprintf("- [%s] %s; %d bytes\n", entry.Stamp(now), strings.Join(parts, ", "), size)
	return p.tx.Append(pruneLog, []byte(row), filestore.NoSync)
}
