package selfip

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// keptDays bounds the days of which figures are kept.
const keptDays = 400

// dayFigures is what cannot be told afterwards of one local day
// (docs/formats/figures.md).
type dayFigures struct {
	Day      string `json:"day"`
	Sessions int    `json:"sessions"` // that were given something to read
	Injected int    `json:"injected"` // what they were given, UTF-16 code units
	Tokens   int    `json:"tokens"`   // of the model
}

// figures is the content of the file: days in order, the oldest first.
type figures struct {
	Version int          `json:"version"`
	Days    []dayFigures `json:"days"`
}

// figuresVersion is the version that this program writes.
const figuresVersion = 1

// readFigures reads the figures, with what has been noted since they were added
// up. They are not ok when the file is damaged or of a newer version: it is left
// as it is then.
func (l *Library) readFigures() (f figures, ok bool) {
	data, err := l.read(figuresFile)
	if err != nil {
		return f, false
	}
	f.Version = figuresVersion
	if len(data) > 0 && (json.Unmarshal(data, &f) != nil || f.Version != figuresVersion) {
		return f, false
	}
	rows, _ := l.read(figuresLog)
	for row := range bytes.Lines(rows) {
		var d dayFigures
		if json.Unmarshal(row, &d) == nil && d.Day != "" {
			sum := f.day(d.Day)
			sum.Sessions += d.Sessions
			sum.Injected += d.Injected
		}
	}
	return f, true
}

// day returns the figures of a day, to be changed.
func (f *figures) day(day string) *dayFigures {
	i, found := slices.BinarySearchFunc(f.Days, day, func(d dayFigures, day string) int { return strings.Compare(d.Day, day) })
	if !found {
		f.Days = slices.Insert(f.Days, i, dayFigures{Day: day})
	}
	return &f.Days[i]
}

// tally adds up what has been noted, and changes the figures of a day when there
// is something to change. They are not worth a failure.
func (l *Library) tally(tx *filestore.Tx, day string, change func(*dayFigures)) error {
	noted := max(l.source(figuresLog).Size, 0)
	if noted == 0 && change == nil {
		return nil
	}
	f, ok := l.readFigures()
	if !ok {
		return nil
	}
	if change != nil {
		change(f.day(day))
	}
	f.Days = f.Days[max(0, len(f.Days)-keptDays):]
	data, err := json.Marshal(f)
	if err != nil {
		return nil
	}
	data = []byte(strings.ReplaceAll(string(data), `{"day"`, "\n"+`{"day"`)) // one day a line, for people and for diffs
	if err := tx.Replace(figuresFile, append(data, '\n'), filestore.NoSync); err != nil || noted == 0 {
		return err
	}
	return tx.Remove(figuresLog, filestore.NoSync)
}

// maxNoted is how much is noted before it is added up, in bytes.
const maxNoted = 32 << 10

// tallyShown notes what a session was given to read, before that is forgotten. A
// start of a session comes here too, in a hook: a row is all that it writes.
func (l *Library) tallyShown(tx *filestore.Tx, now time.Time, session string) error {
	data, err := l.read(stateFile(session))
	if err != nil {
		return nil
	}
	s := parseShown(string(data))
	noted := l.source(figuresLog).Size
	if s.Chars == 0 || noted > 2*maxNoted { // nobody can add them up: the file is damaged
		return nil
	}
	row, err := json.Marshal(dayFigures{Day: s.day(now), Sessions: 1, Injected: s.Chars})
	if err != nil {
		return nil
	}
	if err := l.dir.AppendLog(figuresLog, append(row, '\n'), filestore.NoSync); err != nil || noted < maxNoted {
		return err
	}
	return l.tally(tx, "", nil)
}

// addUp has a worker add up what hooks have noted.
func (l *Library) addUp(ctx context.Context) {
	if l.source(figuresLog).Size > 0 {
		_ = l.dir.With(ctx, func(tx *filestore.Tx) error { return l.tally(tx, "", nil) }) // else the next worker does
	}
}

// day is the local date on which the session started, or was resumed.
func (s shown) day(now time.Time) string {
	if s.At == 0 {
		return Day(now)
	}
	return Day(time.UnixMilli(s.At).In(now.Location()))
}

// tallyTokens notes what a day has cost so far, for that is forgotten with the
// day.
func (l *Library) tallyTokens(ctx context.Context, day string) {
	_ = l.dir.With(ctx, func(tx *filestore.Tx) error { // they are noted with the next call
		s, err := l.State()
		if err != nil {
			return err
		}
		cost := costOf(s, day)
		return l.tally(tx, day, func(d *dayFigures) { d.Tokens = max(d.Tokens, cost.Spent) })
	})
}

// Figure is how a library stood on one local day.
type Figure struct {
	Day      string
	Live     int // entries at its end, archived ones with them
	Injected int // UTF-16 code units that sessions were given to read
	Sessions int // that were given some
	Tokens   int // of the model
}

// Figures returns the last days of a library up to today, one figure a day, the
// oldest first. The number of entries is told from the journal, backwards from
// what there is now; of days before the journal begins it is that of its
// beginning.
func (m *Memory) Figures(lib *Library, days int) []Figure {
	now := m.Now()
	out := make([]Figure, max(days, 1))
	place := map[string]int{}
	for i := range out {
		out[i].Day = Day(now.AddDate(0, 0, i-len(out)+1))
		place[out[i].Day] = i
	}
	f, _ := lib.readFigures()
	for _, d := range f.Days {
		if i, ok := place[d.Day]; ok {
			out[i].Injected, out[i].Sessions, out[i].Tokens = d.Injected, d.Sessions, d.Tokens
		}
	}
	lib.addRunning(now, out, place)
	if s, err := lib.State(); err == nil {
		if i := len(out) - 1; out[i].Tokens < costOf(s, out[i].Day).Spent {
			out[i].Tokens = costOf(s, out[i].Day).Spent
		}
	}
	count := m.Count(lib)
	lib.sizes(now, count.Live+count.Archived, out, place)
	return out
}

// addRunning adds what sessions were given that have not been looked back on.
func (l *Library) addRunning(now time.Time, out []Figure, place map[string]int) {
	for _, name := range l.listed(sessionDir, "") {
		if !strings.HasSuffix(name, ".shown") {
			continue
		}
		data, _ := l.read(sessionDir + "/" + name)
		s := parseShown(string(data))
		if i, ok := place[s.day(now)]; ok && s.Chars > 0 {
			out[i].Injected += s.Chars
			out[i].Sessions++
		}
	}
}

// sizes counts the live entries at the end of each day, archived ones with them.
func (l *Library) sizes(now time.Time, live int, out []Figure, place map[string]int) {
	gained := make([]int, len(out))
	rows, _, _ := l.journal()
	for _, row := range rows {
		at, ok := entry.ParseTime(row.Time, now.Location())
		i, known := place[Day(at.In(now.Location()))]
		if !ok || !known {
			continue
		}
		for _, c := range row.Changes {
			gained[i] += c.gain()
		}
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i].Live = max(live, 0)
		live -= gained[i]
	}
}

// gain is by how many live entries there are more after a change.
func (c JournalChange) gain() int {
	if !strings.HasPrefix(c.File, "memory/") {
		return 0
	}
	isLive := func(line string) bool {
		e, ok := entry.ParseLine(line)
		return ok && e.Live()
	}
	before := c.Before != "" && isLive(c.Before)
	after := isLive(c.After) || c.Before == "" && c.After == "" // one of many that came at once
	switch {
	case after && !before:
		return 1
	case before && !after:
		return -1
	}
	return 0
}
