package search_test

import (
	"fmt"
	"math/rand"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// sentences and subjects make notes of about 200 bytes, a quarter of them
// Chinese, with made-up words that differ from note to note.
var sentences = []string{
	"The build of the %s module fails unless the %s cache is cleared before the linker runs",
	"Decided to keep %s behind the %s interface because the old adapter leaked connections",
	"The reviewer prefers table driven tests for %s and no mocks around the %s boundary",
	"Timeouts of the %s service come from the %s proxy, raise its idle limit to ninety seconds",
	"Never edit generated files under %s, change the %s template and run the generator again",
	"Root cause of the flaky %s test was a shared clock in the %s fixture",
	"部署 %s 之前必须先检查 %s 的配置，否则会覆盖线上的数据",
	"用户希望 %s 的输出保持简短，并且 %s 的错误要给出修复办法",
}

var subjects = strings.Fields(`auth billing parser scheduler ledger exporter gateway indexer renderer session telemetry
storage router planner sandbox cursor webhook locale invoice snapshot migration transcript embedding quota worker
template registry fixture journal shard`)

// generate returns n notes, the same ones for the same n.
func generate(n int) []search.Doc {
	r := rand.New(rand.NewSource(7))
	words := vocabulary(rand.New(rand.NewSource(11)))
	docs := make([]search.Doc, 0, n)
	offset := int64(0)
	for i := range n {
		w := make([]string, 14)
		for k := range w {
			w[k] = words[r.Intn(len(words))]
		}
		s := fmt.Sprintf(sentences[r.Intn(len(sentences))], subjects[r.Intn(len(subjects))], subjects[r.Intn(len(subjects))])
		s = fmt.Sprintf("%s; %s (seed%06d)", s, strings.Join(w, " "), i)
		docs = append(docs, search.Doc{Ref: search.Ref{Offset: offset, Size: len(s)}, ID: fmt.Sprint(i), Text: s, Prior: float64(i % 10)})
		offset += int64(len(s)) + 1
	}
	return docs
}

func vocabulary(r *rand.Rand) []string {
	syllables := strings.Fields("ka lo mi ren tor vex sul dan pri qua zet nor fil gam hu bel cri wo yan dro")
	words := make([]string, 4000)
	for i := range words {
		for range 2 + r.Intn(3) {
			words[i] += syllables[r.Intn(len(syllables))]
		}
	}
	return words
}
