package selfip

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/compact"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/state"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// Bounds of a compaction (spec/selfip.md 8). Lengths in UTF-16 code units.
const (
	compactThreshold = 4000             // a file from this length on is compacted by itself
	compactPause     = 30 * time.Minute // of a file, however the last one ended
	compactMaxTokens = 4000             // of an answer
	compactMaxChars  = 24_000           // of an answer
	compactShown     = 10_000           // of the entries that a model is shown at once
	compactGrowth    = 1000             // by which a file has grown before a model sees it again
)

// compactJob names the claim on a compaction.
const compactJob = "compact"

// CompactOptions says what to compact.
type CompactOptions struct {
	Partitions []int // by index; nil: all
	Local      bool  // without a model
	// Due leaves out files that are short, or that were compacted lately, and
	// compacts one file at most.
	Due bool
}

// Compacted is what became of one file.
type Compacted struct {
	File     string
	Status   CompactStatus
	Reason   string // of a rejection
	Instead  error  // why the built-in engine stood in for the model; nil: it did not
	By       string // provider/model, or local
	Before   int    // length, UTF-16 code units
	After    int
	Entries  int // before, withdrawn ones not counted
	Left     int // after
	Twins    int // entries that another one says
	Merged   int // entries that a new line says
	Lines    int // new lines
	Archived int // entries that moved to the archive as they are
	Missing  int // entries that the answer did not hold, and that stay
	Stale    int // merges that no longer fitted what was on disk
	Low      []string
	Backup   string // where the text before is
	Change   string // id of the journal row, for undo
}

// CompactStatus is how a compaction ended.
type CompactStatus string

// The ways in which a compaction ends.
const (
	CompactDone     CompactStatus = "done"
	CompactNothing  CompactStatus = "nothing"  // the file is as short as it can be
	CompactRejected CompactStatus = "rejected" // the answer was not taken; nothing was changed
)

// PartitionNamed finds a partition by its name, its file or a kind of entry.
func PartitionNamed(s string) (int, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	for i, p := range Partitions {
		if s == p.Name || s == p.Name+".md" || s == p.File {
			return i, true
		}
	}
	if kind, ok := entry.ParseKind(s); ok {
		return partitionOf(kind), true
	}
	return 0, false
}

// Compact makes the files of the library that is written to shorter: entries that
// others say leave, entries of one subject are merged when a model is set up and
// its answer keeps what they say. Nothing is done on what was read before the
// answer came: it is applied to what is on disk then, as far as that is
// unchanged. The text before is kept as a backup (spec/selfip.md 20). When
// another process compacts the library, the error is a fault of kind Busy, and
// with Due nothing is done.
func (m *Memory) Compact(ctx context.Context, opt CompactOptions) ([]Compacted, error) {
	libs, err := m.targets()
	if err != nil {
		return nil, err
	}
	lib := libs[0]
	files := m.toCompact(lib, opt)
	if len(files) == 0 {
		return nil, nil
	}
	j, ok, err := m.begin(ctx, lib, compactJob)
	switch {
	case err != nil:
		return nil, err
	case !ok && opt.Due:
		return nil, nil
	case !ok:
		return nil, fault.New(fault.Busy, codeCompacting, lib.Root)
	}
	var out []Compacted
	for _, p := range files {
		if err = context.Cause(ctx); err != nil {
			break
		}
		var one Compacted
		if one, err = m.compactFile(ctx, lib, p, opt); err != nil {
			break
		}
		out = append(out, one)
	}
	return out, errors.Join(err, j.end(ctx))
}

// CompactDue reports whether a file of the library that is written to is worth a
// compaction by a worker.
func (m *Memory) CompactDue() bool {
	libs, err := m.targets()
	return err == nil && len(m.toCompact(libs[0], CompactOptions{Due: true})) > 0 && !m.busy(libs[0], compactJob)
}

