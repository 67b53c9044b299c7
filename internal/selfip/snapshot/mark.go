package snapshot

import (
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// State is how far a file has come.
type State string

// The states (spec/selfip.md 3.8).
const (
	None      State = ""          // there is no such file
	Open      State = "open"      // the session runs, or was killed
	Recovered State = "recovered" // it was killed, and its snapshot was queued
	Finalized State = "finalized" // it ended; its log speaks for it
	Done      State = "done"      // the retrospective is finished
)

// The marks, and what they all begin with.
const (
	markPrefix    = "[[SELFIP-"
	finalizedMark = "[[SELFIP-FINALIZED]]"
	recoveredMark = "[[SELFIP-RECOVERED]]"
	doneMark      = "[[SELFIP-RETRO-DONE]]"
)

// recoveredRemark stands in front of the mark of a recovered snapshot.
const recoveredRemark = "已纳入待复盘队列"

// StateOf returns the state that the marks at the end of a file tell. A mark is
// a quoted line, and only blank and quoted lines may follow it: the originals
// search the whole file, and a conversation that quotes a mark ends its session
// for them.
func StateOf(content string) State {
	state := Open
	for rest := content; rest != ""; {
		var l string
		rest, l = cutLast(rest)
		if l == "" {
			continue
		}
		if !isMarkLine(l) {
			break
		}
		state = furthest(state, l)
	}
	return state
}

func furthest(state State, l string) State {
	switch {
	case state == Done || strings.Contains(l, doneMark):
		return Done
	case state == Finalized || strings.Contains(l, finalizedMark):
		return Finalized
	case strings.Contains(l, recoveredMark):
		return Recovered
	}
	return state
}

// isMarkLine reports whether a line at the end of a file belongs to its marks.
func isMarkLine(l string) bool {
	return strings.HasPrefix(l, ">") || strings.HasPrefix(l, markPrefix)
}

// cutLast splits off the last line, trimmed.
func cutLast(s string) (rest, l string) {
	if end := strings.LastIndexAny(s, "\r\n"); end >= 0 {
		rest, s = s[:end], s[end+1:]
	}
	return rest, strings.Trim(s, " \t\x00\ufeff")
}

// MarkFinalized returns a snapshot with the mark that its session ended and left
// the log at logPath. A file that has come this far is returned as it is.
func MarkFinalized(content string, now time.Time, logPath string) string {
	if s := StateOf(content); s == Finalized || s == Done {
		return content
	}
	return appendLine(content, finalLine(now)+" -> "+name(logPath))
}

// MarkRecovered returns a snapshot with the mark that it was queued. A file that
// has come this far is returned as it is.
func MarkRecovered(content string, now time.Time) string {
	if StateOf(content) != Open {
		return content
	}
	return appendLine(content, "> "+recoveredRemark+" @ "+entry.Stamp(now)+" "+recoveredMark)
}

// MarkRetroDone returns evidence with the mark that its retrospective is
// finished. A file that has come this far is returned as it is. Mark a file only
// if it still reads as it did when the work began.
func MarkRetroDone(content string, now time.Time) string {
	if StateOf(content) == Done {
		return content
	}
	return appendLine(content, "> "+doneMark+" @ "+entry.Stamp(now))
}

// LogOf returns the log that the mark of a finished snapshot names, "" when there
// is none.
func LogOf(content string) string {
	for rest := content; rest != ""; {
		var l string
		rest, l = cutLast(rest)
		if _, log, ok := strings.Cut(l, finalizedMark); ok && isMarkLine(l) {
			_, log, _ = strings.Cut(log, " -> ")
			return strings.TrimSpace(log)
		}
		if l != "" && !isMarkLine(l) {
			break
		}
	}
	return ""
}

func finalLine(now time.Time) string { return "> " + finalizedMark + " @ " + entry.Stamp(now) }

// appendLine puts a line after content, which may end in a line end, in a torn
// line or in the hole that a crash left.
func appendLine(content, l string) string {
	content = strings.TrimRight(content, "\r\n\x00")
	if content == "" {
		return l
	}
	return content + "\n" + l
}

// defuse breaks whatever in a text reads as a mark, for readers that search the
// whole file.
func defuse(s string) string {
	return strings.ReplaceAll(s, markPrefix, "[ [SELFIP-")
}
