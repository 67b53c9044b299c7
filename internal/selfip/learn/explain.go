package learn

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/transcript"
)

// maxReply is how many bytes of a reply are looked at for an explanation.
const maxReply = 6000

// causeWords are how an explanation of what was mended is worded.
var causeWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:because|caused by|root cause|(?:cause|problem|issue|bug|culprit) (?:was|is)|fixed by|by (?:using|adding|switching|changing|setting|replacing)|` +
		`switched to|changed .+ to|replaced .+ with|now uses?|was missing|needed to|had to)\b` +
		`|原因是|因为|由于|根因|问题在于|问题是|改用|改成|改为|换成|换用|缺少|少了|漏了`)
})

// explain finds the clause of a reply that explains a lesson which has no
// explanation yet. The clause must be about the error or the edited file: the
// agent also explains other things.
func (e *Engine) explain(r transcript.Record) {
	text := r.Text[:min(len(r.Text), maxReply)]
	for i := range e.lessons {
		l := &e.lessons[i]
		if l.explained != "" || l.said != "" || l.absent != "" || l.n < e.last.prompt.Ordinal || l.n < e.last.explainedAt {
			continue
		}
		about := marksOf(l.line)
		for _, p := range l.edits {
			for m := range marksOf(p) {
				about[m] = true
			}
		}
		if clause := causeClause(text, about); clause != "" {
			l.explained = clause
			l.quotes = append(l.quotes, e.quote(r, clause))
		}
	}
	e.last.explainedAt = e.n
}

// causeClause returns the clause of s that explains something and shares the
// most with what is asked about, or "".
func causeClause(s string, about map[string]bool) string {
	best, bestShared := "", 0
	for _, line := range proseLines(s) {
		for _, sen := range sentences(line) {
			for _, c := range sen.clauses {
				if len(c.text) > 4*maxWords || !causeWords().MatchString(c.text) || isSecretLine(c.text) {
					continue
				}
				if n := shared(about, marksOf(c.text)); n > bestShared {
					best, bestShared = c.text, n
				}
			}
		}
	}
	return keep(trimWords(withoutLead(best)), maxWords)
}

// withoutLead takes a short announcement off the front: "Fixed: ...".
func withoutLead(s string) string {
	for i, r := range s {
		if i > 24 {
			break
		}
		if rest := s[i+utf8.RuneLen(r):]; (r == '：' || r == ':') && rest != "" && !strings.HasPrefix(rest, "//") && causeWords().MatchString(rest) {
			return rest
		}
	}
	return s
}
