package search_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/selfip/search"
	"github.com/dshkit/dshkit/pkg/fault"
)

// files are documents by source.
type files [][]search.Doc

func (f files) docs() iter.Seq[search.Doc] {
	return func(yield func(search.Doc) bool) {
		for _, docs := range f {
			for _, d := range docs {
				if !yield(d) {
					return
				}
			}
		}
	}
}

func (f files) load(ref search.Ref) (search.Doc, bool) {
	for _, d := range f[ref.Source] {
		if d.Ref == ref {
			return d, true
		}
	}
	return search.Doc{}, false
}

// build indexes the given sources of f in the given order.
func (f files) build(t fataler, order []int) *search.Index {
	t.Helper()
	raw := f.bytes(t, order)
	ix, err := search.OpenIndex(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// raw is the index of all sources, as a file.
func (f files) raw(t fataler) *memFile {
	t.Helper()
	var order []int
	for i := range f {
		order = append(order, i)
	}
	raw := memFile(f.bytes(t, order))
	return &raw
}

func (f files) bytes(t fataler, order []int) []byte {
	t.Helper()
	var parts []search.Part
	for _, source := range order {
		parts = append(parts, search.Part{
			Source: search.Source{Name: fmt.Sprint("file", source), Size: int64(source), ModTime: -5, Inode: 7},
			Docs:   slices.Values(f[source]),
		})
	}
	raw, err := search.Build(parts)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// phrases are drawn from few words, so that notes tie, repeat and overlap.
func phrases() *rapid.Generator[string] {
	word := rapid.SampledFrom(strings.Fields(`retry Retries backoff LOG_RATE logRate v2.1 c++ the of E1042
		压缩 记忆 的 什么 猫 データベース です 한국어 重跑gen-itgc后 café (((`))
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "，"}).Draw(t, "between"))
	})
}

func drawFiles(t *rapid.T) files {
	f := make(files, rapid.IntRange(1, 4).Draw(t, "files"))
	for source := range f {
		offset := int64(0)
		for i, s := range rapid.SliceOfN(phrases(), 0, 30).Draw(t, "notes") {
			f[source] = append(f[source], search.Doc{
				Ref: search.Ref{Source: source, Offset: offset, Size: len(s)}, ID: fmt.Sprintf("%d.%d", source, i),
				Text: s, Prior: float64(rapid.IntRange(0, 2).Draw(t, "prior")),
			})
			offset += int64(len(s)) + 1
		}
	}
	return f
}

// TestIndexAndScanAgree holds that an index of some files, of which some have
// changed or gone since, together with a scan of the changed ones answers as a
// scan of all does, to the last bit of the weights.
func TestIndexAndScanAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawFiles(t)
		var all []int
		for source := range f {
			all = append(all, source)
		}
		indexed := rapid.Permutation(all).Draw(t, "order")
		indexed = indexed[:rapid.IntRange(0, len(all)).Draw(t, "indexed")]
		ix := f.build(t, indexed)

		now := slices.Clone(f)
		stale := map[int]bool{}
		for _, source := range all {
			if !slices.Contains(indexed, source) {
				stale[source] = true
			} else if rapid.Bool().Draw(t, "changed") {
				stale[source] = true
				now[source] = slices.Clone(f[source][:len(f[source])/2])
			}
		}
		scanned := slices.Clone(now)
		for source := range scanned {
			if !stale[source] {
				scanned[source] = nil
			}
		}
		q := search.Parse(phrases().Draw(t, "query"))
		limit := rapid.IntRange(0, 6).Draw(t, "limit")
		want := search.Rank(q, now.docs(), limit)
		got, err := ix.Search(q, search.Settings{
			Limit: limit, Load: now.load, Scanned: scanned.docs(),
			Number: func(i int) int {
				if stale[indexed[i]] {
					return -1
				}
				return indexed[i]
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("index of %v with %v scanned again (-scan of all +index):\n%s", indexed, stale, diff)
		}
	})
}

// fataler is a test or a property.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// TestLargeIndexAgrees holds the same where an index is weighed in many pieces
// and has long lists, a part of it left out.
func TestLargeIndexAgrees(t *testing.T) {
	docs := generate(13_000)
	f := files{docs[:5000:5000], docs[5000:5100:5100], docs[5100:]}
	for source := range f {
		for i := range f[source] {
			f[source][i].Source = source
		}
	}
	byRef := map[search.Ref]search.Doc{}
	for d := range f.docs() {
		byRef[d.Ref] = d
	}
	ix := f.build(t, []int{0, 1, 2})
	for _, left := range []int{-1, 1, 2} {
		now := slices.Clone(f)
		number := func(i int) int { return i }
		if left >= 0 {
			now[left] = nil
			number = func(i int) int {
				if i == left {
					return -1
				}
				return i
			}
		}
		for _, q := range append(benchQueries, struct{ name, text string }{"dense", "the build of the auth module 配置"}) {
			want := search.Rank(search.Parse(q.text), now.docs(), 30)
			got, err := ix.Search(search.Parse(q.text), search.Settings{
				Limit: 30, Number: number,
				Load: func(ref search.Ref) (search.Doc, bool) { d, ok := byRef[ref]; return d, ok },
			})
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("query %q without source %d: error %v (-scan +index):\n%s", q.text, left, err, diff)
			}
		}
	}
}

