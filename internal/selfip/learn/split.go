package learn

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// maxProse is the longest line, in bytes, that counts as written by hand.
const maxProse = 1200

// maxPrompt is how many bytes of a prompt are read: half from the front, half
// from the end, because what is pasted stands in the middle.
const maxPrompt = 24 << 10

// sentence is one sentence of a line, cut into clauses.
type sentence struct {
	text     string
	begin    int // byte offset in the line
	clauses  []clause
	question bool
}

// clause is a part of a sentence; its text is sentence.text[begin:end] without
// blanks around it.
type clause struct {
	text       string
	begin, end int
}

// sentences cuts a line at its sentence ends. Marks inside back-quotes and
// inside words (v1.2, a?b=c) end nothing.
func sentences(line string) []sentence {
	var list []sentence
	begin, code := 0, false
	for i, r := range line {
		if r == '`' {
			code = !code && strings.Contains(line[i+1:min(len(line), i+200)], "`")
		}
		if code || !endsSentence(line, i, r) {
			continue
		}
		list = appendSentence(list, line, begin, i+utf8.RuneLen(r), r == '?' || r == '？')
		begin = i + utf8.RuneLen(r)
	}
	return appendSentence(list, line, begin, len(line), false)
}

func appendSentence(list []sentence, line string, begin, end int, question bool) []sentence {
	if strings.TrimFunc(line[begin:end], isEdge) == "" {
		return list
	}
	s := sentence{text: line[begin:end], begin: begin, question: question}
	s.clauses = clauses(s.text)
	return append(list, s)
}

func isEdge(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }

// endsSentence reports whether the rune r at i ends a sentence.
func endsSentence(line string, i int, r rune) bool {
	switch r {
	case '。', '！', '？', '；', '…', '\n':
		return true
	case '.', '!', '?', ';':
	default:
		return false
	}
	next, _ := utf8.DecodeRuneInString(line[i+1:])
	if i+1 < len(line) && !unicode.IsSpace(next) && !(text.IsCJK(next) && r != '.') {
		return false
	}
	return r != '.' || !isAbbreviation(line[:i])
}

// isAbbreviation reports whether s ends in a word that a point belongs to.
func isAbbreviation(s string) bool {
	if strings.HasSuffix(s, "..") {
		return true // ./... names packages
	}
	w := s[strings.LastIndexAny(s, " (,")+1:]
	switch strings.ToLower(w) {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx", "mr", "dr", "ca":
		return true
	}
	return false
}

// clauseWords begin a new clause although no comma stands before them.
var clauseWords = [...]string{" and never ", " and always ", " and don't ", " and do not ", " but never ", " but always ", " but don't "}

// clauses cuts a sentence at its commas and dashes.
func clauses(s string) []clause {
	var list []clause
	begin, code := 0, false
	cut := func(end, next int) {
		if t := strings.TrimSpace(strings.TrimRightFunc(s[begin:end], func(r rune) bool { return strings.ContainsRune(" .。!！?？;；…,，\n", r) })); t != "" {
			at := begin + strings.Index(s[begin:end], t)
			list = append(list, clause{t, at, at + len(t)})
		}
		begin = next
	}
	lower := asciiLower(s)
	for i, r := range s {
		if r == '`' {
			code = !code && strings.Contains(s[i+1:min(len(s), i+200)], "`")
		}
		switch {
		case code:
		case r == '，' || r == ',' && isClauseComma(s, i):
			cut(i, i+utf8.RuneLen(r))
		case r == '—' || r == '–' || r == '-' && strings.HasPrefix(s[i:], "- ") && i > 0 && s[i-1] == ' ':
			cut(i, i+utf8.RuneLen(r))
		case r == ' ' && startsClause(lower[i:]):
			cut(i, i+1)
		}
	}
	cut(len(s), len(s))
	return list
}

