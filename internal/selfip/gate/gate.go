// Package gate is what every text passes that can be stored or can reach a
// prompt: notes, blocks of several lines, and the metadata of lines that others
// wrote (spec/selfip.md 14 to 17, weak spots W7, W8, W9, W14, W15, W37).
//
// The gate cleans, looks for orders to the reader, and takes credentials out;
// what to do about an order, to refuse or to put it in quarantine, is up to the
// caller. What has passed once passes again unchanged.
package gate

import (
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/quarantine"
	"github.com/dshkit/dshkit/internal/selfip/redact"
	"github.com/dshkit/dshkit/pkg/text"
)

// Verdict is what came of a text.
type Verdict struct {
	Text       string               // cleaned and redacted, safe to store
	TTL        int                  // review period in days that the text as given calls for
	Redactions []redact.Hit         // what was taken out, never the secret
	Poison     *quarantine.Detector // the first detector that the text trips, nil for none
	Removed    int                  // lines that Block took out because they trip a detector
}

// credentialTTL is the review period of a text that held a credential, whatever
// words it used: a key alone says no more than a key with its name
// (spec/selfip.md 17.1, fixture 06).
const credentialTTL = 30

// Note passes one note that is to become the text of one entry.
//
// The result is one line: every run of line ends, with the blanks around it,
// becomes a blank, so that a note can forge neither an entry, a heading nor
// metadata (W9). Tabs and blanks inside a line stay, for a note may be code. A
// group in braces at the end stays text; entry.String keeps it so. Detectors
// read the lines as given and the folded line, since a label may stand at the
// start of a line and an order may run over its end. A poisoned note is folded
// and redacted too, for the quarantine file.
func Note(s string) Verdict {
	given := text.Clean(s)
	s = dropHidden(given)
	v := Verdict{TTL: entry.InferTTL(s)}
	v.redact(s) // as given: a key block runs over lines
	if line := foldLines(v.Text); line != v.Text {
		v.redact(line)
	}
	v.Text = strings.TrimSpace(v.Text)
	v.Poison = detect(given, s, v.Text)
	if len(v.Redactions) > 0 {
		v.TTL = min(v.TTL, credentialTTL)
	}
	return v
}

// HasSecret reports whether Note takes a credential out of s.
func HasSecret(s string) bool {
	_, hits := redact.Redact(dropHidden(text.Clean(s)))
	return len(hits) > 0
}

// Alters reports whether Note takes a credential or a hidden character out of
// s.
func Alters(s string) bool {
	clean := text.Clean(s)
	return dropHidden(clean) != clean || HasSecret(clean)
}

// redact sets the text to s without credentials and adds what was found.
func (v *Verdict) redact(s string) {
	out, hits := redact.Redact(s)
	v.Text, v.Redactions = out, redact.Merge(v.Redactions, hits)
}

// detect returns the first detector that one of the texts trips, nil for none.
func detect(texts ...string) *quarantine.Detector {
	for i, s := range texts {
		if i > 0 && s == texts[i-1] {
			continue
		}
		if d, hit := quarantine.Detect(s); hit {
			return &d
		}
	}
	return nil
}

// dropHidden takes out the characters that nobody sees and that turn round or
// hide what stands between them.
func dropHidden(s string) string {
	if strings.IndexFunc(s, isHidden) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return -1
		}
		return r
	}, s)
}

// isHidden reports whether r has no width and no place in a word of any script:
// zero width spaces, marks and overrides of direction, tag characters. Joiners
// stay; Persian, Indic scripts and emoji need them.
func isHidden(r rune) bool {
	switch {
	case r == 0xAD || r == 0x200B || r == 0x200E || r == 0x200F || r == 0x061C:
		return true
	case r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x206F:
		return true
	}
	return r >= 0xE0000 && r <= 0xE0FFF
}

// foldLines turns every run of line ends and the blanks around it into one
// blank.
func foldLines(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}
