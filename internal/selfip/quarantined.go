package selfip

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Quarantined is a text in quarantine.
type Quarantined struct {
	ID      string // the name of its file without suffix
	Library Label
	Path    string // absolute
	quarantine.File
	Err error // the file cannot be read
	lib *Library
}

// quarantined lists the quarantine files of a library, oldest first.
func (l *Library) quarantined() []string {
	names, _ := l.dir.List(quarantineDir)
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, ".md") })
}

// Quarantine lists the texts in quarantine of the workspace and of the libraries
// that are read or written, oldest first.
func (m *Memory) Quarantine() ([]Quarantined, error) {
	libs := m.readable()
	targets, err := m.targets()
	if err != nil && len(libs) == 0 {
		return nil, err
	}
	var out []Quarantined
	for _, lib := range append(append([]*Library{m.Workspace}, libs...), targets...) {
		if lib == nil || slices.ContainsFunc(out, func(q Quarantined) bool { return q.lib == lib }) {
			continue
		}
		for _, name := range lib.quarantined() {
			out = append(out, lib.aside(name))
		}
	}
	slices.SortStableFunc(out, func(a, b Quarantined) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// aside reads a quarantine file and, when that has the beginning alone, the file
// with the whole text.
func (l *Library) aside(name string) Quarantined {
	q := Quarantined{ID: strings.TrimSuffix(name, ".md"), Library: l.Label, Path: l.Path(path.Join(quarantineDir, name)), lib: l}
	data, err := l.read(path.Join(quarantineDir, name))
	if err == nil {
		q.File, err = quarantine.Parse(string(data))
	}
	if q.Err = err; q.Whole == quarantine.WholeName(name) {
		if whole, err := l.read(path.Join(quarantineDir, q.Whole)); err == nil && whole != nil {
			q.Text = strings.TrimSuffix(string(whole), "\n")
		}
	}
	return q
}

// Aside returns the text in quarantine with an id, or with the only id that
// begins so.
func (m *Memory) Aside(id string) (Quarantined, error) {
	all, err := m.Quarantine()
	if err != nil {
		return Quarantined{}, err
	}
	var found []Quarantined
	for _, q := range all {
		switch {
		case q.ID == id:
			return q, nil
		case id != "" && strings.HasPrefix(q.ID, id):
			found = append(found, q)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Quarantined{}, fault.New(fault.NotFound, codeNoAside, id)
	}
	return Quarantined{}, fault.New(fault.Usage, codeManyAsides, len(found), id)
}

// Sighted is Aside for the user's own eyes: an agent is not shown the text.
func (m *Memory) Sighted(id string, by Author) (Quarantined, error) {
	if !by.isUser() {
		return Quarantined{}, fault.New(fault.Refused, codeNotShown)
	}
	q, err := m.Aside(id)
	if err == nil && q.Err != nil {
		return q, fault.New(fault.Damaged, codeBadAside, q.Path).Because(q.Err)
	}
	return q, err
}

// Release stores a text from quarantine as an entry in the user's name, after the
// user has seen it, and lets the detectors pass that very text in that library
// from now on.
func (m *Memory) Release(ctx context.Context, id string, kind entry.Kind, by Author) (Remembered, error) {
	q, err := m.Sighted(id, by)
	if err != nil {
		return Remembered{}, err
	}
	v := gate.Note(q.Text)
	if v.Text == "" {
		return Remembered{}, fault.New(fault.Usage, codeEmptyNote)
	}
	targets, err := m.targets()
	if err != nil {
		return Remembered{}, err
	}
	lib := targets[0]
	if lib.releases == nil {
		return Remembered{}, fault.New(fault.Refused, codeNoPlace)
	}
	if err := lib.releases.add(ctx, m.Now(), lib.Root, v.Text); err != nil {
		return Remembered{}, err
	}
	out, err := m.storeReleased(ctx, lib, Note{Kind: kind, Text: v.Text, Source: "user"}, v, by)
	if err != nil {
		return out, err
	}
	return out, q.lib.dir.With(ctx, q.remove)
}

// storeReleased stores a text in a library that has heard of its release.
func (m *Memory) storeReleased(ctx context.Context, lib *Library, n Note, v gate.Verdict, by Author) (Remembered, error) {
	out := Remembered{Kind: n.Kind, Text: v.Text, Library: lib.Label, Redactions: v.Redactions}
	done, err := lib.update(ctx, m, opRelease, by, func(c *change) error {
		if err := forgetDerived(c.tx); err != nil { // where the text stood before, it is known as blocked
			return err
		}
		c.view.forget()
		out.ID, out.Repeated = c.store(c.noteEntry(n, v, by))
		out.File = lib.Path(Partitions[partitionOf(n.Kind)].File)
		return nil
	})
	out.Change, out.Archived = done.id, done.archived
	return out, err
}

// opRelease is the operation of a release in the journal.
const opRelease = "release"

// forgetDerived removes what is derived from the files, for another judgement of
// their texts.
func forgetDerived(tx *filestore.Tx) error {
	for _, name := range []string{liveCatalog, archiveCatalog, indexFile} {
		if err := tx.Remove(name, filestore.NoSync); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

func (q Quarantined) remove(tx *filestore.Tx) error {
	names := []string{q.ID + ".md"}
	if q.Whole == quarantine.WholeName(names[0]) {
		names = append(names, q.Whole) // last: what is left of a kill is a text without a name
	}
	for _, name := range names {
		if err := tx.Remove(path.Join(quarantineDir, name)); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// Purge removes texts from quarantine for good: those with these ids, or with
// none all that are older than a time. It returns what was removed.
func (m *Memory) Purge(ctx context.Context, ids []string, before time.Time, by Author) ([]Quarantined, error) {
	if !by.isUser() {
		return nil, fault.New(fault.Refused, codeUsersWord)
	}
	chosen, err := m.toPurge(ids, before)
	if err != nil {
		return nil, err
	}
	for i, q := range chosen {
		if err := q.lib.dir.With(ctx, q.remove); err != nil {
			return chosen[:i], err
		}
	}
	return chosen, nil
}

func (m *Memory) toPurge(ids []string, before time.Time) (chosen []Quarantined, err error) {
	for _, id := range ids {
		q, err := m.Aside(id)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, q)
	}
	if len(ids) > 0 {
		return chosen, nil
	}
	all, err := m.Quarantine()
	return slices.DeleteFunc(all, func(q Quarantined) bool {
		at, ok := entry.ParseTime(q.Stamp, before.Location())
		return !ok || !at.Before(before) // of one that does not say its time, nobody knows that it is old
	}), err
}
