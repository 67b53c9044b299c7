package harness

import (
	"bufio"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/transcript"
)

// Report counts what reading a session log came across. The counts of rows that
// were left out go by reason.
type Report struct {
	Rows      int   `json:"rows"`      // lines that were not empty
	Records   int   `json:"records"`   // records they gave
	NotObject int   `json:"notObject"` // a JSON value, but not an object
	NoType    int   `json:"noType"`    // an object that does not say what it is
	Broken    int   `json:"broken"`    // not JSON
	Odd       int   `json:"odd"`       // a known type whose text is not text
	TooLong   int   `json:"tooLong"`   // longer than MaxRow
	Torn      int   `json:"torn"`      // the last row, cut by whoever was writing it
	NulBytes  int64 `json:"nulBytes"`  // holes that a crash left in the file
}

// Skipped is the number of rows that were left out because they were damaged.
// Rows of a kind that is of no use to us are not damaged.
func (r Report) Skipped() int {
	return r.NotObject + r.NoType + r.Broken + r.Odd + r.TooLong + r.Torn
}

// Transcript reads the log of a session of the harness h as records, in the
// order of the file and in constant memory. A row that cannot be used is counted
// in report, never an error; the one error, of code log-unreadable, ends the
// sequence: r failed, or its packing is damaged. A log of a harness whose
// own form is not known is read as plain rows: {"type": "user", "assistant" or "tool",
// "text": ...}, which every reader takes beside its own.
func Transcript(h Harness, r io.Reader, report *Report) iter.Seq2[transcript.Record, error] {
	return func(yield func(transcript.Record, error) bool) {
		source, done, err := unpacked(h, bufio.NewReaderSize(r, bufferSize))
		if err != nil {
			yield(transcript.Record{}, fault.New(fault.Damaged, codeLogUnreadable, 0).Because(err))
			return
		}
		defer done()
		rows := rowReader(plainRows{})
		if d := dialectOf(h); d != nil {
			rows = d.row()
		}
		lines := lineReader{source: source, report: report}
		out := sink{yield: yield, report: report}
		for line := range rowsOf(rows, &lines) {
			if readRow(rows, line, &lines, &out); out.stopped {
				return
			}
		}
		if tree, ok := rows.(endReader); ok {
			if tree.end(&out); out.stopped {
				return
			}
		}
		if lines.err != nil {
			yield(transcript.Record{}, fault.New(fault.Damaged, codeLogUnreadable, report.Rows).Because(lines.err))
		}
	}
}

// rowReader turns the rows of one log into records. It may remember what pairs
// them; it is not used for two logs.
type rowReader interface {
	read(row jsontext.Value, out *sink)
}

// endReader is a rowReader that knows only at the end of the log what counts.
type endReader interface{ end(out *sink) }

// sink takes the records of a row.
type sink struct {
	yield   func(transcript.Record, error) bool
	report  *Report
	stopped bool
	dir     string // the folder in which what is read now happened, where the log tells
}

func (s *sink) add(rec transcript.Record) {
	if s.stopped {
		return
	}
	s.report.Records++
	if rec.Dir == "" {
		rec.Dir = s.dir
	}
	s.stopped = !s.yield(rec, nil)
}

// addPrompt adds a person's words, if there are any beside those of others.
func addPrompt(said string, wrappers []string, when time.Time, out *sink) {
	if said = humanWords(clip(said), wrappers); said != "" {
		out.add(transcript.Record{Kind: transcript.Prompt, Time: when, Text: said})
	}
}

// addReply adds words of the agent, if there are any.
func addReply(said string, when time.Time, out *sink) {
	if said = clip(said); said != "" {
		out.add(transcript.Record{Kind: transcript.Reply, Time: when, Text: said})
	}
}

// addFault adds what the service of the agent said when it failed, if it said
// anything.
func addFault(message jsontext.Value, when time.Time, out *sink) {
	if text := clip(message.String()); text != "" {
		out.add(transcript.Record{Kind: transcript.Fault, Time: when, Text: text, Failed: true})
	}
}

// readRow sorts out what is no row; the rest is the dialect's.
func readRow(rows rowReader, line []byte, lines *lineReader, out *sink) {
	row, rest, whole := jsontext.First(line)
	switch {
	case row == nil:
		return
	case (!whole || !blank(rest)) && lines.torn:
		out.report.Torn++
	case !whole || !blank(rest):
		out.report.Broken++
	case !row.IsObject() && !isValue(row):
		out.report.Broken++
	case !row.IsObject():
		out.report.NotObject++
	default:
		rows.read(row, out)
	}
}

func blank(b []byte) bool {
	v, _, _ := jsontext.First(b)
	return v == nil
}

// isValue reports whether v is JSON at all, not some word.
func isValue(v jsontext.Value) bool {
	_, err := jsontext.Parse(v)
	return err == nil
}

// timeOf reads a time as text or as milliseconds; the zero time is none.
func timeOf(v jsontext.Value) time.Time {
	if v.IsNumber() {
		return time.UnixMilli(v.Int()).UTC()
	}
	t, err := time.Parse(time.RFC3339Nano, v.String())
	if err != nil {
		return time.Time{}
	}
	return t
}

// names remembers which tool a call went to, so that the result can say it too.
type names map[string]string

// maxNames bounds what is remembered of calls that were never answered.
const maxNames = 4096

func (n *names) put(id, name string) {
	if *n == nil || len(*n) >= maxNames {
		*n = names{}
	}
	(*n)[id] = name
}

// take returns the name of a call and forgets it: a call is answered once.
func (n names) take(id string) string {
	name := n[id]
	delete(n, id)
	return name
}

// plainRows is the format that anybody can write.
type plainRows struct{}

func (plainRows) read(row jsontext.Value, out *sink) {
	plainRow(row.Get("type"), row.Get("text"), row.Get("timestamp"), nil, out)
}

// plainRow adds the record of a row that holds nothing but its text.
func plainRow(kind, said, when jsontext.Value, wrappers []string, out *sink) {
	rec := transcript.Record{Time: timeOf(when)}
	switch kind.String() {
	case "":
		out.report.NoType++
		return
	case "user":
		rec.Kind = transcript.Prompt
	case "assistant":
		rec.Kind = transcript.Reply
	case "tool":
		rec.Kind = transcript.Result
	default:
		return
	}
	if !said.IsString() {
		out.report.Odd++
		return
	}
	if rec.Text = clip(said.String()); rec.Kind == transcript.Prompt {
		rec.Text = humanWords(rec.Text, wrappers)
	}
	if rec.Text != "" {
		out.add(rec)
	}
}

// isTorn reports that a packed log ends inside a batch, as one does that is still
// being written.
func isTorn(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }
