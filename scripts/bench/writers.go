package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// crowd is what came of many processes that save at the same time.
type crowd struct {
	took      time.Duration
	latencies []time.Duration
	saved     []string // marks that were acknowledged
	failed    int
}

func (c crowd) rate() float64 { return float64(len(c.saved)) / c.took.Seconds() }

// turns is in how many turns a crowd comes. The turns of two crowds alternate,
// so that what else the machine does meanwhile meets both.
const turns = 5

// crowd runs save in many processes at a time, each with a text of its own, and
// adds to out what came of it: one turn.
func (b *bench) crowd(out *crowd, save func(text string) command) error {
	var mu sync.Mutex
	var group sync.WaitGroup
	errs := make(chan error, b.options.writers)
	begin := time.Now()
	for range b.options.writers {
		group.Go(func() {
			for range max(b.options.saves/turns, 1) {
				mu.Lock()
				text, mark := b.words.text()
				mu.Unlock()
				r, err := b.start(save(text))
				if err != nil {
					errs <- err
					return
				}
				mu.Lock()
				out.add(r, mark)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	out.took += time.Since(begin)
	close(errs)
	return <-errs
}

func (c *crowd) add(r ran, mark string) {
	c.latencies = append(c.latencies, r.wall)
	if r.code == 0 {
		c.saved = append(c.saved, mark)
	} else {
		c.failed++
	}
}

// writers measures processes that save at the same time beside as many plain
// locked appends.
func (b *bench) writers() error {
	list := filepath.Join(b.root, "crowd.txt")
	dir, err := b.folder("crowd")
	if err != nil {
		return err
	}
	var plain, ours crowd
	for range turns {
		if err := b.crowd(&plain, func(text string) command { return command{args: append(b.plain[:1:1], list, text)} }); err != nil {
			return err
		}
		if err := b.crowd(&ours, func(text string) command { return b.selfip(dir, "remember", text) }); err != nil {
			return err
		}
	}
	have, err := b.marks(dir)
	if err != nil {
		return err
	}
	lost := 0
	for _, mark := range ours.saved {
		if have[mark] == 0 {
			lost++
		}
	}
	what := fmt.Sprintf("%d processes x %d saves", b.options.writers, b.options.saves)
	b.none(what+", lost", lost, "")
	b.none(what+", errors", ours.failed, "")
	b.least(what+", rate", 0, ours.rate()/plain.rate(), 0.4, "", fmt.Sprintf(" (%.0f/s of %.0f/s)", ours.rate(), plain.rate()))
	slow, base := quantile(ours.latencies, 0.99), quantile(plain.latencies, 0.99)
	b.most(what+", p99", 0, float64(slow)/float64(base), 3.5, "x", fmt.Sprintf(" (%.1f ms of %.1f ms)", milliseconds(slow), milliseconds(base)))
	return nil
}

// marks counts the marks in the memory files of a workspace.
func (b *bench) marks(dir string) (map[string]int, error) {
	have := map[string]int{}
	memory := filepath.Join(dir, "self-improvement", "memory")
	for _, pattern := range []string{"*.md", filepath.Join("archive", "*.md")} {
		files, err := filepath.Glob(filepath.Join(memory, pattern))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			for _, mark := range markPattern().FindAllString(string(data), -1) {
				have[mark]++
			}
		}
	}
	return have, nil
}
