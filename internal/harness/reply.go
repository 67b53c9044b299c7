package harness

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// MaxContext is the most context that one reply carries, in bytes of UTF-8. It
// is below the cap of every harness (spec/harness-hooks.md 1.9).
const MaxContext = 9000

// Injects reports whether the reply to ev may carry context. Delegated sessions
// never get any.
func Injects(ev Event) bool {
	d := dialectOf(ev.Harness)
	return d != nil && !ev.Delegated && ev.Kind != Ignore && d.injects(ev)
}

// StartIsLate reports whether the context of a session start reaches the agent
// only after its first request, so that the first prompt is the place for it.
func StartIsLate(h Harness) bool { return h == DSH }

// Reply returns what to print for ev: one JSON document on one line with a line
// feed, or nothing at all where the harness wants that. context, the text for
// the agent, goes in only when Injects(ev); what is longer than MaxContext is
// cut at the end of a line, and the sentence cutNote says so in its place. A
// closing mark at the end of context stays.
func Reply(ev Event, context, cutNote string) []byte {
	context = strings.ToValidUTF8(strings.ReplaceAll(context, "\x00", ""), "\uFFFD")
	if context == "" || !Injects(ev) {
		return Nothing(ev)
	}
	return dialectOf(ev.Harness).reply(ev, cut(context, cutNote))
}

// Nothing returns the reply to ev that says nothing, for every harness
// (spec/harness-hooks.md 2.3).
func Nothing(ev Event) []byte {
	switch ev.Harness {
	case Goose, Kiro, Crush, Windsurf:
		return nil
	case Cline:
		return []byte("{\"cancel\":false}\n")
	}
	if ev.Name == notifyType {
		return nil
	}
	return []byte("{}\n")
}

// nested is the form that Claude Code shaped and others took over.
func nested(event, context string) []byte {
	b := append(room(context), `{"hookSpecificOutput":{"hookEventName":`...)
	b = text.AppendJSON(b, event)
	b = append(b, `,"additionalContext":`...)
	return append(text.AppendJSON(b, context), "}}\n"...)
}

// object is a document with one member.
func object(key, value string) []byte {
	b := append(text.AppendJSON(append(room(value), '{'), key), ':')
	return append(text.AppendJSON(b, value), "}\n"...)
}

// room is where a document with a long text is written.
func room(context string) []byte { return make([]byte, 0, len(context)+len(context)/8+128) }

// cut shortens context to MaxContext bytes: whole lines as far as that keeps at
// least half of them, then note, then the closing mark if there was one.
func cut(context, note string) string {
	if len(context) <= MaxContext {
		return context
	}
	tail := "\n" + fit(note, MaxContext/4)
	if mark := closingMark(context); mark != "" {
		tail += "\n" + mark
	}
	head := fit(context, MaxContext-len(tail))
	if end := strings.LastIndexByte(head, '\n'); context[len(head)] != '\n' {
		if end > len(head)/2 { // else a single long line would cost all the rest
			head = head[:end]
		}
	}
	return strings.TrimRight(head, "\n") + tail
}

// closingMark returns the last line of context when it closes a block.
func closingMark(context string) string {
	context = strings.TrimRight(context, "\n")
	last := context[strings.LastIndexByte(context, '\n')+1:]
	for _, owner := range owners {
		if last == "[/"+owner+"]" {
			return last
		}
	}
	return ""
}

// fit returns the longest prefix of s that ends between two characters as a
// reader sees them and is at most n bytes long. A character that is longer by
// itself is cut between two code points.
func fit(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	if head := text.Head(s, text.Len(s[:n])); head != "" {
		return head
	}
	return s[:n]
}
