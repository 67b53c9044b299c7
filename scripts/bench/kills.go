package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// markPattern finds the marks of made-up entries.
var markPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`mark\d{7}q`) })

// killing is a store in which saves are killed.
type killing struct {
	*bench
	dir    string
	rand   *rand.Rand
	usual  time.Duration // of a save
	saved  []string      // marks that were acknowledged
	killed int
	failed int // whole saves after a kill that failed
}

// kills kills saves at any moment, deletes and cuts what is derived, and looks
// whether anything is lost, torn, stuck or left behind.
func (b *bench) kills() error {
	dir, err := b.folder("killed")
	if err != nil {
		return err
	}
	k := &killing{bench: b, dir: dir, rand: rand.New(rand.NewPCG(42, 1))}
	if err := k.measureUsual(); err != nil {
		return err
	}
	for round := range b.options.kills {
		if err := k.round(round); err != nil {
			return err
		}
	}
	return k.judge()
}

func (k *killing) measureUsual() error {
	var took []time.Duration
	for range 7 {
		text, mark := k.words.text()
		r, err := k.must(k.selfip(k.dir, "remember", text))
		if err != nil {
			return err
		}
		took, k.saved = append(took, r.wall), append(k.saved, mark)
	}
	k.usual = median(took)
	return nil
}

// round kills one save, may hurt what is derived, and saves something whole.
func (k *killing) round(n int) error {
	text, mark := k.words.text()
	c := k.selfip(k.dir, "remember", text)
	cmd := exec.Command(c.args[0], c.args[1:]...)
	cmd.Env = k.env
	if err := cmd.Start(); err != nil {
		return err
	}
	timer := time.AfterFunc(time.Duration(k.rand.Float64()*1.1*float64(k.usual)), func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	if err == nil {
		k.saved = append(k.saved, mark)
	} else {
		k.killed++
	}
	if err := k.hurt(n); err != nil {
		return err
	}
	text, mark = k.words.text()
	r, err := k.start(k.selfip(k.dir, "remember", text))
	if err != nil {
		return err
	}
	if r.code != 0 {
		k.failed++
		return nil
	}
	k.saved = append(k.saved, mark)
	return nil
}

// hurt deletes what is derived, or cuts it somewhere, in every other round.
func (k *killing) hurt(n int) error {
	cache := filepath.Join(k.dir, "self-improvement", "run", "cache")
	switch n % 4 {
	case 1:
		return os.RemoveAll(cache)
	case 3:
		files, _ := filepath.Glob(filepath.Join(cache, "*"))
		for _, name := range files {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				if err := os.Truncate(name, k.rand.Int64N(info.Size()+1)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (k *killing) judge() error {
	have, err := k.marks(k.dir)
	if err != nil {
		return err
	}
	lost := 0
	for _, mark := range k.saved {
		if have[mark] != 1 {
			lost++
		}
	}
	torn, left, err := k.litter()
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d saves killed", k.options.kills)
	k.none(what+", acknowledged lost", lost, fmt.Sprintf(" (of %d; %d killed in time)", len(k.saved), k.killed))
	k.none(what+", torn lines", len(torn), strings.Join(torn, ""))
	k.none(what+", left-over files", left, "")
	k.none(what+", next save failed", k.failed, "")
	return nil
}

// litter finds lines of memory that are no entries, and counts temporary files.
func (k *killing) litter() (torn []string, left int, err error) {
	err = filepath.WalkDir(k.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if strings.HasSuffix(path, ".tmp") {
			left++
		}
		if filepath.Ext(path) != ".md" || !strings.Contains(path, string(filepath.Separator)+"memory"+string(filepath.Separator)) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			e, ok := entry.ParseLine(strings.TrimSuffix(line, "\n"))
			if strings.TrimSpace(line) != "" && (!ok || e.Stamp == "" || !markPattern().MatchString(e.Text)) {
				torn = append(torn, fmt.Sprintf(" %.60q", line))
			}
		}
		return nil
	})
	return torn, left, err
}
