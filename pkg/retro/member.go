package retro

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// member is one key and value of a JSON object, both as they are written.
type member struct {
	key   string // decoded
	raw   string // the key with its quotes
	value string
}

// members splits a valid JSON object at its top level. It keeps the bytes of
// every value, which is why encoding/json is not enough.
func members(object string) []member {
	list := make([]member, 0, 12)
	rest := skipBlank(object[1:])
	for rest[0] != '}' {
		end := stringEnd(rest)
		m := member{key: decodeString(rest[:end]), raw: rest[:end]}
		rest = skipBlank(skipBlank(rest[end:])[1:]) // the colon
		end = valueEnd(rest)
		m.value = strings.TrimRight(rest[:end], " \t")
		list = append(list, m)
		if rest = rest[end:]; rest[0] == ',' {
			rest = skipBlank(rest[1:])
		}
	}
	return list
}

func skipBlank(s string) string { return strings.TrimLeft(s, " \t") }

// stringEnd is the index after the closing quote of the string s begins with.
func stringEnd(s string) int {
	for n := 1; ; n++ {
		switch s[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
}

// valueEnd is the index of the comma or brace that ends the value s begins with.
func valueEnd(s string) int {
	depth := 0
	for n := 0; ; n++ {
		switch s[n] {
		case '"':
			n += stringEnd(s[n:]) - 1
		case '{', '[':
			depth++
		case ',':
			if depth == 0 {
				return n
			}
		case '}', ']':
			if depth == 0 {
				return n
			}
			depth--
		}
	}
}

// decodeString reads a JSON string; anything else gives "".
func decodeString(raw string) string {
	if raw[0] != '"' {
		return ""
	}
	plain := raw[1 : len(raw)-1]
	if strings.IndexByte(plain, '\\') < 0 && utf8.ValidString(plain) {
		return plain
	}
	var s string
	_ = json.Unmarshal([]byte(raw), &s) // raw is a valid JSON string
	return s
}

// maxSafe is the largest integer that the originals' numbers hold exactly.
const maxSafe = 1<<53 - 1

// decodeInt reads a JSON number; anything else gives 0.
func decodeInt(raw string) int64 {
	if n, err := strconv.ParseInt(raw, 10, 64); err == nil {
		return min(max(n, -maxSafe), maxSafe)
	}
	f, err := strconv.ParseFloat(raw, 64)
	if err != nil || raw[0] == '"' {
		return 0
	}
	return int64(min(max(f, -maxSafe), maxSafe))
}

// encodeString writes a JSON string without the escapes that only HTML needs.
func encodeString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// optional forms: what stands for an absent value is not written.

func encodeText(s string) string {
	if s == "" {
		return ""
	}
	return encodeString(s)
}

func encodeCount(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func encodeFlag(on bool) string {
	if on {
		return "true"
	}
	return ""
}