func startsClause(s string) bool {
	for _, w := range clauseWords {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// isClauseComma tells a comma between clauses from one inside a word or number.
func isClauseComma(s string, i int) bool {
	if i+1 == len(s) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[i+1:])
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	return unicode.IsSpace(next) || text.IsCJK(next) || text.IsCJK(before)
}

// asciiLower lowers the letters of ASCII and keeps every byte in its place.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// wrappers are the elements that harnesses put into a person's message, with
// everything inside them (spec/harness-hooks.md 2.4).
var wrappers = [...]string{
	"system-reminder", "system_reminder", "environment_context", "skills_instructions", "hook_context", "session_context",
	"untrusted_context", "current_datetime", "qwen:user-prompt-submit-context", "command-name", "command-message", "command-args",
	"local-command-stdout", "user_instructions", "additional_context", "attached_files", "selfip",
}

// foreignStarts begin messages that no person wrote.
var foreignStarts = [...]string{
	"[selfip]", "This session is being continued from a previous conversation", "<local-command", "Caveat: The messages below",
	"[Request interrupted", "SUBTASK:",
}

// humanWords returns what a person wrote: without wrappers, without messages
// of a harness, cut to maxPrompt.
func humanWords(s string) string {
	if len(s) > maxPrompt {
		half := maxPrompt / 2
		s = strings.ToValidUTF8(s[:half]+"\n"+s[len(s)-half:], "")
	}
	for _, name := range wrappers {
		s = cutElement(s, name)
	}
	s = strings.TrimSpace(text.Clean(s))
	for _, start := range foreignStarts {
		if strings.HasPrefix(s, start) {
			return ""
		}
	}
	return s
}

// cutElement takes the elements of a name out of s. One that is not closed
// goes to the end.
func cutElement(s, name string) string {
	open, shut := "<"+name, "</"+name+">"
	if !strings.Contains(s, open) {
		return s
	}
	var b strings.Builder
	for {
		at := strings.Index(s, open)
		if at < 0 {
			return b.String() + s
		}
		b.WriteString(s[:at])
		end := strings.Index(s[at:], shut)
		if end < 0 {
			return b.String()
		}
		s = s[at+end+len(shut):]
	}
}

// proseLines returns the lines of s that read as written by hand: no fenced
// code, no quotation, no log, no overlong line. Bullets lose their mark.
func proseLines(s string) []string {
	var lines []string
	fenced := false
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimRight(line, " \t\r")
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fenced = !fenced
		case fenced, len(trimmed) > maxProse, isPasted(line):
		default:
			lines = append(lines, unbullet(trimmed))
		}
	}
	return lines
}

// A prompt longer than this, in bytes, holds something that was pasted. What a
// person adds to it stands in front or behind.
const (
	pastedPrompt = 3000
	ownEdge      = 4 // lines in front and behind
)

// ownLines returns the lines of a prompt that are its author's own.
func ownLines(s string) []string {
	lines := proseLines(s)
	if len(s) <= pastedPrompt || len(lines) <= 2*ownEdge {
		return lines
	}
	edges := append(lines[:ownEdge:ownEdge], "")
	return append(edges, lines[len(lines)-ownEdge:]...)
}

// isPasted reports whether a line was copied from a log, a shell or a source.
func isPasted(line string) bool {
	t := strings.TrimSpace(line)
	if t == "" {
		return false
	}
	if strings.IndexByte(">|+$#<{}[@", t[0]) >= 0 || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") && !isBullet(t) {
		return true
	}
	digits := 0
	for digits < len(t) && t[digits] >= '0' && t[digits] <= '9' {
		digits++
	}
	if digits > 2 && digits < len(t) && strings.IndexByte("-:/", t[digits]) >= 0 {
		return true // a time stamp
	}
	odd := 0
	for i := 0; i < len(t); i++ {
		if strings.IndexByte("{}();=<>[]|\\", t[i]) >= 0 {
			odd++
		}
	}
	return odd*8 > len(t) || strings.HasSuffix(t, "{") || strings.HasSuffix(t, ");") || strings.HasPrefix(t, "at ") && strings.HasSuffix(t, ")")
}

func isBullet(t string) bool { return unbullet(t) != t }

// unbullet takes the mark of a list off a line.
func unbullet(t string) string {
	for _, mark := range [...]string{"- ", "* ", "• ", "· "} {
		if rest, ok := strings.CutPrefix(t, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	i := 0
	for i < len(t) && i < 2 && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	if i == 0 {
		return t
	}
	for _, mark := range [...]string{". ", ") ", "、", "．", "）"} {
		if rest, ok := strings.CutPrefix(t[i:], mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return t
}

// trimWords takes blanks and punctuation off both ends of a quote, and a
// back-quote that has no partner.
func trimWords(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".。!！,，;；:：、…", r) })
	if strings.Count(s, "`")%2 == 1 {
		s = strings.Trim(s, "`")
	}
	return s
}
