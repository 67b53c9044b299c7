// Package entry is one line of memory as a value: how it is read, written,
// scored, trusted and recognised again. The line format is that of the
// originals (spec/selfip.md 3.1), so both can open the same file in turn.
package entry

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/text"
)

// Kind is what an entry is about.
type Kind string

// The five kinds. A file may hold others, written by hand or by a newer
// version; they are kept and shown under their own name.
const (
	Fact       Kind = "fact"
	Preference Kind = "preference"
	Lesson     Kind = "lesson"
	Resource   Kind = "resource"
	Method     Kind = "method"
)

// Kinds lists the five kinds in the order in which help and JSON show them.
var Kinds = []Kind{Fact, Preference, Lesson, Method, Resource}

// ParseKind reads a kind as a person writes it: any case, blanks around it, or
// one of the names under which Chinese lists and the Chinese block show it.
func ParseKind(s string) (Kind, bool) {
	k := Kind(strings.ToLower(strings.TrimSpace(s)))
	switch k {
	case Fact, Preference, Lesson, Method, Resource:
		return k, true
	case "事实":
		return Fact, true
	case "偏好", "用户偏好":
		return Preference, true
	case "教训":
		return Lesson, true
	case "方法":
		return Method, true
	case "资料":
		return Resource, true
	}
	return "", false
}

// Pair is one key and value of the metadata group, in file order.
type Pair struct{ Key, Value string }

// Entry is one entry. Its text is one line. The zero Entry is no entry.
type Entry struct {
	Stamp string // as written; empty when the line had none
	Kind  Kind   // empty when the line had none
	Text  string
	Meta  []Pair // order of the file; a key occurs once
}

// Get returns the value of a metadata key, or "".
func (e Entry) Get(key string) string {
	for _, p := range e.Meta {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// With returns a copy of e in which key has the given value, in its old place
// or at the end. An empty value removes the key. Characters that the format has
// no room for in a value are replaced.
func (e Entry) With(key, value string) Entry {
	value = cleanValue(value)
	meta := make([]Pair, 0, len(e.Meta)+1)
	found := false
	for _, p := range e.Meta {
		if p.Key == key {
			found = true
			p.Value = value
		}
		if p.Value != "" {
			meta = append(meta, p)
		}
	}
	if !found && value != "" {
		meta = append(meta, Pair{key, value})
	}
	e.Meta = meta
	return e
}

// cleanValue returns value without what ends a value, a group or a line.
func cleanValue(value string) string {
	if strings.ContainsAny(value, ",{}\r\n") {
		value = strings.NewReplacer(",", ";", "{", "(", "}", ")", "\r", " ", "\n", " ").Replace(value)
	}
	return strings.TrimSpace(value)
}

// Live reports whether the entry has not been withdrawn.
func (e Entry) Live() bool { return e.Get("invalid") == "" }

// Time returns the instant of the stamp, read in loc when it names no zone. The
// second result is false when the stamp cannot be read.
func (e Entry) Time(loc *time.Location) (time.Time, bool) { return ParseTime(e.Stamp, loc) }

// Int returns the integer prefix of a metadata value, as the originals read it
// ("8.9" is 8), and whether there is one.
func (e Entry) Int(key string) (int, bool) {
	return ParseInt(e.Get(key))
}

// ParseInt reads the integer that s begins with, as the originals do. One too
// large is the largest there is.
func ParseInt(s string) (int, bool) {
	s = strings.TrimSpace(s)
	end := 0
	if end < len(s) && (s[end] == '-' || s[end] == '+') {
		end++
	}
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s[:end], "+"))
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

// Uses returns how often search has found the entry, never less than zero.
func (e Entry) Uses() int {
	n, _ := e.Int("uses")
	return max(n, 0)
}

// ID returns the identity of the entry: the one it was imported with, else its
// key.
func (e Entry) ID() string {
	if id := e.Get("id"); id != "" {
		return id
	}
	return e.Key()
}

// Key returns ten letters and digits that follow from the kind and the folded
// text alone. Two entries with the same key say the same.
func (e Entry) Key() string {
	sum := sha256.Sum256([]byte(string(e.Kind) + "\x00" + text.Fold(e.Text)))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:7])[:10])
}
