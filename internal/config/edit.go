package config

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Set returns the JSON object old with key set to value, and nothing else
// changed: order, spacing, unknown keys and numbers stay as written. A new key
// goes to the end, spaced like its neighbours. Empty bytes give a new object
// with two-space indent and a final newline. A byte order mark is dropped and
// CRLF becomes LF. The error is a fault of kind Damaged with line and column
// (spec/selfip.md 6.6; 29, W27).
func Set(old []byte, key string, value any) ([]byte, error) {
	text := normal(old)
	raw, err := marshal(value)
	if err != nil {
		return nil, err
	}
	name, err := marshal(key)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return join("{\n  ", name, ": ", raw, "\n}\n"), nil
	}
	obj, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	if m, ok := obj.last(key); ok {
		return join(text[:m.from], raw, text[m.to:]), nil
	}
	return obj.append(text, name, raw), nil
}

// Unset returns the JSON object old without key, as Set does. The text is only
// normalised when it has no such key.
func Unset(old []byte, key string) ([]byte, error) {
	text := normal(old)
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	for {
		obj, err := parseObject(text)
		if err != nil {
			return nil, err
		}
		i := obj.index(key)
		if i < 0 {
			return text, nil
		}
		text = obj.remove(text, i)
	}
}

// normal returns text without byte order mark and with LF for CRLF. A line end
// cannot stand inside a JSON string, so no value changes.
func normal(text []byte) []byte {
	text = bytes.TrimPrefix(text, byteOrderMark)
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

// last returns the member that counts for a reader: the last of its key.
func (o object) last(key string) (member, bool) {
	if i := o.index(key); i >= 0 {
		return o.members[i], true
	}
	return member{}, false
}

func (o object) index(key string) int {
	for i := len(o.members) - 1; i >= 0; i-- {
		if o.members[i].key == key {
			return i
		}
	}
	return -1
}

// append adds a member behind the last one, or to an empty object.
func (o object) append(text, name, raw []byte) []byte {
	if len(o.members) == 0 {
		end := text[o.close:]
		return join(text[:o.open+1], "\n  ", name, ": ", raw, "\n", end)
	}
	m := o.members[len(o.members)-1]
	return join(text[:m.to], ",", o.gap(text), name, colon(text[m.start:m.from]), raw, text[m.to:])
}

// gap returns the blanks before the last member.
func (o object) gap(text []byte) string {
	m := o.members[len(o.members)-1]
	from := m.start
	for from > 0 && strings.IndexByte(" \t\r\n", text[from-1]) >= 0 {
		from--
	}
	gap := string(text[from:m.start])
	if gap == "" && len(o.members) == 1 && bytes.Contains(text[m.start:m.from], []byte(": ")) {
		return " " // {"a": 1} wants {"a": 1, "b": 2}
	}
	return gap
}

// colon returns the colon with blanks as the given member has it.
func colon(keyToValue []byte) string {
	i := bytes.LastIndexByte(keyToValue, ':')
	if i < 0 {
		return ": "
	}
	return string(keyToValue[i:])
}

// remove takes out member i with one of the commas beside it.
func (o object) remove(text []byte, i int) []byte {
	switch {
	case i > 0:
		return join(text[:o.members[i-1].to], text[o.members[i].to:])
	case len(o.members) > 1:
		return join(text[:o.members[0].start], text[o.members[1].start:])
	}
	return join(text[:o.open+1], text[o.close:])
}
