package playbook

import (
	"strings"
	"time"
	"unicode"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// The length of a slug in UTF-16 code units, and in bytes: the name of its file,
// with a number when another one has it, stays below 120 bytes (case 35).
const (
	maxSlug      = 60
	maxSlugBytes = 108
)

// Slug returns a title as the name of a playbook: small letters and digits of any
// script, underscores, and a hyphen for every run of something else. It is empty
// for a title that has none of these (spec/selfip.md 21.5).
func Slug(title string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text.Clean(title)) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	slug := text.Head(b.String(), maxSlug)
	for n := text.Len(slug); len(slug) > maxSlugBytes; n-- {
		slug = text.Head(slug, n)
	}
	return strings.TrimRight(slug, "-")
}

// New is a playbook that was written down at now and has not been used.
func New(slug, steps string, now time.Time) Playbook {
	return Playbook{File: slug + ".md", Slug: slug}.Rewritten(steps, now)
}

// Rewritten returns the playbook with other steps, verified at now. The record of
// its uses stays: it is the same procedure, told anew (spec/selfip.md 29, W18).
func (p Playbook) Rewritten(steps string, now time.Time) Playbook {
	if p.Slug == "" {
		p.Slug = p.Name()
	}
	p.Body = p.body(steps)
	p.VerifiedAt = entry.Stamp(now)
	return p
}

func (p Playbook) body(steps string) string {
	return "# " + p.Slug + "\n\n" + strings.TrimSpace(steps) + "\n"
}

// Says reports whether the playbook has just these steps.
func (p Playbook) Says(steps string) bool { return p.Body == p.body(steps) }
