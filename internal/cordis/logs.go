package cordis

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/text"
)

// LogOptions say what of the log is wanted.
type LogOptions struct {
	Last   int // lines from the end; 0: all
	Follow bool
	Out    io.Writer          // takes it as text
	Row    func(LogRow) error // takes it row by row instead
}

// LogRow is a row of the log. One that another program has written has a text
// alone, as has the rest of one whose beginning was not asked for.
type LogRow struct {
	At    string // RFC 3339, with milliseconds
	Level string // "host": said by the process itself
	Text  string // may have line feeds
}

// lookTime is how often a log that is followed is looked at.
const lookTime = 200 * time.Millisecond

// Logs writes the log of the host, and with Follow what is added until ctx ends.
func (w *Workspace) Logs(ctx context.Context, o LogOptions) error {
	if err := w.place.Check(); err != nil {
		return err
	}
	data, err := w.files().Read(control.LogName)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.NotFound, codeNoLog, w.place.Path(control.LogName))
	}
	if err != nil {
		return err
	}
	if o.Follow {
		data = written(data)
	}
	if err := o.show(lastLines(data, o.Last)); err != nil || !o.Follow {
		return err
	}
	return w.follow(ctx, o, int64(len(data)))
}

// follow writes what is added to the log. One that is shorter than it was has
// been begun anew.
func (w *Workspace) follow(ctx context.Context, o LogOptions, at int64) error {
	ticker := time.NewTicker(lookTime)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
		data, err := w.files().Read(control.LogName)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		data = written(data)
		if int64(len(data)) < at {
			at = 0
		}
		if int64(len(data)) > at {
			if err := o.show(data[at:]); err != nil {
				return err
			}
			at = int64(len(data))
		}
	}
}

// written is the log without the line that is still being written.
func written(data []byte) []byte { return data[:bytes.LastIndexByte(data, '\n')+1] }

// show gives lines of the log so that they steer no terminal, whatever has
// written them.
func (o LogOptions) show(lines []byte) error {
	clean := text.Printable(string(lines))
	if o.Row == nil {
		_, err := io.WriteString(o.Out, clean)
		return err
	}
	for _, row := range logRows(clean) {
		if err := o.Row(row); err != nil {
			return err
		}
	}
	return nil
}

// logRows is the inverse of [record.format].
func logRows(lines string) (rows []LogRow) {
	for line := range strings.Lines(lines) {
		line = strings.TrimSuffix(line, "\n")
		if rest, more := strings.CutPrefix(line, "\t"); more && len(rows) > 0 {
			rows[len(rows)-1].Text += "\n" + rest
			continue
		}
		rows = append(rows, logRow(line))
	}
	return rows
}

func logRow(line string) LogRow {
	at, rest, _ := strings.Cut(line, " ")
	if _, err := time.Parse(timeFormat, at); err != nil {
		return LogRow{Text: line}
	}
	level, said, _ := strings.Cut(rest, " ")
	return LogRow{At: at, Level: level, Text: said}
}

// lastLines is the end of a text.
func lastLines(data []byte, n int) []byte {
	if n == 0 {
		return data
	}
	end := len(bytes.TrimSuffix(data, []byte("\n")))
	for ; n > 0 && end >= 0; n-- {
		end = bytes.LastIndexByte(data[:end], '\n')
	}
	return data[end+1:]
}

// Journal is the last rows of the journal, the oldest first; 0 means all. bad is
// how many lines were none.
func (w *Workspace) Journal(last int) (rows []*jsonvalue.Object, bad int, err error) {
	if err := w.place.Check(); err != nil {
		return nil, 0, err
	}
	data, err := w.files().Read(control.JournalName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fault.New(fault.NotFound, codeNoJournal)
	}
	if err != nil {
		return nil, 0, err
	}
	for line := range bytes.Lines(lastLines(data, last)) {
		v, err := jsonvalue.Parse(line)
		row, ok := jsonvalue.Map(v)
		if err != nil || !ok {
			bad++
			continue
		}
		rows = append(rows, row)
	}
	return rows, bad, nil
}
