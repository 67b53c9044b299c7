package quarantine

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Bounds of what is decoded: a net that costs nothing where there is nothing to
// catch, and little where somebody tries to make it cost much.
const (
	minEncoded = 24   // bytes of base64: eighteen of text, less than any order
	maxEncoded = 4096 // bytes of one run that are decoded
	maxRuns    = 16   // runs of one text that are decoded
	maxSpelled = 4096 // bytes of a text that are read as words in disguise
)

// disguised finds orders that are written in a way that a reader of the text
// undoes without effort: encoded as base64, with digits for letters, or with the
// letters of words apart.
func disguised(s string) (Detector, bool) {
	if d, ok := encoded(s); ok {
		return d, true
	}
	return spelled(s)
}

// encoded examines what runs of base64 decode to, when that is text.
func encoded(s string) (Detector, bool) {
	runs := 0
	for i := 0; i < len(s) && runs < maxRuns; {
		n := base64Run(s[i:])
		if n < minEncoded {
			i += n + 1
			continue
		}
		runs++
		for _, said := range decode(s[i : i+min(n, maxEncoded)]) {
			if hasCue(said) {
				if d, ok := examine(said); ok {
					return d, true
				}
			}
		}
		i += n + 1
	}
	return Detector{}, false
}

// The kinds of byte that a disguise is made of.
const (
	aLetter  = 1 << iota
	aLeet    // stands for a letter inside of a word
	aHyphen  // may divide a word
	anEncode // base64 has it
)

// kinds holds the kinds of every byte.
var kinds = func() (k [256]uint8) {
	for c := range k {
		b := byte(c)
		if isLetter(b) {
			k[c] |= aLetter
		}
		if leet[b] != 0 {
			k[c] |= aLeet
		}
		if b == '-' {
			k[c] |= aHyphen
		}
		if isLetter(b) || b >= '0' && b <= '9' || strings.IndexByte("+/-_", b) >= 0 {
			k[c] |= anEncode
		}
	}
	return k
}()

// base64Run returns how many bytes at the start of s base64 may be made of.
func base64Run(s string) int {
	n := 0
	for n < len(s) && kinds[s[n]]&anEncode != 0 {
		n++
	}
	return n
}

// decode returns the texts that a run may stand for: as it is, and behind up to
// three characters that do not belong to it.
func decode(run string) (texts []string) {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	for skip := range 4 {
		part := run[skip:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		data, err := base64.RawStdEncoding.DecodeString(part)
		if err == nil && isText(data) {
			texts = append(texts, string(data))
		}
	}
	return texts
}

// isText reports whether bytes are text that somebody could read: a few at the
// end may be of a character that was cut.
func isText(data []byte) bool {
	odd := 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && i+utf8.UTFMax > len(data):
		case r == utf8.RuneError, r < ' ' && r != '\n' && r != '\t' && r != '\r':
			odd++
		}
		i += size
	}
	return len(data) > 0 && odd*20 <= len(data)
}

// leet is the letters that digits and marks stand for inside of words.
var leet = [256]byte{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's', '!': 'i', '|': 'l'}

// spelled examines a text whose words are written with digits for letters, with
// hyphens inside, or with their letters apart, as it is meant. It does so only
// when such a word is one that detectors look for.
func spelled(s string) (Detector, bool) {
	s = s[:min(len(s), maxSpelled)]
	if !hasSpelled(s) {
		return Detector{}, false
	}
	view := closed(plainLetters(s))
	if !hasCue(view) {
		return Detector{}, false
	}
	return examine(view)
}

// hasSpelled reports whether a word of s is a cue in disguise.
func hasSpelled(s string) bool {
	single := 0 // letters that stand alone, one after the other
	for i := 0; i < len(s); {
		n, seen := 0, uint8(0)
		for i+n < len(s) && kinds[s[i+n]]&(aLetter|aLeet|aHyphen) != 0 {
			seen |= kinds[s[i+n]]
			n++
		}
		switch {
		case n == 1 && seen&aLetter != 0:
			if single++; single >= wordApart {
				return true
			}
		case n > 1:
			if single = 0; seen&(aLeet|aHyphen) != 0 && seen&aLetter != 0 && isCue(s[i:i+n]) {
				return true
			}
		}
		if n > 1 && hyphenated(s[i:i+n]) {
			return true
		}
		i += n + 1
	}
	return false
}

// hyphenated reports whether the letters of a word stand apart by hyphens:
// i-g-n-o-r-e.
func hyphenated(w string) bool {
	n, _ := apart(w)
	return n > 0 && n >= 2*wordApart-1
}

// maxCue is the longest word that can be a cue, with what disguises it.
const maxCue = 40

// isCue reports whether a word in plain letters is one that detectors look for.
func isCue(w string) bool {
	var buf [maxCue]byte
	n := 0
	for i := 0; i < len(w) && n < maxCue; i++ {
		switch c := w[i]; {
		case c == '-':
		case leet[c] != 0:
			buf[n] = leet[c]
			n++
		default:
			buf[n] = c
			n++
		}
	}
	return n > 0 && cueWord(string(buf[:n]))
}

// plainLetters returns s with digits and marks that stand beside letters as the
// letters they look like.
func plainLetters(s string) string {
	b := []byte(s)
	for i := range b {
		if leet[s[i]] != 0 && (i > 0 && isLetter(s[i-1]) || i+1 < len(s) && isLetter(s[i+1])) {
			b[i] = leet[s[i]]
		}
	}
	return string(b)
}

// minApart is how many single letters in a row may be a word that is written
// apart, and wordApart how many have no other reading.
const (
	minApart  = 3
	wordApart = 4
)

// closed returns s with words that are written apart put together: "i g n o r e",
// "i.g.n.o.r.e", "ig-nore". More than one blank, or another mark, stands between
// two such words.
func closed(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		n, word := apart(s[i:])
		switch {
		case n > 0 && (i == 0 || !isLetter(s[i-1])):
			b.WriteString(word)
			i += n
		case s[i] == '-' && i > 0 && i+1 < len(s) && isLetter(s[i-1]) && isLetter(s[i+1]):
			i++
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

// apart returns the length of a word that is written apart at the start of s, and
// the word, 0 when there is none.
func apart(s string) (n int, word string) {
	if len(s) < 2*minApart-1 || !isLetter(s[0]) || strings.IndexByte(" .-_*/", s[1]) < 0 {
		return 0, ""
	}
	sep := s[1]
	letters := []byte{s[0]}
	n = 1
	for n+1 < len(s) && s[n] == sep && isLetter(s[n+1]) && (n+2 == len(s) || !isLetter(s[n+2])) {
		letters = append(letters, s[n+1])
		n += 2
	}
	if len(letters) < minApart {
		return 0, ""
	}
	return n, string(letters)
}
