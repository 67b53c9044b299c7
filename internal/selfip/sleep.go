package selfip

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/sleep"
	"github.com/dshkit/dshkit/internal/selfip/state"
)

// Slept reports what a sleep came to.
type Slept struct {
	Library Label
	Awake   Awake // why nothing was done; "" when something was
	By      []string

	Merged     []Merged           // entries that one of them stands for now
	Confirmed  []Entry            // entries whose review was due and that hold
	Principles []string           // that were not there before
	Hypotheses []sleep.Hypothesis // that were not there before
	Prefetch   []string           // what the next session should know first
	Review     []Due              // what is still due
	More       int                // beyond these
	Waiting    int                // contradictions for which the list had no room
	Candidates int                // merges that wait for the user's word
	Aside      int                // lines that a detector fired on
	Refused    []Refused          // lines of a model that were not taken over
	Stale      int                // merges that no longer fitted what was on disk
	Dropped    []string           // sections of an answer that was cut
	Calls      int                // of the model
	Failed     error              // why the model could not do its part; it is asked again in half an hour
	Changes    []string           // ids of the journal rows, for undo
}

// Merged is an entry with those that were withdrawn in its favour.
type Merged struct {
	Entry Entry
	Of    []Entry
	By    string // local, or the model
}

// Due is an entry whose review period has passed.
type Due struct {
	Entry Entry
	Days  int // since then
}

// Refused is a line of a model's answer that was not taken over.
type Refused struct {
	Text string
	Why  sleep.Why
}

// Sleep consolidates the library that the scope writes (spec/selfip.md 22): the
// built-in engine goes over all of it, then a model, if there is one, over as
// much as a few questions hold. With due it does so only when six hours have
// passed, something has changed, and nobody else is at it; else Slept.Awake says
// why not. Slow work is done without the lock, and what has changed meanwhile is
// left alone. Killed at any moment it leaves a whole library behind, and the
// next sleep does the rest.
func (m *Memory) Sleep(ctx context.Context, due bool) (Slept, error) {
	if err := m.Learns(); err != nil {
		if due {
			return Slept{Awake: ReadOnly}, nil
		}
		return Slept{}, err
	}
	libs, err := m.targets()
	if err != nil {
		return Slept{}, err
	}
	var failed []error
	for _, lib := range libs {
		out, err := m.sleepIn(ctx, lib, due)
		if err == nil || ctx.Err() != nil {
			return out, err
		}
		failed = append(failed, err)
	}
	return Slept{}, errors.Join(failed...)
}

func (m *Memory) sleepIn(ctx context.Context, lib *Library, due bool) (Slept, error) {
	out := Slept{Library: lib.Label}
	if lib.isEmpty() {
		out.Awake = NoEntries
		return out, nil
	}
	j, why, err := m.claimSleep(ctx, lib, due)
	switch {
	case err != nil:
		return out, err
	case why == Asleep && !due:
		return out, errAsleep(lib)
	case why != "":
		out.Awake = why
		return out, nil
	}
	n := &night{m: m, lib: lib, out: &out, state: state.State{}}
	n.state, _ = lib.State() // one that cannot be read remembers nothing
	err = n.sleep(ctx, due)
	note := n.note
	if err != nil {
		note = nil
	}
	return out, errors.Join(err, m.wakeUp(ctx, j, note))
}

// isEmpty reports whether no partition holds anything.
func (l *Library) isEmpty() bool {
	for _, p := range Partitions {
		if l.source(p.File).Size > 0 {
			return false
		}
	}
	return true
}

// night is one sleep on its way.
type night struct {
	m        *Memory
	lib      *Library
	out      *Slept
	state    state.State // as it was
	material *sleep.Material
	rows     []catalog.Row     // of the items
	next     map[string]string // where the next sleep goes on, by partition
	asked    bool              // the model did its part, or there was none to ask
}

// sleep does the parts one after another.
func (n *night) sleep(ctx context.Context, due bool) error {
	if err := n.look(); err != nil {
		return err
	}
	switch {
	case len(n.material.Items) == 0:
		n.out.Awake, n.asked = NoEntries, true
		return nil
	case due && n.known():
		n.out.Awake, n.asked = NothingNew, true
		return nil
	}
	if err := n.alone(ctx); err != nil {
		return err
	}
	if err := n.withModel(ctx); err != nil {
		return err
	}
	return n.review()
}

// look reads the live entries that may be shown, all of them.
func (n *night) look() error {
	now := n.m.Now()
	var items []sleep.Item
	err := n.lib.over(now, func(c *corpus) {
		items, n.rows = nil, nil
		for p := range Partitions {
			for _, r := range c.rowsFrom(p, 0) {
				if r.Flags&(catalog.Withdrawn|catalog.Blocked|catalog.Secret) != 0 {
					continue
				}
				if e, ok := c.read(ref(r)); ok && e.Live() {
					items, n.rows = append(items, sleep.Item{Entry: e, Partition: p}), append(n.rows, r)
				}
			}
		}
	})
	n.material = sleep.New(items, now)
	return err
}

