package gate

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// Bounds of the numbers that a line of someone else may bring.
const (
	MaxImportance = 10
	MaxUses       = 1_000_000
	MaxReview     = 3650 // days
)

// Bounds of the words.
const (
	maxKey    = 32  // bytes
	maxValue  = 120 // bytes
	maxKind   = 24  // bytes
	maxNumber = 10  // bytes, also of the word for a source
)

// Meta returns e with metadata and head that can be believed, for lines that a
// model or an import wrote (W8).
//
// The origin is the one given and never that of the line. A claimed source is
// kept only when it lowers the trust in the entry (web, tool, doc) or says
// nothing about it (agent, retro); user and command are dropped. What only the
// program writes (by, id, promoted, at) is dropped unless keep names the key,
// which an import of our own export does. Importance is clamped to 1..10, ttl to
// 1..3650 days, uses to 0 and more; a number that cannot be read is dropped, and
// so is a date that cannot. Other keys stay when they and their values are plain
// characters without a blank, hold no credential and trip no detector, since
// the metadata of a line is injected with it. A stamp that is no time becomes
// empty, a kind that is no short word becomes fact. The text is not looked at:
// Note does that.
func Meta(e entry.Entry, origin string, keep ...string) entry.Entry {
	meta := make([]entry.Pair, 0, len(e.Meta)+1)
	for _, p := range e.Meta {
		if p.Key == "origin" {
			continue
		}
		if value := believable(p, keep); value != "" {
			meta = append(meta, entry.Pair{Key: p.Key, Value: value})
		}
	}
	e.Meta = meta
	if !isTime(e.Stamp) {
		e.Stamp = ""
	}
	if !isKind(string(e.Kind)) {
		e.Kind = entry.Fact
	}
	return e.With("origin", origin)
}

// believable returns the value that p may keep, "" to drop it.
func believable(p entry.Pair, keep []string) string {
	switch p.Key {
	case "src":
		return lowers(p.Value)
	case "imp":
		return clamp(p, 1, MaxImportance)
	case "uses":
		return clamp(p, 0, MaxUses)
	case "ttl":
		return clamp(p, 1, MaxReview)
	case "vfy", "invalid":
		if !isTime(p.Value) {
			return ""
		}
		return p.Value
	case "by", "id", "promoted", "at":
		if !slices.Contains(keep, p.Key) {
			return ""
		}
	}
	if !isPlain(p.Key, maxKey) || !isPlain(p.Value, maxValue) || isHostile(p.Key) || isHostile(p.Value) || isHostile(p.Key+":"+p.Value) {
		return ""
	}
	return p.Value
}

// lowers returns a claimed source that gives the entry no trust.
func lowers(src string) string {
	switch src {
	case "web", "tool", "doc", "agent", "retro":
		return src
	}
	return ""
}

// clamp returns the integer of p within the bounds, as the originals read it,
// "" if there is none. A number too long to read is the nearest bound.
func clamp(p entry.Pair, least, most int) string {
	n, ok := entry.Entry{Meta: []entry.Pair{p}}.Int(p.Key)
	if !ok {
		return ""
	}
	return strconv.Itoa(min(max(n, least), most))
}

func isTime(s string) bool {
	_, ok := entry.ParseTime(s, time.UTC)
	return ok && isPlain(strings.Replace(s, " ", "T", 1), maxValue)
}

func isKind(s string) bool {
	if s == "" || len(s) > maxKind || s == "system" || s == "assistant" {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// isPlain reports whether s is not empty, at most n bytes long, and letters,
// digits and the marks that names, stamps, addresses and models are made of.
func isPlain(s string, n int) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("_-.:/@+#=~", c) >= 0) {
			return false
		}
	}
	return s != "" && len(s) <= n
}

// isHostile reports whether a word beside a text holds a credential or a hidden
// character, or trips a detector. The marks that stand for blanks in such a word are read as blanks.
func isHostile(s string) bool {
	if Alters(s) {
		return true
	}
	s = text.Clean(s)
	return detect(s, strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(s)) != nil
}

// SafeID reports whether an id of someone else may be stored with an entry and
// shown: it holds no credential and trips no detector.
func SafeID(id string) bool { return !isHostile(id) && !isHostile("id:"+id) }

// Entry returns e as it may be shown, for a person may have written anything
// into the file by hand, and what came of its text.
func Entry(e entry.Entry) (entry.Entry, Verdict) {
	v := Note(e.Text)
	e = SafeMeta(e)
	e.Text = v.Text
	return e, v
}

// SafeMeta returns e with a head and metadata that may be shown with the text: if
// there is a credential or an order in them, all goes that is not in the form
// in which the program writes it.
func SafeMeta(e entry.Entry) entry.Entry {
	var said, values []string
	if e.Stamp != "" && !isTime(e.Stamp) {
		said, values = []string{e.Stamp}, []string{e.Stamp}
	}
	for _, p := range e.Meta {
		if !isOurs(p) {
			said, values = append(said, p.Key+":"+p.Value), append(values, p.Value)
		}
	}
	// The values alone too: an order may be spread over several.
	if len(said) == 0 || !isHostile(strings.Join(said, "\n")) && !isHostile(strings.Join(values, " ")) {
		return e
	}
	if !isTime(e.Stamp) {
		e.Stamp = ""
	}
	e.Meta = slices.DeleteFunc(slices.Clone(e.Meta), func(p entry.Pair) bool { return !isOurs(p) })
	return e
}

// isOurs reports whether a pair has one of the forms in which there is no room
// for words.
func isOurs(p entry.Pair) bool {
	switch p.Key {
	case "imp", "uses", "ttl":
		return len(p.Value) <= maxNumber && strings.Trim(p.Value, "0123456789") == ""
	case "src", "origin", "by":
		return isKind(p.Value) && len(p.Value) <= maxNumber
	case "vfy", "invalid":
		return isTime(p.Value)
	}
	return false
}