// TestIndexKeepsSources holds that the records of the caller come back.
func TestIndexKeepsSources(t *testing.T) {
	f := files{{{Text: "one"}}, {}, {{Text: "two"}, {Text: "three"}}}
	ix := f.build(t, []int{2, 0, 1})
	want := []search.Source{
		{Name: "file2", Size: 2, ModTime: -5, Inode: 7},
		{Name: "file0", Size: 0, ModTime: -5, Inode: 7},
		{Name: "file1", Size: 1, ModTime: -5, Inode: 7},
	}
	if diff := cmp.Diff(want, ix.Sources()); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
	if ix.Docs() != 3 {
		t.Errorf("the index holds %d documents, want 3", ix.Docs())
	}
}

// TestIndexManySources has a head that is longer than the first read.
func TestIndexManySources(t *testing.T) {
	f := make(files, 3000)
	var order []int
	for i := range f {
		text := fmt.Sprintf("note number%d", i)
		f[i] = []search.Doc{{Ref: search.Ref{Source: i, Size: len(text)}, Text: text, ID: fmt.Sprint(i)}}
		order = append(order, i)
	}
	hits, err := f.build(t, order).Search(search.Parse("number2718"), search.Settings{Limit: 3, Load: f.load})
	if err != nil || len(hits) != 1 || hits[0].ID != "2718" {
		t.Errorf("got %v, %v, want the one note 2718", hits, err)
	}
}

// TestStaleIndexShowsNothingWrong holds that a note which no longer has the
// words, or is gone, is left out even when the index still names it.
func TestStaleIndexShowsNothingWrong(t *testing.T) {
	f := files{{{Text: "retry later", ID: "a"}, {Text: "retry now", ID: "b", Ref: search.Ref{Offset: 12}}}}
	ix := f.build(t, []int{0})
	hits, err := ix.Search(search.Parse("retry"), search.Settings{Limit: 5, Load: func(ref search.Ref) (search.Doc, bool) {
		return search.Doc{Text: "overwritten", ID: "x"}, ref.Offset == 0
	}})
	if err != nil || len(hits) != 0 {
		t.Errorf("got %v, %v, want nothing", hits, err)
	}
}

// smallIndex is the bytes of an index with every kind of row.
func smallIndex(t fataler) []byte {
	raw, err := search.Build([]search.Part{
		{Source: search.Source{Name: "a.md", Size: 9}, Docs: slices.Values(numbered([]string{"retry retry 压缩", "retry once"}))},
		{Source: search.Source{Name: "b.md"}, Docs: slices.Values(numbered([]string{"压缩 策略 c++"}))},
	})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestDamagedIndex cuts an index everywhere and turns every bit of it: the
// answer is an error or some hits, never a panic, and the head is never
// believed.
func TestDamagedIndex(t *testing.T) {
	raw := smallIndex(t)
	for n := range raw {
		if _, err := search.OpenIndex(bytes.NewReader(raw[:n]), int64(n)); fault.KindOf(err) != fault.Damaged {
			t.Errorf("index cut to %d of %d bytes: error %v, want kind damaged", n, len(raw), err)
		}
	}
	const head = 56 + 2*10 // bytes that the checksum covers
	for i := range raw {
		bad := slices.Clone(raw)
		bad[i] ^= 0x81
		ix, err := search.OpenIndex(bytes.NewReader(bad), int64(len(bad)))
		if err == nil && i < head {
			t.Errorf("byte %d of the head changed: no error", i)
		}
		if err == nil {
			exercise(ix)
		}
	}
}

// exercise asks an index whose bytes cannot be trusted.
func exercise(ix *search.Index) {
	for _, query := range []string{"retry 压缩 c++", "策略", "once", "(("} {
		_, _ = ix.Search(search.Parse(query), search.Settings{
			Limit: 3, Load: func(search.Ref) (search.Doc, bool) { return search.Doc{Text: "retry 压缩"}, true },
			Number: func(source int) int { return source - 1 },
		})
		_, _ = ix.Search(search.Parse(query), search.Settings{
			Limit: 3, Load: func(search.Ref) (search.Doc, bool) { return search.Doc{Text: "once 策略"}, true },
		})
	}
}

func TestForeignIndex(t *testing.T) {
	for name, raw := range map[string][]byte{
		"empty":       {},
		"text":        bytes.Repeat([]byte("- note\n"), 40),
		"new version": append([]byte("selfipix\xff\x00\x00\x00"), smallIndex(t)[12:]...),
	} {
		_, err := search.OpenIndex(bytes.NewReader(raw), int64(len(raw)))
		if fault.CodeOf(err) != "search-index-foreign" {
			t.Errorf("%s: error %v, want search-index-foreign", name, err)
		}
	}
}

// reseal sets size and checksum right, so that fuzzing gets past the head.
func reseal(raw []byte) {
	if len(raw) < 56 {
		return
	}
	le := binary.LittleEndian
	le.PutUint64(raw[16:], uint64(len(raw)))
	end := min(56+int64(le.Uint32(raw[44:])), int64(len(raw)))
	le.PutUint32(raw[12:], crc32.Update(crc32.ChecksumIEEE(raw[16:56]), crc32.IEEETable, raw[56:end]))
}

func FuzzOpenIndex(f *testing.F) {
	f.Add(smallIndex(f))
	f.Add([]byte("selfipix"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		reseal(raw)
		ix, err := search.OpenIndex(bytes.NewReader(raw), int64(len(raw)))
		if (ix == nil) == (err == nil) {
			t.Fatalf("index %v with error %v", ix, err)
		}
		if err == nil {
			exercise(ix)
		}
	})
}
