package selfip

import "github.com/dshkit/dshkit/pkg/fault"

// Writes says what may be stored without the user's word (design/product.md 5,
// "the user decides what is kept"). What the user types is the user's word and
// is stored in each of the modes.
type Writes string

// The modes.
const (
	WritesAuto Writes = "auto" // hooks, retro, sleep and tools store what they find
	WritesAsk  Writes = "ask"  // what they find waits as a candidate
	WritesOff  Writes = "off"  // they only read: nothing is noted of a session and nothing is learned
)

// Learns returns nil when something may be learned, else a fault of kind Refused.
// Whoever works without the user at hand asks it first: a retro, sleep, a
// compaction, a tool.
func (m *Memory) Learns() error {
	if m.Settings.Writes == WritesOff {
		return fault.New(fault.Refused, codeWritesOff)
	}
	return nil
}

// Rewrites reports whether entries may be withdrawn or merged that nobody has
// named: by sleep or by a compaction. In mode ask a merge is a candidate that
// replaces what it merges, or it is left undone.
func (m *Memory) Rewrites() bool { return m.Settings.Writes != WritesAsk && m.Learns() == nil }

// asks reports whether what this author stores waits for the user's word.
func (m *Memory) asks(by Author) bool { return m.Settings.Writes == WritesAsk && !by.isUser() }

// isUser reports whether the author is the user: who types a command, imports a
// file, or clicks in the panel.
func (a Author) isUser() bool {
	return a.Origin == "command" || a.Origin == "import" || a.Origin == "panel"
}

// mayStore refuses what is not the user's own word in mode off.
func (m *Memory) mayStore(by Author) error {
	if by.isUser() {
		return nil
	}
	return m.Learns()
}

// Imports returns nil when this author may import entries, else a fault of kind
// Refused: an import stores them in the user's name, which an agent may not do
// where the user decides what is kept.
func (m *Memory) Imports(by Author) error { return m.decides(by) }

// decides returns nil when this author may do what takes the user's word, where
// the user has kept that for himself.
func (m *Memory) decides(by Author) error {
	if m.asks(by) {
		return fault.New(fault.Refused, codeUsersWord)
	}
	return m.mayStore(by)
}
