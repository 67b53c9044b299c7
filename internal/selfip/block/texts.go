package block

import (
	"fmt"
	"math"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/pkg/inject"
	"github.com/dshkit/dshkit/pkg/text"
)

// Lengths of free texts as shown, in UTF-16 units (spec/selfip.md 8).
const (
	maxPrefetch   = 500
	maxPrinciples = 600
	maxHypotheses = 400
	maxSummary    = 160
)

// minFreeText is what a free text may have in the smallest budget.
const minFreeText = 120

// sessionParts are the parts that concern the workspace's sessions.
func (m *memory) sessionParts(budget int) []part {
	s := m.in.Session
	return []part{
		m.handoff(s.Handoff, budget),
		m.proposals(budget),
		m.freeText(m.ph.Prefetch, 2, s.Prefetch, share(maxPrefetch, budget)),
		m.playbooks(),
	}
}

// share is the length of a free text in a budget. In one that is smaller than
// planned it shrinks alike, or the texts of idle hours would leave no room for
// the entries.
func share(limit, budget int) int {
	if budget >= plannedBudget {
		return limit
	}
	return max(limit*max(budget, 0)/plannedBudget, minFreeText)
}

// short is a title without what stands behind it in brackets.
func short(title string) string {
	title, _, _ = strings.Cut(title, " (")
	title, _, _ = strings.Cut(title, "（")
	return title
}

// handoff shows a hand-off that is young enough, with its age once that counts
// in days (W31).
func (m *memory) handoff(h handoff.Handoff, budget int) part {
	days, show := h.Age(m.in.Now)
	if !show {
		return part{Part: inject.Part{Title: m.ph.HandOff}}
	}
	title := m.ph.HandOff
	if days > 0 {
		title = fmt.Sprintf(m.ph.HandOffAge, title, days)
	}
	p := m.freeText(title, 0, h.Text, share(handoff.MaxLen, budget))
	p.Title = m.ph.HandOff
	return p
}

// freeText is a text under a heading, cut in front to limit units.
func (m *memory) freeText(title string, priority float64, s string, limit int) part {
	p := part{Part: inject.Part{Title: short(title), Priority: priority}}
	if s = demoted(plainLines(s)); s == "" || headOnly(s) {
		return p
	}
	heading := "### " + title + "\n"
	cut := func(limit int) string {
		if end := inject.Tail(s, limit); end != "" {
			return heading + end
		}
		return ""
	}
	p.Text = cut(limit)
	p.tooLong = p.Text == ""
	p.Shrink = func(room int) string { return cut(room - text.Len(heading)) }
	return p
}

// proposals lists what the user has to decide, as much of it as goes into a third
// of the budget, one at least.
func (m *memory) proposals(budget int) part {
	p := part{Part: inject.Part{Title: m.ph.PlainProposals, Priority: 1}}
	var lines []string
	for _, one := range m.in.Session.Proposals {
		summary := text.Ellipsize(plain(one.Summary), maxSummary)
		if summary == "" {
			summary = m.ph.ProposalSilent
		}
		lines = append(lines, fmt.Sprintf(m.ph.Proposal, plain(one.ID), summary, plain(one.File)))
	}
	if len(lines) == 0 {
		return p
	}
	write := func(n int) string {
		return m.list(fmt.Sprintf(m.ph.Proposals, len(lines)), lines, n, m.ph.ProposalOrder)
	}
	p.Shrink = fewer(len(lines), write)
	if p.Text = p.Shrink(budget / 3); p.Text == "" {
		p.Text = write(1)
	}
	return p
}

// playbooks lists the procedures, best first. The list is the first to give way:
// it is short in the same measure as the partitions are.
func (m *memory) playbooks() part {
	p := part{Part: inject.Part{Title: short(m.ph.Playbooks), Priority: 9}}
	var lines []string
	for _, one := range playbook.Order(m.in.Session.Playbooks, m.in.Now) {
		form := m.ph.Playbook
		if one.Due(m.in.Now) {
			form = m.ph.PlaybookDue
		}
		lines = append(lines, fmt.Sprintf(form, plain(one.File), one.Successes, one.Fails))
	}
	if len(lines) == 0 {
		return p
	}
	write := func(n int) string { return m.list(m.ph.Playbooks, lines, n, m.ph.PlaybooksAdvice) }
	p.Build = func(scale float64) string { return write(int(math.Ceil(float64(len(lines)) * scale))) }
	p.Shrink = fewer(len(lines), write)
	return p
}

// fewer returns a function that writes as many lines as go into its room.
func fewer(lines int, write func(n int) string) func(room int) string {
	return func(room int) string {
		for n := lines; n > 0; n-- {
			if s := write(n); text.Len(s) <= room {
				return s
			}
		}
		return ""
	}
}

// plain returns one line of stored text as it can stand in the block: one line,
// without control characters, and without the marks around the block, which
// nothing inside may close.
func plain(s string) string {
	return strings.ReplaceAll(plainLines(s), "\n", " ")
}

func plainLines(s string) string {
	s = strings.TrimSpace(text.Clean(s))
	if !containsFold(s, markWord) {
		return s
	}
	var b strings.Builder
	for s != "" {
		size := markLen(s)
		if size == 0 {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		b.WriteString("(" + s[1:size-1] + ")")
		s = s[size:]
	}
	return b.String()
}

const markWord = "selfip]"

// markLen returns the length of the mark that s begins with, or 0.
func markLen(s string) int {
	for _, mark := range []string{"[" + markWord, "[/" + markWord} {
		if len(s) >= len(mark) && strings.EqualFold(s[:len(mark)], mark) {
			return len(mark)
		}
	}
	return 0
}

// containsFold reports whether s contains the ASCII word in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// headless is a file of principles or hypotheses without its first line, which
// is Chinese and says no more than the heading of the block. Chinese readers see
// the file as it is.
func (m *memory) headless(s string) string {
	first, rest, _ := strings.Cut(strings.TrimLeft(s, "\ufeff \r\n"), "\n")
	if m.in.Language != "zh-CN" && strings.HasPrefix(first, "# ") {
		return rest
	}
	return s
}

// headOnly reports whether nothing but the first line of such a file is left.
func headOnly(s string) bool {
	first, rest, _ := strings.Cut(s, "\n")
	return strings.HasPrefix(first, "# ") && strings.TrimSpace(rest) == ""
}

// demoted puts the headings of a free text below those of the block, so that no
// text begins a section of its own. The first line keeps its single mark: that
// is how the files of principles and hypotheses begin.
func demoted(s string) string {
	if !strings.Contains(s, "#") {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		rest := strings.TrimLeft(l, " \t")
		depth := len(rest) - len(strings.TrimLeft(rest, "#"))
		if depth > 0 && depth < 4 && (i > 0 || depth > 1) {
			lines[i] = "####" + rest[depth:]
		}
	}
	return strings.Join(lines, "\n")
}
