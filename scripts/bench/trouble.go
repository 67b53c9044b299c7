package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// trouble measures hooks of a store that is locked, cannot be written, or is
// damaged: they answer soon, with exit 0, and write down what went wrong.
func (b *bench) trouble() error {
	for _, t := range []struct {
		name string
		set  func(store string) (undo func(), err error)
	}{
		{"locked", lockStore}, {"not writable", freezeStore}, {"damaged", damageStore},
	} {
		dir, err := b.folder("trouble " + t.name)
		if err != nil {
			return err
		}
		for i := range 50 {
			text, _ := b.words.text()
			if _, err := b.must(b.selfip(dir, "remember", kinds[i%len(kinds)]+": "+text)); err != nil {
				return err
			}
		}
		if _, err := b.must(b.hook(dir, "before", "UserPromptSubmit", map[string]any{"prompt": "left behind"})); err != nil {
			return err
		}
		if err := b.inTrouble(t.name, dir, t.set); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) inTrouble(name, dir string, set func(store string) (func(), error)) error {
	store := filepath.Join(dir, "self-improvement")
	before := b.recorded(store)
	undo, err := set(store)
	if err != nil {
		return err
	}
	var walls []time.Duration
	bad := 0
	for i := range max(b.rounds/4, 3) {
		session := fmt.Sprint("trouble", i)
		for event, more := range map[string]map[string]any{
			"SessionStart": {"source": "startup"}, "UserPromptSubmit": {"prompt": b.words.sentence()},
			"Stop": {"last_assistant_message": "done"}, "SessionEnd": {"reason": "exit"},
		} {
			r, err := b.start(b.hook(dir, session, event, more))
			if err != nil {
				undo()
				return err
			}
			walls = append(walls, r.wall)
			if r.code != 0 {
				bad++
			}
		}
	}
	undo()
	b.most("hooks, store "+name+", slow ones", 0, milliseconds(quantile(walls, 0.9)), 50, " ms", fmt.Sprintf(" (median %s ms)", figure(milliseconds(median(walls)))))
	b.none("hooks, store "+name+", exit not 0", bad, "")
	failures := b.recorded(store) - before
	b.check("hooks, store "+name+", recorded", 0, fmt.Sprint(failures), ">= 1", failures > 0)
	return nil
}

// recorded counts the failures that are written down, in the store or in the
// user's state folder.
func (b *bench) recorded(store string) int {
	n := 0
	for _, name := range []string{
		filepath.Join(store, "run", "failures.jsonl"), filepath.Join(b.root, "home", "state", "dshkit", "selfip-failures.jsonl"),
	} {
		data, err := os.ReadFile(name)
		if err == nil {
			n += strings.Count(string(data), "\n")
		}
	}
	return n
}

// lockStore holds the lock of a store, as a process that hangs does.
func lockStore(store string) (undo func(), err error) {
	held, release := make(chan error), make(chan struct{})
	go func() {
		dir := filestore.Open(store, filestore.Options{LockName: "run/lock"})
		held <- dir.With(context.Background(), func(*filestore.Tx) error {
			held <- nil
			<-release
			return nil
		})
	}()
	return func() { close(release); <-held }, <-held
}

// freezeStore takes away the right to write.
func freezeStore(store string) (undo func(), err error) {
	change := func(take fs.FileMode) func(string, fs.DirEntry, error) error {
		return func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			mode := info.Mode().Perm() &^ 0o222
			if take == 0 {
				mode |= 0o200
			}
			return os.Chmod(path, mode)
		}
	}
	return func() { _ = filepath.WalkDir(store, change(0)) }, filepath.WalkDir(store, change(0o222))
}

// damageStore puts a folder in the place of a file and noise into what is
// derived.
func damageStore(store string) (undo func(), err error) {
	facts := filepath.Join(store, "memory", "facts.md")
	if err := os.Remove(facts); err != nil {
		return nil, err
	}
	if err := os.Mkdir(facts, 0o755); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(store, "run", "cache", "*"))
	for _, name := range files {
		if err == nil {
			err = os.WriteFile(name, []byte(strings.Repeat("\x00noise\xff", 400)), 0o600)
		}
	}
	return func() {}, err
}