// toCompact lists the partitions to compact. Of those that are due it is the one
// that was changed last: the one that what has just happened is about.
func (m *Memory) toCompact(lib *Library, opt CompactOptions) (list []int) {
	v := lib.live(m.Now())
	for p := range Partitions {
		wanted := opt.Partitions == nil || slices.Contains(opt.Partitions, p)
		if wanted && v.unread[p] == nil && v.catalog.Sources[p].Size > 0 {
			list = append(list, p)
		}
	}
	switch {
	case !opt.Due:
		return list
	case !m.Rewrites():
		return nil
	}
	s, err := lib.State()
	if err != nil {
		return nil // nothing can be noted, so it would be done again and again
	}
	paused := pauses(s, m.Now())
	list = slices.DeleteFunc(list, func(p int) bool {
		return v.catalog.Sources[p].Units < compactThreshold || paused(Partitions[p].File)
	})
	if len(list) > 1 {
		latest := slices.MaxFunc(list, func(a, b int) int {
			return int(v.catalog.Sources[a].ModTime/1e6 - v.catalog.Sources[b].ModTime/1e6)
		})
		list = []int{latest}
	}
	return list
}

// pauses tells which files were compacted lately. A time in the future is one of
// a clock that was set back.
func pauses(s state.State, now time.Time) func(file string) bool {
	at := map[string]int64{}
	s.Decode(state.CompactedAt, &at)
	return func(file string) bool {
		age := now.Sub(time.UnixMilli(at[file]))
		return at[file] > 0 && age >= 0 && age < compactPause
	}
}

// taken is the entries of a partition as they were when a compaction began.
type taken struct {
	partition int
	lines     []string // as they stand in the file
	entries   []entry.Entry
	units     int
}

// take reads the entries of a partition that can be compacted: those that are
// live and can be shown.
func (l *Library) take(p int, now time.Time) taken {
	v := l.live(now)
	defer v.close()
	t := taken{partition: p, units: int(v.catalog.Sources[p].Units)}
	for _, r := range v.rows(p) {
		if r.Flags&(catalog.Withdrawn|catalog.Blocked) != 0 {
			continue
		}
		line := v.line(r)
		e, ok := entry.ParseLine(line)
		if v := gate.Note(e.Text); ok && v.Poison == nil && v.Text != "" {
			e.Text = v.Text
			t.lines, t.entries = append(t.lines, line), append(t.entries, e)
		}
	}
	return t
}

func (m *Memory) compactFile(ctx context.Context, lib *Library, p int, opt CompactOptions) (Compacted, error) {
	t := lib.take(p, m.Now())
	out := Compacted{File: Partitions[p].File, By: localEngine, Before: t.units, After: t.units, Entries: len(t.entries), Left: len(t.entries)}
	plan, seen, err := m.plan(ctx, lib, t, opt, &out)
	if err != nil {
		return out, err
	}
	if out.Status != CompactRejected {
		if err := m.applyPlan(ctx, lib, t, plan, &out); err != nil {
			return out, err
		}
	}
	return out, lib.noteCompaction(ctx, m, out, seen)
}

// applyPlan puts a plan into effect on what is on disk now.
func (m *Memory) applyPlan(ctx context.Context, lib *Library, t taken, plan compact.Plan, out *Compacted) error {
	done, err := lib.update(ctx, m, "compact", Author{Origin: "compact"}, func(c *change) error {
		return c.compact(t, plan, out)
	})
	out.Status, out.Change = CompactNothing, done.id
	if err != nil {
		return err
	}
	if out.Left != out.Entries || out.Lines+out.Archived > 0 {
		out.Status = CompactDone
		if len(lib.dir.Planned()) == 0 { // else the length is the one that it would have
			out.After = int(lib.live(m.Now()).catalog.Sources[t.partition].Units)
		}
	}
	return nil
}

// window is the part of what was taken that a model is shown: entries that say
// something of their own, and their twins.
type window struct {
	places []int
	next   string // the entry that comes first the next time; "" from the beginning
	asked  bool
}

