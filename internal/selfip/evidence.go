package selfip

import (
	"fmt"
	"iter"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/learn"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// evidence feeds the records of a session: from the harness's own log when it
// is there, else from the events that hooks noted, else from the session log. It
// tells what of the harness's log could not be read, and leaves out what happened
// in folders of other workspaces: a hook may name any file. Of a log in which there
// is nothing else, what the hooks heard stands.
func (m *Memory) evidence(lib *Library, d *material, open Transcripts) error {
	row, known := d.row, d.account
	if row.Transcript != "" && open != nil {
		log, err := open(row.Harness, row.Transcript)
		if err == nil {
			err = m.readLog(d, log)
			if err != nil || d.foreign == 0 || !d.record.Empty() {
				known.addOwnFeedback(d.add)
				return err
			}
		} else if !isMissing(err) && fault.KindOf(err) != fault.Refused {
			return err
		}
	}
	if row.Session != "" && !known.empty() {
		for _, r := range known.records {
			d.add(r)
		}
		return nil
	}
	name, _ := row.Path()
	data, err := lib.dir.Read(name)
	if err != nil {
		return err
	}
	s, _ := snapshot.Parse(string(data))
	for _, r := range recordsOf(s) {
		d.add(safeRecord(r))
	}
	for _, f := range s.SubagentFails {
		d.record.Delegated(f.Provider, f.Reason)
	}
	return nil
}

// isForeign reports whether something happened in the folder of another workspace.
func (d *material) isForeign(m *Memory, dir string) bool {
	return dir != "" && dir != d.account.dir && !d.everywhere && m.Here != nil && !m.Here(dir)
}

// readLog feeds the log of a harness.
func (m *Memory) readLog(d *material, log Transcript) error {
	err := feed(log.Records, func(r transcript.Record) {
		if d.isForeign(m, r.Dir) {
			d.foreign++
			return
		}
		d.add(r)
	})
	if err != nil {
		return err
	}
	d.left = append(d.left, log.Skipped()...)
	if d.foreign > 0 {
		d.left = append(d.left, fmt.Sprintf(phrase.For(m.Settings.Language).Learn.LeftForeign, d.foreign))
	}
	return nil
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
