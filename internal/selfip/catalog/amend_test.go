package catalog_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
)

// memFile is a file in memory that can fail to be written.
type memFile struct {
	data   []byte
	writes int // that are left; negative: any number
}

var errKilled = errors.New("killed")

func (f *memFile) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(f.data).ReadAt(p, at)
}

func (f *memFile) WriteAt(p []byte, at int64) (int, error) {
	if f.writes == 0 {
		return 0, errKilled
	}
	f.writes--
	if grow := int(at) + len(p) - len(f.data); grow > 0 {
		f.data = append(f.data, make([]byte, grow)...)
	}
	return copy(f.data[at:], p), nil
}

func (f *memFile) header() (catalog.Header, error) {
	return catalog.ReadHeader(f, int64(len(f.data)))
}

func drawRow(t *rapid.T) catalog.Row {
	return catalog.Row{
		Source: rapid.IntRange(0, 3).Draw(t, "source"), Offset: rapid.Int64Range(0, 1<<32-1).Draw(t, "offset"),
		Size: rapid.IntRange(0, 1e6).Draw(t, "size"), Cost: rapid.IntRange(0, 1e6).Draw(t, "cost"),
		Importance: rapid.IntRange(1, 10).Draw(t, "importance"), Uses: rapid.IntRange(0, 5).Draw(t, "uses"), Flags: rapid.IntRange(0, 31).Draw(t, "flags"),
		Stamp: rapid.Int64().Draw(t, "stamp"), Expires: rapid.Int64().Draw(t, "expires"), Key: rapid.Uint64().Draw(t, "key"),
	}
}

func drawRows(t *rapid.T, least, most int) []catalog.Row {
	return rapid.SliceOfNDistinct(rapid.Custom(drawRow), least, most, func(r catalog.Row) [2]int64 {
		return [2]int64{int64(r.Source), r.Offset}
	}).Draw(t, "rows")
}

func sources(state int64) []catalog.Source {
	out := make([]catalog.Source, 4)
	for i, name := range []string{"lessons.md", "facts.md", "resources.md", "methods.md"} {
		out[i] = catalog.Source{Name: name, Size: state * 10, ModTime: state, Inode: uint64(i), Units: state, Entries: int(state), Broken: int(state) % 3, Clean: state%2 == 0}
	}
	return out
}

// bySource sorts rows as a catalog gives them.
func bySource(rows []catalog.Row) []catalog.Row {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b catalog.Row) int { return a.Source - b.Source })
	return out
}

// TestAmendedCatalog: after any appends and updates in place, a catalog is the
// one that would be written anew.
func TestAmendedCatalog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawRows(t, 0, 200)
		keyed := rapid.Bool().Draw(t, "with a key table")
		f := &memFile{data: catalog.Catalog{Sources: sources(0), Rows: bySource(rows), Zone: 3600}.Encode(keyed), writes: -1}
		rows = bySource(rows)
		state := int64(0)
		amend := func(do func(catalog.Header) (catalog.Header, error)) {
			state++
			h, err := f.header()
			if err != nil {
				t.Fatal(err)
			}
			next, err := do(h)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := f.header(); cmp.Diff(again.Sources, next.Sources) != "" || again.Len() != next.Len() {
				t.Fatalf("the header on disk is %+v, returned was %+v", again, next)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				added := drawRows(t, 0, 70)
				for i := range added {
					added[i].Offset = int64(len(rows)+i)<<8 | 1<<31
				}
				amend(func(h catalog.Header) (catalog.Header, error) { return h.Append(f, sources(state), added) })
				rows = append(rows, added...)
			},
			"update": func(t *rapid.T) {
				if len(rows) == 0 {
					t.Skip("no rows")
				}
				var changed []catalog.Row
				for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(rows)-1), 1, 5, rapid.ID).Draw(t, "which") {
					r := drawRow(t)
					r.Source, r.Offset, r.Key = rows[i].Source, rows[i].Offset, rows[i].Key
					rows[i] = r
					changed = append(changed, r)
				}
				amend(func(h catalog.Header) (catalog.Header, error) { return h.Update(f, sources(state), changed) })
			},
			"": func(t *rapid.T) {
				h, err := f.header()
				if err != nil {
					t.Fatal(err)
				}
				got, err := h.Rows(f)
				if diff := cmp.Diff(bySource(rows), got); err != nil || diff != "" {
					t.Fatalf("rows: %v (-want +got):\n%s", err, diff)
				}
				if diff := cmp.Diff(sources(state), h.Sources); diff != "" {
					t.Fatalf("sources (-want +got):\n%s", diff)
				}
				if len(rows) == 0 {
					return
				}
				r := rows[rapid.IntRange(0, len(rows)-1).Draw(t, "looked up")]
				if found, err := h.Lookup(f, r.Key); err != nil || !slices.Contains(found, r) {
					t.Fatalf("lookup of %x: %v, %v, want %v among them", r.Key, found, err, r)
				}
			},
		})
	})
}

