package install

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/dshkit/dshkit/internal/harness/jsontext"
)

// style is how a file is laid out, so that what we add looks like the rest.
type style struct {
	newline string // "\n" or "\r\n"
	unit    string // one step of indentation
	inline  bool   // all on one line
}

// styleOf reads the style off the first members of a document.
func styleOf(data []byte, root *jsontext.Node) style {
	s := style{newline: "\n", unit: "  "}
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		s.newline = "\r\n"
	}
	if len(root.Members) == 0 {
		return s
	}
	gap := string(data[root.Begin+1 : root.Members[0].Begin])
	end := strings.LastIndexByte(gap, '\n')
	if s.inline = end < 0; s.inline {
		return s
	}
	if unit := gap[end+1:]; leading([]byte(unit)) > 0 {
		s.unit = unit[:leading([]byte(unit))]
	}
	return s
}

// lineIndent returns the blanks that the line of offset begins with.
func lineIndent(data []byte, offset int) string {
	line := data[bytes.LastIndexByte(data[:offset], '\n')+1 : offset]
	return string(line[:leading(line)])
}

// leading returns how many blanks and tabs b begins with.
func leading(b []byte) int { return len(b) - len(bytes.TrimLeft(b, " \t")) }

// part is something to add to a container: a member with a key, or an element.
type part struct {
	key   string // "" for an element
	value any    // encodes to an object or array
}

// render writes p for a place whose lines begin with indent; inline on one line.
func (s style) render(p part, indent string, inline bool) string {
	var text bytes.Buffer
	raw := encode(p.value)
	switch {
	case inline:
		text.Write(raw)
	default:
		if err := json.Indent(&text, raw, indent, s.unit); err != nil {
			panic(err) // raw is what encode wrote
		}
	}
	rendered := strings.ReplaceAll(text.String(), "\n", s.newline)
	switch {
	case p.key == "":
		return rendered
	case s.inline:
		return string(encode(p.key)) + ":" + rendered
	}
	return string(encode(p.key)) + ": " + rendered
}

// encode is json.Marshal without escapes for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // the values are structs, maps of slices and texts of ours
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// decoded reads a JSON string, "" when it is none.
func decoded(text []byte) string {
	var s string
	_ = json.Unmarshal(text, &s)
	return s
}

// insert adds parts at the end of a container, laid out as what is there.
func (f *hooksFile) insert(container *jsontext.Node, parts ...part) []edit {
	spans := spansOf(container)
	if len(spans) == 0 {
		return []edit{f.fill(container, parts)}
	}
	last := spans[len(spans)-1]
	before := container.Begin + 1
	if len(spans) > 1 {
		before = spans[len(spans)-2].end
	}
	gap := f.data[before:last.begin]
	end := bytes.LastIndexByte(gap, '\n')
	inline, indent, separator := end < 0, "", f.inlineComma()
	if !inline {
		indent = string(gap[end+1 : end+1+leading(gap[end+1:])])
		separator = "," + f.style.newline + indent
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(separator + f.style.render(p, indent, inline))
	}
	tail := bytes.TrimRight(f.data[last.end:container.End-1], " \t\r\n")
	if len(tail) == 0 {
		return []edit{{last.end, last.end, text.String()}}
	}
	// Comments follow the last one: they stay with it, and ours begins a line.
	ours := f.style.newline + indent + strings.TrimLeft(text.String()[1:], " \t\r\n")
	at := last.end + len(tail)
	return []edit{{last.end, last.end, ","}, {at, at, ours}}
}

func (f *hooksFile) inlineComma() string {
	if f.style.inline {
		return ","
	}
	return ", "
}

// fill puts parts into an empty container, in place of the blanks in it.
func (f *hooksFile) fill(container *jsontext.Node, parts []part) edit {
	outer := lineIndent(f.data, container.Begin)
	indent := outer + f.style.unit
	between, open, closing := ","+f.style.newline+indent, f.style.newline+indent, f.style.newline+outer
	inside := bytes.TrimRight(f.data[container.Begin+1:container.End-1], " \t\r\n") // nothing, or comments
	inline := f.style.inline && len(inside) == 0
	if inline {
		between, open, closing = ",", "", ""
	}
	var text strings.Builder
	for i, p := range parts {
		if i > 0 {
			text.WriteString(between)
		}
		text.WriteString(f.style.render(p, indent, inline))
	}
	return edit{container.Begin + 1 + len(inside), container.End - 1, open + text.String() + closing}
}

// span is the place of a member or an element.
type span struct{ begin, end int }

func spansOf(container *jsontext.Node) []span {
	var spans []span
	for i := range container.Members {
		spans = append(spans, span{container.Members[i].Begin, container.Members[i].Value.End})
	}
	for i := range container.Items {
		spans = append(spans, span{container.Items[i].Begin, container.Items[i].End})
	}
	return spans
}

// remove takes members or elements out of a container with the commas and
// blanks that belonged to them; gone says which. Comments around them stay.
func (f *hooksFile) remove(container *jsontext.Node, gone func(i int) bool) []edit {
	spans := spansOf(container)
	if f.commented(container) {
		return f.removeBetween(container, spans, gone)
	}
	kept := false
	for i := range spans {
		kept = kept || !gone(i)
	}
	if !kept {
		return []edit{{container.Begin + 1, container.End - 1, ""}}
	}
	var edits []edit
	before := false // something before i is kept
	for i, s := range spans {
		switch {
		case !gone(i):
			before = true
		case before:
			edits = append(edits, edit{spans[i-1].end, s.end, ""})
		default:
			edits = append(edits, edit{s.begin, spans[i+1].begin, ""})
		}
	}
	return edits
}
