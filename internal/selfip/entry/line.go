package entry

import "strings"

// ParseLine reads one line of a partition file. The second result is false for
// a line that is no entry: a heading, prose, a blank line, a rule such as "---"
// or a bullet without text.
//
// A bullet without stamp and kind is an entry whose whole body is the text. Only
// the last group of the line is metadata, an earlier one is text
// (spec/selfip.md 3.1).
func ParseLine(line string) (Entry, bool) {
	line = trimLine(line)
	if !strings.HasPrefix(line, "-") || strings.Trim(line, "- \t") == "" {
		return Entry{}, false
	}
	body, meta := splitGroup(line[1:])
	e := Entry{Meta: meta}
	var ok bool
	if e.Stamp, e.Kind, e.Text, ok = splitHead(body); !ok {
		e.Text = trimLine(body)
	}
	return e, e.Text != ""
}

// trimLine takes blanks and byte order marks off both ends, as the originals'
// trim does.
func trimLine(s string) string {
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "\ufeff") || strings.HasSuffix(s, "\ufeff") {
		s = strings.TrimSpace(strings.Trim(s, "\ufeff"))
	}
	return s
}

// splitGroup takes the metadata group off the end of body. Braces without a
// colon between them are text.
func splitGroup(body string) (rest string, meta []Pair) {
	trimmed := trimLine(body)
	if !strings.HasSuffix(trimmed, "}") {
		return body, nil
	}
	open := strings.LastIndexByte(trimmed, '{')
	if open < 0 {
		return body, nil
	}
	inside := trimmed[open+1 : len(trimmed)-1]
	if strings.ContainsRune(inside, '}') || !strings.ContainsRune(inside, ':') {
		return body, nil
	}
	return trimmed[:open], parseGroup(inside)
}

// parseGroup reads "key:value,key:value". A part without a colon or without a
// key is dropped; a repeated key keeps its place and takes its last value.
func parseGroup(inside string) []Pair {
	meta := make([]Pair, 0, 6)
	for part := range strings.SplitSeq(inside, ",") {
		key, value, ok := strings.Cut(part, ":")
		if key = strings.TrimSpace(key); ok && key != "" {
			meta = put(meta, Pair{key, strings.TrimSpace(value)})
		}
	}
	return meta
}

// put sets a key in place, or adds it at the end.
func put(meta []Pair, p Pair) []Pair {
	for i := range meta {
		if meta[i].Key == p.Key {
			meta[i].Value = p.Value
			return meta
		}
	}
	return append(meta, p)
}

// splitHead reads "[STAMP] (KIND) TEXT". The stamp may be empty: that is how the
// originals rewrite a bullet that had none, and it must not gather a second head
// with each rewrite (W10, W17).
func splitHead(body string) (stamp string, kind Kind, rest string, ok bool) {
	body = strings.TrimLeft(body, " \t")
	if !strings.HasPrefix(body, "[") {
		return "", "", "", false
	}
	stamp, body, ok = strings.Cut(body[1:], "]")
	if !ok {
		return "", "", "", false
	}
	body = strings.TrimLeft(body, " \t")
	if !strings.HasPrefix(body, "(") {
		return "", "", "", false
	}
	name, body, ok := strings.Cut(body[1:], ")")
	if !ok || !isLowerWord(name) {
		return "", "", "", false
	}
	return stamp, Kind(name), trimLine(body), true
}

func isLowerWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return s != ""
}

// emptyGroup ends a line whose text ends in something that reads like a group,
// so that the text is not taken for metadata.
const emptyGroup = " {:}"

// String writes the entry as one line without a line end. Empty values are left
// out; an entry without a head gets an empty stamp and the kind fact, as the
// originals write it.
func (e Entry) String() string {
	var b strings.Builder
	b.Grow(len(e.Text) + 160)
	kind := e.Kind
	if kind == "" {
		kind = Fact
	}
	// One entry is one line, whatever its text was told to be (W9).
	b.WriteString("- [" + e.Stamp + "] (" + string(kind) + ") " + oneLine(e.Text))
	sep := " {"
	for _, p := range e.Meta {
		if p.Value == "" {
			continue
		}
		b.WriteString(sep + p.Key + ":" + p.Value)
		sep = ","
	}
	if sep == "," {
		b.WriteByte('}')
	} else if _, meta := splitGroup(e.Text); meta != nil {
		b.WriteString(emptyGroup)
	}
	return b.String()
}
