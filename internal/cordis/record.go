package cordis

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/pkg/filestore"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/text"
)

// Bounds of what a host writes.
const (
	maxLog     = 1 << 20 // of host.log; the same of the one before
	maxJournal = 16 << 20
	queued     = 4096 // lines that wait to be written
)

// What was written before the last time that a file was full.
const (
	oldLog     = "host.log.1"
	oldJournal = "journal.jsonl.1"
)

// record writes what a host logs and records. The host never waits for the disk:
// when lines come faster than they are written, the log lacks some and says so.
type record struct {
	files *filestore.Dir
	now   func() time.Time
	tell  func(host.LogLine)

	lines   chan entry
	dropped atomic.Int64
	done    sync.WaitGroup
	ending  chan struct{}
	flushes chan chan<- struct{}
	size    map[string]int64
}

// entry is one line of a file.
type entry struct {
	file string
	text string
}

func (w *Workspace) openRecord(tell func(host.LogLine)) *record {
	r := &record{
		files: w.files(), now: w.opts.Now, tell: tell, lines: make(chan entry, queued),
		ending: make(chan struct{}), flushes: make(chan chan<- struct{}), size: map[string]int64{},
	}
	for _, name := range []string{control.LogName, control.JournalName} {
		if info, err := r.files.Stat(name); err == nil {
			r.size[name] = info.Size
		}
	}
	r.done.Go(r.write)
	return r
}

// flush returns when all that was handed over before is written.
func (r *record) flush() {
	written := make(chan struct{})
	r.flushes <- written
	<-written
}

// close writes what waits.
func (r *record) close() {
	close(r.ending)
	r.done.Wait()
}

func (r *record) write() {
	for {
		select {
		case e := <-r.lines:
			r.add(e)
		case written := <-r.flushes:
			r.rest()
			close(written)
		case <-r.ending:
			r.rest()
			return
		}
	}
}

// rest writes what waits.
func (r *record) rest() {
	for {
		select {
		case e := <-r.lines:
			r.add(e)
		default:
			return
		}
	}
}

func (r *record) add(e entry) {
	if n := r.dropped.Swap(0); n > 0 {
		r.append(control.LogName, r.format("warn", fmt.Sprintf("%d lines came too fast and are missing here", n)))
	}
	r.append(e.file, e.text)
}

// append adds a line. A file that is full becomes the old one; the log in place,
// for a process that ends writes to what it has open.
func (r *record) append(name, text string) {
	if r.size[name] > limit(name) {
		r.turn(name)
	}
	if err := r.files.AppendLog(name, []byte(text), filestore.NoSync); err == nil { // a full disk must not end a host
		r.size[name] += int64(len(text))
	}
}

func limit(name string) int64 {
	if name == control.JournalName {
		return maxJournal
	}
	return maxLog
}

func (r *record) turn(name string) {
	r.size[name] = 0
	if name == control.JournalName {
		_ = os.Rename(r.files.Path(name), r.files.Path(oldJournal)) // else it grows on
		return
	}
	if data, err := r.files.Read(name); err == nil {
		_ = r.files.WriteDerived(oldLog, data) // for reading; it can be lost
	}
	_ = r.files.Overwrite(name, nil)
}

// put hands an entry over; a line of the log is dropped when there is no room.
func (r *record) put(e entry) {
	select {
	case r.lines <- e:
	default:
		r.dropped.Add(1)
	}
}

// line takes a line that a plugin or the host wrote.
func (r *record) line(l host.LogLine) {
	if r.tell != nil {
		r.tell(l)
	}
	r.put(entry{control.LogName, r.format(l.Level, l.String())})
}

// note takes what the process itself has to say.
func (r *record) note(what string, pairs ...any) {
	var b strings.Builder
	b.WriteString(what)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, " %v=%v", pairs[i], pairs[i+1])
	}
	r.put(entry{control.LogName, r.format("host", b.String())})
}

// timeFormat is how a row of the log begins.
const timeFormat = "2006-01-02T15:04:05.000Z07:00"

// format is one row of the log, whatever the text holds: who reads the file must
// not be misled by what a plugin has written.
func (r *record) format(level, line string) string {
	line = text.Printable(strings.ReplaceAll(line, "\r", `\r`))
	return r.now().Format(timeFormat) + " " + level + " " + strings.ReplaceAll(line, "\n", "\n\t") + "\n"
}

// journal takes what happened.
func (r *record) journal(kind string, at time.Time, body *jsonvalue.Object) {
	row := jsonvalue.Of("at", at.Format(time.RFC3339Nano), "kind", kind)
	if body != nil {
		row = row.Merge(body)
	}
	r.put(entry{control.JournalName, string(text.EscapeControls([]byte(jsonvalue.Format(row)))) + "\n"})
}

// logFile opens the log for a process that is about to start.
func (w *Workspace) logFile() (*os.File, error) {
	row := w.opts.Now().Format(timeFormat) + " host starting\n"
	if err := w.files().AppendLog(control.LogName, []byte(row), filestore.NoSync); err != nil { // makes it, and refuses a link
		return nil, err
	}
	return os.OpenFile(w.place.Path(control.LogName), os.O_WRONLY|os.O_APPEND|noFollow, 0o600)
}
