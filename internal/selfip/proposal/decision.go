package proposal

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Decision is what is known of one proposal. Fields that are not ours are kept.
type Decision struct {
	ID     string
	fields []field
	raw    json.RawMessage // instead of fields, when the value is no object
}

type field struct {
	key   string
	value json.RawMessage
}

// Decisions are the decisions of one library, in file order.
type Decisions []Decision

// Get returns the decision on a proposal, and whether there is an entry for it.
func (d Decisions) Get(id string) (Decision, bool) {
	for _, one := range d {
		if one.ID == id {
			return one, true
		}
	}
	return Decision{}, false
}

// Field returns a text field of the decision (summary, at, decidedAt, note), or
// "".
func (d Decision) Field(key string) string {
	for _, f := range d.fields {
		if f.key == key {
			var s string
			_ = json.Unmarshal(f.value, &s) // no text: ""
			return s
		}
	}
	return ""
}

// Status returns the status, Waiting when there is none.
func (d Decision) Status() string {
	if s := d.Field("status"); s != "" {
		return s
	}
	return Waiting
}

// With returns a copy of the decision in which a text field has a value, in its
// old place or at the end.
func (d Decision) With(key, value string) Decision {
	d.raw = nil
	d.fields = slices.Clone(d.fields)
	encoded := encode(value)
	for i := range d.fields {
		if d.fields[i].key == key {
			d.fields[i].value = encoded
			return d
		}
	}
	d.fields = append(d.fields, field{key, encoded})
	return d
}

// With returns the decisions with one of them replaced, or added at the end.
func (d Decisions) With(one Decision) Decisions {
	next := slices.Clone(d)
	for i := range next {
		if next[i].ID == one.ID {
			next[i] = one
			return next
		}
	}
	return append(next, one)
}

// ParseDecisions reads proposals/status.json. No bytes are no decisions. Text
// that is not one JSON object is a fault of the kind Damaged that names the
// line; the file must then not be written.
func ParseDecisions(data []byte) (Decisions, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	fields, err := parseObject(data)
	if err != nil {
		return nil, damaged(data, err)
	}
	var d Decisions
	for _, f := range fields {
		one := Decision{ID: f.key}
		if one.fields, err = parseObject(f.value); err != nil {
			one.raw = f.value
		}
		d = d.With(one)
	}
	return d, nil
}

func damaged(data []byte, err error) error {
	offset := len(data)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = min(int(syntax.Offset), len(data))
	}
	return fault.New(fault.Damaged, codeBadDecisions, 1+bytes.Count(data[:offset], []byte("\n"))).Because(err)
}

var errNoObject = errors.New("not a JSON object")

// parseObject reads one JSON object with its keys in file order. Numbers and
// unknown values stay as they are written.
func parseObject(data []byte) ([]field, error) {
	if !json.Valid(data) {
		var any json.RawMessage
		return nil, json.Unmarshal(data, &any)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errNoObject
	}
	var fields []field
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		f := field{key: key.(string)} // a key of valid JSON is a string
		if err := dec.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// Format writes proposals/status.json: two blanks of indent, a final newline.
func (d Decisions) Format() []byte {
	var flat strings.Builder
	flat.WriteByte('{')
	for i, one := range d {
		if i > 0 {
			flat.WriteByte(',')
		}
		flat.Write(encode(one.ID))
		flat.WriteByte(':')
		one.write(&flat)
	}
	flat.WriteByte('}')
	var out bytes.Buffer
	_ = json.Indent(&out, []byte(flat.String()), "", "  ") // valid: it was encoded or parsed here
	out.WriteByte('\n')
	return out.Bytes()
}

func (d Decision) write(b *strings.Builder) {
	if d.raw != nil {
		b.Write(d.raw)
		return
	}
	b.WriteByte('{')
	for i, f := range d.fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(f.key))
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
}

// encode writes s as the originals do: without escapes for <, > and &.
func encode(s string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
