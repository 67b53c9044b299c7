package node

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func parseHost(s string, special bool) (string, bool) {
	if strings.HasPrefix(s, "[") {
		if !strings.HasSuffix(s, "]") {
			return "", false
		}
		return parseIPv6(s[1 : len(s)-1])
	}
	if !special {
		if strings.ContainsFunc(s, forbiddenInHost) {
			return "", false
		}
		return percentEncode(s, controlSet, false), true
	}
	if s == "" {
		return "", true
	}
	domain, ok := domainToASCII(decodeUTF8(percentDecode(s)))
	if !ok || domain == "" || strings.ContainsFunc(domain, forbiddenInDomain) {
		return "", false
	}
	if endsInNumber(domain) {
		return parseIPv4(domain)
	}
	return domain, true
}

func forbiddenInHost(r rune) bool {
	return r == 0 || strings.ContainsRune("\t\n\r #/:<>?@[\\]^|", r)
}

func forbiddenInDomain(r rune) bool {
	return forbiddenInHost(r) || r < 0x20 || r == '%' || r == 0x7F
}

func parseIPv6(s string) (string, bool) {
	a, err := netip.ParseAddr(s)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return "", false
	}
	b := a.As16()
	var words [8]int
	for i := range words {
		words[i] = int(b[2*i])<<8 | int(b[2*i+1])
	}
	start, length := longestZeros(words)
	var out strings.Builder
	for i := 0; i < 8; i++ {
		if i == start && length > 1 {
			out.WriteString("::")
			i += length - 1
			continue
		}
		if i > 0 && !strings.HasSuffix(out.String(), ":") {
			out.WriteString(":")
		}
		fmt.Fprintf(&out, "%x", words[i])
	}
	return "[" + out.String() + "]", true
}

func longestZeros(words [8]int) (start, length int) {
	for i := 0; i < 8; i++ {
		n := 0
		for i+n < 8 && words[i+n] == 0 {
			n++
		}
		if n > length {
			start, length = i, n
		}
	}
	return start, length
}

func endsInNumber(domain string) bool {
	parts := strings.Split(strings.TrimSuffix(domain, "."), ".")
	last := parts[len(parts)-1]
	if last != "" && leading(last, isDigit) == len(last) {
		return true
	}
	_, ok := ipv4Number(last)
	return ok
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func ipv4Number(s string) (uint64, bool) {
	if s == "" {
		return 0, false
	}
	base := 10
	switch {
	case len(s) > 1 && (s[:2] == "0x" || s[:2] == "0X"):
		s, base = s[2:], 16
	case len(s) > 1 && s[0] == '0':
		s, base = s[1:], 8
	}
	if s == "" {
		return 0, true
	}
	if strings.ContainsAny(s, "+-_") {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil && !strings.Contains(err.Error(), "range") {
		return 0, false
	}
	return n, true
}

func parseIPv4(domain string) (string, bool) {
	parts := strings.Split(strings.TrimSuffix(domain, "."), ".")
	if len(parts) > 4 {
		return "", false
	}
	var address uint64
	for i, part := range parts {
		n, ok := ipv4Number(part)
		final := i == len(parts)-1
		limit := uint64(255)
		if final {
			limit = 1<<(8*(5-len(parts))) - 1
		}
		if !ok || n > limit {
			return "", false
		}
		if final {
			address += n
		} else {
			address += n << (8 * (3 - i))
		}
	}
	return fmt.Sprintf("%d.%d.%d.%d", address>>24, address>>16&255, address>>8&255, address&255), true
}

// domainToASCII brings a name to the form of the DNS. It folds case and width as
// UTS 46 does for the letters in use and leaves its rarer mappings out.
func domainToASCII(s string) (string, bool) {
	ascii := strings.ToLower(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) && !strings.Contains(ascii, "xn--") {
		return ascii, true
	}
	folded := strings.Map(func(r rune) rune {
		switch r {
		case '\u00AD', '\u200B', '\u2060', '\uFEFF':
			return -1
		case '。', '．', '｡':
			return '.'
		}
		return r
	}, s)
	folded = norm.NFKC.String(foldKeepingSharpS(norm.NFKC.String(folded)))
	labels := strings.Split(folded, ".")
	for i, label := range labels {
		if strings.ContainsFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) {
			if strings.ContainsFunc(label, unusable) {
				return "", false
			}
			labels[i] = "xn--" + punycode([]rune(label))
		} else if strings.HasPrefix(label, "xn--") {
			if _, ok := unpunycode(label[4:]); !ok {
				return "", false
			}
		}
	}
	return strings.Join(labels, "."), true
}

func foldKeepingSharpS(s string) string {
	parts := strings.Split(s, "ß")
	for i, p := range parts {
		parts[i] = cases.Fold().String(p)
	}
	return strings.Join(parts, "ß")
}

func unusable(r rune) bool {
	return r == utf8.RuneError || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Co, r)
}

func domainToUnicode(s string) string {
	ascii, ok := domainToASCII(s)
	if !ok {
		return ""
	}
	labels := strings.Split(ascii, ".")
	for i, label := range labels {
		if strings.HasPrefix(label, "xn--") {
			if plain, ok := unpunycode(label[4:]); ok {
				labels[i] = plain
			}
		}
	}
	return strings.Join(labels, ".")
}
