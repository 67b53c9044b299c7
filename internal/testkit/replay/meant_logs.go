package replay

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// sameLog says whether a line is what was recorded: recordings have the objects of
// a line as JSON, ours has them as Node writes them.
func sameLog(was, got string) bool { return sameFrom(was, got, true) }

// sameFrom compares from where an argument may begin, or goes on.
func sameFrom(was, got string, begins bool) bool {
	if was == "" && got == "" {
		return true
	}
	if begins {
		if v, rest, ok := recordedValue(was); ok {
			if more, ok := written(got).is(v, true); ok && (rest == "" || rest[0] == ' ') && sameFrom(rest, string(more), false) {
				return true
			}
		}
		for _, lost := range lostValues() {
			w, g := lost.was.FindString(was), lost.got.FindString(got)
			if w != "" && g != "" && sameFrom(was[len(w):], got[len(g):], false) {
				return true
			}
		}
	}
	return was != "" && got != "" && was[0] == got[0] && sameFrom(was[1:], got[1:], was[0] == ' ')
}

// recordedValue is the JSON value that a text begins with.
func recordedValue(s string) (v any, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(s))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil && err != io.EOF || len(raw) == 0 {
		return nil, "", false
	}
	v, err := jsonvalue.Parse(raw)
	return v, s[d.InputOffset():], err == nil
}

// pair is something that a recording has lost all of but its kind.
type pair struct{ was, got *regexp.Regexp }

var lostValues = sync.OnceValue(func() (list []pair) {
	for _, row := range [][2]string{
		{`^\[function\]`, `^\[(Function|class)[^\]]*\]`},
		{`^\[object Object\]`, `^(?s:\{.*\[Circular \*1\].*\})`}, // what JSON refuses
		{`^\d+`, `^\d+n`},
		{`^null`, `^(NaN|-?Infinity)`},
		{`^0`, `^-0`},
		{`^undefined`, `^Symbol\([^)]*\)`},
		{`^Error: `, `^[A-Z]\w*Error: `},
		{`^"[\dT:.-]+Z"`, `^[\dT:.-]+Z`},
	} {
		list = append(list, pair{regexp.MustCompile(row[0]), regexp.MustCompile(row[1])})
	}
	return list
})

// written is a text that begins with a value as Node writes it.
type written string

// is reads the value that was recorded as v, and gives what follows it.
func (w written) is(v any, top bool) (rest written, ok bool) {
	w = w.space()
	if rest, ok := w.skip(`^\[(Object|Array|[A-Z]\w*)\]`); ok && !top { // too deep to be written
		return rest, isContainer(v)
	}
	switch v := v.(type) {
	case nil:
		return w.skip(`^(null|undefined|NaN|-?Infinity|\[(Function|class)[^\]]*\]|Symbol\([^)]*\))`)
	case string:
		return w.isText(v, top)
	case []any:
		return w.isArray(v)
	case *jsonvalue.Object:
		return w.isObject(v)
	case float64:
		if v == 0 {
			return w.skip(`^-?0`)
		}
	}
	text := jsonvalue.Format(v)
	return w.word(text)
}

func isContainer(v any) bool {
	_, isArray := v.([]any)
	_, isMap := v.(*jsonvalue.Object)
	return isArray || isMap
}

func (w written) space() written { return written(strings.TrimLeft(string(w), " \n")) }

func (w written) word(s string) (written, bool) {
	rest, ok := strings.CutPrefix(string(w), s)
	return written(rest), ok
}

func (w written) skip(pattern string) (written, bool) {
	found := regexp.MustCompile(pattern).FindString(string(w))
	return w[len(found):], found != ""
}

// isText reads a text in quotes; a date has none.
func (w written) isText(s string, top bool) (written, bool) {
	if rest, ok := w.skip(`^\d{4}-\d\d-\d\dT[\d:.]+Z`); ok {
		return rest, string(w[:len(w)-len(rest)]) == s
	}
	if top {
		return w, false
	}
	rest, ok := w.skip("^(?s:'(\\\\.|[^'\\\\])*'|\"(\\\\.|[^\"\\\\])*\"|`(\\\\.|[^`\\\\])*`)")
	if !ok {
		return w, false
	}
	body := string(w[1 : len(w)-len(rest)-1])
	body = strings.ReplaceAll(strings.ReplaceAll(body, `\'`, `'`), `"`, `\"`)
	v, err := jsonvalue.Parse([]byte(`"` + body + `"`))
	return rest, err == nil && jsonvalue.Equal(v, s)
}

func (w written) isArray(list []any) (written, bool) {
	w, ok := w.skip(`^\[`)
	for i := 0; ok && i < len(list); i++ {
		if w, ok = w.is(list[i], false); ok && i < len(list)-1 {
			w, ok = w.space().word(",")
		}
	}
	if !ok {
		return w, false
	}
	return w.space().word("]")
}

// isObject reads an object. Members that JSON does not have are passed over; of a
// Map and the like a recording has nothing at all.
func (w written) isObject(o *jsonvalue.Object) (written, bool) {
	if rest, ok := w.skip(`^(?s:(Map|Set|Promise|WeakMap)(\(\d+\))? \{|/[^/]+/\w*)`); ok && o.Len() == 0 {
		return rest.closed(w[len(w)-len(rest)-1] == '{')
	}
	if rest, ok := w.skip(`^(\[[^\]]*\]|[A-Z]\w*)(\(\d+\))? `); ok { // its class
		w = rest
	}
	if rest, ok := w.skip(`^\[`); ok { // a typed array
		return rest.isIndexed(o)
	}
	w, ok := w.skip(`^\{`)
	for key, v := range o.All() {
		if !ok {
			break
		}
		w = w.withoutLost()
		if w, ok = w.isKey(key); ok {
			w, ok = w.is(v, false)
			w, _ = w.space().word(",")
		}
	}
	if !ok {
		return w, false
	}
	return w.withoutLost().space().word("}")
}

// closed is what follows the brace that closes an open one.
func (w written) closed(open bool) (written, bool) {
	for depth := 1; open && depth > 0; w = w[1:] {
		switch {
		case w == "":
			return w, false
		case w[0] == '{':
			depth++
		case w[0] == '}':
			depth--
		}
	}
	return w, true
}

func (w written) isIndexed(o *jsonvalue.Object) (written, bool) {
	list := []any{}
	for _, v := range o.All() {
		list = append(list, v)
	}
	return written("[" + w).isArray(list)
}

func (w written) isKey(key string) (written, bool) {
	w = w.space()
	if rest, ok := w.word(key + ":"); ok {
		return rest, true
	}
	rest, ok := w.isText(key, false)
	if !ok {
		return w, false
	}
	return rest.word(":")
}

// withoutLost passes over members that JSON leaves out.
func (w written) withoutLost() written {
	for {
		rest, ok := w.space().skip(`^(\w+|'[^']*'|\[Symbol\([^)]*\)\]): (undefined|\[(Function|class)[^\]]*\]|Symbol\([^)]*\)),?`)
		if !ok {
			return w
		}
		w = rest
	}
}
