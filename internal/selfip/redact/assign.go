package redact

import "strings"

// assignment looks at a separator that stands from i to after: a name of a
// secret before it, a value behind it.
func (sc *scanner) assignment(i, after int) int {
	st, begin := sc.nameBefore(i)
	if st == noSecret || begin < sc.lastEnd() {
		return 0
	}
	s := sc.s
	switch s[i] {
	case '>':
		if !sc.opensTag(begin) && s[i-1] != '-' {
			return 0
		}
	case '|':
		st = min(st, maybe)
	case '=', ':':
		for after < len(s) && (s[after] == '=' || s[after] == '>' || s[after] == '~') {
			after++
		}
	}
	v, ok := sc.valueAt(after)
	if !ok {
		return 0
	}
	if s[i] == '>' && s[i-1] != '-' && !strings.HasPrefix(s[v.end:], "</") {
		return 0
	}
	if st == header {
		return sc.headerValue(v)
	}
	return sc.judgeValue(v, st, "assignment")
}

// lastEnd returns where the last span ends. A name before it is used up.
func (sc *scanner) lastEnd() int {
	if n := len(sc.spans); n > 0 {
		return sc.spans[n-1].end
	}
	return 0
}

// opensTag reports whether the name at begin is that of an XML element.
func (sc *scanner) opensTag(begin int) bool { return begin > 0 && sc.s[begin-1] == '<' }

// judgeValue records v when its standing and its looks make it a secret. What
// has a known prefix takes its label from there.
func (sc *scanner) judgeValue(v value, st standing, rule string) int {
	s := sc.s
	if strings.HasPrefix(s[v.start:], blockLabel) {
		return sc.keyBlock(v.start)
	}
	known, label := sc.known(v.start)
	if known == 0 && !accepts(s, v, st) {
		return 0
	}
	if !v.quoted {
		v.end = unquotedEnd(s, v.start, len(s))
	}
	if known > 0 {
		return sc.take(v.start, max(known, v.end), label, label)
	}
	return sc.take(v.start, v.end, rule, "")
}

func accepts(s string, v value, st standing) bool {
	text := s[v.start:min(v.end, v.start+judged)]
	switch {
	case st == maybe:
		return len(text) >= minLong && isRandom(text)
	case v.quoted && !v.nextLine:
		return isQuotedSecret(text)
	case v.nextLine:
		return isSpoken(text)
	}
	long := minLong
	if st == chinese {
		long = minWord
	}
	return isAssigned(text, long, v.tight, endsClause(s, v.end))
}

// endsClause reports whether nothing that belongs to the same clause follows at
// i.
func endsClause(s string, i int) bool {
	rest := strings.TrimLeft(s[i:min(len(s), i+8)], " \t")
	return rest == "" || !letter.has(rest[0])
}

// headerValue takes the credential of an authorization header: what follows the
// scheme, or all of it when no scheme is named.
func (sc *scanner) headerValue(v value) int {
	s := sc.s
	if v.quoted {
		scheme, rest, ok := strings.Cut(s[v.start:v.end], " ")
		if !ok || !isScheme(scheme) {
			return sc.judgeValue(v, secret, "header")
		}
		v.start += len(scheme) + len(rest) - len(strings.TrimLeft(rest, " ")) + 1
		return sc.judgeValue(v, secret, "header")
	}
	if !isScheme(s[v.start:v.end]) {
		return sc.judgeValue(v, secret, "header")
	}
	next, ok := sc.valueAt(v.end)
	if !ok || next.nextLine {
		return 0
	}
	next.tight = true
	return sc.judgeValue(next, secret, "header")
}

func isScheme(s string) bool {
	switch strings.ToLower(s) {
	case "bearer", "basic", "token", "digest", "apikey", "api-key", "negotiate", "ntlm", "hmac", "key", "jwt", "splunk", "genericapikey":
		return true
	}
	return false
}

// flag looks for a command's flag at i, such as --password VALUE. The form with
// an equals sign is an assignment.
func (sc *scanner) flag(i int) int {
	s := sc.s
	n := (word | dash).run(s[i+2:], maxName)
	end := i + 2 + n
	if s[i+2:end] == "user" || s[i+2:end] == "proxy-user" {
		return sc.pair(i, end)
	}
	if n < 4 || end >= len(s) || s[end] != ' ' || judge(s[i+2:end], "") != secret {
		return 0
	}
	v, ok := sc.valueAt(end)
	if !ok || v.nextLine || !v.quoted && !isSpoken(s[v.start:v.end]) {
		return 0
	}
	return sc.judgeValue(v, secret, "assignment")
}

// shortFlags are the flags of one letter behind which a program takes a
// password, in the same word or in the next.
var shortFlags = [...]struct {
	program, flag string
	next          bool
}{
	{"sshpass", "-p", true},
	{"redis-cli", "-a", true},
	{"docker login", "-p", true},
	{"podman login", "-p", true},
	{"mysql", "-p", false},
	{"mysqldump", "-p", false},
	{"mysqladmin", "-p", false},
	{"mariadb", "-p", false},
	{"7z", "-p", false},
}

// shortFlag looks for a password behind a flag of one letter, or behind the name
// of a user, at i.
func (sc *scanner) shortFlag(i int) int {
	s := sc.s
	if i == 0 || s[i-1] != ' ' || i+2 >= len(s) {
		return 0
	}
	if s[i+1] == 'u' {
		return sc.pair(i, i+2)
	}
	if s[i+1] != 'p' && s[i+1] != 'a' {
		return 0
	}
	for _, f := range shortFlags {
		if s[i:i+2] != f.flag || !f.next && s[i+2] == ' ' || !sc.follows(i, f.program) {
			continue
		}
		v, ok := sc.valueAt(i + 2)
		if !ok || v.nextLine || v.end-v.start < minTiny || isNoValue(s[v.start:v.end]) {
			return 0
		}
		return sc.take(v.start, v.end, "assignment", "")
	}
	return 0
}

// follows reports whether the command in which i stands calls the program.
func (sc *scanner) follows(i int, program string) bool {
	before := sc.s[max(0, i-200):i]
	before = before[strings.LastIndexAny(before, "\n|;&")+1:]
	at := strings.LastIndex(before, program+" ")
	return at == 0 || at > 0 && !(token|dot).has(before[at-1])
}

// pair looks for the NAME:PASSWORD behind the flag of curl that stands from i to
// end.
func (sc *scanner) pair(i, end int) int {
	s := sc.s
	if i == 0 || s[i-1] != ' ' || !strings.Contains(s[max(0, i-200):i], "curl") {
		return 0
	}
	if end < len(s) && s[end] == '=' {
		end++
	}
	v, ok := sc.valueAt(end)
	if !ok || v.nextLine {
		return 0
	}
	colon := strings.IndexByte(s[v.start:v.end], ':')
	if colon < 1 {
		return 0
	}
	v.start += colon + 1
	if v.end-v.start < minTiny || isNoValue(s[v.start:v.end]) {
		return 0
	}
	return sc.take(v.start, v.end, "header", "")
}
