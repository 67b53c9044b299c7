package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// note and question are lines of a collection.
type note struct {
	C    string `json:"c,omitempty"`
	ID   string `json:"id"`
	Time string `json:"t,omitempty"`
	Text string `json:"text"`
}

type question struct {
	C, Q string
	Gold []string
}

// hitGoals are the parts of the questions with a right note among the first one
// and the first five answers.
var hitGoals = map[string][2]float64{"xquad-zh": {.92, .99}, "jsquad-ja": {.88, .95}, "xquad-en": {.93, .98}}

// retrieval asks every question of every collection, each in a process of its
// own, over a store that holds the notes of the collection.
func (b *bench) retrieval() error {
	sets, err := filepath.Glob(filepath.Join(b.options.retrieval, "*", "notes.jsonl"))
	if err != nil || len(sets) == 0 {
		b.note("retrieval", 0, "no collections in "+b.options.retrieval)
		return err
	}
	for _, notes := range sets {
		if err := b.collection(filepath.Dir(notes)); err != nil {
			return err
		}
	}
	return nil
}

// ranks counts questions by the rank of their first right answer.
type ranks struct{ asked, one, five, ten int }

func (b *bench) collection(set string) error {
	stores, err := b.load(set)
	if err != nil {
		return err
	}
	questions, err := readLines[question](filepath.Join(set, "queries.jsonl"))
	if err != nil {
		return err
	}
	var r ranks
	for _, q := range questions {
		rank, err := b.ask(stores[q.C], q)
		if err != nil {
			return err
		}
		r.asked++
		r.one += within(rank, 1)
		r.five += within(rank, 5)
		r.ten += within(rank, 10)
	}
	name := filepath.Base(set)
	rate := func(n int) float64 { return float64(n) / float64(r.asked) }
	detail := fmt.Sprintf(" (%d questions)", r.asked)
	goal, known := hitGoals[name]
	if !known {
		b.note(name+", hits at 1, 5, 10", 0, fmt.Sprintf("%.3f %.3f %.3f%s", rate(r.one), rate(r.five), rate(r.ten), detail))
		return nil
	}
	b.least(name+", hits at 1", 0, rate(r.one), goal[0], "", detail)
	b.least(name+", hits at 5", 0, rate(r.five), goal[1], "", detail)
	b.note(name+", hits at 10", 0, fmt.Sprintf("%.3f", rate(r.ten)))
	return nil
}

func within(rank, n int) int {
	if rank >= 0 && rank < n {
		return 1
	}
	return 0
}

// load imports the notes of a set, those of each collection into a store of its
// own.
func (b *bench) load(set string) (stores map[string]string, err error) {
	notes, err := readLines[note](filepath.Join(set, "notes.jsonl"))
	if err != nil {
		return nil, err
	}
	inputs := map[string]*bytes.Buffer{}
	for _, n := range notes {
		in := inputs[n.C]
		if in == nil {
			in = &bytes.Buffer{}
			inputs[n.C] = in
		}
		n.C = ""
		if err := json.NewEncoder(in).Encode(n); err != nil {
			return nil, err
		}
	}
	stores = map[string]string{}
	for c, in := range inputs {
		dir, err := b.folder(filepath.Join("retrieval", filepath.Base(set), c))
		if err != nil {
			return nil, err
		}
		load := b.selfip(dir, "import", "-")
		load.input = in.String()
		if _, err := b.must(load); err != nil {
			return nil, err
		}
		stores[c] = dir
	}
	return stores, nil
}

// ask returns the rank of the first right answer, from 0; negative: none of the
// first ten.
func (b *bench) ask(dir string, q question) (int, error) {
	r, err := b.must(b.selfip(dir, "search", "--json", "--limit", "10", "--", q.Q))
	if err != nil {
		return 0, err
	}
	var answer struct {
		Hits []struct{ ID string }
	}
	if err := json.Unmarshal(r.out, &answer); err != nil {
		return 0, fmt.Errorf("%q: %w", q.Q, err)
	}
	for i, h := range answer.Hits {
		if slices.Contains(q.Gold, h.ID) {
			return i, nil
		}
	}
	return -1, nil
}

func readLines[T any](name string) ([]T, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	var out []T
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		out = append(out, v)
	}
	return out, lines.Err()
}
