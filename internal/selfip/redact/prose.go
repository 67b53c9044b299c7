package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/dshkit/dshkit/pkg/text"
)

// How far behind its name a sentence may give a secret away.
const (
	maxSentence = 64
	maxSteps    = 10
)

// prose looks at a word that begins at i: the name of a secret in a sentence,
// or the scheme of a header.
func (sc *scanner) prose(i int) int {
	s := sc.s[i:]
	n := spokenName(s)
	if n == 0 && s[0]|0x20 == 'p' {
		return sc.pin(i)
	}
	if n == 0 {
		return 0
	}
	switch s[0] | 0x20 {
	case 'b':
		return sc.scheme(i, n)
	case 'k':
		if judge("key", previousWord(sc.s, i)) == noSecret {
			return 0
		}
		return sc.sentence(i+n, maybe)
	}
	if s[0]|0x20 == 'p' {
		sc.servesAs(strings.TrimSuffix(withoutOwner(sc.s[max(0, i-maxSentence):i]), " "), " as", i)
	}
	return sc.sentence(i+n, secret)
}

// withoutOwner takes off the words between "as" and the name: as the root
// password.
func withoutOwner(before string) string {
	for range 3 {
		before = strings.TrimRight(before, " ")
		if strings.HasSuffix(before, " as") {
			break
		}
		cut := len(before)
		for cut > 0 && token.has(before[cut-1]) {
			cut--
		}
		before = before[:cut]
	}
	return strings.TrimRight(before, " ")
}

// servesAs takes the value in front of the name of a password at i, as in "use
// Tr0ub4dor3 as the password": what stands between is before without the value,
// and ends in joint.
func (sc *scanner) servesAs(before, joint string, i int) {
	said, ok := strings.CutSuffix(before, joint)
	if !ok {
		return
	}
	end := max(0, i-maxSentence) + len(strings.TrimRight(said, " \t\"'`"))
	start := end
	for start > sc.lastEnd() && end-start < maxSentence && sc.s[start-1] > ' ' && sc.s[start-1] < 0x80 && strings.IndexByte("\"'`", sc.s[start-1]) < 0 {
		start--
	}
	v := sc.s[start:end]
	if t := traitsOf(v); t.size < 8 || t.digits == 0 || !isMixed(v) && t.marks == 0 || !isSpoken(v) {
		return
	}
	sc.take(start, end, "prose", "")
}

// spokenName returns the length of a name of a secret, or of a scheme, at the
// start of s, 0 if there is none. A plural counts: the passwords are a and b.
func spokenName(s string) int {
	for _, w := range spokenNames(s[0] | 0x20) {
		if len(s) < len(w) || !strings.EqualFold(s[:len(w)], w) {
			continue
		}
		n := len(w)
		if n < len(s) && s[n]|0x20 == 's' {
			n++
		}
		if n == len(s) || !word.has(s[n]) {
			return n
		}
	}
	return 0
}

func spokenNames(c byte) []string {
	switch c {
	case 'p':
		return namesP[:]
	case 'a':
		return namesA[:]
	case 's':
		return namesS[:]
	case 'b':
		return namesB[:]
	case 't':
		return namesT[:]
	case 'c':
		return namesC[:]
	case 'k':
		return namesK[:]
	}
	return nil
}

var (
	namesP = [...]string{"password", "passwd", "passphrase", "passcode", "pwd", "private key"}
	namesA = [...]string{"api key", "api-key", "api_key", "apikey", "access key", "auth key", "api token", "account key"}
	namesS = [...]string{"secret key", "secret", "signing key"}
	namesB = [...]string{"bearer", "basic"}
	namesT = [...]string{"token"}
	namesC = [...]string{"credential", "client secret"}
	namesK = [...]string{"key"}
)

// scheme looks at what follows "Bearer" or "Basic" outside a header.
func (sc *scanner) scheme(i, n int) int {
	s := sc.s
	v, ok := sc.valueAt(i + n)
	if !ok || v.nextLine || v.tight || v.quoted {
		return 0
	}
	body := s[v.start:v.end]
	if s[i+2]|0x20 == 's' { // Basic
		plain, err := base64.StdEncoding.DecodeString(body[:min(len(body), judged)&^3])
		if len(body) < 8 || err != nil || !isPair(plain) {
			return 0
		}
		return sc.take(v.start, v.end, "header", "")
	}
	if known, _ := sc.known(v.start); known == 0 && (len(body) < minLong || !isSpoken(body)) {
		return 0
	}
	return sc.judgeValue(v, secret, "header")
}

// isPair reports whether b is a name and a password in printable characters.
func isPair(b []byte) bool {
	colon := false
	for _, c := range b {
		if c < ' ' || c >= 0x7F {
			return false
		}
		colon = colon || c == ':'
	}
	return colon
}

// chineseProse looks at a Chinese name of a secret at i.
func (sc *scanner) chineseProse(i int) int {
	for _, w := range chineseWords {
		if strings.HasPrefix(sc.s[i:], w) {
			before := strings.TrimRight(sc.s[max(0, i-maxSentence):i], " ")
			for _, joint := range [...]string{"作为", "作為", "当作", "當作", "当", "當", "做"} {
				sc.servesAs(before, joint, i)
			}
			if end := sc.sentence(i+len(w), secret); end > 0 {
				return end
			}
			return i + len(w)
		}
	}
	return 0
}

