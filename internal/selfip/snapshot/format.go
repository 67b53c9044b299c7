package snapshot

import (
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Headings and joints of the two files (spec/selfip.md 3.8). They are part of
// the format, whatever the language of the user.
const (
	titlePrefix     = "# Session "
	titleJoint      = " @ "
	errorsHeading   = "## Errors"
	failsHeading    = "## Recent subagent failures"
	feedbackHeading = "## 用户负反馈（最高优先级信号）"
	talkHeading     = "## 对话留痕（节选）"
	arrow           = " -> "
	noStamp         = "?" // stands for an instant that is not known
	snapshotLine    = "> 运行中快照 "
	snapshotRemark  = "（会话仍在进行；若此后没有结束标记，下次启动时补做复盘）"
)

// Log writes the log of a session that ended at now, in the zone of now. It has
// no line end at its end, as the originals write it.
func (s Session) Log(now time.Time) string {
	return s.body() + "\n\n" + finalLine(now)
}

// Snapshot writes the snapshot of a running session at now, without a line end
// at its end.
func (s Session) Snapshot(now time.Time) string {
	return s.body() + "\n\n" + snapshotLine + entry.Stamp(now) + snapshotRemark
}

// body is what both files have in common.
func (s Session) body() string {
	s = s.Bounded()
	var b strings.Builder
	b.WriteString(titlePrefix + s.ID)
	if !s.Start.IsZero() {
		b.WriteString(titleJoint + entry.Stamp(s.Start))
	}
	b.WriteString("\ntoolCalls=" + strconv.Itoa(s.ToolCalls) +
		" toolErrors=" + strconv.Itoa(s.ToolErrors) + " agentErrors=" + strconv.Itoa(len(s.Errors)))
	section(&b, errorsHeading, s.Errors, Error.bullet)
	section(&b, failsHeading, s.SubagentFails, SubagentFail.bullet)
	section(&b, feedbackHeading, s.Feedback, func(f string) string { return f })
	section(&b, talkHeading, last(s.Talk, shownTalk), Turn.bullet)
	return b.String()
}

// section writes a heading with a bullet for each of list, or nothing.
func section[T any](b *strings.Builder, heading string, list []T, bullet func(T) string) {
	if len(list) == 0 {
		return
	}
	b.WriteString("\n\n" + heading)
	for _, v := range list {
		b.WriteString("\n- " + bullet(v))
	}
}

func (e Error) bullet() string {
	head := "[" + stamp(e.Time) + "] " + string(e.Kind)
	if e.Tool != "" {
		head += " (" + e.Tool + ")"
	}
	return head + ": " + e.Text
}

func (f SubagentFail) bullet() string {
	return "[" + stamp(f.Time) + "] " + f.Provider + arrow + f.Reason
}

func (t Turn) bullet() string {
	return "[" + stamp(t.Time) + "] " + string(t.Role) + ": " + t.Text
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return noStamp
	}
	return entry.Stamp(t)
}
