package cordis

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
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
	Out    io.Writer
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
	if err := show(o.Out, lastLines(data, o.Last)); err != nil || !o.Follow {
		return err
	}
	return w.follow(ctx, o.Out, int64(len(data)))
}

// follow writes what is added to the log. One that is shorter than it was has
// been begun anew.
func (w *Workspace) follow(ctx context.Context, out io.Writer, at int64) error {
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
		if int64(len(data)) < at {
			at = 0
		}
		if int64(len(data)) > at {
			if err := show(out, data[at:]); err != nil {
				return err
			}
			at = int64(len(data))
		}
	}
}

// show writes lines of the log so that they steer no terminal, whatever has
// written them.
func show(out io.Writer, lines []byte) error {
	_, err := io.WriteString(out, text.Printable(string(lines)))
	return err
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
