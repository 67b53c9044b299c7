package block

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/inject"
	"github.com/dshkit/dshkit/pkg/text"
)

const separator = "\n\n"

// The budget for which the quotas of the partitions are meant, and the least
// that a global block gets (spec/selfip.md 8).
const (
	plannedBudget = 2940
	minSecond     = 300
)

// memory is the text between the halves of the wrapper.
type memory struct {
	*writer
	layouts []layout // that are in the text
	dropped []string
}

// layout is one library as it was laid out.
type layout struct {
	sections []*section // by part; nil for other parts
	result   inject.Result
}

// write lays out the main library and, in what it leaves, the second one.
// missing names what was left out beforehand.
func (m *memory) write(budget int, missing []string) string {
	main := m.main(budget, missing)
	if m.in.Second == nil {
		m.layouts, m.dropped = []layout{main}, main.result.Dropped
		return main.result.Text
	}
	opening, closing := m.ph.GlobalHeading+separator, separator+fmt.Sprintf(m.ph.GlobalClosing, plain(m.in.GlobalPath))
	frame := text.Len(opening) + text.Len(closing) + len(separator)
	second := m.second(main, budget-main.result.Used-frame)
	// A main block that fills the budget leaves the second its minimum, unless
	// that would be a large part of all.
	if want := frame + minSecond; second.result.Dropped != nil && budget-main.result.Used < want && budget >= 4*want {
		main = m.main(budget-want, missing)
		second = m.second(main, budget-main.result.Used-frame)
	}
	if !second.shows() {
		if second.result.Dropped != nil {
			main = m.main(budget, append(slices.Clip(missing), m.ph.GlobalTitle))
		}
		m.layouts, m.dropped = []layout{main, second}, main.result.Dropped
		return main.result.Text
	}
	m.layouts = []layout{main, second}
	m.dropped = append(slices.Clip(main.result.Dropped), second.result.Dropped...)
	block := opening + second.result.Text + closing
	if main.result.Text == "" {
		return block
	}
	return main.result.Text + separator + block
}

func (m *memory) main(budget int, missing []string) layout {
	return m.fit(m.mainParts(budget), nil, budget, missing)
}

// shows reports whether any part of the layout is in its text.
func (l layout) shows() bool { return strings.Join(l.result.Shown, "") != "" }

// part is a part of the text; one that shows a partition has a section.
type part struct {
	inject.Part
	section *section
	tooLong bool // it has something to show, and its own quota has no room for a line of it
}

// fit lays out parts in a budget. known holds the words of lines that are shown
// before.
func (m *memory) fit(parts []part, known map[string]bool, budget int, missing []string) layout {
	s := &seen{}
	plan := inject.Plan{Budget: budget, Missing: missing}
	plan.Notice = func(titles []string) string { return m.leftOut(titles, budget) }
	plan.Reset = func() {
		s.by = make(map[string]sighting, maxLines+len(known))
		for words := range known {
			s.by[words] = sighting{}
		}
	}
	var l layout
	for _, p := range parts {
		if p.section != nil {
			p.section.seen = s
		}
		if p.tooLong {
			plan.Missing = append(slices.Clip(plan.Missing), p.Title)
		}
		plan.Parts = append(plan.Parts, p.Part)
		l.sections = append(l.sections, p.section)
	}
	l.result = inject.Fit(plan)
	return l
}

// noticeShare: the closing notice names the parts when that takes at most one in
// so many units of the budget, else it counts them.
const noticeShare = 5

func (m *memory) leftOut(titles []string, budget int) string {
	names := fmt.Sprintf(m.ph.LeftOut, strings.Join(titles, m.ph.Comma))
	if text.Len(names) <= budget/noticeShare {
		return names
	}
	return fmt.Sprintf(m.ph.LeftOutMany, len(titles))
}

// second lays out the second library in what the first left. What the first
// shows is not shown again.
func (m *memory) second(main layout, budget int) layout {
	known := map[string]bool{}
	for i, s := range main.sections {
		if s == nil {
			continue
		}
		for _, item := range s.shown(main.result.Shown[i]).shown {
			known[entry.Norm(s.part.Line(item))] = true
		}
	}
	lib := *m.in.Second
	if first := m.in.Main; first != nil {
		lib.Principles = unlessSame(lib.Principles, first.Principles)
		lib.Hypotheses = unlessSame(lib.Hypotheses, first.Hypotheses)
	}
	return m.fit(m.libraryParts(&lib, budget, m.ph.Global, 0.5), known, budget, nil)
}

func unlessSame(s, shown string) string {
	if strings.TrimSpace(s) == strings.TrimSpace(shown) {
		return ""
	}
	return s
}

func (m *memory) mainParts(budget int) []part {
	parts := m.sessionParts(budget)
	if m.in.Main == nil {
		return parts
	}
	return append(parts, m.libraryParts(m.in.Main, budget, "%s", 0)...)
}

// libraryParts are the parts of a library, in the order in which they are built:
// of two equal lines the first partition shows its own.
func (m *memory) libraryParts(lib *Library, budget int, naming string, shift float64) []part {
	name := func(title string) string { return fmt.Sprintf(naming, title) }
	parts := []part{
		m.freeText(name(m.ph.Principles), 3+shift, m.headless(demoted(lib.Principles)), share(maxPrinciples, budget)),
		m.freeText(name(m.ph.Hypotheses), 4+shift, m.headless(demoted(lib.Hypotheses)), share(maxHypotheses, budget)),
	}
	growth := max(1, float64(budget)/plannedBudget)
	for _, p := range []struct {
		Partition
		kind     entry.Kind
		title    string
		priority float64
		quota    float64
	}{
		{lib.Lessons, entry.Lesson, m.ph.Lessons, 6, 900},
		{lib.Facts, entry.Fact, m.ph.Facts, 5, 900},
		{lib.Resources, entry.Resource, m.ph.Resources, 8, 700},
		{lib.Methods, entry.Method, m.ph.Methods, 7, 700},
	} {
		if p.Partition == nil {
			continue
		}
		s := m.section(section{
			kind: p.kind, library: lib.Name, title: name(p.title), part: p.Partition,
			quota: int(p.quota * growth), limit: int(maxLines * growth),
		})
		parts = append(parts, part{Part: inject.Part{
			Title: s.title, Priority: p.priority + shift, Build: s.build, Shrink: s.shrink,
		}, section: s})
	}
	return parts
}

// empty reports whether there was nothing to show at all, whatever the budget.
func (m *memory) empty() bool {
	for _, l := range m.layouts {
		if len(l.result.Dropped) > 0 || l.shows() {
			return false
		}
	}
	return true
}
