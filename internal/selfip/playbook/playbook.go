// Package playbook is a procedure that was worth keeping, with the record of how
// it went: how its file is read and written, how far it can be trusted, in which
// order playbooks are offered (spec/selfip.md 3.7, 26.2).
package playbook

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/entry"
)

// maxAge is how long a playbook counts as fresh after it was last verified.
const maxAge = 30 * 24 * time.Hour

// MaxConsidered is how many playbooks, first by file name, are offered.
const MaxConsidered = 30

// Pair is a front matter key that is not ours, with its value.
type Pair struct{ Key, Value string }

// Playbook is one procedure.
type Playbook struct {
	File       string // name of the file, "deploy-check.md"
	Slug       string // as the front matter has it, may be empty
	Uses       int
	Successes  int
	Fails      int
	VerifiedAt string // stamp of the last success or of the writing
	Extra      []Pair // keys that are not ours, in file order; they are kept
	Body       string // what follows the front matter, from its first line on
}

const fence = "---"

// Parse reads a playbook file. A byte order mark is dropped and CRLF and lone CR
// become LF. Text without a front matter is a playbook that was never used.
func Parse(file string, data []byte) Playbook {
	p := Playbook{File: file}
	s := strings.TrimPrefix(string(data), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	head, body, ok := split(s)
	if !ok {
		p.Body = s
		return p
	}
	p.Body = body
	for line := range strings.SplitSeq(head, "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) != "" {
			p.set(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
	return p
}

// split takes the front matter off s.
func split(s string) (head, body string, ok bool) {
	rest, ok := strings.CutPrefix(s, fence+"\n")
	if !ok {
		return "", "", false
	}
	head, body, ok = strings.Cut("\n"+rest, "\n"+fence)
	return head, strings.TrimPrefix(body, "\n"), ok
}

func (p *Playbook) set(key, value string) {
	switch key {
	case "slug":
		p.Slug = value
	case "uses":
		p.Uses, _ = entry.ParseInt(value)
	case "successes":
		p.Successes, _ = entry.ParseInt(value)
	case "fails":
		p.Fails, _ = entry.ParseInt(value)
	case "verified_at":
		p.VerifiedAt = value
	default:
		p.Extra = append(p.Extra, Pair{key, value})
	}
}

// Format writes the playbook as a file, the five keys of the originals first.
func (p Playbook) Format() []byte {
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, pair := range append([]Pair{
		{"slug", p.Slug},
		{"uses", strconv.Itoa(p.Uses)},
		{"successes", strconv.Itoa(p.Successes)},
		{"fails", strconv.Itoa(p.Fails)},
		{"verified_at", p.VerifiedAt},
	}, p.Extra...) {
		b.WriteString(pair.Key + ": " + pair.Value + "\n")
	}
	b.WriteString(fence + "\n" + p.Body)
	return []byte(b.String())
}

// Name is the file name without its suffix; it is what a playbook is called by.
func (p Playbook) Name() string { return strings.TrimSuffix(p.File, ".md") }

// Used returns the playbook after one more use at now, which went well or not.
// Only a success verifies it. One that was written without a slug gets its name.
func (p Playbook) Used(well bool, now time.Time) Playbook {
	p.Slug = cmp.Or(p.Slug, p.Name())
	p.Uses++
	if !well {
		p.Fails++
		return p
	}
	p.Successes++
	p.VerifiedAt = entry.Stamp(now)
	return p
}

// Rate is the estimated share of successes, between 0 and 1; one half for a
// playbook that was never used.
func (p Playbook) Rate() float64 { return float64(p.Successes+1) / float64(p.Uses+2) }

// Due reports whether the playbook should be verified again: the last time is
// more than 30 days before now, or unreadable.
func (p Playbook) Due(now time.Time) bool {
	at, ok := entry.ParseTime(p.VerifiedAt, now.Location())
	return !ok || now.Sub(at) > maxAge
}

// Order returns the playbooks to offer at now, best first: fresh before due,
// then by rate, then by uses. Only the first MaxConsidered by file name take
// part.
func Order(all []Playbook, now time.Time) []Playbook {
	list := slices.Clone(all)
	slices.SortStableFunc(list, func(a, b Playbook) int { return strings.Compare(a.File, b.File) })
	list = list[:min(len(list), MaxConsidered)]
	slices.SortStableFunc(list, func(a, b Playbook) int {
		if da, db := a.Due(now), b.Due(now); da != db {
			if db {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Rate(), a.Rate()), cmp.Compare(b.Uses, a.Uses))
	})
	return list
}