// plan decides what becomes of what was taken: with a model when there is one and
// there is something new to show to it, else by the built-in engine.
func (m *Memory) plan(ctx context.Context, lib *Library, t taken, opt CompactOptions, out *Compacted) (compact.Plan, window, error) {
	local := compact.Local(t.entries)
	s, _ := lib.State()
	if opt.Local || !m.Asks(CompactCall) || !worthAsking(s, t, opt.Due) {
		return local, window{}, nil
	}
	w := t.window(local, stateString(s, state.CompactNext, out.File))
	if len(w.places) < 2 {
		return local, window{}, nil
	}
	a, err := m.ask(ctx, lib, m.compactQuestion(t, local, w))
	switch {
	case ctx.Err() != nil:
		return local, w, context.Cause(ctx)
	case err != nil:
		out.Instead = err
		return local, window{}, nil
	}
	w.asked, out.By = true, a.By()
	judged, why := compact.Judge(t.at(w.places), compact.Answer{
		Text: a.Text, Cut: a.Cut, By: a.By(), Stamp: entry.Stamp(m.Now()), Kinds: kindsIn(t.partition),
	})
	if why != "" {
		out.Status, out.Reason = CompactRejected, string(why)
		return local, w, nil
	}
	return overlay(local, judged, w.places), w, nil
}

// worthAsking reports whether a model has not seen what the file says now. After
// a rejection it is left alone once.
func worthAsking(s state.State, t taken, due bool) bool {
	if !due {
		return true
	}
	file := Partitions[t.partition].File
	var local map[string]bool
	if s.Decode(state.CompactLocal, &local); local[file] {
		return false
	}
	var grown map[string]int
	s.Decode(state.CompactGrown, &grown)
	return grown[file] == 0 || stateString(s, state.CompactNext, file) != "" || t.units >= grown[file]+compactGrowth
}

func stateString(s state.State, key, file string) string {
	var m map[string]string
	s.Decode(key, &m)
	return m[file]
}

func (t taken) at(places []int) []entry.Entry {
	out := make([]entry.Entry, len(places))
	for n, i := range places {
		out[n] = t.entries[i]
	}
	return out
}

// window chooses entries from the one with a key on, in the order of the file.
func (t taken) window(local compact.Plan, from string) (w window) {
	begin := 0
	if from != "" {
		begin = max(0, slices.IndexFunc(t.entries, func(e entry.Entry) bool { return e.Key() == from }))
	}
	room, in := compactShown, make([]bool, len(t.entries))
	for i := begin; i < len(t.entries); i++ {
		if local.Fates[i] != compact.Keep {
			continue
		}
		if room -= text.Len(shownLine(t.entries[i])) + 1; room < 0 && i > begin {
			w.next = t.entries[i].Key()
			break
		}
		in[i] = true
	}
	for i := range t.entries {
		if in[i] || local.Fates[i] == compact.Twin && in[local.Into[i]] {
			w.places = append(w.places, i)
		}
	}
	return w
}

// shownLine is an entry as a model is shown it: without metadata, which it has no
// say in.
func shownLine(e entry.Entry) string {
	kind := e.Kind
	if kind == "" {
		kind = entry.Fact
	}
	return "- [" + e.Stamp + "] (" + string(kind) + ") " + e.Text
}

func (m *Memory) compactQuestion(t taken, local compact.Plan, w window) Question {
	var b strings.Builder
	for _, i := range w.places {
		if local.Fates[i] == compact.Keep {
			b.WriteString(shownLine(t.entries[i]))
			b.WriteByte('\n')
		}
	}
	return Question{
		Kind: CompactCall, System: phrase.For(m.Settings.Language).Compact.System, User: b.String(),
		MaxTokens: compactMaxTokens, MaxChars: compactMaxChars,
	}
}

// kindsIn lists the kinds of entries that a partition holds, the one of lines
// that name none first.
func kindsIn(p int) []entry.Kind {
	if Partitions[p].Kind == entry.Fact {
		return []entry.Kind{entry.Fact, entry.Preference}
	}
	return []entry.Kind{Partitions[p].Kind}
}

// overlay puts the plan for some places over that for all.
func overlay(all, some compact.Plan, places []int) compact.Plan {
	all.Lines, all.Refused = some.Lines, some.Refused
	for n, i := range places {
		all.Fates[i], all.Into[i] = some.Fates[n], some.Into[n]
		if some.Fates[n] == compact.Twin {
			all.Into[i] = places[some.Into[n]]
		}
	}
	for n, l := range all.Lines {
		all.Lines[n].Sources = mapped(l.Sources, places)
	}
	all.Missing, all.Low = mapped(some.Missing, places), mapped(some.Low, places)
	return all
}

func mapped(list, places []int) []int {
	out := make([]int, len(list))
	for n, i := range list {
		out[n] = places[i]
	}
	return out
}