// sentence walks on from the name that ends at i, word by word, and judges what
// stands behind each "is", "为" and their like. Directly behind the name only a
// value that cannot be anything else is taken.
func (sc *scanner) sentence(i int, st standing) int {
	s := sc.s
	limit := min(len(s), i+maxSentence)
	at, joined, near := i, false, false
	for step := 0; step < maxSteps && at < limit; step++ {
		at = skipBlanks(s, at, limit)
		n, joins := connector(s[at:limit])
		joined = joined || joins
		if joins || joined && n > 0 && s[at] >= utf8.RuneSelf { // 改成了 X
			if end := sc.spoken(at+n, st, near || step < 2); end > 0 {
				return end
			}
		}
		if n == 0 {
			if step == 0 {
				return sc.adjacent(at)
			}
			return 0
		}
		if step == 0 && !joins {
			if end := sc.adjacent(at); end > 0 || isCompound(s[at:at+n]) {
				return end
			}
			near = isRelation(s[at : at+n])
		}
		at += n
	}
	return 0
}

func skipBlanks(s string, at, limit int) int {
	for at < limit && strings.IndexByte(" \t\"'`*()/", s[at]) >= 0 {
		at++
	}
	return at
}

// connector returns the length of the word or mark at the start of s, 0 at the
// end of the sentence, and whether a value may follow it.
func connector(s string) (n int, joins bool) {
	if s == "" {
		return 0, false
	}
	if s[0] < utf8.RuneSelf {
		switch {
		case s[0] == ':' || s[0] == '=':
			return 1, true
		case strings.HasPrefix(s, "->"):
			return 2, true
		}
		n = alnum.run(s, 24)
		for n > 0 && n < len(s)-1 && (s[n] == '-' || s[n] == '\'' || s[n] == '_' || s[n] == '.') && alnum.has(s[n+1]) {
			n += 1 + alnum.run(s[n+1:], 24)
		}
		return n, isJoint(s[:n])
	}
	r, size := utf8.DecodeRuneInString(s)
	switch r {
	case '是', '为', '為', '成', '到', '用', '叫', '：', '＝', '→', '“', '「', '‘':
		return size, true
	case '，', '。', '；', '！', '？', '、':
		return 0, false
	}
	if !text.IsCJK(r) && r != '（' && r != '）' && r != '’' && r != '”' {
		return 0, false
	}
	return size, false
}

// isCompound reports whether w behind the name makes it the name of another
// thing, whose value is no secret: a password manager, the token usage.
func isCompound(w string) bool {
	switch strings.ToLower(w) {
	case "manager", "policy", "hash", "field", "prompt", "length", "rotation", "usage", "count", "bucket", "limit", "store", "file",
		"expiry", "lifetime", "budget", "window", "size", "type", "generator", "hint", "format", "provider", "name", "version", "cost", "price":
		return true
	}
	return false
}

// isRelation reports whether w behind the name says whose secret it is.
func isRelation(w string) bool {
	switch strings.ToLower(w) {
	case "for", "of", "on", "in", "at", "from":
		return true
	}
	return false
}

func isJoint(w string) bool {
	switch strings.ToLower(w) {
	case "is", "was", "are", "to", "now", "equals", "becomes", "became", "reads", "be", "set", "with", "using", "currently", "just", "still":
		return true
	}
	return false
}

// spoken judges the value behind a joint of a sentence. A bare "key" must be
// followed by something random, and so must a name with several words between:
// "the password reset fix is 9d1f2c3b" speaks of a commit.
func (sc *scanner) spoken(i int, st standing, near bool) int {
	v, ok := sc.valueAt(i)
	if !ok || v.nextLine {
		return 0
	}
	body := sc.s[v.start:v.end]
	if known, _ := sc.known(v.start); known == 0 && !isSpoken(body) && !(v.quoted && isQuotedPhrase(body)) {
		return 0
	} else if known == 0 && (st == maybe || !near) && !isRandom(body) {
		return 0
	}
	return sc.judgeSpoken(v)
}

// isQuotedPhrase reports whether a quoted text in a sentence about a secret is
// one: it has a digit or a mark, so it is not a name, or it is a passphrase.
func isQuotedPhrase(v string) bool {
	if isPassphrase(v) {
		return true
	}
	t := traitsOf(v)
	return t.digits+t.marks > 0 && t.letters > 0 && !isWordy(v) && isQuotedSecret(v)
}

// isPassphrase reports whether v is words in small letters that make no
// sentence about a password.
func isPassphrase(v string) bool {
	words := strings.Fields(v)
	for _, w := range words {
		if lower.run(w, len(w)) < len(w) || len(w) < 3 {
			return false
		}
		switch w {
		case "the", "your", "not", "must", "enter", "password", "passphrase", "token", "secret", "key", "for", "with", "and", "are", "has",
			"invalid", "wrong", "required", "missing", "expired", "least", "characters", "set", "too", "short", "long", "denied", "changed":
			return false
		}
	}
	return len(words) > 1
}

func (sc *scanner) judgeSpoken(v value) int {
	known, label := sc.known(v.start)
	if !v.quoted {
		v.end = unquotedEnd(sc.s, v.start, len(sc.s))
	}
	if known > 0 {
		return sc.take(v.start, max(known, v.end), label, label)
	}
	return sc.take(v.start, v.end, "prose", "")
}

// adjacent judges the value that directly follows the name of a secret, as in
// "password Tr0ub4dor3xyz": it must be well mixed. Behind a Chinese name, where
// a blank stands for a colon, letters and a digit will do.
func (sc *scanner) adjacent(i int) int {
	if i > 0 && !strings.Contains(" \"'`", sc.s[i-1:i]) {
		return 0
	}
	v, ok := sc.valueAt(i)
	if !ok || v.nextLine {
		return 0
	}
	body := sc.s[v.start:v.end]
	mixed := len(body) >= minRepeat && isMixed(body) || i > 3 && chineseBefore(sc.s[:i-1]) != noSecret && hasDigit(body)
	if !mixed || !isSpoken(body) {
		return 0
	}
	return sc.judgeSpoken(v)
}
