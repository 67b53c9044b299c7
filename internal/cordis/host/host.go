// Package host is the one authority of a workspace: it owns the registry of
// plugins, runs their Host halves below one kernel, and tells Sessions, pages
// and bridges what becomes of them (spec/cordis.md 1).
//
// It promises that no call waits for a person or a page, that no lock is held
// while plugin code runs, that a start ends in time, and that all that an
// activation did is undone when it stops, whatever comes of the plugin's code.
// Nothing is kept on disk: when the host ends, all is gone.
package host

import (
	"context"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Config is what a host is given. Starter and Now must be there.
type Config struct {
	Workspace string   // its real path
	Private   []string // folders that no grant covers
	Environ   []string // of programs that plugins run: PATH, HOME and LANG count
	Starter   half.Starter
	Grants    func() grant.List // what is allowed now; nil: nothing
	Now       func() time.Time
	Language  string // of the texts for models: "en" or "zh-CN"

	// Journal is told what happened, for reading later. nil: nobody is.
	Journal func(kind string, at time.Time, body *jsonvalue.Object)
	// Log is told each line, beside the bounded log of the host. nil: nobody is.
	Log func(LogLine)

	Limits Limits
}

// Limits bound what plugins can make the host wait for and keep. A zero means
// the default.
type Limits struct {
	Eval     time.Duration // of the synchronous part of an evaluation: 5 s
	Start    time.Duration // of a whole start: 30 s
	Stop     time.Duration // of an unload, what takes longer is given up: 30 s
	Tool     time.Duration // of a tool that names none itself: 2 min
	Lease    time.Duration // of a page that carries out a request: 15 s
	Log      int           // lines kept: 2000
	Events   int           // events kept: 1000
	Feedback int           // messages kept for each Session: 200
}

// Status is the host in a few numbers.
type Status struct {
	Workspace string    `json:"workspace"`
	Started   time.Time `json:"started"`
	Plugins   int       `json:"plugins"`
	Running   int       `json:"running"`   // active runs
	Approvals int       `json:"approvals"` // requests that nobody has settled
	Pages     int       `json:"pages"`
	Bridges   int       `json:"bridges"`
	Sessions  []string  `json:"sessions"` // those that own a plugin or have feedback
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

// Event is one event for pages (spec/cordis.md 5.3), and how it is told.
type Event struct {
	Seq     uint64            `json:"seq"`
	At      time.Time         `json:"at"`
	Name    string            `json:"name"`
	Payload *jsonvalue.Object `json:"payload"`
}

// Close stops all plugins, undoes what they did and ends every connection. It
// returns when nothing of the host runs any more, or ctx ends.
func (h *Host) Close(ctx context.Context) error { return errNotBuilt }

// Status counts what there is.
func (h *Host) Status() Status { return Status{} }

// Events are those after a sequence number that are still kept. changed is
// closed at the next one, so that a reader can follow.
func (h *Host) Events(since uint64) (events []Event, changed <-chan struct{}) { return nil, nil }

// Logs are the lines after a sequence number that are still kept. changed is
// closed at the next one.
func (h *Host) Logs(since uint64) (lines []LogLine, changed <-chan struct{}) { return nil, nil }
