package selfip

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/answer"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/text"
)

// Bounds of what a sleep asks a model (spec/selfip.md 8, 22.2).
const (
	sleepCalls      = 3    // of one sleep
	sliceLength     = 4000 // of each partition in one question, UTF-16 code units
	sleepMaxTokens  = 4000
	sleepMaxChars   = 8000
	reviewLength    = 160 // of an entry in the review list
	modelPrinciples = 6   // that are kept
)

// withModel is the part of the model: it is shown the library slice by slice, and
// each answer is applied before the next question. An error of the model ends
// this part and no more.
func (n *night) withModel(ctx context.Context) error {
	if !n.m.Asks(SleepCall) {
		n.asked = true
		return nil
	}
	list, next := n.material.Slices(n.from(), sliceLength, sleepCalls)
	whole := len(list) == 1 && len(next) == 0
	for i := range list {
		var review []sleep.Overdue
		if i == 0 { // the first question also shows what is due for review, wherever it stands
			review, _ = n.material.Review()
		}
		shown := with(list[i], review)
		a, err := n.m.ask(ctx, n.lib, n.question(shown, review))
		if err != nil {
			n.asked = modelless(err)
			if !n.asked {
				n.out.Failed = err
			}
			return context.Cause(ctx)
		}
		n.out.Calls++
		n.signed(a.By())
		if err := n.apply(ctx, a, shown, review, i == 0, whole); err != nil {
			return err
		}
		if i+1 < len(list) {
			if err := n.lookAgain(list); err != nil {
				return err
			}
		}
	}
	n.asked = true
	n.next = map[string]string{}
	for p, id := range next {
		n.next[Partitions[p].Name] = id
	}
	return nil
}

// with adds what is due for review to a slice.
func with(shown sleep.Slice, review []sleep.Overdue) sleep.Slice {
	for _, o := range review {
		if !slices.Contains(shown, o.Item) {
			shown = append(slices.Clip(shown), o.Item)
		}
	}
	return slices.Sorted(slices.Values(shown))
}

func (n *night) signed(by string) {
	if !slices.Contains(n.out.By, by) {
		n.out.By = append(n.out.By, by)
	}
}

// from is where the last sleep stopped, by partition.
func (n *night) from() map[int]string {
	var names map[string]string
	n.state.Decode(state.SleepNext, &names)
	out := map[int]string{}
	for i, p := range Partitions {
		out[i] = names[p.Name]
	}
	return out
}

// lookAgain reads the library anew between two questions and finds the items of
// the slices again. Those that are gone are not shown any more.
func (n *night) lookAgain(list []sleep.Slice) error {
	type line struct {
		partition int
		key       string
	}
	was := n.material.Items
	if err := n.look(); err != nil {
		return err
	}
	now := map[line]int{}
	for i, it := range n.material.Items {
		now[line{it.Partition, it.ID()}] = i
	}
	for s, shown := range list {
		var moved sleep.Slice
		for _, i := range shown {
			if at, ok := now[line{was[i].Partition, was[i].ID()}]; ok {
				moved = append(moved, at)
			}
		}
		list[s] = moved
	}
	return nil
}

// question shows a slice, and what is due for review.
func (n *night) question(shown sleep.Slice, review []sleep.Overdue) Question {
	ph := phrase.For(n.m.Settings.Language).Sleep
	titles := [len(Partitions)]string{ph.Lessons, ph.Facts, ph.Resources, ph.Methods}
	var parts []string
	for p, title := range titles {
		lines := []string{"## " + title}
		for _, i := range shown {
			if n.material.Items[i].Partition == p {
				lines = append(lines, n.line(i))
			}
		}
		if len(lines) > 1 {
			parts = append(parts, strings.Join(lines, "\n"))
		}
	}
	if len(review) > 0 {
		lines := []string{"## " + ph.Review, ph.ReviewTask}
		for _, o := range review {
			it := n.material.Items[o.Item]
			lines = append(lines, "- ["+Partitions[it.Partition].Name+"] "+text.Ellipsize(it.Text, reviewLength))
		}
		parts = append(parts, strings.Join(lines, "\n"))
	}
	return Question{
		Kind: SleepCall, System: ph.System, User: gate.Block(strings.Join(parts, "\n\n")).Text,
		MaxTokens: sleepMaxTokens, MaxChars: sleepMaxChars,
	}
}

