package node

import "strings"

// The percent-encode sets of the URL standard: whether a byte is encoded.

func controlSet(c byte) bool { return c < 0x20 || c > 0x7E }

func among(c byte, chars string) bool { return strings.IndexByte(chars, c) >= 0 }

func fragmentSet(c byte) bool { return controlSet(c) || among(c, " \"<>`") }

func querySet(c byte) bool { return controlSet(c) || among(c, " \"#<>") }

func specialQuerySet(c byte) bool { return querySet(c) || c == '\'' }

func pathSet(c byte) bool { return querySet(c) || among(c, "?^`{}") }

func userSet(c byte) bool { return pathSet(c) || among(c, "/:;=@[\\]|") }

func formSet(c byte) bool {
	return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || among(c, "*-._"))
}

// filePathSet is for the path of a file: what would end or change it.
func filePathSet(c byte) bool { return pathSet(c) || among(c, "%\\") }

func percentEncode(s string, set func(byte) bool, plus bool) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case plus && c == ' ':
			b.WriteByte('+')
		case set(c):
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func percentDecode(s string) []byte {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if pair := decodeHex(s[i+1 : i+3]); len(pair) == 1 {
				b = append(b, pair[0])
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return b
}
