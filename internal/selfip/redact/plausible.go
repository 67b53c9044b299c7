package redact

import (
	"strings"
	"unicode"
)

// The shortest values that are taken, in bytes.
const (
	minLoose  = 6  // has a digit or a mark, or stands in quotes
	minTiny   = 4  // in quotes with a digit or a mark
	minWord   = 12 // letters only, at the end of its clause
	minLong   = 16 // anything, as in the originals
	maxPhrase = 15 // the longest part that can be a word
)

// traits counts the kinds of byte in a value.
type traits struct {
	size, letters, digits, marks int
	kinds                        charset
}

// secretMarks are the marks that people put into passwords and not into words.
const secretMarks = "@#$%^&*!~=+?|\\"

func traitsOf(v string) (t traits) {
	t.size = len(v)
	for i := 0; i < len(v); i++ {
		k := kindOf(v[i])
		t.kinds |= k
		switch {
		case k&letter != 0:
			t.letters++
		case k&digit != 0:
			t.digits++
		case strings.IndexByte(secretMarks, v[i]) >= 0:
			t.marks++
		}
	}
	return t
}

// isAssigned reports whether v, written behind the name of a secret and a
// separator, is a value and not the start of a sentence. Anything of the length
// long is one. ends says that nothing but a line end or punctuation follows.
func isAssigned(v string, long int, tight, ends bool) bool {
	if isNoValue(v) || isQuantity(v) || isEmail(v) {
		return false
	}
	t := traitsOf(v)
	switch {
	case t.size < minLoose:
		return false
	case t.size >= long:
		return true
	case t.letters == t.size:
		return t.size >= minWord && ends || isRandom(v) || tight && ends && !isOrdinary(v)
	case t.letters == 0:
		return t.digits >= minLoose
	case t.marks > 0:
		return true
	}
	return t.digits > 0 && !isWordy(v) || tight && t.size >= minLoose && !isWordy(v)
}

// isQuotedSecret reports whether v, in quotes behind the name of a secret, is a
// value.
func isQuotedSecret(v string) bool {
	if isNoValue(v) || isOrdinary(v) {
		return false
	}
	t := traitsOf(v)
	if t.letters == 0 && t.marks == 0 {
		return t.digits >= minLoose
	}
	return t.size >= minLoose || t.size >= minTiny && t.digits+t.marks > 0
}

// isSpoken reports whether v, in a sentence about a secret, is one: it cannot
// be read as words.
func isSpoken(v string) bool {
	t := traitsOf(v)
	if t.size < minLoose || t.size < minLong && t.letters == t.size && t.kinds != letter { // most words
		return false
	}
	if isNoValue(v) || isQuantity(v) || isEmail(v) || isWordy(v) {
		return false
	}
	switch {
	case t.letters == t.size:
		return t.size >= minLong || isRandom(v)
	case t.letters == 0:
		return false
	}
	return t.digits > 0 || t.marks > 0 && t.letters >= 3
}

// isRandom reports whether v is nothing that could be meant as words, a number,
// a path or a hexadecimal digest.
func isRandom(v string) bool {
	if len(v) < minRepeat || isNoValue(v) || isWordy(v) || isQuantity(v) || isEmail(v) || strings.ContainsAny(v, " \t\n") {
		return false
	}
	t := traitsOf(v)
	if t.kinds&letter != letter && strings.Trim(v, "0123456789abcdefABCDEF-:") == "" {
		return false
	}
	if t.letters == t.size {
		return t.kinds&letter == letter && changes(v)*3 > len(v)
	}
	return t.letters > 0 && t.digits+t.marks > 0
}

// changes counts how often a capital follows a small letter or the reverse.
func changes(v string) int {
	n := 0
	for i := 1; i < len(v); i++ {
		if kindOf(v[i]) != kindOf(v[i-1]) {
			n++
		}
	}
	return n
}

// isNoValue reports whether v stands for a value, points at one or describes
// one: a placeholder, a variable, a call, an address, a path.
func isNoValue(v string) bool {
	return v == "" || isFiller(v) || isPlaceholder(v) || isReference(v) || isLocation(v)
}

func isPlaceholder(v string) bool {
	last := v[len(v)-1]
	switch {
	case v[0] == '<' && strings.IndexByte(v, '>') > 0, strings.HasPrefix(v, markOpen):
		return true
	case v[0] == '[' && last == ']', v[0] == '(' && last == ')', v[0] == '{' || v[0] == '(':
		return true
	case v[0] >= 0x80:
		return true
	}
	low := strings.ToLower(v)
	for _, p := range [...]string{"your-", "your_", "my-secret-here", "example-", "insert-", "insert_", "replace-", "replace_", "enter-"} {
		if strings.HasPrefix(low, p) && isWordy(low) {
			return true
		}
	}
	return (strings.HasSuffix(low, "-here") || strings.HasSuffix(low, "_here")) && isWordy(low)
}

// isReference reports whether v is a variable or an expression of a program or
// a template.
func isReference(v string) bool {
	if strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "{{") || strings.HasPrefix(v, "#{") {
		return true
	}
	if v[0] == '$' || v[0] == '&' || v[0] == '%' {
		name := strings.TrimRight(v[1:], "%;")
		return name != "" && isIdentifier(strings.TrimPrefix(name, "env:")) && (strings.ToUpper(name) == name || strings.ToLower(name) == name)
	}
	n := 0
	for n < len(v) && (letter | under | dot).has(v[n]) {
		n++
	}
	switch {
	case n == 0:
		return false
	case n < len(v): // a call or a subscript
		return (v[n] == '(' || v[n] == '[') && n > 2 && isIdentifier(v[:n])
	case strings.Contains(v, ".") && strings.Trim(v, ".") == v:
		return true
	}
	return strings.Contains(v, "_") && strings.ToUpper(v) == v
}

