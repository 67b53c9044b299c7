package catalog_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)

func never(entry.Entry) int { return 0 }

const sample = "\ufeff## error-retro @ x\r\n" +
	"- [2026-09-14T20:00:00.000+08:00] (fact) plain {imp:9,src:web,ttl:30}\r\n" +
	"prose\r" +
	"  - [2026-01-01] (preference) 偏好 {src:user,uses:7}  \n" +
	"---\n" +
	"- bullet\n" +
	"- [x] (lesson) gone {invalid:2026-01-01}\n" +
	"- broken \xff line\n" +
	"- hole \x00 line\n"

func TestScanFindsEntriesWhereTheyStand(t *testing.T) {
	got := catalog.Scan(0, []byte(sample), time.UTC, never)
	if got.Clean {
		t.Error("a file with a byte order mark and CR is reported clean")
	}
	if diff := cmp.Diff([]int{8, 9}, got.Damaged); diff != "" {
		t.Errorf("damaged lines (-want +got):\n%s", diff)
	}
	want := []string{
		"- [2026-09-14T20:00:00.000+08:00] (fact) plain {imp:9,src:web,ttl:30}",
		"- [2026-01-01] (preference) 偏好 {src:user,uses:7}",
		"- bullet",
		"- [x] (lesson) gone {invalid:2026-01-01}",
	}
	var lines []string
	for _, r := range got.Rows {
		lines = append(lines, sample[r.Offset:int(r.Offset)+r.Size])
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines at the rows' offsets (-want +got):\n%s", diff)
	}
}

func TestRowScoresAsItsEntry(t *testing.T) {
	for _, r := range catalog.Scan(0, []byte(sample), time.UTC, never).Rows {
		line := sample[r.Offset : int(r.Offset)+r.Size]
		e, _ := entry.ParseLine(line)
		for _, at := range []time.Time{now, now.AddDate(0, 0, 20), now.AddDate(0, 0, 40), now.AddDate(1, 0, 0)} {
			if got, want := r.Score(at), e.Score(at); got != want {
				t.Errorf("%s at %s: score %v, want %v", line, at, got, want)
			}
			if got, want := r.Expired(at), e.Expired(at); got != want {
				t.Errorf("%s at %s: expired %v, want %v", line, at, got, want)
			}
		}
		if r.Trust() != e.Trust() || r.Has(catalog.Withdrawn) == e.Live() {
			t.Errorf("%s: trust %v, flags %b", line, r.Trust(), r.Flags)
		}
	}
}

func build(n int) catalog.Catalog {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- [2026-09-%02dT08:00:00.000+08:00] (fact) note number %d {imp:%d}\n", i%28+1, i, i%10+1)
	}
	data := []byte(b.String())
	s := catalog.Scan(0, data, time.UTC, never)
	return catalog.Catalog{
		Sources: []catalog.Source{{Name: "facts.md", Size: int64(len(data)), ModTime: 7, Inode: 9, Units: int64(s.Units), Clean: s.Clean}},
		Rows:    s.Rows, Zone: -3600,
	}
}

func TestCatalogReadsBackWhatWasWritten(t *testing.T) {
	want := build(500)
	data := want.Encode(true)
	h, err := catalog.ReadHeader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := h.Rows(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got := catalog.Catalog{Sources: h.Sources, Rows: rows, Zone: h.Zone}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("catalog (-want +got):\n%s", diff)
	}
	for _, r := range want.Rows {
		found, err := h.Lookup(bytes.NewReader(data), r.Key)
		if err != nil || len(found) != 1 || found[0] != r {
			t.Fatalf("lookup of %x: %v, %v, want %v", r.Key, found, err, r)
		}
	}
	if found, err := h.Lookup(bytes.NewReader(data), 1); err != nil || found != nil {
		t.Errorf("lookup of an absent key: %v, %v", found, err)
	}
}

func TestEveryCutCatalogIsStale(t *testing.T) {
	data := build(3).Encode(true)
	for n := range data {
		h, err := catalog.ReadHeader(bytes.NewReader(data[:n]), int64(n))
		if err == nil {
			t.Fatalf("cut to %d of %d bytes: header %v accepted", n, len(data), h)
		}
	}
}

func FuzzReadHeader(f *testing.F) {
	f.Add(build(3).Encode(true))
	f.Add(build(0).Encode(false))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		h, err := catalog.ReadHeader(r, int64(len(data)))
		if err != nil {
			return
		}
		_, _ = h.Rows(r)
		_, _ = h.Lookup(r, 42)
	})
}

func BenchmarkScan(b *testing.B) {
	c := build(1200)
	var buf strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&buf, "- [2026-09-%02dT08:00:00.000+08:00] (fact) note number %d about the parser and its cache of tokens; clear it first {origin:tool,imp:%d,ttl:180,vfy:2026-09-14T20:00:00.000+08:00}\n", i%28+1, i, i%10+1)
	}
	data := []byte(buf.String())
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			catalog.Scan(0, data, time.UTC, never)
		}
	})
	encoded := c.Encode(false)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			r := bytes.NewReader(encoded)
			h, _ := catalog.ReadHeader(r, int64(len(encoded)))
			_, _ = h.Rows(r)
		}
	})
}
