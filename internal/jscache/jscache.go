// Package jscache keeps the text that JavaScript was transpiled to in the user's
// cache folder, so that a program starts without transpiling again. Disk reads the
// files that it was made of.
//
// What is kept can be lost at any time: it is made again. So nothing is synced,
// a folder that cannot be written costs time only, and an entry that does not
// have the sum that stands in its first line is no entry. The folder is the
// user's own and nobody else's, since what lies in it is run.
package jscache

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/filestore"
)

// DefaultLimit is how many bytes a cache holds.
const DefaultLimit = 64 << 20

// Config says how a cache is used.
type Config struct {
	Now   func() time.Time // for what was used last; needed
	Limit int64            // bytes; DefaultLimit when zero
}

// Cache is a folder of entries. It may be used by many goroutines and processes.
type Cache struct {
	root   string
	dir    *filestore.Dir
	config Config

	mu   sync.Mutex
	debt int64 // bytes written since the last sweep
}

// Open names a folder, which need not exist. It does no I/O.
func Open(root string, config Config) *Cache {
	if config.Limit == 0 {
		config.Limit = DefaultLimit
	}
	dir := filestore.Open(root, filestore.Options{Private: []string{"."}, Wait: time.Second, Now: config.Now})
	return &Cache{root: root, dir: dir, config: config, debt: config.Limit}
}

const (
	magic = "jscache 1 "
	// sign is how old the last sign of use becomes before a new one is given.
	sign = time.Hour
)

// Get returns an entry that is whole.
func (c *Cache) Get(key string) ([]byte, bool) {
	if !valid(key) || !c.private() {
		return nil, false
	}
	data, info, err := c.dir.ReadInfo(key)
	if err != nil {
		return nil, false
	}
	head, text, _ := bytes.Cut(data, []byte("\n"))
	if string(head) != header(text) {
		return nil, false
	}
	if now := c.config.Now(); now.Sub(time.Unix(0, info.ModTime)) > sign {
		_ = c.dir.Touch(key, now)
	}
	return text, true
}

// private says whether the folder is one that only the user can write to: what
// somebody else put there must not run.
func (c *Cache) private() bool {
	info, err := os.Stat(c.root)
	return err == nil && (runtime.GOOS == "windows" || info.Mode().Perm()&0o022 == 0)
}

// Put keeps an entry. Another process that puts the same entry at the same time
// may be the one that does. The error is for a log.
func (c *Cache) Put(key string, text []byte) error {
	if !valid(key) {
		return errors.New("a key of the cache is made of lower-case letters, digits and one dot")
	}
	if err := os.MkdirAll(c.root, 0o700); err != nil {
		return err
	}
	data := append([]byte(header(text)+"\n"), text...)
	if err := c.dir.WriteDerived(key, data); err != nil {
		return err
	}
	if !c.due(int64(len(data))) {
		return nil
	}
	var err error
	c.dir.Alone("sweep.lock", func() { err = c.sweep() })
	return err
}

// due says whether the folder is to be looked through: by each process once, and
// again after a sixteenth of the limit.
func (c *Cache) due(written int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.debt += written
	if c.debt < c.config.Limit/16 {
		return false
	}
	c.debt = 0
	return true
}

// stay is one file of the folder.
type stay struct {
	name string
	info filestore.Info
}

// sweep removes what was used longest ago until three quarters of the limit are
// left.
func (c *Cache) sweep() error {
	files, total, err := c.list()
	if err != nil || total <= c.config.Limit {
		return err
	}
	return c.dir.With(context.Background(), func(tx *filestore.Tx) error {
		for _, f := range files {
			if total <= c.config.Limit/4*3 {
				break
			}
			if err := tx.Remove(f.name, filestore.NoSync); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			total -= f.info.Size
		}
		return nil
	})
}

// list returns the entries, those that were used longest ago first.
func (c *Cache) list() (files []stay, total int64, err error) {
	names, err := c.dir.List(".")
	if err != nil {
		return nil, 0, err
	}
	for _, name := range names {
		info, err := c.dir.Stat(name)
		if err != nil || !valid(name) || strings.HasSuffix(name, ".lock") {
			continue
		}
		files, total = append(files, stay{name, info}), total+info.Size
	}
	slices.SortStableFunc(files, func(a, b stay) int { return int(min(1, max(-1, a.info.ModTime-b.info.ModTime))) })
	return files, total, nil
}

func header(text []byte) string {
	sum := sha256.Sum256(text)
	return magic + hex.EncodeToString(sum[:])
}

// valid keeps a key from being the name of a file elsewhere.
func valid(key string) bool {
	name, suffix, ok := strings.Cut(key, ".")
	word := func(s string) bool {
		return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	}
	return ok && word(name) && word(suffix)
}