// isIdentifier reports whether v is letters with single marks between them.
func isIdentifier(v string) bool {
	for i := 0; i < len(v); i++ {
		if !(letter | under | dot).has(v[i]) {
			return false
		}
	}
	return v != ""
}

// isLocation reports whether v is an address or a path. A path begins with a
// slash and a folder of small letters.
func isLocation(v string) bool {
	if i := strings.Index(v, "://"); i > 0 && letter.run(v[:i], i) == i {
		return true
	}
	for _, p := range [...]string{"./", "../", "~/", "op://", "arn:", "vault:", "file:", "env:", "ssm:"} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if v[0] != '/' || len(v) < 3 {
		return false
	}
	n := lower.run(v[1:], 16)
	return n >= 2 && n < 13 && (n+1 == len(v) || v[n+1] == '/')
}

// isQuantity reports whether v is a number, a date, a version, a time, or a
// number with a unit.
func isQuantity(v string) bool {
	rest := strings.TrimLeft(strings.TrimLeft(v, "~<>=v"), "0123456789.,:/-_x%TZ+")
	if rest == v || len(v)-len(rest) >= minLong {
		return false
	}
	if rest == "" { // a plain number is judged by its length
		return strings.ContainsAny(v, ".,:/-_x%") || len(v) < minLoose
	}
	switch strings.ToLower(rest) {
	case "s", "ms", "us", "ns", "m", "min", "mins", "h", "hr", "hrs", "d", "w", "y", "k", "kb", "mb", "gb", "tb",
		"b", "kib", "mib", "gib", "px", "am", "pm", "st", "nd", "rd", "th", "days", "day", "hours", "bytes",
		"bit", "bits", "chars", "minutes", "seconds", "weeks", "months", "years", "tokens":
		return true
	}
	return false
}

// isEmail reports whether v is an address of a person: words, an at sign, a
// host of words.
func isEmail(v string) bool {
	local, host, ok := strings.Cut(v, "@")
	i := strings.LastIndexByte(host, '.')
	return ok && i > 0 && letter.run(host[i+1:], 8) == len(host)-i-1 && isWordy(local) && isWordy(host)
}

// isWordy reports whether v can be read as words: parts of letters in an
// ordinary shape, short numbers, and the names of algorithms.
func isWordy(v string) bool {
	parts := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_/.'’,:;()[]\"“”", r) })
	if n := len(parts); n > 2 && len(v)-n < 2*n { // one or two letters a part
		return false
	}
	numbered, numbers := 0, 0 // parts such as http4, and 443
	for _, p := range parts {
		if !isWord(p, len(parts) > 1) {
			return false
		}
		switch {
		case digit.has(p[0]):
			numbers++
		case hasDigit(p) && !isTerm(strings.ToLower(p)):
			numbered++
		}
	}
	return numbered == 0 || numbered+numbers == 1
}

func isWord(p string, inner bool) bool {
	if isTerm(strings.ToLower(p)) {
		return true
	}
	n := 0
	for n < len(p) && letter.has(p[n]) {
		n++
	}
	switch {
	case p[0] >= 0x80:
		return unicode.IsLetter([]rune(p)[0])
	case n == len(p):
		return n <= maxPhrase && changes(p)*3 <= n+2
	case n == 0:
		return digit.run(p, 16) == len(p) && len(p) <= 4
	}
	return inner && n >= 2 && len(p)-n <= 2 && digit.run(p[n:], 3) == len(p)-n && changes(p[:n]) <= 1
}

// isTerm reports whether p is a term of the trade with a digit in it.
func isTerm(p string) bool {
	switch p {
	case "base64", "base32", "base58", "sha1", "sha256", "sha384", "sha512", "md5", "utf8", "utf16", "oauth2", "oauth1",
		"http2", "http3", "es256", "rs256", "hs256", "hs512", "ed25519", "x25519", "aes128", "aes256", "x509", "p256",
		"argon2", "argon2id", "argon2i", "pbkdf2", "k8s", "s3", "ec2", "i18n", "l10n", "python2", "python3", "ipv4",
		"ipv6", "x86", "arm64", "amd64", "win32", "win64", "log4j", "web3", "auth0", "1password", "db2", "neo4j",
		"route53", "oidc1", "tls1", "tls12", "tls13", "http1", "utf32", "crc32", "blake2", "blake3", "blake2b",
		"sha3", "log4net", "vue3", "es6", "es2015", "es2020", "node18", "node20", "node22", "gpt4", "gpt5":
		return true
	}
	return false
}

// isOrdinary reports whether v is a word that documentation and types put where
// a secret would stand.
func isOrdinary(v string) bool {
	switch strings.ToLower(v) {
	case "string", "str", "text", "password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key",
		"none", "null", "nil", "true", "false", "undefined", "required", "optional", "bearer", "basic", "digest", "jwt",
		"hidden", "redacted", "masked", "changeme", "change-me", "placeholder", "unknown", "expired", "invalid", "missing",
		"empty", "default", "example", "number", "object", "boolean", "integer", "credential", "credentials",
		"access", "refresh", "session", "private", "public", "opaque", "oauth", "oauth2", "access_token", "refresh_token",
		"id_token", "client_secret", "client_credentials", "authorization_code", "revoked", "rotated", "encrypted",
		"hashed", "plain", "plaintext", "cookie", "header", "disabled", "enabled", "inherit", "external", "input":
		return true
	}
	return false
}
