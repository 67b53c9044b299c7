// Package link finds the web addresses in what people write, tells which of
// them the library already holds, and which are still to be decided on
// (spec/selfip.md 12). It is pure and takes time linear in its input, whatever
// that holds. Addresses come out as they were written: redaction is the
// business of the caller.
package link

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/text"
)

// Bounds of an address, in UTF-16 units (spec/selfip.md 12.2).
const (
	minURL  = 8
	maxURL  = 240
	minKey  = 6
	maxScan = 2000 // bytes; a longer run without a blank is no address
)

// Link is one web address in a text.
type Link struct {
	URL        string // as written, without the punctuation after it
	Key        string // what two spellings of one address share: no scheme, no www., no closing slash, lower case
	Start, End int    // byte offsets in the text, so that the words around it can be found
}

// Host returns the host of the address without its port.
func (l Link) Host() string {
	host, _, _ := strings.Cut(l.Key, "/")
	host, _, _ = strings.Cut(host, ":")
	return host
}

// Forwards reports whether the address is one handed to a forwarder: a second
// address follows the host, as in https://proxy.example/https://a.example/x.
func (l Link) Forwards() bool {
	_, path, ok := strings.Cut(l.Key, "/")
	return ok && strings.Contains(path, "://")
}

// Candidates returns the addresses in s in reading order, each once. It leaves
// out loopback hosts, addresses of images and other files, e-mail addresses
// and names of source files.
func Candidates(s string) []Link {
	var links []Link
	seen := make(map[string]bool)
	for at := 0; at < len(s); {
		begin, end := next(s, at)
		if begin < 0 {
			break
		}
		if l, ok := accept(s, begin, end); ok && !seen[l.Key] {
			seen[l.Key] = true
			links = append(links, l)
		}
		at = max(end, begin+1)
	}
	return links
}

// accept trims what was matched and turns away what is no address to keep.
func accept(s string, begin, end int) (Link, bool) {
	url := strings.TrimRight(s[begin:end], ".,;:!?、，。；：！？）)】]*_~")
	if len(url) > 4*maxURL || text.Len(url) < minURL || text.Len(url) > maxURL {
		return Link{}, false
	}
	l := Link{URL: url, Key: key(url), Start: begin, End: begin + len(url)}
	if text.Len(l.Key) < minKey || isLoopback(l.Host()) || isFile(url) {
		return Link{}, false
	}
	return l, strings.ContainsAny(l.Host(), ".") || strings.Contains(url, "://")
}

// key is what two spellings of one address have in common. The key of a ssh
// remote is that of the page it belongs to.
func key(url string) string {
	k := strings.ToLower(url)
	if _, rest, ok := strings.Cut(k, "://"); ok {
		k = rest
	}
	host, _, _ := strings.Cut(k, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		k = k[at+1:]
		if !strings.Contains(url, "://") {
			k = strings.Replace(k, ":", "/", 1)
		}
	}
	k = strings.TrimRight(strings.TrimPrefix(k, "www."), "/")
	return strings.TrimSuffix(k, ".git")
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "0.0.0.0" || host == "[" || strings.HasPrefix(host, "127.") ||
		strings.HasSuffix(host, ".localhost")
}

// fileSuffixes end the addresses of files that nobody would look up again.
var fileSuffixes = [...]string{
	".js", ".mjs", ".css", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".map", ".woff", ".woff2",
	".ttf", ".mp4", ".wav", ".zip", ".gz", ".exe", ".dll", ".md", ".lspect",
}

func isFile(url string) bool {
	url = strings.ToLower(url)
	for _, suffix := range fileSuffixes {
		if strings.HasSuffix(url, suffix) {
			return true
		}
	}
	return false
}

// Credentials reports whether the address carries what should not be stored
// with it: a user's name with a password, or a key or signature as a parameter.
func (l Link) Credentials() bool {
	low := strings.ToLower(l.URL)
	scheme, rest, ok := strings.Cut(low, "://")
	if host, _, _ := strings.Cut(rest, "/"); ok && strings.Contains(host, "@") && scheme != "ssh" && scheme != "git" {
		return true
	}
	_, query, ok := strings.Cut(low, "?")
	if !ok {
		return false
	}
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' || r == '#' }) {
		if name, value, _ := strings.Cut(part, "="); value != "" && isSecretName(name) {
			return true
		}
	}
	return false
}

// isSecretName reports whether a parameter of that name holds a secret.
func isSecretName(name string) bool {
	switch name {
	case "key", "apikey", "api_key", "api-key", "sig", "code", "auth", "pwd", "pass", "sessionid", "session_id":
		return true
	}
	for _, part := range [...]string{"token", "secret", "password", "signature", "credential"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