// digest tells two states of the material apart: what is said, and what is due.
func (n *night) digest() string {
	var sum uint64
	for _, it := range n.material.Items {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %s %t", it.ID(), it.Get("vfy"), it.Expired(n.m.Now()))
		sum += h.Sum64()
	}
	return strconv.FormatUint(sum, 36)
}

// known reports whether the last sleep saw all that there is, and left nothing
// for this one.
func (n *night) known() bool {
	var seen string
	var next map[string]string
	n.state.Decode(state.SleepNext, &next)
	return n.state.Decode(state.SleepSeen, &seen) && seen == n.digest() && len(next) == 0 && n.state.Int(state.SleepTriedAt) == 0
}

// note writes down how the sleep went. One for which the model failed does not
// count as one: the model is asked again after a shorter pause (29, W23).
func (n *night) note(s state.State) state.State {
	now := n.m.Now().UnixMilli()
	if !n.asked {
		return s.Set(state.SleepTriedAt, now)
	}
	s = s.Set(state.SleptAt, now)
	if n.state.Int(state.SleepTriedAt) != 0 {
		s = s.Set(state.SleepTriedAt, 0)
	}
	if n.out.Awake != "" {
		return s
	}
	s = s.Set(state.SleepSeen, n.digest()).Add(state.Sleeps, 1)
	if len(n.next) > 0 || n.state.Decode(state.SleepNext, &map[string]string{}) {
		s = s.Set(state.SleepNext, n.next)
	}
	return s
}

// change runs f as one change of the library.
func (n *night) change(ctx context.Context, f func(*change) error) error {
	done, err := n.lib.update(ctx, n.m, "sleep", Author{Origin: "sleep"}, f)
	if done.id != "" {
		n.out.Changes = append(n.out.Changes, done.id)
	}
	return err
}

// alone is the part of the built-in engine: it merges what says the same, then
// draws from what is left.
func (n *night) alone(ctx context.Context) error {
	n.out.By = append(n.out.By, localEngine)
	if merges := n.material.Merges(); len(merges) > 0 && n.m.Rewrites() {
		for batch := range slices.Chunk(merges, mergeBatch) {
			err := n.change(ctx, func(c *change) error {
				for _, mg := range batch {
					n.merge(c, mg)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := n.look(); err != nil {
			return err
		}
	}
	return n.change(ctx, n.draw)
}

// mergeBatch is how many merges one change makes: others want the lock as well.
const mergeBatch = 500

// merge withdraws entries in favour of the one that says the same. A keeper that
// has changed meanwhile keeps nothing; of the others, those that have changed
// stay.
func (n *night) merge(c *change, mg sleep.Merge) {
	items := n.material.Items
	keeper, ok := n.unchanged(c, mg.Keep)
	if !ok {
		n.out.Stale++
		return
	}
	var of []Entry
	for _, d := range mg.Drop {
		f, ok := n.unchanged(c, d)
		if !ok || f.row.Offset == keeper.row.Offset {
			n.out.Stale++
			continue
		}
		c.put(f, withdrawn(f.entry, "superseded", c))
		of = append(of, n.report(d))
	}
	if len(of) == 0 {
		return
	}
	kept := mg.Entry
	if more := keeper.entry.Uses() - items[mg.Keep].Uses(); more > 0 {
		kept = kept.With("uses", strconv.Itoa(kept.Uses()+more))
	}
	c.put(keeper, kept)
	report := n.report(mg.Keep)
	report.Entry = kept
	n.out.Merged = append(n.out.Merged, Merged{report, of, localEngine})
}

// unchanged finds the line of an item if it stands as it was seen. That a search
// has found it since is no change. Of several equal lines each is found once:
// those that this change has edited do not count.
func (n *night) unchanged(c *change, i int) (found, bool) {
	it := n.material.Items[i]
	want := it.Entry.With("uses", "").String()
	for _, r := range c.view.find(it.Partition, n.rows[i].Key) {
		if r.Has(catalog.Withdrawn) || c.edited(r) {
			continue
		}
		if e := c.view.entry(r); e.Live() && e.With("uses", "").String() == want {
			return found{row: r, entry: e}, true
		}
	}
	return found{}, false
}

// review lists what is still due.
func (n *night) review() error {
	if err := n.look(); err != nil {
		return err
	}
	list, more := n.material.Review()
	n.out.More = more
	for _, o := range list {
		n.out.Review = append(n.out.Review, Due{n.report(o.Item), o.Days})
	}
	slices.SortStableFunc(n.out.Review, func(a, b Due) int { return cmp.Compare(b.Days, a.Days) })
	return nil
}

// report shows an item.
func (n *night) report(i int) Entry {
	it := n.material.Items[i]
	return Entry{ID: it.ID(), Kind: it.Kind, Text: it.Text, Library: n.lib.Label, File: Partitions[it.Partition].File, Entry: it.Entry}
}
