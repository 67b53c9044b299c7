package search_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// memFile is a file in memory.
type memFile []byte

func (f *memFile) ReadAt(p []byte, at int64) (int, error) { return bytes.NewReader(*f).ReadAt(p, at) }

func (f *memFile) WriteAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > int64(len(*f)) {
		return 0, io.ErrShortWrite // an index never grows in place
	}
	return copy((*f)[at:], p), nil
}

func openIndex(t fataler, f *memFile) *search.Index {
	t.Helper()
	ix, err := search.OpenIndex(f, int64(len(*f)))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// move shifts the documents of a source, drops those that gone names, and puts
// new ones behind them. It returns the file as it is now and what an index has
// to be told.
func move(docs []search.Doc, by int64, gone map[int64]bool, added []search.Doc) ([]search.Doc, search.Move) {
	var now []search.Doc
	end := by
	for _, d := range docs {
		if !gone[d.Offset] {
			d.Offset += by
			now = append(now, d)
			end = d.Offset + int64(d.Size)
		}
	}
	m := search.Move{Now: search.Source{Size: end + 1000, ModTime: 7, Inode: 8, Covered: end}}
	m.To = func(offset int64, size int) (int64, int, bool) { return offset + by, size, !gone[offset] }
	for i, d := range added {
		d.Offset = end + 1 + int64(i)*100
		now = append(now, d)
	}
	return now, m
}

// TestMovedIndexAnswersAsAScan: lines that moved are found where they stand now,
// and those behind what is covered by the scan beside the index.
func TestMovedIndexAnswersAsAScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFiles(t)
		raw := f.raw(t)
		source := rapid.IntRange(0, len(f)-1).Draw(t, "moved")
		var added []search.Doc
		for i, s := range rapid.SliceOfN(phrases(), 0, 5).Draw(t, "added") {
			added = append(added, search.Doc{Ref: search.Ref{Source: source, Size: len(s)}, ID: fmt.Sprint("new", i), Text: s})
		}
		old := len(f[source])
		now, m := move(f[source], int64(rapid.IntRange(0, 500).Draw(t, "by")), nil, added)
		f[source], m.Source = now, source
		if err := openIndex(t, raw).Move(raw, []search.Move{m}); err != nil {
			t.Fatal(err)
		}
		ix := openIndex(t, raw)
		if got := ix.Sources()[source]; got.Size != m.Now.Size || got.ModTime != 7 || got.Inode != 8 || got.Covered != m.Now.Covered || ix.Gone() != 0 {
			t.Fatalf("source %+v, %d gone", got, ix.Gone())
		}
		q := search.Parse(phrases().Draw(t, "query"))
		got, err := ix.Search(q, search.Settings{Limit: 10, Load: f.load, Scanned: slices.Values(now[old:])})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(search.Rank(q, f.docs(), 10), got); diff != "" {
			t.Fatalf("hits of a scan and of the index (-want +got):\n%s", diff)
		}
	})
}

// TestGoneDocumentsAreNotFound: what went is no hit, and all else is one still.
func TestGoneDocumentsAreNotFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFiles(t)
		raw := f.raw(t)
		source := rapid.IntRange(0, len(f)-1).Draw(t, "source")
		gone := map[int64]bool{}
		for _, d := range f[source] {
			if rapid.Bool().Draw(t, "gone") {
				gone[d.Offset] = true
			}
		}
		now, m := move(f[source], 3, gone, nil)
		want := len(f[source]) - len(now)
		f[source], m.Source = now, source
		for range 2 { // what is gone stays gone
			if err := openIndex(t, raw).Move(raw, []search.Move{m}); err != nil {
				t.Fatal(err)
			}
			m.To, m.Now.ModTime = nil, m.Now.ModTime+1
		}
		ix := openIndex(t, raw)
		if ix.Gone() != want {
			t.Fatalf("%d gone, want %d", ix.Gone(), want)
		}
		q := search.Parse(phrases().Draw(t, "query"))
		got, err := ix.Search(q, search.Settings{Limit: 1000, Load: f.load})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sortedIDs(search.Rank(q, f.docs(), 1000)), sortedIDs(got)); diff != "" {
			t.Fatalf("hits of a scan and of the index (-want +got):\n%s", diff)
		}
	})
}

// sortedIDs are the sorted ids of hits.
func sortedIDs(hits []search.Hit) []string {
	out := make([]string, 0, len(hits))
	for _, h := range hits {
		out = append(out, h.ID)
	}
	slices.Sort(out)
	return out
}

// TestMoveOfADamagedIndex: an index that is cut is an error, not a panic.
func TestMoveOfADamagedIndex(t *testing.T) {
	f := files{numbered([]string{"retry once", "压缩 策略"})}
	raw := f.raw(t)
	ix := openIndex(t, raw)
	*raw = (*raw)[:len(*raw)/4]
	m := search.Move{Now: search.Source{Size: 1}, To: func(o int64, n int) (int64, int, bool) { return o, n, true }}
	if err := ix.Move(raw, []search.Move{m}); err == nil {
		t.Error("no error although the index is cut")
	}
}
