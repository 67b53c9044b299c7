package node

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/dshkit/dshkit/pkg/jsrun"
)

var bytesGroup = map[string]function{
	"encode": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.encode(raw(args, 0), text(args, 1))
	},
	"decode": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		b, err := decode(arg(args, 0), text(args, 1))
		if err != nil {
			return nil, err
		}
		return in.bytes(b)
	},
	"size": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(len(text(args, 0))), nil
	},
	"index": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(index(raw(args, 0), raw(args, 1), int(number(args, 2)), truth(args, 3))), nil
	},
	"compare": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(bytes.Compare(raw(args, 0), raw(args, 1))), nil
	},
	"pending": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(pending(raw(args, 0))), nil
	},
	"valid": func(in *instance, args []jsrun.Value) (jsrun.Value, error) {
		return in.value(utf8.Valid(raw(args, 0))), nil
	},
}

// encode gives bytes as a string in one of Node's encodings.
func (in *instance) encode(b []byte, encoding string) (jsrun.Value, error) {
	switch encoding {
	case "utf8":
		return in.value(decodeUTF8(b)), nil
	case "hex":
		return in.value(hex.EncodeToString(b)), nil
	case "base64":
		return in.value(base64.StdEncoding.EncodeToString(b)), nil
	case "base64url":
		return in.value(base64.RawURLEncoding.EncodeToString(b)), nil
	case "latin1", "ascii":
		mask := byte(0xFF)
		if encoding == "ascii" {
			mask = 0x7F
		}
		units := make([]uint16, len(b))
		for i, c := range b {
			units[i] = uint16(c & mask)
		}
		return goja.StringFromUTF16(units), nil
	case "utf16le":
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		}
		return goja.StringFromUTF16(units), nil
	}
	return nil, fmt.Errorf("unknown encoding %q", encoding)
}

// decode gives the bytes that a string stands for in one of Node's encodings.
func decode(v jsrun.Value, encoding string) ([]byte, error) {
	switch encoding {
	case "utf8":
		return []byte(v.String()), nil
	case "hex":
		return decodeHex(v.String()), nil
	case "base64", "base64url":
		return decodeBase64(v.String()), nil
	case "latin1", "ascii":
		units := utf16Of(v)
		b := make([]byte, len(units))
		for i, u := range units {
			b[i] = byte(u)
		}
		return b, nil
	case "utf16le":
		units := utf16Of(v)
		b := make([]byte, 0, 2*len(units))
		for _, u := range units {
			b = append(b, byte(u), byte(u>>8))
		}
		return b, nil
	}
	return nil, fmt.Errorf("unknown encoding %q", encoding)
}

func utf16Of(v jsrun.Value) []uint16 {
	s, ok := v.ToString().(goja.String)
	if !ok {
		return nil
	}
	units := make([]uint16, s.Length())
	for i := range units {
		units[i] = s.CharAt(i)
	}
	return units
}

// decodeHex stops at the first pair that is none, as Node does.
func decodeHex(s string) []byte {
	b := make([]byte, 0, len(s)/2)
	for ; len(s) >= 2; s = s[2:] {
		pair, err := hex.DecodeString(s[:2])
		if err != nil {
			break
		}
		b = append(b, pair...)
	}
	return b
}

// decodeBase64 takes both alphabets, skips what is in neither and ends at "=".
func decodeBase64(s string) []byte {
	s, _, _ = strings.Cut(s, "=")
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '+', r == '/':
			return r
		}
		return -1
	}, s)
	if len(clean)%4 == 1 { // six bits make no byte
		clean = clean[:len(clean)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(clean)
	if err != nil {
		return nil
	}
	return b
}

// index finds needle from offset on, or, backwards, at the last place that
// begins no later than offset. The caller has clamped the offset.
func index(hay, needle []byte, offset int, backwards bool) int {
	if backwards {
		end := min(offset+len(needle), len(hay))
		return bytes.LastIndex(hay[:end], needle)
	}
	if offset > len(hay) {
		return -1
	}
	if i := bytes.Index(hay[offset:], needle); i >= 0 {
		return offset + i
	}
	return -1
}

// decodeUTF8 replaces what is not UTF-8 as the web does: one U+FFFD for each
// longest beginning of a character. Go's own functions count differently.
func decodeUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		if r, size := utf8.DecodeRune(b); r != utf8.RuneError || size > 1 {
			out.Write(b[:size])
			b = b[size:]
			continue
		}
		n, _ := beginning(b)
		out.WriteRune(utf8.RuneError)
		b = b[max(n, 1):]
	}
	return out.String()
}

// beginning counts how many of the first bytes can begin one character, and how
// many that character has. It is (0, 0) when none can.
func beginning(b []byte) (have, want int) {
	low, high := byte(0x80), byte(0xBF)
	switch lead := b[0]; {
	case lead < 0x80:
		return 1, 1
	case lead >= 0xC2 && lead <= 0xDF:
		want = 2
	case lead >= 0xE0 && lead <= 0xEF:
		want = 3
		switch lead {
		case 0xE0:
			low = 0xA0
		case 0xED:
			high = 0x9F
		}
	case lead >= 0xF0 && lead <= 0xF4:
		want = 4
		switch lead {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
	default:
		return 0, 0
	}
	for have = 1; have < want && have < len(b) && b[have] >= low && b[have] <= high; have++ {
		low, high = 0x80, 0xBF
	}
	return have, want
}

// pending counts the bytes at the end that begin a character and lack its rest.
func pending(b []byte) int {
	for n := min(3, len(b)); n > 0; n-- {
		if have, want := beginning(b[len(b)-n:]); have == n && want > n {
			return n
		}
	}
	return 0
}
