// Package redact takes credentials out of text and leaves a mark in their
// place: which key serves what stays known, the key does not (spec/selfip.md
// 16). It never refuses a text and never changes anything but the credential.
//
// A text is read once, byte by byte, by small hand-written scanners: prefixes
// of known providers, key blocks, assignments and headers, passwords in URIs,
// and prose such as "the password is ...". Each of them looks a bounded way
// around the place where it starts, so the time is linear in the text. What is
// only long and random, a commit hash, a digest or a UUID, is no credential
// unless something beside it says so.
package redact

import (
	"slices"
	"strings"
)

// The marks are literals of the file format and stay Chinese whatever the
// language of the user.
const (
	markOpen = "<已脱敏"
	mark     = markOpen + ">"
)

// Hit says which rule found something and how often. It never holds the secret.
type Hit struct {
	Rule  string `json:"rule"` // the label of a prefix, or assignment, header, prose, uri, hash, repeat
	Count int    `json:"count"`
}

// Merge returns the hits of both lists, one entry for each rule, in the order
// in which the rules first occur.
func Merge(a, b []Hit) []Hit {
	out := append([]Hit(nil), a...)
	for _, h := range b {
		out = add(out, h)
	}
	return out
}

func add(hits []Hit, h Hit) []Hit {
	for i := range hits {
		if hits[i].Rule == h.Rule {
			hits[i].Count += h.Count
			return hits
		}
	}
	return append(hits, h)
}

// maxPasses bounds how often a text with hits is read again. One more pass than
// changes are made proves that nothing is left to find.
const maxPasses = 8

// Redact returns s with every credential replaced by a mark, and what was
// found. Redact(Redact(s)) is Redact(s). The marks are <已脱敏:label> for a
// credential with a known prefix and <已脱敏> for a value whose name or sentence
// gave it away; names, quotes, hosts and users stay.
func Redact(s string) (out string, hits []Hit) {
	for range maxPasses {
		spans := find(s)
		if len(spans) == 0 {
			break
		}
		for _, sp := range spans {
			hits = add(hits, Hit{sp.rule, 1})
		}
		repeats := repeated(s, spans)
		s = replace(s, spans)
		for _, value := range repeats {
			if n := strings.Count(s, value); n > 0 {
				s = strings.ReplaceAll(s, value, mark)
				hits = add(hits, Hit{"repeat", n})
			}
		}
	}
	return s, hits
}

// span is a stretch of bytes to replace. An empty label gives the bare mark.
type span struct {
	start, end  int
	rule, label string
}

func replace(s string, spans []span) string {
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, sp := range spans {
		b.WriteString(s[at:sp.start])
		b.WriteString(markOpen)
		if sp.label != "" {
			b.WriteString(":" + sp.label)
		}
		b.WriteString(">")
		at = sp.end
	}
	b.WriteString(s[at:])
	return b.String()
}

// What is looked for again: a value that was given away once and occurs
// elsewhere without its name.
const (
	minRepeat  = 8
	maxRepeat  = 256
	maxRepeats = 32
)

// repeated returns the values among the spans that cannot be ordinary words, so
// that their other occurrences can be replaced too.
func repeated(s string, spans []span) []string {
	var out []string
	for _, sp := range spans {
		v := s[sp.start:sp.end]
		if len(v) >= minRepeat && len(v) <= maxRepeat && isRandom(v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
		if len(out) == maxRepeats {
			break
		}
	}
	return out
}

// find returns the spans of s to replace, in order and without overlap. Hidden
// and full-width characters are looked through, and replaced with the rest.
func find(s string) []span {
	if !hasDisguise(s) {
		return scan(s)
	}
	view, origin := undisguise(s)
	spans := scan(view)
	for i := range spans {
		spans[i].start, spans[i].end = origin[spans[i].start], origin[spans[i].end]
	}
	return spans
}
