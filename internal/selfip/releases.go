package selfip

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/pkg/filestore"
)

// Releases are the texts that the user has let out of quarantine: the detectors
// do not keep these from being shown. They are remembered with the user's own
// files and not in a library, because a library can come with a repository of
// somebody else (docs/formats/released.md).
type Releases struct {
	dir  *filestore.Dir
	keys map[string]bool // nil: not read yet
}

// releasesFile is the name of the file, in the user's folder.
const releasesFile = "released.jsonl"

// ReleasesLock is the name of its lock.
const ReleasesLock = releasesFile + ".lock"

// OpenReleases names the list in the user's folder. It does no I/O.
func OpenReleases(dir *filestore.Dir) *Releases { return &Releases{dir: dir} }

// released is a line of the file.
type released struct {
	Time    string `json:"t"`
	Library string `json:"library"` // root of the library that it was released into
	Text    string `json:"text"`    // sha256 of library and text
}

// releaseKey is what a text is known by in a library.
func releaseKey(root, text string) string {
	sum := sha256.Sum256([]byte(root + "\x00" + text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// has reports whether a text was released into the library at root. A list that
// cannot be read releases nothing.
func (r *Releases) has(root, text string) bool {
	if r == nil {
		return false
	}
	if r.keys == nil {
		r.keys = map[string]bool{}
		data, _ := r.dir.Read(releasesFile)
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			var row released
			if json.Unmarshal(line, &row) == nil && row.Text != "" {
				r.keys[row.Text] = true
			}
		}
	}
	return r.keys[releaseKey(root, text)]
}

// add remembers that a text was released.
func (r *Releases) add(ctx context.Context, now time.Time, root, text string) error {
	if r.has(root, text) {
		return nil
	}
	row := newJSONRow()
	row.text("t", entry.Stamp(now))
	row.text("library", root)
	row.text("text", releaseKey(root, text))
	if err := r.dir.Append(ctx, releasesFile, row.end()); err != nil {
		return err
	}
	r.keys[releaseKey(root, text)] = true
	return nil
}

// drop forgets that texts were released into a library.
func (r *Releases) drop(ctx context.Context, root string, texts []string) error {
	var gone []string
	for _, text := range texts {
		if r.has(root, text) {
			gone = append(gone, releaseKey(root, text))
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, key := range gone {
		delete(r.keys, key)
	}
	return r.dir.Update(ctx, releasesFile, func(old []byte) ([]byte, error) {
		kept := []byte{} // nil would leave the file as it is
		for line := range bytes.Lines(old) {
			var row released
			if json.Unmarshal(line, &row) != nil || !slices.Contains(gone, row.Text) {
				kept = append(kept, line...)
			}
		}
		return kept, nil
	})
}

// Heed has the libraries show what the user has released.
func (m *Memory) Heed(r *Releases) {
	for _, lib := range []*Library{m.Workspace, m.Global} {
		if lib != nil {
			lib.releases = r
		}
	}
}

// released reports whether the user has released a text into the library.
func (l *Library) released(text string) bool { return l.releases.has(l.Root, text) }

// judge tells what must be known of a text before it can reach a prompt.
func (l *Library) judge(e entry.Entry) (flags int) { return l.blocked(e) | secrecy(e) }

// blocked tells whether a detector keeps a text out of prompts.
func (l *Library) blocked(e entry.Entry) (flags int) {
	if _, hit := quarantine.Detect(e.Text); hit && !l.released(e.Text) {
		return catalog.Blocked
	}
	return 0
}
