package learn

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/link"
	"github.com/dshkit/dshkit/pkg/text"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Lengths of a statement, in UTF-16 units.
const (
	minStatement    = 8
	minStatementCJK = 5
	maxStatement    = 200
)

// statement is what a person said and meant to last.
type statement struct {
	kind       entry.Kind
	text       string // their words
	importance int
	subject    string // folded: what a fact is about, or ""
	value, old string // folded: what is true of it, and what is not
	corrects   bool
	forbids    bool
	quote      Quote
}

// marks are what the words in front of a clause say of it.
type marks struct {
	corrects bool // no, actually, 不对
	standing bool // from now on, 以后
	remember bool // remember that, 记住
}

func (m marks) or(n marks) marks {
	return marks{m.corrects || n.corrects, m.standing || n.standing, m.remember || n.remember}
}

// verdict is what a clause turned out to be.
type verdict int

const (
	nothing verdict = iota
	moment          // a request or a question of the moment
	vague           // it needs its context
	rule
	fact
)

// judgement is a verdict with what goes with it.
type judgement struct {
	verdict             verdict
	importance          int
	subject, value, old string
	forbids             bool
}

// listen reads what a person wrote for statements that are meant to last.
func (e *Engine) listen(r transcript.Record, words string) {
	header := marks{}
	carried := marks{} // of a sentence that only says that the last one was wrong
	for _, line := range ownLines(words) {
		if line == "" {
			header = marks{}
			continue
		}
		if isRuleHeading(line) {
			header.standing = true
			continue
		}
		if isSecretLine(line) {
			e.left[leftSecret]++
			continue
		}
		for _, sen := range sentences(line) {
			carried = e.hear(r, sen, header.or(carried))
		}
	}
}

// isRuleHeading reports whether a line heads a list of rules.
func isRuleHeading(line string) bool {
	low := strings.ToLower(strings.Trim(line, "#* "))
	head, ok := strings.CutSuffix(low, ":")
	if !ok {
		head, ok = strings.CutSuffix(low, "：")
	}
	if !ok {
		return false
	}
	for _, w := range [...]string{"rules", "conventions", "guidelines", "preferences", "standing instructions", "规则", "约定", "规范", "偏好", "要求", "原则"} {
		if strings.HasSuffix(head, w) {
			return true
		}
	}
	return false
}

// hear reads one sentence clause by clause. It returns the marks that hold for
// the next sentence too: those of a sentence that is nothing but marks.
func (e *Engine) hear(r transcript.Record, sen sentence, m marks) marks {
	only := true
	for i := 0; i < len(sen.clauses); i++ {
		body, own := strip(sen.clauses[i].text)
		m = m.or(own)
		if body == "" {
			continue
		}
		only = false
		last := i
		for last+1 < len(sen.clauses) && continues(body, sen.clauses[last+1].text) {
			last++
		}
		begin := sen.clauses[i].end - len(body)
		whole := withoutPlease(trimWords(sen.text[begin:sen.clauses[last].end]))
		j := judge(whole, sen, m)
		firm := m.corrects || j.verdict == rule || j.verdict == fact || j.verdict == vague
		e.note(change{kind: said, firm: firm, text: keep(whole, maxWords), n: e.n, quote: e.quote(r, whole)})
		e.consider(r, whole, sen, m, j)
		i = last
	}
	if !only {
		return marks{}
	}
	return marks{corrects: m.corrects}
}

// withoutPlease takes politeness off the end.
func withoutPlease(s string) string {
	for _, end := range [...]string{" please", " thanks", "吧", "哦", "呀", "谢谢"} {
		s = strings.TrimSuffix(s, end)
	}
	return trimWords(s)
}

// note adds something that may explain the end of a failure. Words with a
// credential explain nothing.
func (e *Engine) note(c change) {
	if !isSecretLine(c.text) {
		e.changes = push(e.changes, c, maxChanges)
	}
}

// consider keeps a clause with its continuation if it is meant to last.
func (e *Engine) consider(r transcript.Record, whole string, sen sentence, m marks, j judgement) {
	switch {
	case j.verdict == nothing:
		return
	case j.verdict == moment:
		e.left[leftMoment]++
		return
	case j.verdict == vague, !fits(whole):
		e.left[leftVague]++
		return
	case j.verdict == fact && len(link.Candidates(whole)) > 0:
		return // the address keeps it
	}
	s := statement{
		kind: entry.Fact, text: keep(whole, maxStatement), importance: j.importance, corrects: m.corrects || j.old != "",
		subject: folded(j.subject), value: folded(j.value), old: folded(j.old), forbids: j.forbids, quote: e.quote(r, sen.text),
	}
	if j.verdict == rule {
		s.kind = entry.Preference
	}
	e.addStatement(s)
}

// folded folds s into memory of its own.
func folded(s string) string { return strings.Clone(text.Fold(s)) }

// fits reports whether a statement has a length that a line by hand has.
func fits(s string) bool {
	n := text.Len(s)
	return n >= leastOf(s) && n <= maxStatement
}

// leastOf is how long a text must be to tell something, in its script.
func leastOf(s string) int {
	if strings.IndexFunc(s, text.IsCJK) >= 0 {
		return minStatementCJK
	}
	return minStatement
}

// addStatement keeps a statement. The last word on a subject counts.
func (e *Engine) addStatement(s statement) {
	folded := text.Fold(s.text)
	for i, old := range e.statements {
		same := text.Fold(old.text) == folded
		if same || s.kind == entry.Fact && old.kind == entry.Fact && s.subject != "" && s.subject == old.subject {
			s.corrects = s.corrects || old.corrects
			s.importance = max(s.importance, old.importance)
			e.statements = append(e.statements[:i], e.statements[i+1:]...)
			break
		}
	}
	if len(e.statements) == maxStatements {
		e.left[leftOld]++
	}
	e.statements = push(e.statements, s, maxStatements)
}

// judge tells what a clause is, by the rules of the languages it is written in.
func judge(whole string, sen sentence, m marks) judgement {
	if isPronounOnly(whole) {
		return judgement{verdict: vague}
	}
	if strings.IndexFunc(whole, text.IsCJK) >= 0 {
		return judgeChinese(whole, sen, m)
	}
	return judgeEnglish(whole, sen, m)
}

func isPronounOnly(s string) bool { return len(marksOf(s)) == 0 && len(s) < 6 }

// strip takes greetings, politeness and marks off the front of a clause and
// says which marks they were. What is left is a suffix of the clause.
func strip(s string) (rest string, m marks) {
	for range 8 {
		was := s
		s = strings.TrimLeft(s, " \t,，:：、.。—-")
		low := asciiLower(s)
		for _, p := range prefixes() {
			n := len(p.text)
			if !strings.HasPrefix(low, p.text) || p.alone && strings.TrimRight(low[n:], " 啊呀吧哦了的.!！。") != "" {
				continue
			}
			if !p.chinese && (n < len(s) && isWordByte(s[n]) || strings.HasPrefix(low[n:], " not ")) {
				continue
			}
			s, m = s[n:], m.or(p.marks)
			if p.text == "correction" {
				s = strings.TrimLeft(s, " #0123456789")
			}
			if p.alone {
				return "", m
			}
			break
		}
		if s == was {
			break
		}
	}
	return s, m
}
