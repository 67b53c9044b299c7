package selfip

import (
	"context"
	"errors"
	"iter"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Transcripts opens the log that a harness keeps of a session. The error of one
// that is not there matches fs.ErrNotExist.
type Transcripts func(harness, path string) (Transcript, error)

// Transcript is the log that a harness keeps of a session.
type Transcript struct {
	Records iter.Seq2[transcript.Record, error]
	Skipped func() []string // what could not be read, told when Records has ended
}

// Ran reports what a run of the queue did.
type Ran struct {
	Learned   []Learned
	Failed    []retro.Item // rows that stay for another attempt
	Dead      []retro.Item // rows that became dead letters
	Done      int          // rows whose retrospective was finished before
	Waiting   int          // rows that pause, or that others work on
	Recovered int          // sessions that were killed and taken up now
}

// Learned is what the retrospective of one session came to.
type Learned struct {
	Key      string
	Session  string
	Entries  []Entry // stored or refreshed
	Waiting  []Entry // candidates: they wait for the user's word
	Unwanted int     // what the user rejected before, or what is too much to wait
	Aside    int     // conclusions that a detector fired on
	Handoff  bool
	Left     []string // what was seen and not kept, and why
}

// took counts what became of a conclusion.
func (l *Learned) took(got placed, e Entry) {
	switch {
	case got.waits:
		l.Waiting = append(l.Waiting, e)
	case got.unwanted:
		l.Unwanted++
	default:
		l.Entries = append(l.Entries, e)
	}
}

// localEngine marks what the built-in engine wrote.
const localEngine = "local"

// sessionTag heads what the retrospective of a session adds to a file.
const sessionTag = "session-retro"

// RunQueue works on the queue until nothing is due: it takes up killed sessions,
// claims a batch under the lock, learns from it without the lock, and settles
// under the lock. Killed at any moment it loses nothing; two runs at once never
// work on the same row.
func (m *Memory) RunQueue(ctx context.Context, open Transcripts) (Ran, error) {
	var out Ran
	lib, err := m.workspace()
	if err != nil {
		return out, err
	}
	if m.Learns() != nil { // what waits is there when the mode is another
		q, err := m.Queue()
		out.Waiting = len(q.Waiting)
		m.upkeep()
		return out, err
	}
	if out.Recovered, _, err = m.Recover(ctx, Heard{}); err != nil {
		return out, err
	}
	stopped := ctx.Done()
	for !isClosed(stopped) {
		owner := m.owner()
		batch, err := m.claim(ctx, lib, owner, &out)
		if err != nil {
			return out, err
		}
		if len(batch) == 0 {
			m.upkeep()
			return out, nil
		}
		for _, row := range batch {
			if err := m.work(ctx, lib, owner, row, open, &out); err != nil {
				return out, err
			}
		}
	}
	return out, context.Cause(ctx)
}

// owner is a new token for a claim. It names our process, so that others see when
// that is killed.
func (m *Memory) owner() string {
	token := m.NewID("w")
	if m.Self == nil {
		return token
	}
	return token + ownerMark + m.Self()
}

// ownerMark stands in a claim between its token and the process that made it.
const ownerMark = "/"

// gone reports whether the process that made a claim is known to be gone.
func (m *Memory) gone(owner string) bool {
	_, process, _ := strings.Cut(owner, ownerMark)
	return process != "" && m.Alive != nil && !m.Alive(process)
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// claim takes the next batch. Dead letters are written before the queue: killed
// in between, a row is in both places and lost from neither.
func (m *Memory) claim(ctx context.Context, lib *Library, owner string, out *Ran) (batch []retro.Item, err error) {
	if lib.source(queueFile).Size <= 0 {
		return nil, nil // an empty queue needs no lock, and a workspace without one no folder
	}
	err = lib.dir.With(ctx, func(tx *filestore.Tx) error {
		q, err := lib.queue(tx, m.Now())
		if err != nil || len(q) == 0 {
			return err
		}
		q, _ = q.Abandon(m.gone)
		next, taken, report := q.Claim(m.Now(), owner, retro.DefaultLimits(), lib.evidenceOf)
		batch = taken
		out.Done += len(report.Done)
		out.Dead = append(out.Dead, report.Dead...)
		out.Waiting = report.Waiting + report.Claimed
		if err := lib.bury(tx, report.Dead); err != nil {
			return err
		}
		return lib.writeQueue(tx, next)
	})
	return batch, err
}

// bury writes dead letters and counts them.
func (l *Library) bury(tx *filestore.Tx, rows []retro.Item) error {
	if len(rows) == 0 {
		return nil
	}
	data, err := tx.Read(deadFile)
	if ignoreMissing(err) != nil {
		return err
	}
	dead, _ := retro.Parse(data)
	if err := tx.Replace(deadFile, retro.Bury(dead, rows).Format()); err != nil {
		return err
	}
	return l.count(tx, state.PendingDead, len(rows))
}

// evidenceOf tells what a row points at.
func (l *Library) evidenceOf(row retro.Item) retro.Evidence {
	name, ok := row.Path()
	if !ok {
		return retro.Missing
	}
	data, err := l.read(name)
	switch {
	case err != nil:
		return retro.Unreadable
	case data == nil:
		return retro.Missing
	case snapshot.StateOf(string(data)) == snapshot.Done:
		return retro.Done
	case strings.HasPrefix(path.Base(name), "partial-") && snapshot.StateOf(string(data)) == snapshot.Finalized:
		return retro.Done // the log of the session has a row of its own
	}
	return retro.Ready
}

// work learns from one row and settles it. An error of the row itself is
// written to the row; the error returned is one of the queue's own files.
func (m *Memory) work(ctx context.Context, lib *Library, owner string, row retro.Item, open Transcripts, out *Ran) error {
	was := lib.seen(row)
	learned, err := m.learn(ctx, lib, row, open)
	if err != nil {
		out.Failed = append(out.Failed, row)
		return lib.settle(ctx, m.Now(), func(q retro.Queue) retro.Queue {
			q, _ = q.Fail(owner, []string{row.Key()}, gate.Note(err.Error()).Text)
			return q
		})
	}
	out.Learned = append(out.Learned, learned)
	return lib.dir.With(ctx, func(tx *filestore.Tx) error {
		if err := lib.markDone(tx, m, row, was); err != nil {
			return err
		}
		q, err := lib.queue(tx, m.Now())
		if err != nil {
			return err
		}
		q, _ = q.Settle(owner, []string{row.Key()})
		return lib.writeQueue(tx, q)
	})
}

// learn draws conclusions from the evidence of a row and stores them, each
// through the gate, all of them in one change or none.
func (m *Memory) learn(ctx context.Context, lib *Library, row retro.Item, open Transcripts) (Learned, error) {
	known, err := lib.account(row.Session)
	if err != nil {
		return Learned{}, err
	}
	engine := learn.New(m.Settings.Language, known.dir)
	skipped, err := m.evidence(lib, row, known, open, engine.Add)
	if err != nil {
		return Learned{}, err
	}
	drawn := engine.Conclude(m.live())
	out := Learned{Key: row.Key(), Session: row.Session, Left: append(drawn.Left, skipped...)}
	if err := m.apply(ctx, drawn, row, &out); err != nil {
		return Learned{}, err
	}
	return out, m.handOver(ctx, lib, drawn.Handoff, &out)
}

// evidence feeds the records of a session: from the harness's own log when it
// is there, else from the events that hooks noted, else from the session log. It
// tells what of the harness's log could not be read.
func (m *Memory) evidence(lib *Library, row retro.Item, known account, open Transcripts, add func(transcript.Record)) (skipped []string, err error) {
	if row.Transcript != "" && open != nil {
		log, err := open(row.Harness, row.Transcript)
		if err == nil {
			if err := feed(log.Records, add); err != nil {
				return nil, err
			}
			return log.Skipped(), nil
		}
		if !isMissing(err) && fault.KindOf(err) != fault.Refused {
			return nil, err
		}
	}
	if row.Session != "" && !known.empty() {
		for _, r := range known.records {
			add(r)
		}
		return nil, nil
	}
	name, _ := row.Path()
	data, err := lib.dir.Read(name)
	if err != nil {
		return nil, err
	}
	s, _ := snapshot.Parse(string(data))
	for _, r := range recordsOf(s) {
		add(r)
	}
	return nil, nil
}

// live yields the entries that the readable libraries hold now.
func (m *Memory) live() iter.Seq[entry.Entry] {
	return func(yield func(entry.Entry) bool) {
		for _, lib := range m.readable() {
			for e, err := range lib.entries(m.Now()) {
				if err == nil && e.Live() && !yield(e) {
					return
				}
			}
		}
	}
}

// feed passes every record through the gate on its way.
func feed(records iter.Seq2[transcript.Record, error], add func(transcript.Record)) error {
	for r, err := range records {
		if err != nil {
			return err
		}
		add(safeRecord(r))
	}
	return nil
}

// recordsOf is what a session log still tells of a session.
func recordsOf(s snapshot.Session) []transcript.Record {
	var out []transcript.Record
	for _, t := range s.Talk {
		kind := transcript.Reply
		if t.Role == snapshot.User {
			kind = transcript.Prompt
		}
		out = append(out, transcript.Record{Kind: kind, Time: t.Time, Text: t.Text})
	}
	for _, e := range s.Errors {
		r := transcript.Record{Kind: transcript.Fault, Time: e.Time, Text: e.Text}
		if e.Kind == snapshot.ToolError {
			r.Kind, r.Tool, r.Failed = transcript.Result, e.Tool, true
		}
		out = append(out, r)
	}
	for _, f := range s.Feedback {
		out = append(out, transcript.Record{Kind: transcript.Feedback, Text: snapshot.FeedbackReason(f)})
	}
	return out
}

// apply stores conclusions in the library that the scope says, or in the
// workspace when that one cannot be written.
func (m *Memory) apply(ctx context.Context, drawn learn.Conclusions, row retro.Item, out *Learned) error {
	all := slices.Concat(drawn.Lessons, drawn.Facts, drawn.Resources, drawn.Methods)
	if len(all) == 0 {
		return nil
	}
	targets, err := m.targets()
	if err != nil {
		return err
	}
	var failed []error
	for _, lib := range targets {
		stored := Learned{}
		_, err := lib.update(ctx, m, "retro", Author{Origin: "retro", Session: row.Session}, func(c *change) error {
			return c.conclude(all, &stored)
		})
		if err == nil {
			out.Entries, out.Waiting, out.Unwanted, out.Aside = stored.Entries, stored.Waiting, stored.Unwanted, stored.Aside
			return nil
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// conclude stores conclusions in one change. A conclusion that a detector fires
// on is put aside and does not keep the others from being stored.
func (c *change) conclude(all []learn.Conclusion, out *Learned) error {
	var headed [len(Partitions)]bool
	for _, d := range all {
		v := gate.Note(d.Text)
		if v.Poison != nil {
			if _, err := c.aside(v, d.Source); err != nil {
				return err
			}
			out.Aside++
			continue
		}
		if v.Text == "" {
			continue
		}
		p := partitionOf(d.Kind)
		e := c.concluded(d, v)
		fresh := len(c.added[p])
		got, err := c.place(draft{entry: e, replaces: nonEmpty(d.Replaces), evidence: d.Evidence})
		if err != nil {
			return err
		}
		if got.stored() && !got.known && !headed[p] {
			c.headAt(p, fresh, "## "+sessionTag+" @ "+entry.Stamp(c.now))
			headed[p] = true
		}
		out.took(got, Entry{ID: got.id, Kind: d.Kind, Text: v.Text, Library: c.lib.Label, File: Partitions[p].File, Entry: e})
	}
	return nil
}

// explain notes in the journal what an entry was drawn from.
func (c *change) explain(id string, evidence []learn.Quote) {
	for i := len(c.log) - 1; i >= 0; i-- {
		if c.log[i].Entry != id {
			continue
		}
		c.log[i].Evidence = append(c.log[i].Evidence, c.quotes(evidence)...)
		return
	}
}

// quotes is evidence as the journal has it.
func (c *change) quotes(evidence []learn.Quote) (out []Quote) {
	for _, q := range evidence {
		quote := Quote{Record: q.Ordinal, Kind: string(q.Kind), Text: q.Excerpt}
		if !q.Time.IsZero() {
			quote.Time = entry.Stamp(q.Time.In(c.now.Location()))
		}
		out = append(out, quote)
	}
	return out
}

// concluded gives a conclusion its metadata. Who wrote it is ours to say; where
// the knowledge is from, the engine says, which quotes its evidence.
func (c *change) concluded(d learn.Conclusion, v gate.Verdict) entry.Entry {
	stamp := entry.Stamp(c.now)
	e := entry.Entry{Stamp: stamp, Kind: d.Kind, Text: v.Text}
	if d.Importance > 0 {
		e = e.With("imp", strconv.Itoa(min(d.Importance, 10)))
	}
	source := d.Source
	if source == "agent" {
		source = ""
	}
	return e.With("src", source).With("origin", "retro").With("by", localEngine).
		With("ttl", strconv.Itoa(v.TTL)).With("vfy", stamp)
}

// handOver writes the hand-off, always to the workspace.
func (m *Memory) handOver(ctx context.Context, lib *Library, said string, out *Learned) error {
	v := gate.Block(said)
	if v.Text == "" {
		return nil
	}
	out.Handoff = true
	return lib.dir.Update(ctx, handoffFile, func([]byte) ([]byte, error) {
		return handoff.Format(v.Text, m.Now()), nil
	})
}