// TestAmendKilledInBetween: a catalog whose amendment was cut short is either
// the one before, or not one of any sources.
func TestAmendKilledInBetween(t *testing.T) {
	for writes := range 3 {
		for name, amend := range map[string]func(catalog.Header, *memFile) error{
			"append": func(h catalog.Header, f *memFile) error {
				_, err := h.Append(f, sources(2), []catalog.Row{{Source: 1, Offset: 9, Key: 9}})
				return err
			},
			"update": func(h catalog.Header, f *memFile) error {
				_, err := h.Update(f, sources(2), []catalog.Row{{Source: 0, Offset: 1, Key: 9}, {Source: 0, Offset: 200, Key: 9}})
				return err
			},
		} {
			var rows []catalog.Row
			for i := range int64(300) {
				rows = append(rows, catalog.Row{Offset: i, Key: 1})
			}
			f := &memFile{data: catalog.Catalog{Sources: sources(1), Rows: rows}.Encode(false), writes: writes}
			h, err := f.header()
			if err != nil {
				t.Fatal(err)
			}
			killed := amend(h, f)
			h, err = f.header()
			if err != nil {
				t.Fatalf("%s, %d writes: %v", name, writes, err)
			}
			_, err = h.Rows(f)
			if same := h.Sources[0].Same(sources(1)[0]); errors.Is(killed, errKilled) && !same {
				t.Errorf("%s, %d writes: the header names the new sources", name, writes)
			} else if killed == nil && (same || err != nil) {
				t.Errorf("%s, %d writes: not killed, and the sources are the old ones, %v", name, writes, err)
			}
		}
	}
}

// TestAmendOfAnotherCatalog: what was written anew meanwhile is left alone.
func TestAmendOfAnotherCatalog(t *testing.T) {
	f := &memFile{data: catalog.Catalog{Sources: sources(1)}.Encode(false), writes: -1}
	h, err := f.header()
	if err != nil {
		t.Fatal(err)
	}
	other := catalog.Catalog{Sources: sources(2), Rows: []catalog.Row{{Offset: 1}}}.Encode(false)
	f.data = slices.Clone(other)
	_, appended := h.Append(f, sources(3), []catalog.Row{{}})
	_, updated := h.Update(f, sources(3), []catalog.Row{{Offset: 1}})
	if !errors.Is(appended, catalog.ErrStale) || !errors.Is(updated, catalog.ErrStale) || !bytes.Equal(f.data, other) {
		t.Errorf("Append %v, Update %v, changed: %v", appended, updated, !bytes.Equal(f.data, other))
	}
	h, err = f.header()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Update(f, sources(3), []catalog.Row{{Offset: 2}}); !errors.Is(err, catalog.ErrStale) || !bytes.Equal(f.data, other) {
		t.Errorf("Update of a row that is not there: %v, changed: %v", err, !bytes.Equal(f.data, other))
	}
}

// TestEveryFlippedBitIsStale: no bit of a catalog can be wrong unnoticed.
func TestEveryFlippedBitIsStale(t *testing.T) {
	data := build(70).Encode(false)
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			r := bytes.NewReader(data)
			h, err := catalog.ReadHeader(r, int64(len(data)))
			if err == nil {
				_, err = h.Rows(r)
			}
			if !errors.Is(err, catalog.ErrStale) {
				t.Fatalf("byte %d, bit %d: %v, want ErrStale", at, bit, err)
			}
			data[at] ^= 1 << bit
		}
	}
}
