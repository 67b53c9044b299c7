package webui

import (
	"html"
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// HTML is a document that is being written. Whatever text or value it is given
// is escaped; names of elements and attributes are ours, and a wrong one panics.
// html/template would do the same and more, and keeps nearly 4 MB of other code in the
// program by what it asks of the linker.
type HTML struct{ b strings.Builder }

// String returns what was written.
func (h *HTML) String() string { return h.b.String() }

// In writes an element around what body writes. Attributes are names and values
// in turn.
func (h *HTML) In(tag string, attributes []string, body func()) {
	h.start(tag, attributes)
	body()
	h.b.WriteString("</" + tag + ">\n")
}

// Leaf writes an element that holds text alone.
func (h *HTML) Leaf(tag, s string, attributes ...string) {
	h.start(tag, attributes)
	h.b.WriteString(Escape(s))
	h.b.WriteString("</" + tag + ">\n")
}

// Void writes an element that holds nothing, such as input.
func (h *HTML) Void(tag string, attributes ...string) {
	h.start(tag, attributes)
	h.b.WriteByte('\n')
}

// Text writes text.
func (h *HTML) Text(s string) { h.b.WriteString(Escape(s)) }

// Style writes a style sheet of ours into the document.
func (h *HTML) Style(css []byte) {
	if strings.Contains(string(css), "</") {
		panic("webui: a style sheet that ends itself")
	}
	h.b.WriteString("<style>" + string(css) + "</style>\n")
}

// Doctype begins a document.
func (h *HTML) Doctype() { h.b.WriteString("<!doctype html>\n") }

func (h *HTML) start(tag string, attributes []string) {
	h.b.WriteString("<" + name(tag))
	for i := 0; i+1 < len(attributes); i += 2 {
		h.b.WriteString(" " + name(attributes[i]) + `="` + Escape(attributes[i+1]) + `"`)
	}
	h.b.WriteByte('>')
}

// name returns s, which must be a name that cannot carry a script.
func name(s string) string {
	ok := s != "" && s != "style" && !strings.HasPrefix(s, "on")
	for _, r := range s {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	}
	if !ok {
		panic("webui: no name of ours: " + s)
	}
	return s
}

// Escape returns s as text of a document or value of an attribute. Control
// characters and those that turn the direction of what follows are dropped.
func Escape(s string) string {
	return html.EscapeString(text.Printable(s))
}