// line is an item as the model is shown it, and shall repeat it.
func (n *night) line(i int) string {
	it := n.material.Items[i]
	return fmt.Sprintf("- [%s] (%s) %s", n.day(it), it.Kind, it.Text)
}

// apply makes of an answer what may be made of it, in one change
// (spec/selfip.md 22.4). whole says that it was shown the whole library.
func (n *night) apply(ctx context.Context, a Answer, shown sleep.Slice, review []sleep.Overdue, first, whole bool) error {
	said := answer.Parse(a.Text, a.Cut)
	if a.Cut {
		said = said.Only(answer.Principles, answer.Hypotheses, answer.Prefetch)
		n.out.Dropped = append(n.out.Dropped, said.Dropped...)
	}
	return n.change(ctx, func(c *change) error {
		if a.Cut {
			c.logRow(truncatedFile, n.m.Now(), "sleep "+a.By()+": "+strings.Join(said.Dropped, ", "))
		}
		for _, part := range []struct {
			partition int
			keys      []answer.Key
		}{{0, []answer.Key{answer.LessonsClean, answer.Lessons}}, {1, []answer.Key{answer.FactsClean, answer.Facts}}} {
			for _, key := range part.keys {
				if err := n.clean(c, a.By(), part.partition, said.Text(key), shown, review); err != nil {
					return err
				}
			}
		}
		if c.asks {
			return nil // what a model notes reaches prompts, and nobody has agreed to it
		}
		return n.notes(c, a.By(), said, first, whole)
	})
}

// clean applies the rewritten lines of a partition as a merge over the entries
// that the model was shown: what it was not shown, and what has changed since, is
// left alone (29, W4).
func (n *night) clean(c *change, by string, partition int, section string, shown sleep.Slice, review []sleep.Overdue) error {
	said, _ := answer.Lines(section, Partitions[partition].Kind)
	if len(said) == 0 {
		return nil
	}
	var own []int
	for _, i := range shown {
		if n.material.Items[i].Partition == partition {
			own = append(own, i)
		}
	}
	listed := map[int]bool{}
	for _, o := range review {
		listed[o.Item] = true
		if n.material.Items[o.Item].Partition == partition {
			continue
		}
		// One of another partition, which no section is for, is confirmed by being
		// repeated.
		if at := slices.IndexFunc(said, func(e entry.Entry) bool { return n.material.Says(o.Item, e) }); at >= 0 {
			n.confirm(c, o.Item)
			said = slices.Delete(said, at, at+1)
		}
	}
	v := n.material.Judge(own, said)
	for _, i := range v.Kept {
		if listed[i] {
			n.confirm(c, i)
		}
	}
	for _, r := range v.Rewrites {
		if err := n.rewrite(c, by, r, listed); err != nil {
			return err
		}
	}
	for _, r := range v.Refused {
		n.out.Refused = append(n.out.Refused, Refused{gate.Note(r.Line.Text).Text, r.Why})
	}
	return nil
}

// confirm takes an entry off the review list: the model was asked about it and
// repeats it (17.5; 29, W6).
func (n *night) confirm(c *change, i int) {
	f, ok := n.unchanged(c, i)
	if !ok {
		n.out.Stale++
		return
	}
	c.put(f, f.entry.With("vfy", entry.Stamp(c.now)))
	n.out.Confirmed = append(n.out.Confirmed, n.report(i))
}

// rewrite stores a line in the place of the entries that it stands for. When one
// of them is not what the model was shown, the line fits no more and is dropped.
func (n *night) rewrite(c *change, by string, r sleep.Rewrite, listed map[int]bool) error {
	v := gate.Note(r.Line.Text)
	if v.Poison != nil {
		n.out.Aside++
		_, err := c.aside(v, "agent")
		return err
	}
	var old []found
	for _, i := range r.Of {
		f, ok := n.unchanged(c, i)
		if !ok {
			n.out.Stale++
			return nil
		}
		old = append(old, f)
	}
	e := n.rewritten(c, by, v, r, listed)
	if c.asks {
		got, err := c.place(draft{entry: e, replaces: n.ids(r.Of)})
		if got.waits {
			n.out.Candidates++
		}
		return err
	}
	for _, f := range old {
		c.put(f, withdrawn(f.entry, "superseded", c))
	}
	id, _ := c.store(e)
	merged := Merged{Entry: n.lib.stored(id, e), By: by}
	for _, i := range r.Of {
		merged.Of = append(merged.Of, n.report(i))
	}
	n.out.Merged = append(n.out.Merged, merged)
	return nil
}

