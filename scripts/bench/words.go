package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// words makes up entries: sentences as agents note them, a quarter of them
// Chinese, each with words of its own, so that no two say the same. The seed is
// fixed: every run measures the same.
type words struct {
	rand  *rand.Rand
	rare  []string
	count int
}

var sentences = []string{
	"The %s tests fail unless the %s cache is cleared before the run",
	"Keep %s behind the %s interface, the adapter before it leaked connections",
	"Reviewers want table driven tests for %s and no mocks around %s",
	"Raise the idle limit of the %s service, the %s proxy cuts it after a minute",
	"Never edit what the %s generator writes, change the template of %s instead",
	"The flaky %s check shared a clock with the %s fixture",
	"发布 %s 之前先核对 %s 的配置，不然会覆盖线上的数据",
	"用户希望 %s 的输出简短，%s 报错时要写明修复办法",
}

var topics = strings.Fields(`auth billing parser scheduler ledger exporter gateway indexer renderer session
	telemetry storage router planner sandbox cursor webhook locale invoice snapshot migration transcript
	embedding quota worker template registry fixture journal shard`)

var syllables = strings.Fields(`ka lo mi ren tor vex sul dan pri qua zet nor fil gam hu bel cri wo yan dro`)

func newWords() *words {
	w := &words{rand: rand.New(rand.NewPCG(7, 11))}
	for range 4000 {
		var b strings.Builder
		for range 2 + w.rand.IntN(3) {
			b.WriteString(w.of(syllables))
		}
		w.rare = append(w.rare, b.String())
	}
	return w
}

func (w *words) of(list []string) string { return list[w.rand.IntN(len(list))] }

// sentence says something about two topics.
func (w *words) sentence() string {
	return fmt.Sprintf(w.of(sentences), w.of(topics), w.of(topics))
}

// text is an entry that ends in a mark of its own.
func (w *words) text() (text, mark string) {
	w.count++
	mark = fmt.Sprintf("mark%07dq", w.count)
	some := make([]string, 14)
	for i := range some {
		some[i] = w.of(w.rare)
	}
	return w.sentence() + "; " + strings.Join(some, " ") + " (" + mark + ")", mark
}

// query is what somebody might ask: topics and a word.
func (w *words) query() string {
	return w.of(topics) + " " + w.of(topics) + " " + w.of(w.rare)
}

// kinds of the entries, in turn.
var kinds = []string{"fact", "preference", "lesson", "resource", "method"}

// file writes an import file of n entries.
func (w *words) file(name string, n int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range n {
		text, _ := w.text()
		err := enc.Encode(map[string]any{
			"id": i + 1, "t": begin.Add(time.Duration(i) * time.Minute).Format(time.RFC3339), "kind": kinds[i%len(kinds)],
			"importance": 1 + w.rand.IntN(10), "text": text,
		})
		if err != nil {
			return err
		}
	}
	return f.Close()
}

// workspace returns a workspace with n entries and an index, made when it is
// first asked for.
func (b *bench) workspace(n int) (string, error) {
	if dir, ok := b.built[n]; ok {
		return dir, nil
	}
	dir, err := b.folder(fmt.Sprintf("ws%d", n))
	if err != nil {
		return "", err
	}
	in := filepath.Join(b.root, fmt.Sprintf("in%d.jsonl", n))
	if err := newWords().file(in, n); err != nil {
		return "", err
	}
	for _, c := range []command{b.selfip(dir, "import", in), b.selfip(dir, "search", "auth"), b.selfip(dir, "inject")} {
		if _, err := b.must(c); err != nil {
			return "", err
		}
	}
	b.built[n] = dir
	return dir, nil
}

// folder makes an empty project below the root.
func (b *bench) folder(name string) (string, error) {
	dir := filepath.Join(b.root, name)
	return dir, os.MkdirAll(filepath.Join(dir, "self-improvement"), 0o755)
}
