// Retrieval measures how often search has the right note among its first
// answers.
//
//	go run ./scripts/retrieval DATA_DIR...
//
// A data folder holds notes.jsonl (lines {"c","id","text"}) and queries.jsonl
// (lines {"c","qid","q","gold":[id]}); c is the collection, each searched by
// itself. A folder of such folders stands for all of them. The notes are indexed
// and asked in this process. Printed is, for each folder, the share of questions
// with a gold note among the first 1, 5 and 10.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

type note struct {
	C, ID, Text string
}

type question struct {
	C, Q string
	Gold []string
}

// rates counts questions by the rank of their first gold note.
type rates struct{ asked, at1, at5, at10 int }

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: retrieval DATA_DIR...")
		os.Exit(64)
	}
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "retrieval: %v\n", err)
		os.Exit(1)
	}
}

func run(w io.Writer, dirs []string) error {
	fmt.Fprintf(w, "%-16s %9s %6s %6s %6s\n", "set", "questions", "at 1", "at 5", "at 10")
	for _, dir := range sets(dirs) {
		r, err := measure(dir)
		if err != nil {
			return err
		}
		n := float64(r.asked)
		fmt.Fprintf(w, "%-16s %9d %6.3f %6.3f %6.3f\n", filepath.Base(dir), r.asked,
			float64(r.at1)/n, float64(r.at5)/n, float64(r.at10)/n)
	}
	return nil
}

// sets puts the data folders inside a folder in its place.
func sets(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		inside, _ := filepath.Glob(filepath.Join(dir, "*", "notes.jsonl"))
		for _, name := range inside {
			out = append(out, filepath.Dir(name))
		}
		if len(inside) == 0 {
			out = append(out, dir)
		}
	}
	return out
}

func measure(dir string) (rates, error) {
	var r rates
	notes, err := readLines[note](filepath.Join(dir, "notes.jsonl"))
	if err != nil {
		return r, err
	}
	questions, err := readLines[question](filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return r, err
	}
	collections := map[string]*collection{}
	for _, n := range notes {
		if collections[n.C] == nil {
			collections[n.C] = &collection{}
		}
		collections[n.C].add(n)
	}
	for _, q := range questions {
		hits, err := collections[q.C].ask(q.Q)
		if err != nil {
			return r, fmt.Errorf("%s: %w", dir, err)
		}
		r.count(hits, q.Gold)
	}
	return r, nil
}

// collection is notes that are searched together.
type collection struct {
	docs  []search.Doc
	index *search.Index
}

// add takes a note. Its offset is its number.
func (c *collection) add(n note) {
	ref := search.Ref{Offset: int64(len(c.docs))}
	c.docs = append(c.docs, search.Doc{Ref: ref, ID: n.ID, Text: n.Text})
}

func (c *collection) ask(query string) ([]search.Hit, error) {
	if c == nil {
		return nil, nil
	}
	if c.index == nil {
		raw, err := search.Build([]search.Part{{Docs: slices.Values(c.docs)}})
		if err != nil {
			return nil, err
		}
		if c.index, err = search.OpenIndex(bytes.NewReader(raw), int64(len(raw))); err != nil {
			return nil, err
		}
	}
	load := func(ref search.Ref) (search.Doc, bool) { return c.docs[ref.Offset], true }
	return c.index.Search(search.Parse(query), search.Settings{Limit: 10, Load: load})
}

// count adds the outcome of one question.
func (r *rates) count(hits []search.Hit, gold []string) {
	r.asked++
	rank := slices.IndexFunc(hits, func(h search.Hit) bool { return slices.Contains(gold, h.ID) })
	if rank < 0 {
		return
	}
	r.at10++
	if rank < 5 {
		r.at5++
	}
	if rank == 0 {
		r.at1++
	}
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
