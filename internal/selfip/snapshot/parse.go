package snapshot

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// maxRest is how many lines that fit nowhere are kept.
const maxRest = 1000

// Parse reads a snapshot or a log, written by us or by an original, whole or
// damaged. It never fails: what fits no section is in Rest, and notes tell what
// was skipped. The session comes back within its limits; of the conversation it
// has what the file shows.
//
// A message of an original may go over several lines. A line that neither is a
// bullet of its section nor a later heading of the format goes on with the
// bullet before it, so markdown inside a message stays there. Marks at the end of
// the file belong to no section.
func Parse(content string) (Session, []Note) {
	content, notes := Evidence(content)
	var r reader
	for l := range strings.SplitSeq(withoutMarks(content), "\n") {
		if l = strings.TrimSpace(l); l != "" {
			r.read(l)
		}
	}
	if n := len(r.s.Rest); n > 0 {
		notes = append(notes, Note{codeUnknown, n})
	}
	if r.leftOut > 0 {
		notes = append(notes, Note{codeLeftOut, r.leftOut})
	}
	return r.s.Bounded(), notes
}

// withoutMarks cuts the quoted lines off the end.
func withoutMarks(content string) string {
	for content != "" {
		rest, l := cutLast(content)
		if l != "" && !isMarkLine(l) {
			break
		}
		content = rest
	}
	return content
}

// sectionKind is a part of the file; they come in this order.
type sectionKind int

const (
	head sectionKind = iota
	errorsSection
	failsSection
	feedbackSection
	talkSection
)

// reader collects a session line by line.
type reader struct {
	s       Session
	at      sectionKind
	leftOut int
}

func (r *reader) read(l string) {
	if at := sectionOf(l); at > r.at {
		r.at = at
		return
	}
	if r.at == head {
		r.readHead(l)
		return
	}
	body, isBullet := strings.CutPrefix(l, "- ")
	if !isBullet || !r.readBullet(strings.TrimSpace(body)) {
		r.goOn(l)
	}
}

func sectionOf(l string) sectionKind {
	switch l {
	case errorsHeading:
		return errorsSection
	case failsHeading:
		return failsSection
	case feedbackHeading:
		return feedbackSection
	case talkHeading:
		return talkSection
	}
	return head
}

func (r *reader) readHead(l string) {
	title, isTitle := strings.CutPrefix(l+" ", titlePrefix)
	switch {
	case isTitle && r.s.ID == "":
		r.s.ID, r.s.Start = splitTitle(strings.TrimSuffix(title, " "))
	case strings.HasPrefix(l, "toolCalls="):
		r.readCounts(l)
	default:
		r.keep(l)
	}
}

// splitTitle reads "ID @ STAMP"; the stamp may be missing.
func splitTitle(title string) (id string, start time.Time) {
	if n := strings.LastIndex(title, titleJoint); n >= 0 {
		if t, ok := entry.ParseTime(title[n+len(titleJoint):], time.UTC); ok {
			return title[:n], t
		}
	}
	return title, time.Time{}
}

// readCounts reads "toolCalls=1 toolErrors=1 agentErrors=1". The last number is
// that of the bullets.
func (r *reader) readCounts(l string) {
	for field := range strings.FieldsSeq(l) {
		key, value, _ := strings.Cut(field, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "toolCalls":
			r.s.ToolCalls = max(n, 0)
		case "toolErrors":
			r.s.ToolErrors = max(n, 0)
		}
	}
}

// readBullet reads one bullet of the present section. It says false for one that
// has not the section's form.
func (r *reader) readBullet(l string) bool {
	if r.at == feedbackSection {
		r.s.Feedback = append(r.s.Feedback, l)
		return true
	}
	t, l, ok := splitStamp(l)
	if !ok {
		return false
	}
	switch r.at {
	case errorsSection:
		return r.readError(t, l)
	case failsSection:
		provider, reason, ok := strings.Cut(l+" ", arrow)
		r.s.SubagentFails = add(r.s.SubagentFails, SubagentFail{t, provider, reason}, ok, maxFails)
		return ok
	}
	role, words, _ := strings.Cut(l, ":")
	ok = Role(role) == User || Role(role) == Assistant
	r.s.Talk = add(r.s.Talk, Turn{t, Role(role), words}, ok, maxTalk)
	return ok
}

// splitStamp reads "[STAMP] REST".
func splitStamp(l string) (t time.Time, rest string, ok bool) {
	if !strings.HasPrefix(l, "[") {
		return t, l, false
	}
	s, rest, ok := strings.Cut(l[1:], "]")
	if !ok {
		return t, l, false
	}
	if s != noStamp {
		t, ok = entry.ParseTime(s, time.UTC)
	}
	return t, strings.TrimPrefix(rest, " "), ok
}

// readError reads "KIND (TOOL): TEXT". The first fifty errors count.
func (r *reader) readError(t time.Time, l string) bool {
	what, words, ok := strings.Cut(l, ":")
	if !ok {
		return false
	}
	kind, tool, _ := strings.Cut(strings.TrimSuffix(what, ")"), " (")
	if len(r.s.Errors) == maxErrors {
		r.leftOut++
		return true
	}
	r.s.Errors = append(r.s.Errors, Error{t, ErrorKind(kind), tool, words})
	return true
}

// add appends v if ok and keeps the last n or a few more, so that a long file
// costs no more memory than a short one.
func add[T any](list []T, v T, ok bool, n int) []T {
	if !ok {
		return list
	}
	if len(list) >= 2*n {
		list = append(list[:0], last(list, n)...)
	}
	return append(list, v)
}

// goOn takes a line that is part of the bullet before it. In an empty section of
// errors a bare bullet is an error.
func (r *reader) goOn(l string) {
	s := &r.s
	switch {
	case r.at == errorsSection && len(s.Errors) == 0 && strings.HasPrefix(l, "- "):
		s.Errors = append(s.Errors, Error{Kind: AgentError, Text: l[2:]})
	case r.at == errorsSection && len(s.Errors) > 0:
		extend(&s.Errors[len(s.Errors)-1].Text, l)
	case r.at == failsSection && len(s.SubagentFails) > 0:
		extend(&s.SubagentFails[len(s.SubagentFails)-1].Reason, l)
	case r.at == feedbackSection && len(s.Feedback) > 0:
		extend(&s.Feedback[len(s.Feedback)-1], l)
	case r.at == talkSection && len(s.Talk) > 0:
		extend(&s.Talk[len(s.Talk)-1].Text, l)
	default:
		r.keep(l)
	}
}

// extend adds a line to a text that is cut to its limit later on anyway.
func extend(s *string, l string) {
	if len(*s) < agentErrorChars*maxBytesPerUnit {
		*s += " " + l
	}
}

// keep takes a line that fits nowhere.
func (r *reader) keep(l string) {
	if len(r.s.Rest) == maxRest {
		r.leftOut++
		return
	}
	r.s.Rest = append(r.s.Rest, l)
}
