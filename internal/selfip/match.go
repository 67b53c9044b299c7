package selfip

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dshkit/dshkit/internal/selfip/catalog"
	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/pkg/text"
)

// needle finds entries by what a person or a model says of them: an id, the
// whole text, or a part of it. A part has to be long enough to mean something:
// two CJK characters, four letters, or one whole word (spec/selfip.md 18.1; W16).
type needle struct {
	id   string
	text string // folded
	part bool   // may match inside a text
	word bool   // only as a whole word
}

func newNeedle(s string) needle {
	s = strings.TrimSpace(s)
	n := needle{id: strings.ToLower(s), text: text.Fold(s)}
	if e, ok := entry.ParseLine(s); ok { // a copied line: its text counts
		n.text = text.Fold(e.Text)
	}
	letters := utf8.RuneCountInString(n.text)
	cjk := strings.IndexFunc(n.text, text.IsCJK) >= 0
	n.part = letters >= 4 || cjk && letters >= 2
	n.word = !n.part && letters >= 2
	return n
}

// matches reports whether the needle means the entry.
func (n needle) matches(e entry.Entry) bool {
	if n.text == "" {
		return false
	}
	if n.id == strings.ToLower(e.ID()) {
		return true
	}
	folded := text.Fold(e.Text)
	switch {
	case folded == n.text:
		return true
	case n.part:
		return strings.Contains(folded, n.text)
	}
	return n.word && hasWord(folded, n.text)
}

// hasWord reports whether word stands in s with no letter or digit beside it.
func hasWord(s, word string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], word)
		if i < 0 {
			return false
		}
		begin, end := at+i, at+i+len(word)
		before, _ := utf8.DecodeLastRuneInString(s[:begin])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if !wordRune(before) && !wordRune(after) {
			return true
		}
		at = end
	}
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// found is an entry with the place where it stands.
type found struct {
	row      catalog.Row
	archived bool
	entry    entry.Entry
}

// matching returns the entries that the needle means and that keep is true of,
// the live partitions before the archive. When the needle is the id of some
// entries, only those are meant.
func (c *change) matching(n needle, keep func(entry.Entry) bool) ([]found, error) {
	all, err := c.matchingAll(func(e entry.Entry) bool { return keep(e) && n.matches(e) })
	return onlyID(n, all), err
}

// matchingAll returns the entries that keep is true of, the live partitions before
// the archive.
func (c *change) matchingAll(keep func(entry.Entry) bool) ([]found, error) {
	var all []found
	for _, r := range c.view.all() {
		if e := c.current(r); keep(e) {
			all = append(all, found{row: r, entry: e})
		}
	}
	a, err := c.openArchive()
	if err != nil {
		return nil, err
	}
	if a != nil {
		for _, r := range a.rows() {
			if e := c.currentArchived(r); keep(e) {
				all = append(all, found{row: r, archived: true, entry: e})
			}
		}
	}
	return all, nil
}

func onlyID(n needle, all []found) []found {
	var exact []found
	for _, f := range all {
		if n.id == strings.ToLower(f.entry.ID()) {
			exact = append(exact, f)
		}
	}
	if exact != nil {
		return exact
	}
	return all
}

// put writes e in the place of a found entry.
func (c *change) put(f found, e entry.Entry) {
	if f.archived {
		c.rewriteArchived(f.row, e)
		return
	}
	c.rewrite(f.row, e)
}
