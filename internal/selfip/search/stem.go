package search

// stem reduces an English word to the part that its forms share, by the
// algorithm of M. F. Porter ("An algorithm for suffix stripping", 1980). The
// word is lower-case ASCII letters; it is changed in place and the stem, which
// is never longer, is returned. Words of one or two letters stay.
func stem(w []byte) []byte {
	if len(w) <= 2 {
		return w
	}
	w = plural(w)
	w = pastOrGerund(w)
	if n := len(w) - 1; w[n] == 'y' && hasVowel(w[:n]) {
		w[n] = 'i'
	}
	w = doubleSuffix(w)
	w = adjective(w)
	w = residue(w)
	return finalE(w)
}

func plural(w []byte) []byte {
	switch {
	case w[len(w)-1] != 's':
		return w
	case ends(w, "sses"), ends(w, "ies"):
		return w[:len(w)-2]
	case ends(w, "ss"):
		return w
	}
	return w[:len(w)-1]
}

func pastOrGerund(w []byte) []byte {
	var base []byte
	switch {
	case ends(w, "eed"):
		if measure(w[:len(w)-3]) > 0 {
			return w[:len(w)-1]
		}
		return w
	case ends(w, "ed"):
		base = w[:len(w)-2]
	case ends(w, "ing"):
		base = w[:len(w)-3]
	default:
		return w
	}
	if !hasVowel(base) {
		return w
	}
	return repair(base)
}

// repair puts back what a form loses before "ed" and "ing".
func repair(w []byte) []byte {
	n := len(w)
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case doubled(w):
		if c := w[n-1]; c != 'l' && c != 's' && c != 'z' {
			return w[:n-1]
		}
	case measure(w) == 1 && shortEnd(w):
		return append(w, 'e')
	}
	return w
}

// doubleSuffix shortens a suffix that was made of two. The last letter but one
// says which can match.
func doubleSuffix(w []byte) []byte {
	if len(w) < 4 {
		return w
	}
	switch w[len(w)-2] {
	case 'a':
		return replace(w, "ational", "ate", "tional", "tion")
	case 'c':
		return replace(w, "enci", "ence", "anci", "ance")
	case 'e':
		return replace(w, "izer", "ize")
	case 'g':
		return replace(w, "logi", "log")
	case 'l':
		return replace(w, "bli", "ble", "alli", "al", "entli", "ent", "eli", "e", "ousli", "ous")
	case 'o':
		return replace(w, "ization", "ize", "ation", "ate", "ator", "ate")
	case 's':
		return replace(w, "alism", "al", "iveness", "ive", "fulness", "ful", "ousness", "ous")
	case 't':
		return replace(w, "aliti", "al", "iviti", "ive", "biliti", "ble")
	}
	return w
}

func adjective(w []byte) []byte {
	if len(w) < 4 {
		return w
	}
	switch w[len(w)-1] {
	case 'e':
		return replace(w, "icate", "ic", "ative", "", "alize", "al")
	case 'i':
		return replace(w, "iciti", "ic")
	case 'l':
		return replace(w, "ical", "ic", "ful", "")
	case 's':
		return replace(w, "ness", "")
	}
	return w
}

// replace exchanges the first suffix of the list of pairs that fits, when
// something with a measure stands before it.
func replace(w []byte, pairs ...string) []byte {
	for i := 0; i < len(pairs); i += 2 {
		if !ends(w, pairs[i]) {
			continue
		}
		base := w[:len(w)-len(pairs[i])]
		if measure(base) > 0 {
			return append(base, pairs[i+1]...)
		}
		return w
	}
	return w
}

// residue removes a last suffix from a word that stays long without it.
func residue(w []byte) []byte {
	if len(w) < 4 {
		return w
	}
	switch w[len(w)-2] {
	case 'a':
		return strip(w, "al")
	case 'c':
		return strip(w, "ance", "ence")
	case 'e':
		return strip(w, "er")
	case 'i':
		return strip(w, "ic")
	case 'l':
		return strip(w, "able", "ible")
	case 'n':
		return strip(w, "ant", "ement", "ment", "ent")
	case 'o':
		if ends(w, "sion") || ends(w, "tion") {
			return strip(w, "ion")
		}
		return strip(w, "ou")
	case 's':
		return strip(w, "ism")
	case 't':
		return strip(w, "ate", "iti")
	case 'u':
		return strip(w, "ous")
	case 'v':
		return strip(w, "ive")
	case 'z':
		return strip(w, "ize")
	}
	return w
}

func strip(w []byte, suffixes ...string) []byte {
	for _, s := range suffixes {
		if !ends(w, s) {
			continue
		}
		if base := w[:len(w)-len(s)]; measure(base) > 1 {
			return base
		}
		return w
	}
	return w
}

func finalE(w []byte) []byte {
	if n := len(w) - 1; n > 0 && w[n] == 'e' {
		if m := measure(w[:n]); m > 1 || m == 1 && !shortEnd(w[:n]) {
			w = w[:n]
		}
	}
	if n := len(w) - 1; n > 0 && w[n] == 'l' && doubled(w) && measure(w[:n]) > 1 {
		w = w[:n]
	}
	return w
}

func ends(w []byte, s string) bool {
	return len(w) >= len(s) && string(w[len(w)-len(s):]) == s
}

// consonant reports whether w[i] is one; y is after a vowel.
func consonant(w []byte, i int) bool {
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return false
	case 'y':
		return i == 0 || !consonant(w, i-1)
	}
	return true
}

// measure counts how often a run of vowels is followed by one of consonants.
func measure(w []byte) int {
	n, vowel := 0, false
	for i := range w {
		if consonant(w, i) {
			if vowel {
				n++
			}
			vowel = false
			continue
		}
		vowel = true
	}
	return n
}

func hasVowel(w []byte) bool {
	for i := range w {
		if !consonant(w, i) {
			return true
		}
	}
	return false
}

func doubled(w []byte) bool {
	n := len(w) - 1
	return n > 0 && w[n] == w[n-1] && consonant(w, n)
}

// shortEnd reports whether w ends in consonant, vowel, consonant, the last of
// them none of w, x and y, as "hop" does and "snow" does not.
func shortEnd(w []byte) bool {
	n := len(w) - 1
	if n < 2 || !consonant(w, n) || consonant(w, n-1) || !consonant(w, n-2) {
		return false
	}
	return w[n] != 'w' && w[n] != 'x' && w[n] != 'y'
}
