package host

import (
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// backlog keeps the last things that were said, numbered from 1.
type backlog[T any] struct {
	limit int

	mu      sync.Mutex
	last    uint64
	kept    []T // the newest is number last
	changed chan struct{}
}

// add numbers and keeps one thing.
func (b *backlog[T]) add(make func(seq uint64) T) T {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	v := make(b.last)
	b.kept = append(b.kept, v)
	if len(b.kept) >= 2*b.limit { // copied once in a while, not each time
		b.kept = append([]T(nil), b.kept[len(b.kept)-b.limit:]...)
	}
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
	return v
}

// since gives what came after a number and is still kept.
func (b *backlog[T]) since(seq uint64) ([]T, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	n := min(uint64(min(len(b.kept), b.limit)), b.last-min(seq, b.last))
	return append([]T{}, b.kept[uint64(len(b.kept))-n:]...), b.changed
}

// Event is one event for pages (spec/cordis.md 5.3), and how it is told.
type Event struct {
	Seq     uint64            `json:"seq"`
	At      time.Time         `json:"at"`
	Name    string            `json:"name"`
	Payload *jsonvalue.Object `json:"payload"`
}

// LogLine is one line of a plugin, or of the host.
type LogLine struct {
	Seq    uint64    `json:"seq"`
	At     time.Time `json:"at"`
	Level  string    `json:"level"` // log, info, warn, error, debug
	Plugin string    `json:"plugin,omitempty"`
	Text   string    `json:"text"`
}

// String is the line as people read it, [cordis:<plugin>] before its text.
func (l LogLine) String() string {
	if l.Plugin == "" {
		return l.Text
	}
	return "[cordis:" + l.Plugin + "] " + l.Text
}

// Events are those after a sequence number that are still kept. changed is
// closed at the next one, so that a reader can follow.
func (h *Host) Events(since uint64) (events []Event, changed <-chan struct{}) {
	return h.events.since(since)
}

// Logs are the lines after a sequence number that are still kept. changed is
// closed at the next one.
func (h *Host) Logs(since uint64) (lines []LogLine, changed <-chan struct{}) {
	return h.lines.since(since)
}

// write keeps a line. plugin is "" for the host itself.
func (h *Host) write(level string, plugin PluginID, text string) {
	text = short(text)
	line := h.lines.add(func(seq uint64) LogLine {
		return LogLine{Seq: seq, At: h.config.Now(), Level: level, Plugin: string(plugin), Text: text}
	})
	if h.config.Log != nil {
		h.config.Log(line)
	}
}

// maxText bounds a line, so that the lines that are kept are bounded too.
const maxText = 16 << 10

// short is a text cut before a character.
func short(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > 0 && text[end]&0xC0 == 0x80 {
		end--
	}
	return text[:end] + "…"
}

// panicText says what the host's own code panicked with.
func panicText(p any) string { return fmt.Sprintf("internal error: %v\n%s", p, debug.Stack()) }
