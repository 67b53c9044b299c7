package selfip

import (
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/selfip/block"
	"github.com/dshkit/dshkit/internal/selfip/gate"
	"github.com/dshkit/dshkit/internal/selfip/link"
	"github.com/dshkit/dshkit/pkg/retro"
	"github.com/dshkit/dshkit/pkg/text"
)

// shown is what a running session has been given to read, so that nothing is
// said twice (design/product.md 5, "say it once"). It can be lost: then
// something is said once more.
type shown struct {
	Entries []string // ids of entries
	Block   string   // digest of the last whole block's entries
	Library string   // state of the libraries at that time
	Said    []string // messages of the user that name addresses, newest first
	Chars   int      // given so far, in UTF-16 code units
	Blocks  int      // whole blocks among them
	At      int64    // when it started or was resumed, milliseconds since 1970

	onDisk []byte // the file that this was read from
}

// keptMessages bounds the messages that are searched for addresses, and
// messageLength each of them (spec/selfip.md 12.1).
const (
	keptMessages  = 40
	messageLength = 400
)

// Beginning is how a session comes to start.
type Beginning string

// The beginnings that differ from others: another one has read nothing.
const (
	Startup Beginning = "startup" // once in the life of a session
	Resumed Beginning = "resume"  // what was read before is still there
)

// twice is how close to another start of the same session one is its double: the
// hooks are wired in two places.
const twice = 2 * time.Second

// StartText returns the whole block for a session that starts. A resumed
// session has read it before: it gets one only when the libraries have changed
// since, or nothing is known of it.
func (m *Memory) StartText(session string, how Beginning) string {
	s := m.shown(session)
	now := m.Now().UnixMilli()
	known := s.Block != "" && s.Library == m.fingerprint()
	switch {
	case known && how == Resumed:
		return ""
	case known && how == Startup && now-s.At >= 0 && now-s.At < twice.Milliseconds():
		return ""
	case how != Resumed:
		s.Entries, s.Block = nil, "" // a new conversation has read nothing
	}
	s.At = now
	return m.wholeBlock(session, s)
}

// Forgotten notes that a session's conversation is about to be shortened: what
// it was shown counts as not shown.
func (m *Memory) Forgotten(session string) {
	s := m.shown(session)
	s.Entries, s.Block, s.Library = nil, "", ""
	m.keepShown(session, s)
}

// PromptText returns what a prompt calls for and the session has not been shown
// yet: the whole block when there was none or the libraries say something else
// since, else the entries that the prompt asks for and new addresses.
func (m *Memory) PromptText(session, prompt string) string {
	s := m.shown(session)
	if len(link.Candidates(prompt)) > 0 {
		said := text.OneLine(gate.Block(prompt).Text)
		s.Said = append([]string{text.Head(said, messageLength)}, s.Said...)
		s.Said = s.Said[:min(len(s.Said), keptMessages)]
	}
	if s.Library != m.fingerprint() {
		if said := m.wholeBlock(session, s); said != "" {
			return said
		}
		s = m.shown(session)
	}
	said := m.calledFor(prompt, &s)
	m.keepShown(session, s)
	return said
}

// wholeBlock builds the block and remembers what it shows. It is empty when the
// session has been shown the same before.
func (m *Memory) wholeBlock(session string, s shown) string {
	library := m.fingerprint()
	b := m.Inject(InjectOptions{Bytes: m.Settings.HookBytes, Marks: true, URLs: m.pendingURLs(s.Said), FirstContact: s.Blocks == 0})
	digest := digestOf(b)
	same := s.Block == digest && len(s.Entries) > 0
	s.Block, s.Library = digest, library
	if !same && b.Text != "" {
		for _, item := range b.Items {
			if item.Chosen && !slices.Contains(s.Entries, item.ID) {
				s.Entries = append(s.Entries, item.ID)
			}
		}
		s.Chars += b.Chars
		s.Blocks++
	}
	m.keepShown(session, s)
	if same {
		return ""
	}
	return b.Text
}

// digestOf identifies what a block tells: its entries, not how often they have
// been found.
func digestOf(b block.Block) string {
	var all strings.Builder
	for _, item := range b.Items {
		if item.Chosen {
			all.WriteString(item.Library + " " + item.ID + " " + item.Text + "\n")
		}
	}
	return sumOf(all.String())
}

// promptShare is the part of a prompt's words that an entry must have before it
// is worth showing unasked.
const promptShare = 0.4

// calledFor returns the entries that a prompt asks for and the session has not
// seen, and the reminder of addresses when this prompt names one.
func (m *Memory) calledFor(prompt string, s *shown) string {
	var hits []Hit
	var calls []block.Call
	for _, h := range m.Search(prompt, SearchLimit) {
		if h.Share >= promptShare && !slices.Contains(s.Entries, h.ID) {
			hits = append(hits, h)
			calls = append(calls, block.Call{Line: safeLine(h.Entry.Entry.String(), true, nil), Trust: h.Trust, Expired: h.Expired})
		}
	}
	var urls []string
	if len(link.Candidates(prompt)) > 0 {
		urls = m.pendingURLs(s.Said)
	}
	said, chosen := block.Prompt(m.Settings.Language, m.Settings.PromptChars, calls, urls)
	for _, i := range chosen {
		s.Entries = append(s.Entries, hits[i].ID)
	}
	s.Chars += text.Len(said)
	return said
}

// pendingURLs returns the addresses in the user's messages that no library
// holds, newest first.
func (m *Memory) pendingURLs(said []string) []string {
	if len(said) == 0 || m.Learns() != nil {
		return nil
	}
	var all strings.Builder
	for _, lib := range m.readable() {
		for _, p := range Partitions {
			data, _ := lib.read(p.File)
			all.Write(data)
			all.WriteByte('\n')
		}
		all.WriteString(lib.gated(principlesFile) + "\n" + lib.gated(hypothesesFile) + "\n")
	}
	var urls []string
	for _, l := range link.Pending(said, link.Recorded(all.String())) {
		urls = append(urls, l.URL)
	}
	return urls
}

// fingerprint identifies the state of all that a block is made of.
func (m *Memory) fingerprint() string {
	b := append(append([]byte(m.ScopeName), ' '), m.Settings.Language...)
	for _, lib := range m.readable() {
		for _, p := range Partitions {
			b = lib.source(p.File).AppendState(b)
		}
		for _, name := range []string{principlesFile, hypothesesFile} {
			b = lib.source(name).AppendState(b)
		}
	}
	return sumOf(string(b))
}

// HasWork reports whether a row of the queue is due.
func (m *Memory) HasWork() bool {
	if m.Learns() != nil {
		return false
	}
	lib, err := m.workspace()
	if err != nil {
		return false
	}
	data, _ := lib.read(queueFile)
	waiting, _ := retro.Parse(data)
	for _, row := range waiting {
		if s := row.Standing(m.Now(), retro.DefaultLimits()); s == retro.Due || s == retro.Spent {
			return true
		}
	}
	return false
}
