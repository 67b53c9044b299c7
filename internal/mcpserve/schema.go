package mcpserve

import (
	"bytes"
	"encoding/json"
)

// Type is what a value may be.
type Type string

// The types, in the words of JSON schema.
const (
	Object Type = "object"
	List   Type = "array"
	Text   Type = "string"
	Whole  Type = "integer"
	Number Type = "number"
	Truth  Type = "boolean"
)

// Schema is the form of a value. The zero value admits anything.
type Schema struct {
	Type   Type
	About  string   // what it is, for the model
	Words  []string // the texts that are admitted; none: any
	Low    int      // least whole number
	High   int      // greatest whole number; 0: Low and High do not bound
	Length int      // most characters of a text; 0: no bound
	Fields []Field  // of an object
	Open   bool     // an object may have other fields too
	Items  *Schema  // of a list
}

// Field is a named value of an object.
type Field struct {
	Name     string
	Required bool
	Schema
}

// MarshalJSON writes s as JSON schema, fields in the order of their declaration,
// so that a list of tools reads the same each time.
func (s Schema) MarshalJSON() ([]byte, error) {
	var o ordered
	if s.Type != "" {
		o.add("type", s.Type)
	}
	if s.About != "" {
		o.add("description", s.About)
	}
	if len(s.Words) > 0 {
		o.add("enum", s.Words)
	}
	if s.High != 0 {
		o.add("minimum", s.Low)
		o.add("maximum", s.High)
	}
	if s.Length > 0 {
		o.add("maxLength", s.Length)
	}
	if s.Type == Object {
		s.addFields(&o)
	}
	if s.Items != nil {
		o.add("items", *s.Items)
	}
	return o.bytes()
}

func (s Schema) addFields(o *ordered) {
	var fields ordered
	var required []string
	for _, f := range s.Fields {
		fields.add(f.Name, f.Schema)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	o.add("properties", &fields)
	if len(required) > 0 {
		o.add("required", required)
	}
	if !s.Open {
		o.add("additionalProperties", false)
	}
}

// ordered is an object of JSON whose keys keep their order.
type ordered struct {
	buf bytes.Buffer
	err error
}

func (o *ordered) add(key string, value any) {
	if o.buf.Len() > 0 {
		o.buf.WriteByte(',')
	}
	for i, v := range []any{key, value} {
		b, err := marshal(v)
		if err != nil && o.err == nil {
			o.err = err
		}
		o.buf.Write(b)
		if i == 0 {
			o.buf.WriteByte(':')
		}
	}
}

func (o *ordered) bytes() ([]byte, error) { return []byte("{" + o.buf.String() + "}"), o.err }

// MarshalJSON writes the object.
func (o *ordered) MarshalJSON() ([]byte, error) { return o.bytes() }

// marshal is json.Marshal that leaves the characters of HTML as they are.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
