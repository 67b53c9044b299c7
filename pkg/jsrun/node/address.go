package node

import (
	"strconv"
	"strings"
)

// address is a URL as the WHATWG standard takes it apart. Where the standard
// walks letter by letter through states, this cuts at the same separators.
type address struct {
	scheme             string
	username, password string
	host               *string // nil: none, as in mailto:x
	port               string
	opaque             bool // the path is one text: data:, mailto:
	path               string
	segments           []string
	query, fragment    *string
}

// defaultPort is that of a special scheme, and whether the scheme is one.
func defaultPort(scheme string) (port string, special bool) {
	switch scheme {
	case "http", "ws":
		return "80", true
	case "https", "wss":
		return "443", true
	case "ftp":
		return "21", true
	case "file":
		return "", true
	}
	return "", false
}

func (u *address) special() bool {
	_, special := defaultPort(u.scheme)
	return special
}

func parseAddress(input string, base *address) (*address, bool) {
	input = strings.TrimFunc(input, func(r rune) bool { return r <= ' ' })
	input = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(input)
	u := &address{}
	rest, fragment, found := strings.Cut(input, "#")
	if found {
		u.fragment = encoded(fragment, fragmentSet)
	}
	scheme, after, ok := cutScheme(rest)
	if ok {
		u.scheme = scheme
		return u, u.parseAbsolute(after, base)
	}
	if base == nil {
		return nil, false
	}
	if base.opaque {
		if rest != "" || !found {
			return nil, false
		}
		u.inherit(base)
		u.query = base.query
		return u, true
	}
	u.scheme = base.scheme
	return u, u.parseRelative(rest, base)
}

func cutScheme(s string) (scheme, rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && s[i] == ':':
			return strings.ToLower(s[:i]), s[i+1:], true
		case i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.'):
		default:
			return "", "", false
		}
	}
	return "", "", false
}

