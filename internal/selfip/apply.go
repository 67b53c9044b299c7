package selfip

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/text"
)

// storeDrawn stores what a retrospective came to: entries in the library that the
// scope says, or in the workspace when that one cannot be written, all else in the
// workspace, in one change each. Everything passes the gate. then is done under
// the lock of the workspace when all of it is on disk.
//
// It can be done again: what a killed try has stored is found and left as it is.
func (m *Memory) storeDrawn(ctx context.Context, lib *Library, d drawn, out *Learned, then func(*filestore.Tx) error) error {
	targets, err := m.targets()
	if err != nil {
		return err
	}
	by := Author{Origin: "retro", Session: d.session}
	s := storing{memory: m, drawn: d, missed: d.overturned}
	var degraded error
	if targets[0] != lib {
		var got storing
		if _, degraded = targets[0].update(ctx, m, "retro", by, func(c *change) error {
			got = s
			return got.entriesInto(c)
		}); degraded == nil {
			s = got
			s.stored = true
		}
	}
	var own storing
	_, err = lib.updateThen(ctx, m, "retro", by, func(c *change) error {
		own = s
		return own.allInto(c)
	}, then)
	if err != nil {
		return errors.Join(degraded, err)
	}
	own.tell(out)
	return nil
}

// storing is a retrospective on its way to disk.
type storing struct {
	memory *Memory
	drawn  drawn
	stored bool // the entries are in another library

	learned Learned             // what came of it so far
	aside   []string            // sections that lost lines to quarantine, with how many
	missed  []answer.Overturned // rows that meant no entry so far
	journal map[string]bool     // lines that the journal tells of, once it was read
}

// tell adds to out what came of it.
func (s *storing) tell(out *Learned) {
	was := *out
	*out = s.learned
	out.Key, out.Session, out.Kind, out.Instead = was.Key, was.Session, was.Kind, was.Instead
	out.By, out.Dropped, out.Unclear = s.drawn.by, s.drawn.dropped, s.drawn.fallback
	out.Left = append(was.Left, s.drawn.left...)
}

// allInto does everything that concerns the workspace.
func (s *storing) allInto(c *change) error {
	var err error
	if s.stored {
		err = s.overturn(c)
	} else {
		err = s.entriesInto(c)
	}
	if err != nil {
		return err
	}
	for _, book := range s.drawn.books {
		if err := s.playbook(c, book); err != nil {
			return err
		}
	}
	if err := s.propose(c); err != nil {
		return err
	}
	s.handOver(c)
	s.logRows(c)
	return nil
}

// entriesInto withdraws what was overturned and stores the lines.
func (s *storing) entriesInto(c *change) error {
	if err := s.overturn(c); err != nil {
		return err
	}
	var headed [len(Partitions)]bool
	for _, lines := range s.drawn.lines {
		before := s.learned.Aside
		for _, d := range lines.list {
			if err := s.store(c, d, &headed); err != nil {
				return err
			}
		}
		if n := s.learned.Aside - before; n > 0 {
			s.aside = append(s.aside, lines.section+": "+strconv.Itoa(n))
		}
	}
	return nil
}

// store stores one conclusion. One that a detector fires on is put aside and does
// not keep the others from being stored.
func (s *storing) store(c *change, d learn.Conclusion, headed *[len(Partitions)]bool) error {
	v := gate.Note(d.Text)
	if v.Poison != nil {
		s.learned.Aside++
		_, err := writeAside(c.tx, s.drawn.at, v, d.Source)
		return err
	}
	if v.Text == "" {
		return nil
	}
	p := partitionOf(d.Kind)
	e := s.entry(d, v)
	fresh := len(c.added[p])
	if s.drawn.again {
		s.recall(c, e)
	}
	got, err := c.place(draft{entry: e, replaces: nonEmpty(d.Replaces), evidence: d.Evidence})
	if err != nil {
		return err
	}
	if got.stored() && !got.known && !headed[p] {
		c.headAt(p, fresh, s.heading())
		headed[p] = true
	}
	s.learned.took(got, c.lib.stored(got.id, e))
	return nil
}

// fallbackSuffix marks what was taken from an answer without sections. It is part
// of the format, whatever the language (spec/selfip.md 3.2).
const fallbackSuffix = "（未解析出结构化段落，原始输出节选）"

func (s *storing) heading() string {
	h := "## " + s.drawn.kind + " @ " + entry.Stamp(s.drawn.at)
	if s.drawn.fallback {
		h += fallbackSuffix
	}
	return h
}

// entry gives a conclusion its metadata. Who wrote it is ours to say; where the
// knowledge is from, the engine says, which quotes its evidence. A model's word
// on that has been through gate.Meta.
func (s *storing) entry(d learn.Conclusion, v gate.Verdict) entry.Entry {
	stamp := entry.Stamp(s.drawn.at)
	e := entry.Entry{Stamp: stamp, Kind: d.Kind, Text: v.Text}
	if d.Stamp != "" && !entry.Later(d.Stamp, stamp) {
		e.Stamp = d.Stamp
	}
	if d.Importance > 0 {
		e = e.With("imp", strconv.Itoa(min(d.Importance, gate.MaxImportance)))
	}
	source, ttl := d.Source, v.TTL
	if source == "agent" || source == "retro" {
		source = ""
	}
	if d.TTL > 0 && len(v.Redactions) == 0 {
		ttl = d.TTL
	}
	return e.With("src", source).With("origin", "retro").With("by", s.drawn.by).
		With("ttl", strconv.Itoa(ttl)).With("vfy", stamp)
}

