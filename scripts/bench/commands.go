package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// saves measures one save: locked, synced, redacted, checked, de-duplicated.
func (b *bench) saves() error {
	for _, size := range b.sizes {
		dir, err := b.workspace(size)
		if err != nil {
			return err
		}
		ms, err := b.multiples(b.rounds, func(int) []command {
			text, _ := b.words.text()
			return []command{b.selfip(dir, "remember", text)}
		})
		if err != nil {
			return err
		}
		b.most("save one entry", size, ms[0].times, 4.5, "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
	}
	return nil
}

// searches measures a search for other words each time, and for the same again.
// Both count their hits as used.
func (b *bench) searches() error {
	for _, size := range b.sizes {
		dir, err := b.workspace(size)
		if err != nil {
			return err
		}
		same := b.words.query()
		ms, err := b.multiples(b.rounds, func(int) []command {
			return []command{b.selfip(dir, "search", b.words.query()), b.selfip(dir, "search", same)}
		})
		if err != nil {
			return err
		}
		b.most("search, cold process, new words", size, ms[0].times, goalFor(size, 8, 12, 40), "x", " ("+figure(milliseconds(ms[0].cpu))+" ms)")
		b.most("search, warm index, same words", size, ms[1].times, goalFor(size, 5, 5, 6), "x", " ("+figure(milliseconds(ms[1].cpu))+" ms)")
	}
	return nil
}

// imports measures an import into an empty store, and what it takes on disk.
func (b *bench) imports() error {
	for _, size := range b.sizes {
		dir, err := b.workspace(size) // with the derived files that searches make
		if err != nil {
			return err
		}
		in := filepath.Join(b.root, filepath.Base(dir)+".jsonl")
		if err := newWords().file(in, size); err != nil {
			return err
		}
		fresh, err := b.folder(filepath.Base(dir) + "-again")
		if err != nil {
			return err
		}
		r, err := b.must(b.selfip(fresh, "import", in))
		if err != nil {
			return err
		}
		b.most("import, CPU time", size, r.cpu.Seconds(), 2, " s", "")
		if err := b.sizesOf(size, in, fresh, dir); err != nil {
			return err
		}
		if err := os.RemoveAll(fresh); err != nil {
			return err
		}
	}
	return nil
}

// sizesOf compares what is on disk with the import file.
func (b *bench) sizesOf(size int, in, fresh, used string) error {
	info, err := os.Stat(in)
	if err != nil {
		return err
	}
	store, _, err := bytesOf(fresh)
	if err != nil {
		return err
	}
	_, derived, err := bytesOf(used)
	if err != nil {
		return err
	}
	b.most("store, of the import file", size, float64(store)/float64(info.Size()), 1.15, "", " ("+figure(float64(store)/1e6)+" MB)")
	b.most("derived files, of the import file", size, float64(derived)/float64(info.Size()), 0.6, "", " ("+figure(float64(derived)/1e6)+" MB)")
	return nil
}

// bytesOf sums the files of a library, and those that are derived apart.
func bytesOf(dir string) (store, derived int64, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if strings.Contains(path, filepath.Join("run", "cache")) {
			derived += info.Size()
		} else {
			store += info.Size()
		}
		return nil
	})
	return store, derived, err
}
