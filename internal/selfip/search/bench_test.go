package search_test

import (
	"slices"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

const benchQuery = "why does the billing cache need clearing before the linker runs 配置"

func BenchmarkRank1k(b *testing.B) {
	docs := generate(1000)
	for b.Loop() {
		if len(search.Rank(search.Parse(benchQuery), slices.Values(docs), 12)) == 0 {
			b.Fatal("found nothing")
		}
	}
}
