// Package snapshot is the record of one session as a value and as the text of
// two files: the snapshot of a session that may still run and the log of one
// that ended (spec/selfip.md 3.8). Both are evidence for a retrospective.
//
// The package writes them byte for byte as the originals do, reads them with
// patience, keeps track of the marks that tell how far a file has come, and
// decides which snapshots of killed sessions are to be recovered. It opens no
// file. Texts are cleaned and cut here, and cannot forge a heading or a mark;
// they are not redacted here: whoever records them does that first.
package snapshot

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// Session is what is recorded of one session. The zero value is a session in
// which nothing happened. Whoever fills it appends to its lists; the limits of
// spec/selfip.md 8 are applied when it is written (see Bounded).
type Session struct {
	ID            string         // as the harness gives it, whole
	Start         time.Time      // zero when it is not known
	ToolCalls     int            // all of them
	ToolErrors    int            // those that failed
	Errors        []Error        // oldest first
	SubagentFails []SubagentFail // oldest first
	Feedback      []string       // bad judgements of a person, see FeedbackLine
	Talk          []Turn         // oldest first
	Rest          []string       // lines of a file that fit nowhere; read, never written
}

// ErrorKind says whose error it was.
type ErrorKind string

// The kinds of error, as they stand in the files.
const (
	ToolError     ErrorKind = "tool"     // a tool call failed
	AgentError    ErrorKind = "agent"    // the agent itself failed
	SubagentError ErrorKind = "subagent" // a delegated session had errors
)

// Error is one recorded error.
type Error struct {
	Time time.Time // zero when it is not known
	Kind ErrorKind
	Tool string // of a failed call; may be empty
	Text string
}

// SubagentFail is a delegated session that ended other than well.
type SubagentFail struct {
	Time     time.Time
	Provider string
	Reason   string
}

// Role says who spoke.
type Role string

// The roles, as they stand in the files.
const (
	User      Role = "用户"
	Assistant Role = "助手"
)

// Turn is one message of the conversation.
type Turn struct {
	Time time.Time
	Role Role
	Text string
}

// Limits of what is kept and shown (spec/selfip.md 8 and 3.8). Lengths are in
// UTF-16 units and a cut never falls inside a character.
const (
	maxErrors        = 50  // the first ones; later ones repeat them
	maxFails         = 10  // the last ones
	maxTalk          = 40  // the last ones are kept
	shownTalk        = 24  // the last ones are written
	maxFeedback      = 100 // the last ones
	toolErrorChars   = 300
	agentErrorChars  = 500
	turnChars        = 400
	reasonChars      = 200
	replyChars       = 300
	nameChars        = 100
	idChars          = 200
	maxBytesPerUnit  = 64 // a text this much longer than its limit is cut roughly first
	feedbackReplyTag = "（针对回复："
)

// Bounded returns the session within its limits: the first 50 errors, the last
// 40 messages and 10 delegated failures, each text one line without anything
// that reads as a mark, cut to its length, each time in milliseconds.
func (s Session) Bounded() Session {
	s.ID, s.Start = title(s.ID), instant(s.Start)
	s.Errors = each(s.Errors[:min(len(s.Errors), maxErrors)], Error.bounded)
	s.SubagentFails = each(last(s.SubagentFails, maxFails), SubagentFail.bounded)
	s.Feedback = each(last(s.Feedback, maxFeedback), func(f string) string {
		return line(f, reasonChars+replyChars+nameChars)
	})
	s.Talk = each(last(s.Talk, maxTalk), Turn.bounded)
	s.Rest = each(s.Rest[:min(len(s.Rest), maxRest)], func(l string) string { return line(l, turnChars) })
	s.Feedback = slices.DeleteFunc(s.Feedback, func(f string) bool { return f == "" })
	s.Talk = slices.DeleteFunc(s.Talk, func(t Turn) bool { return t.Text == "" })
	return s
}

func (e Error) bounded() Error {
	limit := agentErrorChars
	if e.Kind == ToolError {
		limit = toolErrorChars
	}
	if e.Kind = ErrorKind(word(string(e.Kind))); e.Kind == "" {
		e.Kind = AgentError
	}
	e.Tool, e.Time = word(e.Tool), instant(e.Time)
	e.Text = line(e.Text, limit)
	return e
}

func (f SubagentFail) bounded() SubagentFail {
	f.Provider = name(strings.ReplaceAll(f.Provider, "->", " "))
	f.Reason, f.Time = line(f.Reason, reasonChars), instant(f.Time)
	return f
}

func (t Turn) bounded() Turn {
	if t.Role != User {
		t.Role = Assistant
	}
	t.Text, t.Time = line(t.Text, turnChars), instant(t.Time)
	return t
}

// instant is a time as a stamp can hold it.
func instant(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// FeedbackLine is what a person's bad judgement looks like: the reason, at most
// 200 units, and the reply it is about, at most 300, when that is known
// (spec/selfip.md 24.5).
func FeedbackLine(reason, reply string) string {
	reason, reply = line(reason, reasonChars), line(reply, replyChars)
	if reply == "" {
		return reason
	}
	return reason + feedbackReplyTag + reply + "）"
}

// SplitFeedback takes a line of FeedbackLine apart; reply is "" when it has none.
func SplitFeedback(line string) (reason, reply string) {
	reason, reply, _ = strings.Cut(line, feedbackReplyTag)
	return reason, strings.TrimSuffix(reply, "）")
}

// FeedbackReason is the judgement itself, without the reply it is about.
func FeedbackReason(line string) string {
	reason, _, _ := strings.Cut(line, feedbackReplyTag)
	return reason
}

// Empty reports whether nothing happened that is worth a file. A session that
// only worked well is worth one (spec/selfip.md 29, W43).
func (s Session) Empty() bool {
	return s.ToolCalls == 0 && len(s.Errors)+len(s.SubagentFails)+len(s.Feedback)+len(s.Talk) == 0
}

// line is a text as it stands in a bullet: one line, no mark, n units at most.
func line(s string, n int) string {
	if end := n * maxBytesPerUnit; len(s) > end {
		for !utf8.RuneStart(s[end]) && end > 0 {
			end--
		}
		s = s[:end]
	}
	return strings.TrimSpace(text.Head(defuse(text.OneLine(s)), n))
}

// title is an id as it stands before the stamp in the title: no word after the
// first can begin the stamp.
func title(id string) string {
	words := strings.Fields(text.Clean(id))
	for n := 1; n < len(words); n++ {
		words[n] = strings.TrimLeft(words[n], "@")
	}
	return line(strings.Join(words, " "), idChars)
}

// name is a line that names something.
func name(s string) string { return line(s, nameChars) }

// word is a name without the characters that end it in a bullet.
func word(s string) string {
	return name(strings.Map(func(r rune) rune {
		if strings.ContainsRune("()[]:", r) {
			return -1
		}
		return r
	}, s))
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// each returns a new list; an empty one is nil.
func each[T any](list []T, f func(T) T) []T {
	var out []T
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}
