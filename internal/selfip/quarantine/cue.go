package quarantine

import (
	"strings"
	"unicode/utf8"
)

// hasCue reports whether s holds anything without which no detector fires: a
// word that every pattern of its family contains, or a character that may hide
// one. It reads s once and stores nothing, so that clean text costs next to
// nothing.
func hasCue(s string) bool {
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case isWordByte(c):
			if !inWord && c != '_' && cueWord(s[i:]) {
				return true
			}
			inWord = c != '_'
			continue
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if cueRune(r, s[i+size:]) {
				return true
			}
			i += size - 1
		case c == '<':
			if hidesInTag(s[i+1:], inWord) {
				return true
			}
		case c == '*' || c == '`' || c == '~':
			if inWord && i+1 < len(s) && (isLetter(s[i+1]) || s[i+1] == c) {
				return true
			}
		case c == '\'' || c < ' ':
			if inWord && i+1 < len(s) && isLetter(s[i+1]) && c != '\n' && c != '\t' && c != '\'' {
				return true
			}
		}
		inWord = false
	}
	return false
}

// hidesInTag reports whether an angle opens a comment or a template mark, or
// divides a word.
func hidesInTag(s string, inWord bool) bool {
	if s == "" {
		return false
	}
	return s[0] == '!' || s[0] == '|' || s[0] == '<' || inWord && (isLetter(s[0]) || s[0] == '/')
}

// cueWord reports whether s begins with one of the words that detectors look
// for.
func cueWord(s string) bool {
	for _, w := range cueWords(s[0] | 0x20) {
		if len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) {
			return true
		}
	}
	return false
}

func cueWords(c byte) []string {
	switch c {
	case 'a':
		return cuesA[:]
	case 'c':
		return cuesC[:]
	case 'd':
		return cuesD[:]
	case 'f':
		return cuesF[:]
	case 'i':
		return cuesI[:]
	case 'n':
		return cuesN[:]
	case 'r':
		return cuesR[:]
	case 's':
		return cuesS[:]
	case 't':
		return cuesT[:]
	case 'b', 'e', 'g', 'h', 'm', 'o', 'p', 'w':
		return cuesRest[:]
	}
	return nil
}

var (
	cuesA    = [...]string{"assistant", "attention", "approved", "authorized", "authorised", "alert"}
	cuesC    = [...]string{"curl", "consented"}
	cuesD    = [...]string{"disregard", "dd ", "dd\t"}
	cuesF    = [...]string{"forget", "follow", "format", "forward", "function_"}
	cuesI    = [...]string{"ignore", "instruction", "inform", "invoke-", "iwr", "irm", "inst"}
	cuesN    = [...]string{"now", "notify"}
	cuesR    = [...]string{"rm"}
	cuesS    = [...]string{"system", "selfip", "self-improvement"}
	cuesT    = [...]string{"tell", "tool_result"}
	cuesRest = [...]string{"bypass", "exfiltrate", "granted", "henceforth", "mkfs", "mention", "override", "obey", "on ", "on,", "onwards", "permitted", "wget"}
)

// cueRune reports whether r, which rest follows, may hide a word or begins a
// Chinese one.
func cueRune(r rune, rest string) bool {
	if r < 0x2E80 {
		return mayHide(r)
	}
	switch r {
	case '忽', '忘', '视', '視':
		return true
	case '抛', '拋':
		return strings.HasPrefix(rest, "开") || strings.HasPrefix(rest, "弃") || strings.HasPrefix(rest, "開") || strings.HasPrefix(rest, "棄")
	}
	return cueHan(r) || r >= 0xF900 && r != 0xFF0C && r != 0xFF1A && r != 0xFF08 && r != 0xFF09 && r != 0xFF1B && r != 0xFF01 && r != 0xFF1F
}

// cueHan reports whether r is a character that every Chinese pattern but
// those of cueRune contains.
func cueHan(r rune) bool {
	switch r {
	case '遵', '听', '聽', '绕', '繞', '别', '別': // follow, listen, go round, do not
		return true
	case '从', '從', '接', '现', '現': // from now on, next, now
		return true
	case '务', '務', '即', '告', '知', '权', '權', '批', '同', '管', '理':
		return true
	}
	return false
}

// mayHide reports whether r, outside the scripts of East Asia, folds into a
// Latin letter or into nothing. Ordinary typography does not.
func mayHide(r rune) bool {
	switch {
	case r < 0xA0:
		return true
	case r == '·' || r == '×' || r == '°' || r == '«' || r == '»' || r == '±' || r == '§':
		return false
	case r >= 0x2010 && r <= 0x2027 || r >= 0x2190 && r <= 0x21FF || r >= 0x2200 && r <= 0x22FF || r >= 0x2500 && r <= 0x27BF:
		return false
	}
	return true
}
