package selfip

import (
	"context"
	"strconv"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/redact"
	"github.com/dshkit/dshkit/pkg/fault"
)

// Note is something to remember.
type Note struct {
	Kind       entry.Kind
	Text       string
	Importance int    // 1 to 10; 0: that of the kind
	Source     string // user, agent, web, tool or doc: where the knowledge is from
	Replaces   string // the id or the text of an entry that this one overturns
}

// Remembered reports what became of a note.
type Remembered struct {
	ID         string
	Kind       entry.Kind
	Text       string // as stored, after redaction
	Library    Label
	File       string       // absolute
	Change     string       // id of the journal row, for undo
	Repeated   bool         // it was known already; the known entry was refreshed
	Waiting    bool         // it is a candidate: the user decides
	Unwanted   bool         // the user rejected the same before; nothing was stored
	Replaced   []Entry      // the entries that were withdrawn in its favour
	Redactions []redact.Hit // what was taken out
	Archived   int          // entries that moved to the archive to make room
	Degraded   error        // why the first choice of library could not be written
}

// Importance that a person's own words carry when they name none
// (spec/selfip.md 14.2).
const (
	commandImportance    = 7
	preferenceImportance = 9
)

// Remember stores a note: through the gate, once, in the library that the scope
// says, or in the workspace when that one cannot be written.
func (m *Memory) Remember(ctx context.Context, n Note, by Author) (Remembered, error) {
	v := gate.Note(n.Text)
	if v.Text == "" {
		return Remembered{}, fault.New(fault.Usage, codeEmptyNote)
	}
	if err := m.mayStore(by); err != nil {
		return Remembered{}, err
	}
	if v.Poison != nil {
		return Remembered{}, m.quarantine(ctx, v, n.Source)
	}
	targets, err := m.targets()
	if err != nil {
		return Remembered{}, err
	}
	var degraded error
	for _, lib := range targets {
		out, err := m.remember(ctx, lib, n, v, by)
		if err == nil {
			out.Degraded = degraded
			return out, nil
		}
		if degraded == nil {
			degraded = err
		}
	}
	return Remembered{}, degraded
}

func (m *Memory) remember(ctx context.Context, lib *Library, n Note, v gate.Verdict, by Author) (Remembered, error) {
	out := Remembered{Kind: n.Kind, Text: v.Text, Library: lib.Label, Redactions: v.Redactions}
	done, err := lib.update(ctx, m, "remember", by, func(c *change) error {
		got, err := c.place(draft{entry: c.noteEntry(n, v, by), replaces: nonEmpty(n.Replaces), strict: true})
		out.ID, out.Repeated, out.Waiting, out.Unwanted, out.Replaced = got.id, got.known, got.waits, got.unwanted, got.replaced
		out.File = lib.Path(Partitions[partitionOf(n.Kind)].File)
		if !got.stored() {
			out.File = lib.Path(candidatesFile)
		}
		return err
	})
	out.Change, out.Archived = done.id, done.archived
	return out, err
}

// noteEntry gives a note the metadata of its way in (spec/selfip.md 3.1).
func (c *change) noteEntry(n Note, v gate.Verdict, by Author) entry.Entry {
	stamp := entry.Stamp(c.now)
	e := entry.Entry{Stamp: stamp, Kind: n.Kind, Text: v.Text}
	source, importance := n.Source, n.Importance
	if source == "agent" {
		source = ""
	}
	if importance == 0 && by.Origin == "command" && n.Source == "user" {
		importance = commandImportance
		if n.Kind == entry.Preference {
			importance = preferenceImportance
		}
	}
	e = e.With("origin", by.Origin).With("src", source)
	if importance != 0 {
		e = e.With("imp", strconv.Itoa(min(max(importance, 1), 10)))
	}
	return e.With("ttl", strconv.Itoa(v.TTL)).With("vfy", stamp)
}

// quarantine puts a text aside that a detector fired on, and says so.
func (m *Memory) quarantine(ctx context.Context, v gate.Verdict, source string) error {
	lib, err := m.workspace()
	if err != nil {
		if lib = m.Global; lib == nil {
			return err
		}
	}
	name, err := lib.putAside(ctx, m.Now(), v, source)
	if err != nil {
		return err
	}
	return fault.New(fault.Refused, codeQuarantined, v.Poison.Number, lib.Path(name))
}
