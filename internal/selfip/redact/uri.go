package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// maxUserinfo bounds the look ahead for the @ behind a scheme.
const maxUserinfo = 1024

// userinfo looks for a password between the scheme that ends at i and the host.
// The user and the host stay.
func (sc *scanner) userinfo(i int) int {
	s := sc.s
	if i == 0 || !alnum.has(s[i-1]) {
		return 0
	}
	begin := i + len("://")
	auth := s[begin : begin+authorityLength(s[begin:])]
	at := lastAt(auth, strings.HasSuffix(s[:i], "http") || strings.HasSuffix(s[:i], "https"))
	if at < 0 || strings.Contains(auth[:at], markOpen) {
		return 0
	}
	colon := strings.IndexByte(auth[:at], ':')
	password := auth[colon+1 : at]
	switch {
	case colon >= 0 && (password == "" || isNoPassword(password)):
		return 0
	case colon < 0 && (at < 20 || !isRandom(password)): // a token in place of the user
		return 0
	case colon >= 0 && isExample(auth[:colon], password, auth[at+1:]):
		return 0
	}
	from := begin + colon + 1
	if end, label := sc.known(from); end == begin+at {
		return sc.take(from, end, label, label)
	}
	return sc.take(from, begin+at, "uri", "")
}

// isNoPassword reports whether a password of a URI only stands for one. Unlike
// elsewhere a path or a word is a password here.
func isNoPassword(v string) bool {
	return isFiller(v) || v[0] < utf8.RuneSelf && isPlaceholder(v) || v[0] == '$' && isReference(v) || v[0] == '%' && len(v) == 2
}

// authorityLength returns the length of what may be user, password and host at
// the start of s. A password may hold marks that a strict URI escapes.
func authorityLength(s string) int {
	n := 0
	for n < len(s) && n < maxUserinfo {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case r <= ' ' || r == '"' || r == '`' || r == 0x7F:
			return n
		case r == '<' && strings.IndexByte(s[n:min(len(s), n+40)], '>') < 0:
			return n
		case r >= utf8.RuneSelf && endsValue(s, 0, n) && !text.IsCJK(r):
			return n
		}
		n += size
	}
	return min(n, len(s))
}

// lastAt returns the place of the @ that ends the userinfo, -1 if there is none:
// the last one before the path, or a later one when what stands between cannot
// be a port and a path. The path of a database holds no @, that of a page may.
func lastAt(auth string, page bool) int {
	slash := strings.IndexAny(auth, "/?#")
	if slash < 0 {
		slash = len(auth)
	}
	at := strings.LastIndexByte(auth[:slash], '@')
	if last := strings.LastIndexByte(auth, '@'); at < 0 || !page {
		at = last
	}
	colon := strings.IndexByte(auth[:slash], ':')
	if at < 0 || at > slash && (colon < 0 || digit.run(auth[colon+1:slash], 6) == slash-colon-1) {
		return -1
	}
	return hostAfter(auth, at)
}

// hostAfter returns at when a host may follow it, else -1.
func hostAfter(auth string, at int) int {
	if at+1 >= len(auth) || !alnum.has(auth[at+1]) && strings.IndexByte("[<$*{%", auth[at+1]) < 0 {
		return -1
	}
	return at
}
