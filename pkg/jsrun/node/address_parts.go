package node

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// parts are the members that a script sees of a URL.
func (u *address) parts() *jsonvalue.Object {
	hostname, search, hash := "", "", ""
	if u.host != nil {
		hostname = *u.host
	}
	if u.query != nil && *u.query != "" {
		search = "?" + *u.query
	}
	if u.fragment != nil && *u.fragment != "" {
		hash = "#" + *u.fragment
	}
	host := hostname
	if u.port != "" {
		host += ":" + u.port
	}
	origin := "null"
	switch u.scheme {
	case "http", "https", "ws", "wss", "ftp":
		origin = u.scheme + "://" + host
	}
	return jsonvalue.Of("href", u.String(), "origin", origin, "protocol", u.scheme+":",
		"username", u.username, "password", u.password, "host", host, "hostname", hostname,
		"port", u.port, "pathname", u.pathname(), "search", search, "hash", hash)
}

// String gives the address in its one normal form.
func (u *address) String() string {
	var b strings.Builder
	b.WriteString(u.scheme + ":")
	if u.host != nil {
		b.WriteString("//")
		if u.username != "" || u.password != "" {
			b.WriteString(u.username)
			if u.password != "" {
				b.WriteString(":" + u.password)
			}
			b.WriteString("@")
		}
		b.WriteString(*u.host)
		if u.port != "" {
			b.WriteString(":" + u.port)
		}
	} else if !u.opaque && len(u.segments) > 1 && u.segments[0] == "" {
		b.WriteString("/.") // else the path would read as a host
	}
	b.WriteString(u.pathname())
	if u.query != nil {
		b.WriteString("?" + *u.query)
	}
	if u.fragment != nil {
		b.WriteString("#" + *u.fragment)
	}
	return b.String()
}

// set sets one part, of those that a script can set: a case for each. False
// leaves the address as it was.
func (u *address) set(part, value string) bool {
	value = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(value)
	named := u.host != nil && *u.host != "" && u.scheme != "file"
	switch part {
	case "protocol":
		return u.setScheme(value)
	case "username":
		if named {
			u.username = percentEncode(value, userSet, false)
		}
		return named
	case "password":
		if named {
			u.password = percentEncode(value, userSet, false)
		}
		return named
	case "host":
		return !u.opaque && u.replaceHost(value, true)
	case "hostname":
		return !u.opaque && u.replaceHost(value, false)
	case "port":
		digits := value[:leading(value, isDigit)]
		return named && (value == "" || digits != "") && u.setPort(digits)
	case "pathname":
		if u.opaque {
			return false
		}
		if value == "" || !u.slash(value[0]) {
			value = "/" + value
		}
		u.setPath(value)
		return true
	case "search":
		u.query = nil
		if value != "" {
			u.setQuery(strings.TrimPrefix(value, "?"))
		}
		return true
	case "hash":
		u.fragment = nil
		if value != "" {
			u.fragment = encoded(strings.TrimPrefix(value, "#"), fragmentSet)
		}
		return true
	}
	return false
}

func (u *address) setQuery(value string) {
	set := querySet
	if u.special() {
		set = specialQuerySet
	}
	u.query = encoded(value, set)
}

func (u *address) setScheme(value string) bool {
	scheme, _, ok := cutScheme(strings.TrimSuffix(value, ":") + ":")
	if !ok {
		return false
	}
	_, special := defaultPort(scheme)
	if special != u.special() || scheme == "file" && (u.username != "" || u.password != "" || u.port != "") {
		return false
	}
	if u.scheme == "file" && (u.host == nil || *u.host == "") {
		return false
	}
	u.scheme = scheme
	if usual, _ := defaultPort(scheme); u.port == usual {
		u.port = ""
	}
	return true
}

func (u *address) replaceHost(value string, withPort bool) bool {
	end := leading(value, func(c byte) bool { return !u.slash(c) && c != '?' && c != '#' })
	value = value[:end]
	host, port := value, ""
	if colon := strings.LastIndexByte(value, ':'); colon >= 0 && colon > strings.LastIndexByte(value, ']') {
		if !withPort {
			return false
		}
		host, port = value[:colon], value[colon+1:]
	}
	if host == "" && (u.special() && u.scheme != "file" || u.username != "" || u.password != "" || u.port != "") {
		return false
	}
	parsed, ok := parseHost(host, u.special())
	if !ok {
		return false
	}
	if u.scheme == "file" && parsed == "localhost" {
		parsed = ""
	}
	u.host = &parsed
	digits := port[:leading(port, isDigit)]
	if digits != "" {
		u.setPort(digits)
	}
	return true
}

// leading counts the first bytes that fit.
func leading(s string, fits func(byte) bool) int {
	n := 0
	for n < len(s) && fits(s[n]) {
		n++
	}
	return n
}
