package redact

import "strings"

// crypts begin the digests of passwords that files such as htpasswd and shadow
// hold: who has one can look for the password at leisure.
var crypts = [...]string{"$apr1$", "$1$", "$5$", "$6$", "$y$", "$7$", "$2a$", "$2b$", "$2y$", "$argon2id$", "$argon2i$", "$scrypt$", "{SHA}", "{SSHA}"}

// minCrypt is the shortest digest behind such a beginning, in bytes.
const minCrypt = 20

// crypt looks for the digest of a password at i, a dollar or a brace.
func (sc *scanner) crypt(i int) int {
	s := sc.s[i:]
	if s[0] == '{' && i > 0 && strings.IndexByte(": \t\n", sc.s[i-1]) < 0 {
		return 0 // of a template
	}
	for _, p := range crypts {
		if !strings.HasPrefix(s, p) {
			continue
		}
		n := len(p)
		for n < len(s) && n < judged && ((alnum | radix | dot | dash).has(s[n]) || s[n] == '$' || s[n] == ',') {
			n++
		}
		if body := strings.TrimRight(s[len(p):n], ".,"); len(body) >= minCrypt && !isFiller(body) {
			return sc.take(i, i+len(p)+len(body), "hash", "hash")
		}
	}
	return 0
}

// pgFields is what a line of a .pgpass file has between host and password: port,
// database, user.
const pgFields = 3

// pgpass looks for a line of a .pgpass file, host:port:database:user:password,
// whose first colon stands at i.
func (sc *scanner) pgpass(i int) int {
	s := sc.s
	begin := i
	for begin > 0 && i-begin < maxName && ((token | dot).has(s[begin-1]) || s[begin-1] == '*') {
		begin--
	}
	if begin == i || begin > 0 && strings.IndexByte(" \t\n\"'`", s[begin-1]) < 0 || !names(s[begin:i]) {
		return 0
	}
	at := i + 1
	for field := range pgFields {
		n := 0
		for at+n < len(s) && n < maxName && ((token | dot).has(s[at+n]) || s[at+n] == '*' || s[at+n] == '@') {
			n++
		}
		part := s[at : at+n]
		if field == 0 && !isPort(part) || field > 0 && !names(part) || at+n >= len(s) || s[at+n] != ':' {
			return 0
		}
		at += n + 1
	}
	end := unquotedEnd(s, at, min(len(s), at+judged))
	if end-at < minTiny || isNoValue(s[at:end]) {
		return 0
	}
	return sc.take(at, end, "assignment", "")
}

// names reports whether a field names something: it has a letter, or is the mark
// for anything.
func names(s string) bool {
	return s == "*" || strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && letter.has(byte(r)) })
}

// isPort reports whether a field is the port of a database: four or five digits.
func isPort(s string) bool {
	return s == "*" || len(s) >= 4 && len(s) <= 5 && digit.run(s, len(s)) == len(s)
}

// Bounds of a PIN.
const (
	minPIN      = 4
	maxPIN      = 8
	minSmallPIN = 5 // written "pin", which is also a verb and a part of a plug
)

// pin looks for the digits behind "PIN is", "PIN code:" and the like at i.
func (sc *scanner) pin(i int) int {
	s := sc.s[i:]
	if len(s) < 3+minPIN || !strings.EqualFold(s[:3], "pin") {
		return 0
	}
	least := minPIN
	if s[:3] != "PIN" {
		least = minSmallPIN
	}
	rest := strings.TrimPrefix(s[3:min(len(s), 3+maxSentence)], " ")
	for _, more := range [...]string{"code", "number", "码"} {
		if after, ok := strings.CutPrefix(rest, more); ok {
			rest, least = after, minPIN
			break
		}
	}
	said := strings.TrimLeft(rest, " ")
	for _, joint := range [...]string{"is now ", "is ", "was ", ":", "=", "：", "是", "为"} {
		after, ok := strings.CutPrefix(said, joint)
		if !ok {
			continue
		}
		after = strings.TrimLeft(after, " \"'`")
		n := digit.run(after, maxPIN+1)
		if n < least || n > maxPIN || n < len(after) && goesOn(after[n:]) {
			return 0
		}
		start := i + strings.Index(s, after)
		return sc.take(start, start+n, "prose", "")
	}
	return 0
}

// goesOn reports whether a number that ends before s is part of something longer.
func goesOn(s string) bool {
	return word.has(s[0]) || len(s) > 1 && strings.IndexByte(".,:/-", s[0]) >= 0 && alnum.has(s[1])
}

// isExample reports whether user and password only show where they would stand:
// documentation writes user:password@host, and a database on the own machine that
// is reached with the word password is no secret.
func isExample(user, password, host string) bool {
	user, password = strings.ToLower(user), strings.ToLower(password)
	if isOneOf(user, "user", "username", "usr", "name", "login", "id") && isOneOf(password, "password", "pass", "passwd", "pwd", "pw", "secret") {
		return true
	}
	if end := strings.IndexAny(host, ":/?#"); end >= 0 {
		host = host[:end]
	}
	local := isOneOf(host, "localhost", "127.0.0.1", "", "0.0.0.0", "host", "hostname", "example.com", "example.org")
	return local && (isOrdinary(password) || isOneOf(password, "pass", "pwd", user))
}

func isOneOf(s string, words ...string) bool {
	for _, w := range words {
		if s == w {
			return true
		}
	}
	return false
}

// isAccount reports whether a word in front of "pass" says whose it is.
func isAccount(w string) bool {
	return isOneOf(w, "db", "database", "admin", "root", "user", "login", "ssh", "smtp", "imap", "mail", "email", "ftp", "sftp",
		"mysql", "postgres", "pg", "redis", "mongo", "wifi", "vpn", "sudo", "ldap", "proxy", "router", "mariadb", "oracle")
}
