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
		case c == '&':
			if i+1 < len(s) && (s[i+1] == '#' || isLetter(s[i+1])) {
				return true // an entity, perhaps without its semicolon
			}
		case c == '<':
			if hidesInTag(s[i+1:], inWord) {
				return true
			}
		case c == '*' || c == '`' || c == '~':
			if inWord && i+1 < len(s) && (isLetter(s[i+1]) || s[i+1] == c) {
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
	cuesC    = [...]string{"curl", "consented", "censorship"}
	cuesD    = [...]string{"disregard", "dd ", "dd\t"}
	cuesF    = [...]string{"forget", "follow", "format", "forward", "function_", "filters"}
	cuesI    = [...]string{"ignore", "instruction", "inform", "invoke-", "iwr", "irm", "inst"}
	cuesN    = [...]string{"now", "notify"}
	cuesR    = [...]string{"rm", "restrictions"}
	cuesS    = [...]string{"system", "selfip", "self-improvement"}
	cuesT    = [...]string{"tell", "tool_result"}
	cuesRest = [...]string{"bypass", "exfiltrate", "granted", "guidelines", "henceforth", "mkfs", "mention", "override", "obey", "on ", "on,", "onwards", "permitted", "wget"}
)

// cueRune reports whether r, which rest follows, may hide a word or begins a
// Chinese one.
func cueRune(r rune, rest string) bool {
	switch {
	case r < 0x3000 || r >= 0xF900:
		return mayHide(r)
	case r == '遵':
		return true
	}
	if next := cueHan(r); next != "" {
		rest = strings.TrimLeft(rest, " \t_`~*\x00\u3000")
		r, _ := utf8.DecodeRuneInString(rest)
		return strings.ContainsRune(next, r) || r < ' '
	}
	return false
}

// cueHan returns the characters that follow r in one of the words that every
// Chinese pattern begins with or contains.
func cueHan(r rune) string {
	switch r {
	case '忽':
		return "略"
	case '无', '無':
		return "视視"
	case '忘':
		return "记掉記"
	case '抛', '拋':
		return "开弃開棄"
	case '理':
		return "会會"
	case '听', '聽':
		return "从從"
	case '要', '别', '別':
		return "管理"
	case '绕', '繞':
		return "过過"
	case '从', '從':
		return "现此今現"
	case '接':
		return "下"
	case '你':
		return "现現"
	case '立':
		return "即"
	case '告':
		return "诉知訴"
	case '通':
		return "知"
	case '让', '讓':
		return "用"
	case '户', '戶':
		return "已"
	}
	return ""
}

// mayHide reports whether r, which is no Chinese character, folds into a letter
// or into nothing. Ordinary typography and emoji do not.
func mayHide(r rune) bool {
	switch {
	case r >= 0x2010 && r <= 0x2027, r >= 0x2190 && r <= 0x22FF, r >= 0x2500 && r <= 0x27BF, r >= 0x1F300 && r <= 0x1FAFF:
		return false
	}
	return !strings.ContainsRune("·×°«»±§€，：（）；！？、。", r)
}
