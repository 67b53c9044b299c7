package selfip

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/redact"
	"github.com/dshkit/dshkit/internal/selfip/snapshot"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/retro"
)

// answerDir holds answers of models from when they came until what is in them is
// stored: a worker that is killed in between has not to pay for another, and the
// next one stores the same lines, which are there once then
// (docs/formats/answer.md).
const answerDir = "run/answers"

// heldAnswer is an answer that waits to be stored.
type heldAnswer struct {
	Key      string `json:"key"` // of the row
	Kind     string `json:"kind"`
	T        string `json:"t"` // when it came, a stamp
	By       string `json:"by"`
	Cut      bool   `json:"cut,omitempty"`
	Evidence string `json:"evidence"` // what it was drawn from, see seen.sum
	Text     string `json:"text"`     // credentials taken out
}

func answerFile(key string) string { return answerDir + "/" + sessionKey(key) + ".json" }

// hold writes an answer down, under the lock.
func (l *Library) hold(tx *filestore.Tx, h heldAnswer) error {
	h.Text, _ = redact.Redact(h.Text)
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := l.furnish(tx); err != nil {
		return err
	}
	return tx.Replace(answerFile(h.Key), append(data, '\n'))
}

// heldFor returns the answer that waits for a row, and whether there is one that
// can be read.
func (l *Library) heldFor(key string) (heldAnswer, bool) {
	var h heldAnswer
	data, err := l.read(answerFile(key))
	if err != nil || json.Unmarshal(data, &h) != nil || h.Key != key || h.By == "" {
		return heldAnswer{}, false
	}
	_, ok := entry.ParseTime(h.T, time.UTC)
	return h, ok
}

// letGo removes the answer of a row.
func (l *Library) letGo(tx *filestore.Tx, key string) error {
	if l.source(answerFile(key)).Size < 0 {
		return nil
	}
	return tx.Remove(answerFile(key), filestore.NoSync)
}

// holdsAnswers reports whether there are answers that wait.
func (l *Library) holdsAnswers() bool {
	names, _ := l.dir.List(answerDir)
	return len(names) > 0
}

// sweepAnswers removes answers whose row is gone: a worker was killed behind the
// row and before the answer.
func (l *Library) sweepAnswers(tx *filestore.Tx, now time.Time) error {
	names, err := l.dir.List(answerDir)
	if err != nil || len(names) == 0 {
		return ignoreMissing(err)
	}
	rows, err := l.rows(tx, now)
	if err != nil {
		return err
	}
	for _, name := range names {
		wanted := slices.ContainsFunc(rows, func(row retro.Item) bool { return path.Base(answerFile(row.Key())) == name })
		if wanted || !strings.HasSuffix(name, ".json") {
			continue
		}
		if err := tx.Remove(path.Join(answerDir, name), filestore.NoSync); ignoreMissing(err) != nil {
			return err
		}
	}
	return nil
}

// sum identifies what was there of a session.
func (s seen) sum() string { return snapshot.Hash(s.text + "\x00" + strconv.Itoa(s.records)) }
