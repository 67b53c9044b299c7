package snapshot

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// Where the files are, relative to the library, and what they are called.
const (
	dir           = "logs/"
	logPrefix     = "session-"
	partialPrefix = "partial-"
	suffix        = ".md"
)

// Figures of file names. File systems take 255 bytes; hashed ids keep a part
// that a person can recognise.
const (
	maxID     = 120
	keptID    = 40
	shortID   = 8
	hashChars = 10
)

// LogName returns the path of the log of a session that ends at now, relative to
// the library: logs/session-<stamp>-<first 8 characters of the id>.md. DSH's ids
// all begin with "session-", which would be those 8.
func LogName(now time.Time, sid string) string {
	short := cmp.Or(strings.TrimPrefix(sid, logPrefix), sid)
	short = short[:min(len(short), shortID)]
	if !isPlain(sid) {
		short = Hash(sid)
	}
	return dir + logPrefix + entry.FileStamp(now) + "-" + short + suffix
}

// PartialName returns the path of the snapshot of a session, relative to the
// library: logs/partial-<id>.md. An id of letters, digits, dots, hyphens and
// underscores stands as it is, as with the originals. Any other could lead out
// of the folder or stand for another session's on some file system; of it the
// plain characters stay, with a hash of the whole.
func PartialName(sid string) string {
	if isPlain(sid) {
		return dir + partialPrefix + sid + suffix
	}
	kept := strings.Map(func(r rune) rune {
		if isPlainRune(r) {
			return r
		}
		return '-'
	}, sid)
	return dir + partialPrefix + kept[:min(len(kept), keptID)] + "-" + Hash(sid) + suffix
}

func isPlain(sid string) bool {
	return sid != "" && len(sid) <= maxID && strings.IndexFunc(sid, func(r rune) bool { return !isPlainRune(r) }) < 0
}

func isPlainRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// Hash is ten letters and digits that stand for an id.
func Hash(sid string) string {
	sum := sha256.Sum256([]byte(sid))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:hashChars])
}
