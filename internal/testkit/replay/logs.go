package replay

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// line is something that was logged, by the host or by a page.
type line struct {
	at   float64 // milliseconds
	show *jsonvalue.Object
}

// drainLogs are the lines of host and pages since the last time, in the order of
// the clock.
func (w *world) drainLogs(ctx context.Context) ([]any, error) {
	var r control.LogsResult
	if err := w.client.Call(ctx, "logs", control.LogsParams{Since: w.logged}, &r); err != nil {
		return nil, err
	}
	var lines []line
	for _, l := range r.Lines {
		w.logged = l.Seq
		if l.Plugin != "" {
			lines = append(lines, hostLine(l.At, l.Level, l.Plugin, l.Text))
		}
	}
	if w.node != nil {
		lines = append(lines, w.node.drainLogs()...)
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	shown := []any{}
	for _, l := range lines {
		shown = append(shown, l.show)
	}
	return shown, nil
}

// hostLine is a line as recordings have it. They know two levels of a Host half:
// what goes to standard error, and the rest.
func hostLine(at time.Time, level, plugin, text string) line {
	if level != "error" {
		level = "log"
	}
	return line{float64(at.UnixNano()) / 1e6, jsonvalue.Of("level", level, "tag", "cordis:"+plugin, "text", gistLine(text))}
}

// pageLine is a line of a page.
func pageLine(log *jsonvalue.Object) line {
	level := text(log, "level")
	parts, _ := log.Array("parts")
	show := jsonvalue.Of("level", level, "tag", text(log, "tag"), "text", strings.Join(shownParts(parts), " "))
	if detail, ok := log.Array("detail"); ok {
		whole := strings.TrimSuffix(strings.Join(shownParts(parts), " "), " failed:")
		if whole != text(show, "text") {
			whole += " failed"
		}
		show.Set("text", whole)
		show.Set("detail", jsonvalue.Texts(shownParts(detail)))
	}
	return line{number(log, "at"), show}
}

// shownParts are the arguments of a line, errors as their keys.
func shownParts(parts []any) []string {
	list := []string{}
	for _, part := range parts {
		o, _ := jsonvalue.Map(part)
		s := text(o, "text")
		switch failed, _ := o.Truth("error"); {
		case failed:
			s = "Error: " + Gist(s)
		case Gist(s) != firstLine(s):
			s = Gist(s)
		case strings.Contains(s, lossy): // of a line that repeats it
			s = "json.lossy(" + s[:strings.Index(s, lossy)] + ")"
		}
		list = append(list, s)
	}
	return list
}

// gistLine puts keys in the place of our messages in a line that a Host half wrote:
// where one begins, the rest of the line is it.
func gistLine(s string) string {
	if i := strings.Index(s, "\n    at "); i >= 0 {
		s = s[:i]
	}
	for i := 0; i < len(s); {
		if key, ok := known(s[i:]); ok {
			return named(s[:i]) + key
		}
		next := strings.IndexByte(s[i:], ' ')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return s
}

// named makes every error an Error: recordings do not know the kinds apart.
func named(prefix string) string {
	for _, kind := range []string{"TypeError: ", "RangeError: ", "SyntaxError: ", "ReferenceError: "} {
		if rest, ok := strings.CutSuffix(prefix, kind); ok {
			return rest + "Error: "
		}
	}
	return prefix
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// lossy is how a refusal of a value goes on after its path.
const lossy = " must be lossless JSON data"