func (n *night) ids(places []int) (out []string) {
	for _, i := range places {
		out = append(out, n.material.Items[i].ID())
	}
	return out
}

// rewritten is the entry of a line, with the dates and the weight of those that
// it stands for. It is as old as the youngest of them: to be worded anew makes
// nothing new. What one of them has from outside stays from there (W8).
func (n *night) rewritten(c *change, by string, v gate.Verdict, r sleep.Rewrite, listed map[int]bool) entry.Entry {
	kind, weight, stamp, verified, due := r.Line.Kind, 0, "", "", false
	source := r.Line.Get("src")
	for at, i := range r.Of {
		it := n.material.Items[i]
		if at == 0 || it.Kind == r.Line.Kind {
			kind = it.Kind
		}
		weight = max(weight, it.BaseImportance())
		if stamp == "" || entry.Later(it.Stamp, stamp) {
			stamp = it.Stamp
		}
		if entry.Later(it.Get("vfy"), verified) {
			verified = it.Get("vfy")
		}
		due = due || listed[i]
		if it.Trust() == entry.External {
			source = it.Get("src")
		}
	}
	if due || verified == "" && stamp == "" {
		verified = entry.Stamp(c.now)
	}
	if verified == "" {
		verified = stamp
	}
	return entry.Entry{Stamp: stamp, Kind: kind, Text: v.Text}.With("imp", strconv.Itoa(weight)).With("src", source).
		With("origin", "sleep").With("by", by).With("ttl", strconv.Itoa(v.TTL)).With("vfy", verified)
}

// notes writes the principles, hypotheses and prefetch points of an answer.
func (n *night) notes(c *change, by string, said answer.Answer, first, whole bool) error {
	if err := n.principles(c, by, points(said.Text(answer.Principles)), whole); err != nil {
		return err
	}
	var list []sleep.Hypothesis
	for _, p := range points(said.Text(answer.Hypotheses)) {
		_, evidence := n.material.Support(p.Text)
		list = append(list, sleep.Hypothesis{
			ID: sleep.PointID("h", text.Fold(p.Text)), State: sleep.Open, Text: p.Text, By: by, Evidence: evidence,
		})
	}
	if err := n.hypotheses(c, list, func(sleep.Hypothesis) bool { return false }); err != nil {
		return err
	}
	prefetch := points(said.Text(answer.Prefetch))
	if len(prefetch) == 0 || !first {
		return nil
	}
	room := prefetchLength
	var kept []sleep.Point
	for _, p := range prefetch {
		if room -= text.Len(p.Text) + 3; room >= 0 {
			kept = append(kept, p.With("by", by))
		}
	}
	n.out.Prefetch = nil
	return n.replace(c, prefetchFile, kept, sleep.Point.Ours, &n.out.Prefetch)
}

// principles puts those of the model behind the others. Those of earlier answers
// go when this one was shown the whole library, else the oldest over the bound.
func (n *night) principles(c *change, by string, said []sleep.Point, whole bool) error {
	if len(said) == 0 {
		return nil
	}
	was, err := c.sheet(principlesFile)
	if err != nil {
		return err
	}
	isModels := func(p sleep.Point) bool { return p.Ours() && !isLocal(p) }
	var all []sleep.Point
	if !whole {
		all = slices.DeleteFunc(was.Points(), func(p sleep.Point) bool { return !isModels(p) })
	}
	for _, p := range said {
		support, evidence := n.material.Support(p.Text)
		all = slices.DeleteFunc(all, func(o sleep.Point) bool { return text.Fold(o.Text) == text.Fold(p.Text) })
		all = append(all, sleep.PrinciplePoint(sleep.Principle{Text: p.Text, Support: support, Evidence: evidence}, by))
	}
	return n.replace(c, principlesFile, all[max(len(all)-modelPrinciples, 0):], isModels, &n.out.Principles)
}

// points reads the lines of a section of notes. What a model writes behind a line
// about itself is not believed.
func points(section string) (out []sleep.Point) {
	lines, left := answer.Lines(section, entry.Fact)
	for _, e := range lines {
		out = append(out, sleep.Point{Text: text.Ellipsize(e.Text, notesLength)})
	}
	if len(lines) > 0 {
		return out
	}
	for _, said := range left { // prose: a line a point
		out = append(out, sleep.Point{Text: text.Ellipsize(text.OneLine(said), notesLength)})
	}
	return out
}

// notesLength is the most of one line of notes, UTF-16 code units.
const notesLength = 300
