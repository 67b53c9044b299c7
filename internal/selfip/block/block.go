// Package block writes the text that a session is given to read: what earlier
// sessions learned, chosen by weight under a budget, inside a wrapper that says
// what it is and is not (spec/selfip.md 11).
//
// The budget is a promise: title, notices, global block and reminders of
// addresses are inside it (W24). Nothing is cut inside an entry, and nothing is
// left out without a word. Everything that goes in comes from an Input; what is
// shown of a library is asked for line by line, so that a caller with a catalog
// reads only the lines that are chosen.
package block

import (
	"time"

	"github.com/dshkit/dshkit/internal/selfip/handoff"
	"github.com/dshkit/dshkit/internal/selfip/phrase"
	"github.com/dshkit/dshkit/internal/selfip/playbook"
	"github.com/dshkit/dshkit/internal/selfip/proposal"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/pkg/text"
)

// DefaultChars is the length of a block in UTF-16 units when nobody sets one.
const DefaultChars = 3200

// Input is everything a block is made of.
type Input struct {
	Now      time.Time
	Language string // "zh-CN", else English
	Chars    int    // the whole text is at most this long, in UTF-16 units
	Bytes    int    // and at most this many bytes of UTF-8; 0: no such limit

	// Marks puts "[selfip]" and "[/selfip]" around the text, by which our own
	// words are found again in what a harness hands back.
	Marks bool
	// Bare leaves out the wrapper and the addresses: the memory alone, in Chars.
	Bare bool
	// RecallOnly tells the reader that nothing is stored here.
	RecallOnly bool
	// FirstContact has a block without anything to tell say how to begin, instead
	// of nothing.
	FirstContact bool
	// Explain lists every live entry in Block.Items, not only the shown ones.
	Explain bool

	Scope      scope.Scope
	GlobalPath string // of the global library, shown to the reader

	// Main is the library of the main block: that of the workspace, in scope
	// global the global one. Second is the global library in scope both.
	Main, Second *Library
	// Session comes from the workspace in every scope (W26).
	Session Session
}

// Session is what concerns the workspace's own sessions. Its texts have passed
// the gate.
type Session struct {
	Handoff   handoff.Handoff
	Proposals []proposal.Proposal // without a decision
	Prefetch  string
	Playbooks []playbook.Playbook // in any order
	URLs      []string            // addresses that the user named and nobody stored
}

// Note says what a budget did to the wrapper.
type Note string

// The notes.
const (
	NoteBelowWrapper Note = "below-wrapper" // not even the wrapper fits: the text is empty
	NoteWrapperOnly  Note = "wrapper-only"  // there is something to show, but only the wrapper fits
	NoteShortWrapper Note = "short-wrapper" // the wrapper lacks the instructions, or the scope too
	NoteByteLimit    Note = "byte-limit"    // the limit in bytes made the text shorter than Chars allows
)

// Block is a finished text and the account of it.
type Block struct {
	Text    string
	Chars   int // length of Text in UTF-16 units
	Bytes   int // and in bytes
	Shown   int // entries in it
	Hidden  int // live entries that are not, blocked and repeated ones not counted
	Blocked int // live entries that a detector kept out
	Dropped []string
	Notes   []Note
	Items   []Explained
}

// Build writes the block. It is empty when there is nothing to tell: no entry,
// no text, no address.
func Build(in Input) Block {
	w := &writer{in: in, ph: phrase.For(in.Language).Block}
	limit := in.Chars
	if in.Bytes != 0 {
		limit = min(limit, in.Bytes) // a unit is at least a byte
	}
	b := w.write(limit)
	// What fits by units may not by bytes: a Chinese character has three. Each
	// round aims at the share that fitted; it gets shorter, so it ends.
	limit = min(limit, b.Chars)
	for in.Bytes != 0 && b.Bytes > max(in.Bytes, 0) {
		limit = min(limit*max(in.Bytes, 0)/b.Bytes, limit-1)
		b = w.write(limit)
		b.Notes = append(b.Notes, NoteByteLimit)
	}
	return b
}

// writer writes the text of one input, at any budget.
type writer struct {
	in Input
	ph phrase.Block
}

// write writes the block in at most limit units.
func (w *writer) write(limit int) Block {
	m := &memory{writer: w}
	if w.in.Bare {
		body := m.write(limit, nil)
		return m.account(body, nil)
	}
	f, ok := w.frame(limit)
	if !ok {
		m.write(0, nil)
		if m.empty() && len(w.in.Session.URLs) == 0 {
			return m.account(w.firstContact(limit), nil)
		}
		return m.account("", []Note{NoteBelowWrapper})
	}
	room := limit - f.len()
	urls, dropped := w.urls(room)
	if urls != "" {
		room -= text.Len(urls) + len(separator)
	}
	body := m.write(room-len(separator), dropped)
	if body == "" && urls == "" {
		if m.empty() {
			return m.account(w.firstContact(limit), nil)
		}
		f.notes = append(f.notes, NoteWrapperOnly)
	}
	return m.account(f.around(body, urls), f.notes)
}
