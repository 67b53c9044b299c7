package redact

import "strings"

// standing is what a name says about the value that is assigned to it.
type standing int

const (
	noSecret standing = iota
	maybe             // a key of some sort: only a value that looks random is taken
	secret            // a password, a token, an API key
	chinese           // a secret by its Chinese name, which takes shorter values
	header            // an authorization header: a scheme, then the credential
)

// Bounds of the look back from a separator to its name.
const (
	maxName = 64
	maxSkip = 8
)

// nameBefore judges the name that ends before the separator at i, and returns
// where it begins.
func (sc *scanner) nameBefore(i int) (st standing, begin int) {
	s := sc.s
	end := i
	for end > 0 && i-end < maxSkip && strings.IndexByte(" \t\"'`*\\])?+:!-", s[end-1]) >= 0 {
		end--
	}
	if end == 0 {
		return noSecret, 0
	}
	if s[end-1] >= 0x80 {
		return chineseBefore(s[:end]), end
	}
	begin = end
	for begin > 0 && end-begin < maxName && (token | dot).has(s[begin-1]) {
		begin--
	}
	if begin == end {
		return noSecret, end
	}
	return judge(s[begin:end], previousWord(s, begin)), begin
}

// previousWord returns the word that one blank divides from the one at i.
func previousWord(s string, i int) string {
	if i < 2 || s[i-1] != ' ' {
		return ""
	}
	k := i - 1
	for k > 0 && i-k < 24 && token.has(s[k-1]) {
		k--
	}
	return s[k : i-1]
}

// chineseWords name credentials in Chinese.
var chineseWords = [...]string{
	"密钥", "密码", "口令", "凭据", "凭证", "令牌", "秘钥", "私钥", "授权码",
	"密鑰", "密碼", "憑據", "憑證", "權杖", "秘鑰", "私鑰", "金鑰",
}

func chineseBefore(s string) standing {
	for _, w := range chineseWords {
		if strings.HasSuffix(s, w) {
			return chinese
		}
	}
	return noSecret
}

// parts are the last words of a name such as DB_PASSWORD or clientSecret, in
// small letters, last word first.
type parts struct {
	buf  [2 * maxName]byte
	word [4][]byte
	n    int
}

// split takes a name apart at marks and at capitals. before is the word in
// front of the name, or "".
func (p *parts) split(name, before string) {
	end := len(p.buf)
	at := end
	flush := func() {
		if at < end && p.n < len(p.word) {
			p.word[p.n] = p.buf[at:end]
			p.n++
		}
		end = at
	}
	for _, text := range [...]string{name, before} {
		for i := len(text) - 1; i >= 0 && at > 0; i-- {
			c := text[i]
			if !alnum.has(c) {
				flush()
				continue
			}
			at--
			p.buf[at] = c | 0x20
			if digit.has(c) {
				p.buf[at] = c
			}
			if upper.has(c) && i > 0 && lower.has(text[i-1]) {
				flush()
			}
		}
		flush()
	}
}

// judge says what a name is. before is the word in front of it: "API" of
// "API key".
func judge(name, before string) standing {
	if !mayBeSecret(name) {
		return noSecret
	}
	var p parts
	p.split(name, before)
	i := 0
	for i < p.n-1 && isStage(p.word[i]) {
		i++
	}
	if i == p.n {
		return noSecret
	}
	last := strings.TrimRight(string(p.word[i]), "0123456789")
	prev := ""
	if i+1 < p.n {
		prev = string(p.word[i+1])
	}
	return standingOf(last, prev, before == "" && (prev != "" || upper.has(name[0])))
}

// mayBeSecret reports whether name holds one of the syllables that every name
// of a credential holds. It costs little and says no to nearly every name.
func mayBeSecret(name string) bool {
	if n := len(name); n > 1 && name[n-1]|0x20 == 'w' && name[n-2]|0x20 == 'p' {
		return true
	}
	for i := 0; i+2 < len(name); i++ {
		switch [3]byte{name[i] | 0x20, name[i+1] | 0x20, name[i+2] | 0x20} {
		case [3]byte{'p', 'a', 's'}, [3]byte{'p', 'w', 'd'}, [3]byte{'s', 'e', 'c'}, [3]byte{'t', 'o', 'k'},
			[3]byte{'k', 'e', 'y'}, [3]byte{'a', 'u', 't'}, [3]byte{'c', 'r', 'e'}, [3]byte{'s', 'i', 'd'},
			[3]byte{'s', 'e', 's'}, [3]byte{'c', 'o', 'o'}, [3]byte{'p', 'a', 't'}, [3]byte{'s', 'i', 'g'}:
			return true
		}
	}
	return false
}

// isStage reports whether a word behind the name only says which of several
// credentials it is.
func isStage(w []byte) bool {
	switch string(w) {
	case "prod", "production", "staging", "stage", "dev", "development", "test", "testing", "qa", "live",
		"old", "new", "backup", "main", "primary", "secondary", "base", "b64", "value", "str", "string",
		"0", "1", "2", "3", "4", "5", "v1", "v2":
		return true
	}
	return false
}

// standingOf judges a name by its last word and the one before. variable says
// that the name is written as one: DB_PASS, not "tests pass".
func standingOf(last, prev string, variable bool) standing {
	switch last {
	case "password", "passwd", "passphrase", "passcode", "passwort", "pwd", "pw", "apikey", "secret", "authkey":
		return secret
	case "token":
		return tokenStanding(prev)
	case "key":
		return keyStanding(prev)
	case "pass":
		if variable || isAccount(prev) {
			return secret
		}
		return maybe
	case "id":
		if prev == "secret" {
			return maybe
		}
		return noSecret
	case "authorization":
		return header
	case "credential", "credentials", "creds", "auth", "pat", "sig", "signature", "cookie",
		"sessionid", "jsessionid", "phpsessid", "sid":
		return maybe
	}
	for _, suffix := range [...]string{"password", "passwd", "passphrase", "apikey", "secret", "secretkey", "accesskey", "privatekey", "token"} {
		if strings.HasSuffix(last, suffix) {
			return secret
		}
	}
	if last == "sshpass" || last == "mypass" || last == "userpass" {
		return secret
	}
	return noSecret
}

// tokenStanding judges "X token": most are credentials, those of parsers, pages
// and language models are not.
func tokenStanding(prev string) standing {
	switch prev {
	case "page", "pagination", "pad", "eos", "bos", "unk", "mask", "sep", "cls", "special", "stop", "next",
		"start", "end", "lexer", "first", "last", "current", "continuation", "cursor", "per", "cancellation", "sync":
		return noSecret
	}
	return secret
}

// keyStanding judges "X key": those that open something are credentials, those
// that name something are not, and of the rest only what looks random.
func keyStanding(prev string) standing {
	switch prev {
	case "api", "secret", "access", "private", "auth", "signing", "encryption", "master", "account", "license",
		"subscription", "webhook", "jwt", "hmac", "app", "service", "deploy", "client", "storage", "decryption", "cipher":
		return secret
	case "public", "primary", "foreign", "cache", "sort", "partition", "idempotency", "hot", "shortcut", "map",
		"index", "routing", "row", "column", "group", "order", "unique", "composite", "lookup", "dedup",
		"translation", "message", "object", "range", "hash", "host", "registry", "config", "dict", "json":
		return noSecret
	}
	return maybe
}
