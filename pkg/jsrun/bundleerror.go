package jsrun

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// explain turns esbuild's messages into one error. The first decides its kind.
func (m *Modules) explain(messages []api.Message) error {
	first := messages[0]
	if specifier, ok := unresolved(first.Text); ok && first.Location != nil {
		base := filepath.Dir(first.Location.File)
		_, err := m.find.resolve(base, specifier, asImport)
		if e, ok := err.(*Error); ok {
			e.Message += "\n  " + where(first.Location)
			return e
		}
	}
	var lines []string
	for _, message := range messages {
		lines = append(lines, tell(message))
	}
	return &Error{Name: "SyntaxError", Message: strings.Join(lines, "\n")}
}

// unresolved takes the specifier out of esbuild's message for what it cannot find.
func unresolved(text string) (string, bool) {
	rest, ok := strings.CutPrefix(text, `Could not resolve "`)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, `"`)
}

func tell(message api.Message) string {
	text := message.Text
	if strings.HasPrefix(text, "Top-level await is currently not supported") {
		text = "Top-level await is not possible here: put it into an async function and export its promise"
	}
	for _, note := range message.Notes {
		if note.Location == nil {
			text += " (" + note.Text + ")"
		}
	}
	if message.Location == nil {
		return text
	}
	return where(message.Location) + ": " + text + "\n    " + message.Location.LineText
}

func where(l *api.Location) string {
	return fmt.Sprintf("%s:%d:%d", l.File, l.Line, l.Column+1)
}
