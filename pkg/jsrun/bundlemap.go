package jsrun

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
)

// sourceMap is what is read and written of a source map.
type sourceMap struct {
	Version  int      `json:"version"`
	Sources  []string `json:"sources"`
	Mappings string   `json:"mappings"`
	Names    []string `json:"names"`
}

// settleMap turns esbuild's map into one for the wrapped text, with absolute
// names. It also notes which input each source belongs to, where the two are
// not the same: the input came with a map of its own, and names in stacks are
// then those that its author wrote.
func (r *record) settleMap(text, code []byte, meta metafile) ([]byte, error) {
	var m sourceMap
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	for i, source := range m.Sources {
		if path := filepath.FromSlash(source); !filepath.IsAbs(path) {
			m.Sources[i] = filepath.ToSlash(filepath.Join(filepath.Dir(r.Entry), path))
		}
	}
	m.Mappings = ";" + m.Mappings // the line of the wrapper
	m.Names = []string{}
	r.Owners = ownersOf(m, code, meta)
	for i, source := range m.Sources {
		r.Sources = append(r.Sources, filepath.FromSlash(source))
		m.Sources[i] = escaped(source)
	}
	return json.Marshal(m)
}

// escaped writes a path as it stands in a URL: the engine reads and writes the
// names of sources as URLs, and unescaped undoes that in what it tells.
func escaped(path string) string { return (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() }

func unescaped(name string) string {
	if path, err := url.PathUnescape(name); err == nil {
		return filepath.FromSlash(path)
	}
	return name
}

// ownersOf goes through the lines of the code: esbuild writes the name of an
// input above its part.
func ownersOf(m sourceMap, code []byte, meta metafile) map[string]string {
	owners := map[string]string{}
	source := 0
	current := ""
	lines := bytes.Split(code, []byte("\n"))
	for i, group := range strings.Split(m.Mappings, ";") {
		if i < len(lines) {
			if name, ok := bytes.CutPrefix(lines[i], []byte("// ")); ok {
				if _, known := meta.Inputs[string(name)]; known {
					current = string(name)
				}
			}
		}
		for segment := range strings.SplitSeq(group, ",") {
			fields := decodeVLQ(segment)
			if len(fields) < 4 {
				continue
			}
			source += fields[1]
			if source < 0 || source >= len(m.Sources) || current == "" {
				continue
			}
			if name := m.Sources[source]; name != filepath.ToSlash(current) && owners[filepath.FromSlash(name)] == "" {
				owners[filepath.FromSlash(name)] = current
			}
		}
	}
	return owners
}

// lineUp moves all sources of a map up by one line: each segment says how far it is
// from the one before, so the first one is enough.
func lineUp(text string) string {
	var m sourceMap
	if json.Unmarshal([]byte(text), &m) != nil {
		return text
	}
	at := len(m.Mappings) - len(strings.TrimLeft(m.Mappings, ";,"))
	first, _, _ := strings.Cut(m.Mappings[at:], ";")
	first, _, _ = strings.Cut(first, ",")
	fields := decodeVLQ(first)
	if len(fields) < 4 {
		return text
	}
	fields[2]--
	m.Mappings = m.Mappings[:at] + encodeVLQ(fields) + m.Mappings[at+len(first):]
	out, err := json.Marshal(m)
	if err != nil {
		return text
	}
	return string(out)
}

// encodeVLQ writes the numbers of one segment.
func encodeVLQ(fields []int) string {
	var out []byte
	for _, n := range fields {
		rest := n << 1
		if n < 0 {
			rest = -n<<1 | 1
		}
		for rest >= 32 {
			out = append(out, vlqDigits[rest&31|32])
			rest >>= 5
		}
		out = append(out, vlqDigits[rest])
	}
	return string(out)
}

const vlqDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decodeVLQ reads the numbers of one segment of a source map.
func decodeVLQ(segment string) []int {
	var fields []int
	value, shift := 0, 0
	for _, r := range segment {
		digit := strings.IndexRune(vlqDigits, r)
		if digit < 0 {
			return nil
		}
		value |= digit & 31 << shift
		shift += 5
		if digit&32 != 0 {
			continue
		}
		if value&1 != 0 {
			value = -(value >> 1)
		} else {
			value >>= 1
		}
		fields = append(fields, value)
		value, shift = 0, 0
	}
	return fields
}
