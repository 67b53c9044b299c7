//go:build unix

package search_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// The questions of the benchmarks: one rare word, some English, some Chinese.
var benchQueries = []struct{ name, text string }{
	{"word", "seed000042"},
	{"english", "why does the billing cache need clearing before the linker runs"},
	{"chinese", "部署之前要检查哪个配置才不会覆盖数据"},
}

// reportCPU makes a benchmark print the processor time of the whole process
// for one operation: wall time says little on a busy machine.
func reportCPU(b *testing.B) {
	before := processorTime()
	b.Cleanup(func() { b.ReportMetric((processorTime()-before)/float64(b.N), "cpu-ms/op") })
}

func processorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

func BenchmarkRank1k(b *testing.B) {
	docs := generate(1000)
	for _, q := range benchQueries {
		b.Run(q.name, func(b *testing.B) {
			reportCPU(b)
			for b.Loop() {
				if len(search.Rank(search.Parse(q.text), slices.Values(docs), 12)) == 0 {
					b.Fatal("found nothing")
				}
			}
		})
	}
}

// BenchmarkSearch opens the file of an index and asks it once, as a process
// that is started for a query does; texts are read from a file too.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		notes, index := writeFiles(b, n)
		for _, q := range benchQueries {
			b.Run(fmt.Sprintf("%d/%s", n, q.name), func(b *testing.B) {
				reportCPU(b)
				for b.Loop() {
					if hits := searchFile(b, notes, index, q.text); len(hits) == 0 {
						b.Fatal("found nothing")
					}
				}
			})
		}
	}
}

// writeFiles writes n notes, one a line, and their index.
func writeFiles(b *testing.B, n int) (notes, index string) {
	docs := generate(n)
	raw, err := search.Build([]search.Part{{Docs: slices.Values(docs)}})
	if err != nil {
		b.Fatal(err)
	}
	var text bytes.Buffer
	for _, d := range docs {
		text.WriteString(d.Text + "\n")
	}
	notes, index = filepath.Join(b.TempDir(), "notes"), filepath.Join(b.TempDir(), "index")
	for name, data := range map[string][]byte{notes: text.Bytes(), index: raw} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return notes, index
}

func searchFile(b *testing.B, notes, index, query string) []search.Hit {
	text, raw := open(b, notes), open(b, index)
	defer text.Close()
	defer raw.Close()
	info, err := raw.Stat()
	if err != nil {
		b.Fatal(err)
	}
	ix, err := search.OpenIndex(raw, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	hits, err := ix.Search(search.Parse(query), search.Settings{Limit: 12, Load: func(ref search.Ref) (search.Doc, bool) {
		line := make([]byte, ref.Size)
		_, err := text.ReadAt(line, ref.Offset)
		return search.Doc{Text: string(line)}, err == nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	return hits
}

func open(b *testing.B, name string) *os.File {
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkBuild100k also prints the size of the index as a part of the text.
func BenchmarkBuild100k(b *testing.B) {
	docs := generate(100_000)
	text := 0
	for _, d := range docs {
		text += len(d.Text)
	}
	size := 0
	reportCPU(b)
	for b.Loop() {
		raw, err := search.Build([]search.Part{{Docs: slices.Values(docs)}})
		if err != nil {
			b.Fatal(err)
		}
		size = len(raw)
	}
	b.ReportMetric(float64(size)/float64(text), "of-text")
	b.ReportMetric(float64(text)/float64(len(docs)), "text-bytes/note")
}
