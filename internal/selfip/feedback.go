package selfip

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Feedback is what the user thinks of a reply (spec/selfip.md 24.5).
type Feedback struct {
	Session string
	Time    string // stamp; "" when only the session log tells of it
	Text    string
	Reply   string // what it is about, the beginning; "" when nobody knows
	Good    bool
	Learned bool // the session has ended and only its log is left
}

// ownFeedback begins the identity of feedback that came through a command and so
// stands in no log of a harness.
const ownFeedback = "selfip-"

// aboutLength bounds the reply that feedback quotes, in UTF-16 code units.
const aboutLength = 300

// AddFeedback notes what the user thinks of the last reply of a session; "" means
// the session that was heard of last. It is the strongest evidence there is, so
// only the user gives it.
func (m *Memory) AddFeedback(ctx context.Context, session, said string, good bool, by Author) (Feedback, error) {
	lib, err := m.workspace()
	if err != nil {
		return Feedback{}, err
	}
	if !by.isUser() {
		return Feedback{}, fault.New(fault.Refused, codeUsersWord)
	}
	if err := m.Learns(); err != nil {
		return Feedback{}, err
	}
	v := gate.Note(said)
	switch {
	case v.Text == "":
		return Feedback{}, fault.New(fault.Usage, codeNoFeedback)
	case v.Poison != nil:
		return Feedback{}, fault.New(fault.Refused, codeHostileWords, v.Poison.Number)
	}
	a, err := lib.judged(session)
	if err != nil {
		return Feedback{}, err
	}
	about := text.Head(text.OneLine(lastReply(a.session.Talk)), aboutLength)
	r := transcript.Record{Kind: transcript.Feedback, ID: m.NewID(ownFeedback), Input: about, Text: v.Text, Good: good}
	if err := m.Hear(Heard{Session: a.session.ID, Record: r}); err != nil {
		return Feedback{}, err
	}
	if a.ended { // its log and its row get to know of it
		if _, err := m.Finish(ctx, Heard{Session: a.session.ID}); err != nil {
			return Feedback{}, err
		}
	} else if err := m.Flush(ctx, a.session.ID); err != nil {
		return Feedback{}, err
	}
	return Feedback{Session: a.session.ID, Time: entry.Stamp(m.Now()), Text: v.Text, Reply: about, Good: good}, nil
}

// judged is the session that feedback is about: the named one, or the one that
// was heard of last, a running one before one that has ended.
func (l *Library) judged(session string) (account, error) {
	if session != "" {
		a, err := l.account(session)
		if err == nil && a.session.Start.IsZero() {
			err = fault.New(fault.NotFound, codeNoSession, session)
		}
		return a, err
	}
	var best account
	for _, a := range l.accounts() {
		newer := a.last.After(best.last)
		if best.session.ID == "" || a.ended == best.ended && newer || !a.ended && best.ended {
			best = a
		}
	}
	if best.session.ID == "" {
		return best, fault.New(fault.NotFound, codeNoSessions)
	}
	return best, nil
}

// accounts are the sessions that have not been learned from yet.
func (l *Library) accounts() (all []account) {
	names, _ := l.dir.List(sessionDir)
	for _, name := range names {
		if strings.HasSuffix(name, ".jsonl") {
			if a, err := l.orphan(path.Join(sessionDir, name)); err == nil {
				all = append(all, a)
			}
		}
	}
	return all
}

// Feedback lists what the user thought of replies, in the sessions that have not
// been learned from yet and in the session logs that are left, oldest first. A
// log tells of bad judgements alone.
func (m *Memory) Feedback() ([]Feedback, error) {
	lib, err := m.workspace()
	if err != nil {
		return nil, err
	}
	var out []Feedback
	open := map[string]bool{}
	for _, a := range lib.accounts() {
		open[a.session.ID] = true
		out = append(out, a.feedback()...)
	}
	return append(lib.loggedFeedback(open), out...), nil
}

// feedback is what the records of a session tell of it.
func (a account) feedback() (out []Feedback) {
	reply := ""
	for _, r := range a.records {
		switch r.Kind {
		case transcript.Reply:
			reply = text.Head(text.OneLine(r.Text), aboutLength)
		case transcript.Feedback:
			f := Feedback{Session: a.session.ID, Text: text.OneLine(r.Text), Reply: reply, Good: r.Good}
			if r.Input != "" {
				f.Reply = r.Input
			}
			if !r.Time.IsZero() {
				f.Time = entry.Stamp(r.Time)
			}
			out = append(out, f)
		}
	}
	return out
}

// loggedFeedback is what session logs tell of it, but for the sessions in open.
func (l *Library) loggedFeedback(open map[string]bool) (out []Feedback) {
	names, _ := l.dir.List(logDir)
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasPrefix(name, "session-") || !strings.HasSuffix(name, ".md") {
			continue
		}
		data, err := l.read(path.Join(logDir, name))
		if err != nil {
			continue // one log that cannot be read does not hide the others
		}
		s, _ := snapshot.Parse(string(data))
		if open[s.ID] {
			continue
		}
		for _, line := range s.Feedback {
			reason, reply := snapshot.SplitFeedback(line)
			out = append(out, Feedback{
				Session: s.ID, Text: text.OneLine(gate.Note(reason).Text), Reply: text.OneLine(gate.Block(reply).Text), Learned: true,
			})
		}
	}
	return out
}

// addOwnFeedback adds the feedback that no log of a harness holds.
func (a account) addOwnFeedback(add func(transcript.Record)) {
	for _, r := range a.records {
		if r.Kind == transcript.Feedback && strings.HasPrefix(r.ID, ownFeedback) {
			add(r)
		}
	}
}
