package selfip

import (
	"fmt"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/pkg/text"
)

// draw writes what the built-in engine sees in the entries: principles,
// contradictions, what the next session should know first.
func (n *night) draw(c *change) error {
	var principles []sleep.Point
	for _, p := range slices.Backward(n.material.Principles()) { // a text that is too long is cut in front: the best stands last
		principles = append(principles, sleep.PrinciplePoint(p, localEngine))
	}
	if err := n.replace(c, principlesFile, principles, isLocal, &n.out.Principles); err != nil {
		return err
	}
	if err := n.contradictions(c); err != nil {
		return err
	}
	var points []sleep.Point
	room := prefetchLength
	for _, i := range n.material.Prefetch(n.handoff()) {
		p := sleep.Point{Text: text.Ellipsize(n.material.Items[i].Text, pointLength)}.With("by", localEngine).With("ev", n.material.Items[i].ID())
		if room -= text.Len(p.Text) + 3; room >= 0 {
			points = append(points, p)
		}
	}
	return n.replace(c, prefetchFile, points, sleep.Point.Ours, &n.out.Prefetch)
}

// Lengths of prefetch points, UTF-16 code units: of all (spec/selfip.md 8), and of
// one that the built-in engine quotes.
const (
	prefetchLength = 800
	pointLength    = 150
)

func isLocal(p sleep.Point) bool { return p.Get("by") == localEngine }

// handoff is what the last session left for the next one.
func (n *night) handoff() string {
	if n.m.Workspace == nil {
		return ""
	}
	h := n.m.Workspace.handoff(n.m.Now())
	if _, show := h.Age(n.m.Now()); !show {
		return ""
	}
	return h.Text
}

// replace puts points in the place of those that old is true of, and tells which
// were not there before.
func (n *night) replace(c *change, name string, points []sleep.Point, old func(sleep.Point) bool, fresh *[]string) error {
	points, aside, err := c.safePoints(points, "agent")
	if err != nil {
		return err
	}
	n.out.Aside += aside
	was, err := c.sheet(name)
	if err != nil {
		return err
	}
	next := was.Replace(points, old)
	for _, line := range apart(next.Lines(), was.Lines()) {
		if p, ok := sleep.ParsePoint(line); ok {
			*fresh = append(*fresh, p.Text)
		}
	}
	return c.setSheet(name, next)
}

// contradictions makes hypotheses of entries that contradict each other, and
// takes out those of which an entry is gone.
func (n *night) contradictions(c *change) error {
	var list []sleep.Hypothesis
	open := map[string]bool{}
	for _, cf := range n.material.Conflicts() {
		newer, older := n.material.Items[cf.Newer], n.material.Items[cf.Older]
		h := sleep.Hypothesis{
			State: sleep.Open, By: localEngine, Evidence: []string{newer.ID(), older.ID()},
			Text: fmt.Sprintf(phrase.For(n.m.Settings.Language).Sleep.Contradicts, n.quote(newer), n.day(newer), n.quote(older), n.day(older)),
		}
		h.ID = contradictionID(h.Evidence)
		open[h.ID] = true
		list = append(list, h)
	}
	return n.hypotheses(c, list, func(h sleep.Hypothesis) bool {
		return h.By == localEngine && len(h.Evidence) == 2 && !open[h.ID]
	})
}

func contradictionID(evidence []string) string {
	sorted := slices.Sorted(slices.Values(evidence))
	return sleep.PointID("h", sorted...)
}

// quoteLength is how much of an entry a hypothesis quotes.
const quoteLength = 80

func (n *night) quote(it sleep.Item) string { return text.Ellipsize(it.Text, quoteLength) }

func (n *night) day(it sleep.Item) string {
	at, ok := it.Time(n.m.Now().Location())
	if !ok {
		return "?"
	}
	return at.Format(time.DateOnly)
}

// hypotheses adds those that are not known, and takes out those that are
// settled.
func (n *night) hypotheses(c *change, list []sleep.Hypothesis, settled func(sleep.Hypothesis) bool) error {
	was, err := c.sheet(hypothesesFile)
	if err != nil {
		return err
	}
	var safe []sleep.Hypothesis
	for _, h := range list {
		points, aside, err := c.safePoints([]sleep.Point{{Text: h.Text}}, "agent")
		if err != nil {
			return err
		}
		n.out.Aside += aside
		if len(points) > 0 {
			h.Text = points[0].Text
			safe = append(safe, h)
		}
	}
	next, left := was.Settle(settled).AddHypotheses(safe)
	n.out.Waiting += left
	for _, h := range next.Hypotheses() {
		if !slices.ContainsFunc(was.Hypotheses(), func(o sleep.Hypothesis) bool { return o.ID == h.ID }) {
			n.out.Hypotheses = append(n.out.Hypotheses, h)
		}
	}
	return c.setSheet(hypothesesFile, next)
}
