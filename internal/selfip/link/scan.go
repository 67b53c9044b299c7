package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// next returns the bounds of the first address at or after at, untrimmed, or
// -1. Every byte is looked at a bounded number of times: a run of host
// characters is either an address as a whole or none.
func next(s string, at int) (begin, end int) {
	for i := at; i < len(s); {
		if !isHostByte(s[i]) {
			i++
			continue
		}
		stop := i
		for stop < len(s) && isHostByte(s[stop]) {
			stop++
		}
		if n := schemeLen(s[i:stop]); n > 0 && strings.HasPrefix(s[stop:], "://") {
			return stop - n, urlEnd(s, stop+len("://"))
		}
		if end := bareEnd(s, i, stop); end > 0 {
			return i, end
		}
		if end := remoteEnd(s, stop); end > 0 {
			return i, end
		}
		i = stop
	}
	return -1, -1
}

func isHostByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.'
}

// schemeLen returns the length of the scheme that run ends in, or 0.
func schemeLen(run string) int {
	for _, scheme := range [...]string{"https", "http", "ssh"} {
		if n := len(scheme); len(run) >= n && strings.EqualFold(run[len(run)-n:], scheme) {
			return n
		}
	}
	return 0
}

// urlEnd returns where the address whose host or path goes on at i ends.
func urlEnd(s string, i int) int {
	for i < len(s) {
		if isHostByte(s[i]) || s[i] == '/' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) || strings.ContainsRune("<>\"'`）)】]，。；！？、「」《》“”（【|\\", r) {
			break
		}
		if strings.ContainsRune(",;:!", r) && wordAfter(s[i+n:]) {
			break
		}
		i += n
	}
	return i
}

// wordAfter reports whether s goes on with a word of a language that is written
// without blanks: the punctuation before it ends the address.
func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return text.IsCJK(r)
}

// bareEnd returns the end of an address without a scheme whose host is
// s[begin:stop], or 0 when that is no host.
func bareEnd(s string, begin, stop int) int {
	host := strings.TrimRight(s[begin:stop], ".")
	if len(host) > maxScan || strings.HasPrefix(host, ".") || !isHost(host) || isProduct(host) {
		return 0
	}
	if before := lastByte(s[:begin]); before == '@' || before == '_' || before == '/' {
		return 0
	}
	end := begin + len(host)
	if end < len(s) && s[end] == '_' || end == stop && strings.HasPrefix(s[end:], "@") {
		return 0
	}
	if end == stop && strings.HasPrefix(s[end:], "/") {
		return urlEnd(s, end)
	}
	return end
}

func lastByte(s string) byte {
	if s == "" {
		return 0
	}
	return s[len(s)-1]
}

// remoteEnd returns the end of a ssh remote (git@host:owner/name.git) whose
// user's name ends at i, or 0.
func remoteEnd(s string, i int) int {
	if !strings.HasPrefix(s[i:], "@") {
		return 0
	}
	stop := i + 1
	for stop < len(s) && isHostByte(s[stop]) {
		stop++
	}
	if host := s[i+1 : stop]; len(host) > maxScan || !strings.Contains(host, ".") || !strings.HasPrefix(s[stop:], ":") {
		return 0
	}
	// The bound keeps a line of nothing but remotes from being read once for each.
	end := urlEnd(s[:min(len(s), stop+maxURL+1)], stop+1)
	if path := s[stop+1 : end]; !strings.Contains(path, "/") {
		return 0
	}
	return end
}

// topLevels are the top level domains that an address without a scheme may end
// in (spec/selfip.md 12.2).
const topLevels = " com cn net org io dev app ai top xyz me info co cc tv vip site "

// isHost reports whether run is a host: labels with a point between them, the
// last one a known top level domain that ends the word.
func isHost(run string) bool {
	at := strings.LastIndexByte(run, '.')
	if at <= 0 || strings.Contains(run, "..") {
		return false
	}
	if !strings.Contains(topLevels, " "+strings.ToLower(run[at+1:])+" ") {
		return false
	}
	return strings.EqualFold(run[:4], "www.") || !isSource(run, at)
}

// isSource reports whether a name of two parts is that of a source file:
// main.cc is C++, not a place in the Cocos Islands.
func isSource(run string, at int) bool {
	return strings.EqualFold(run[at:], ".cc") && !strings.Contains(run[:at], ".")
}

// isProduct reports whether a name that reads like a host is that of a library.
func isProduct(host string) bool {
	switch strings.ToLower(host) {
	case "socket.io", "asp.net", "vb.net", "ado.net", "system.net", "read.me", "engine.io":
		return true
	}
	return false
}