// parseAbsolute reads what follows the scheme.
func (u *address) parseAbsolute(rest string, base *address) bool {
	if u.scheme == "file" {
		if base != nil && base.scheme != "file" {
			base = nil
		}
		return u.parseFile(rest, base)
	}
	if u.special() {
		if base != nil && base.scheme == u.scheme && !strings.HasPrefix(rest, "//") {
			return u.parseRelative(rest, base)
		}
		return u.parseAuthority(strings.TrimLeft(rest, `/\`))
	}
	rest = u.cutQuery(rest)
	switch {
	case strings.HasPrefix(rest, "//"):
		return u.parseAuthorityPath(rest[2:])
	case strings.HasPrefix(rest, "/"):
		u.setPath(rest)
	default:
		u.opaque, u.path = true, percentEncode(rest, controlSet, false)
	}
	return true
}

// cutQuery takes the query off and keeps it.
func (u *address) cutQuery(rest string) string {
	before, query, found := strings.Cut(rest, "?")
	if found {
		set := querySet
		if u.special() {
			set = specialQuerySet
		}
		u.query = encoded(query, set)
	}
	return before
}

func (u *address) slash(c byte) bool { return c == '/' || c == '\\' && u.special() }

func (u *address) parseRelative(rest string, base *address) bool {
	if u.scheme == "file" {
		return u.parseFile(rest, base)
	}
	hadQuery := u.query
	before := u.cutQuery(rest)
	if len(before) > 1 && u.slash(before[0]) && u.slash(before[1]) {
		after := before[2:]
		if u.special() {
			after = strings.TrimLeft(after, `/\`)
		}
		return u.parseAuthorityPath(after)
	}
	u.inheritHost(base)
	switch {
	case before == "":
		u.inherit(base)
		if u.query == hadQuery {
			u.query = base.query
		}
	case u.slash(before[0]):
		u.setPath(before)
	default:
		u.segments = append([]string(nil), base.segments[:max(len(base.segments)-1, 0)]...)
		u.addPath(before)
	}
	return true
}

func (u *address) inheritHost(base *address) {
	u.username, u.password, u.host, u.port = base.username, base.password, base.host, base.port
}

func (u *address) inherit(base *address) {
	u.scheme = base.scheme
	u.inheritHost(base)
	u.opaque, u.path = base.opaque, base.path
	u.segments = append([]string(nil), base.segments...)
}

func (u *address) parseAuthority(rest string) bool {
	return u.parseAuthorityPath(u.cutQuery(rest))
}

// parseAuthorityPath reads user, host, port and path; the query is off.
func (u *address) parseAuthorityPath(rest string) bool {
	end := 0
	for end < len(rest) && !u.slash(rest[end]) {
		end++
	}
	authority, path := rest[:end], rest[end:]
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, password, _ := strings.Cut(authority[:at], ":")
		u.username, u.password = percentEncode(user, userSet, false), percentEncode(password, userSet, false)
		if authority = authority[at+1:]; authority == "" {
			return false
		}
	}
	if !u.setHostPort(authority) {
		return false
	}
	u.setPath(path)
	return true
}

func (u *address) setHostPort(s string) bool {
	host, port := s, ""
	if colon := strings.LastIndexByte(s, ':'); colon >= 0 && colon > strings.LastIndexByte(s, ']') {
		host, port = s[:colon], s[colon+1:]
		if host == "" {
			return false
		}
	}
	return u.setHost(host) && u.setPort(port)
}

func (u *address) setHost(s string) bool {
	if s == "" && u.special() {
		return false
	}
	host, ok := parseHost(s, u.special())
	if ok {
		u.host = &host
	}
	return ok
}

func (u *address) setPort(s string) bool {
	if s == "" {
		u.port = ""
		return true
	}
	n := 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
		if n = n*10 + int(c-'0'); n > 65535 {
			return false
		}
	}
	u.port = strconv.Itoa(n)
	if usual, _ := defaultPort(u.scheme); u.port == usual {
		u.port = ""
	}
	return true
}

// parseFile reads what follows "file:".
func (u *address) parseFile(rest string, base *address) bool {
	empty := ""
	u.host = &empty
	hadQuery := u.query
	rest = u.cutQuery(rest)
	switch {
	case len(rest) > 1 && u.slash(rest[0]) && u.slash(rest[1]):
		return u.parseFileHost(rest[2:])
	case rest != "" && u.slash(rest[0]):
		if base != nil {
			u.host = base.host
			if !startsWithDrive(rest[1:]) && len(base.segments) > 0 && isDrive(base.segments[0], true) {
				u.segments = append(u.segments, base.segments[0])
			}
		}
		u.addPath(rest[1:])
	case base == nil:
		u.addPath(rest)
	case rest == "":
		u.inherit(base)
		if u.query == hadQuery {
			u.query = base.query
		}
	default:
		u.host = base.host
		if !startsWithDrive(rest) {
			u.segments = append([]string(nil), base.segments...)
			u.shorten()
		}
		u.addPath(rest)
	}
	return true
}

func (u *address) parseFileHost(rest string) bool {
	end := 0
	for end < len(rest) && !u.slash(rest[end]) {
		end++
	}
	if isDrive(rest[:end], false) {
		u.addPath(rest)
		return true
	}
	if end > 0 {
		host, ok := parseHost(rest[:end], true)
		if !ok {
			return false
		}
		if host == "localhost" {
			host = ""
		}
		u.host = &host
	}
	u.setPath(rest[end:])
	return true
}

func isDrive(s string, normal bool) bool {
	if len(s) != 2 {
		return false
	}
	c := s[0] | 0x20
	return c >= 'a' && c <= 'z' && (s[1] == ':' || !normal && s[1] == '|')
}

func startsWithDrive(s string) bool {
	return len(s) >= 2 && isDrive(s[:2], false) && (len(s) == 2 || strings.IndexByte(`/\?#`, s[2]) >= 0)
}

// setPath replaces the path by a text that begins with a slash or is empty.
func (u *address) setPath(s string) {
	u.segments = nil
	if s == "" {
		if u.special() {
			u.segments = []string{""}
		}
		return
	}
	if u.slash(s[0]) {
		s = s[1:]
	}
	u.addPath(s)
}

// addPath adds the segments of a text; dots are resolved on the way.
func (u *address) addPath(s string) {
	for {
		end := 0
		for end < len(s) && !u.slash(s[end]) {
			end++
		}
		u.addSegment(s[:end], end == len(s))
		if end == len(s) {
			return
		}
		s = s[end+1:]
	}
}

func (u *address) addSegment(s string, final bool) {
	switch strings.ReplaceAll(strings.ToLower(s), "%2e", ".") {
	case "..":
		u.shorten()
		if final {
			u.segments = append(u.segments, "")
		}
		return
	case ".":
		if final {
			u.segments = append(u.segments, "")
		}
		return
	}
	if u.scheme == "file" && len(u.segments) == 0 && isDrive(s, false) {
		s = s[:1] + ":"
	}
	u.segments = append(u.segments, percentEncode(s, pathSet, false))
}

func (u *address) shorten() {
	n := len(u.segments)
	if n == 0 || u.scheme == "file" && n == 1 && isDrive(u.segments[0], true) {
		return
	}
	u.segments = u.segments[:n-1]
}

func (u *address) pathname() string {
	if u.opaque {
		return u.path
	}
	if len(u.segments) == 0 {
		return ""
	}
	return "/" + strings.Join(u.segments, "/")
}

func encoded(s string, set func(byte) bool) *string {
	e := percentEncode(s, set, false)
	return &e
}