// recall tells the journal of a line that a killed try has written without it.
func (s *storing) recall(c *change, e entry.Entry) {
	_, old, ok := c.twin(partitionOf(e.Kind), e)
	if !ok || old.Get("origin") != e.Get("origin") || old.Get("by") != e.Get("by") {
		return
	}
	if s.journal == nil {
		s.journal = c.lib.journaled()
	}
	if line := old.String(); !s.journal[old.With("uses", "").String()] {
		c.log = append(c.log, JournalChange{File: Partitions[partitionOf(e.Kind)].File, Entry: e.ID(), After: line})
		c.recalled = true
	}
}

// maxOverturned is how many entries a model may withdraw by a few of their words:
// words that mean more than these mean none of them.
const maxOverturned = 3

// overturn withdraws the entries that a model says do not hold any more. Rows that
// mean none stay in missed. Where the user decides what is kept, the user decides
// this too: the rows are told of.
func (s *storing) overturn(c *change) error {
	if c.asks {
		for _, row := range s.missed {
			s.drawn.left = append(s.drawn.left, "["+row.Partition+"] "+row.Words)
		}
		s.missed = nil
		return nil
	}
	var missed []answer.Overturned
	for _, row := range s.missed {
		hits, err := c.disproved(row, s.drawn)
		if err != nil {
			return err
		}
		if len(hits) == 0 {
			missed = append(missed, row)
		}
		for _, f := range hits {
			c.put(f, withdrawn(f.entry, "superseded", c))
			s.learned.Withdrawn++
		}
	}
	s.missed = missed
	return nil
}

// disproved finds the entries of a partition that a row means, other than those
// which this answer brings. Words of a model can be longer than the entry; then
// the entry has to be most of them.
func (c *change) disproved(row answer.Overturned, d drawn) ([]found, error) {
	p := slices.IndexFunc(Partitions[:], func(p Partition) bool { return p.Name == row.Partition })
	if p < 0 {
		return nil, nil
	}
	stamp := entry.Stamp(d.at)
	mine := func(e entry.Entry) bool {
		return e.Live() && partitionOf(e.Kind) == p && !(e.Get("vfy") == stamp && e.Get("by") == d.by)
	}
	hits, err := c.matching(newNeedle(row.Words), mine)
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		words := text.Fold(row.Words)
		hits, err = c.matchingAll(func(e entry.Entry) bool {
			folded := text.Fold(e.Text)
			return mine(e) && 2*len(folded) >= len(words) && text.Len(folded) >= 6 && hasWord(words, folded)
		})
	}
	if len(hits) > maxOverturned {
		hits = nil
	}
	return hits, err
}

// handOver writes the hand-off, always to the workspace.
func (s *storing) handOver(c *change) {
	v := gate.Block(s.drawn.handoff)
	if strings.TrimSpace(v.Text) == "" {
		return
	}
	s.learned.Handoff = true
	c.also(func() error { return c.tx.Replace(handoffFile, handoff.Format(v.Text, s.drawn.at)) })
}

// Files with what a retrospective came across and did not store
// (spec/selfip.md 2).
const (
	truncatedFile = "logs/retro-truncated.md"
	missFile      = "logs/retro-parse-miss.md"
	overturnFile  = "logs/supersede-miss.md"
	asideFile     = "logs/quarantine-log.md"
)

// missLength is how much of an answer that nobody understands is kept, in UTF-16
// code units.
const missLength = 400

// logRows writes down what was left out.
func (s *storing) logRows(c *change) {
	d := s.drawn
	if len(d.dropped) > 0 {
		c.logRow(truncatedFile, d.at, d.kind+" "+d.by+": "+strings.Join(d.dropped, ", "))
	}
	for _, row := range s.missed {
		if !d.again {
			c.logRow(overturnFile, d.at, "["+row.Partition+"] "+row.Words)
		}
	}
	if len(s.aside) > 0 {
		c.logRow(asideFile, d.at, d.kind+" "+strings.Join(s.aside, ", "))
	}
	if d.unclear != "" {
		c.logRow(missFile, d.at, d.kind+" "+d.by+": "+text.Head(text.OneLine(d.unclear), missLength))
	}
}

// logRow adds a row to a log, once: the row tells when it is of.
func (c *change) logRow(name string, at time.Time, said string) {
	row := "- [" + entry.Stamp(at) + "] " + gate.Block(text.OneLine(said)).Text + "\n"
	c.also(func() error {
		old, err := c.tx.Read(name)
		if ignoreMissing(err) != nil || strings.Contains(string(old), row) {
			return ignoreMissing(err)
		}
		return c.tx.Append(name, []byte(row), filestore.NoSync)
	})
}

// countDrawn counts what the state file counts of a retrospective.
func (l *Library) countDrawn(tx *filestore.Tx, d drawn) error {
	return l.noteState(tx, func(s state.State) state.State {
		s = s.Add(state.Retros, 1)
		if d.fallback {
			s = s.Add(state.Fallbacks, 1).Set(state.LastFallback, entry.Stamp(d.at))
		}
		return s
	})
}

// playbookPath is where a playbook lies.
func playbookPath(file string) string { return path.Join(playbookDir, file) }
