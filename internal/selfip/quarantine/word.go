package quarantine

import (
	"strings"
	"unicode/utf8"
)

// word is one English word of a view.
type word struct {
	text   string
	fresh  bool // it begins a clause: the text, or behind punctuation
	quoted bool // it stands in quotation marks
	comma  bool // a comma, a quote or a line end stands before it: a clause may begin
}

// split returns the English words of v. Other characters divide clauses.
func split(v string) []word {
	words := make([]word, 0, len(v)/6+4)
	fresh, quoted, comma := true, false, false
	for i := 0; i < len(v); {
		c := v[i]
		switch {
		case isWordByte(c):
			n := wordLength(v[i:])
			words = append(words, word{strings.Trim(v[i:i+n], "_'"), fresh, quoted, comma})
			fresh, comma = false, false
			i += n
			continue
		case c == ' ' || c == '_':
		case c == ',' || c == '\n':
			comma = true
		case c == '"' || c == '`' || c == '\'':
			quoted, comma = !quoted, true
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(v[i:])
			quoted = r == '“' || r == '「' || r == '『' || quoted && r != '”' && r != '」' && r != '』'
			fresh = true
			i += size
			continue
		case c == '-' && i > 0 && i+1 < len(v) && isWordByte(v[i-1]) && isWordByte(v[i+1]):
		default:
			fresh = true
		}
		i++
	}
	return words
}

// wordLength returns the length of the word at the start of s, with the
// apostrophes inside it.
func wordLength(s string) int {
	n := 0
	for n < len(s) && (isWordByte(s[n]) || s[n] == '\'' && n+1 < len(s) && isLetter(s[n+1]) && n > 0) {
		n++
	}
	return n
}

// at returns the word at i, "" outside.
func at(words []word, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].text
}

// clause returns the words before i that belong to its clause, at most n.
func clause(words []word, i, n int) []word {
	from := i
	for from > 0 && i-from < n && !words[from].fresh {
		from--
	}
	return words[from:i]
}

// isOrder reports whether the verb at i gives an order to the reader. It does
// unless the sentence says who else does it, denies it, or quotes it.
func isOrder(words []word, i int) bool {
	if isExample(words, i) {
		return false
	}
	if i == 0 || words[i].fresh || words[i].comma {
		return true
	}
	before := clause(words, i, 8)
	subject := at(words, i-2)
	switch p := before[len(before)-1].text; p {
	case "not", "don't", "never", "cannot", "can't", "won't", "doesn't", "didn't", "shouldn't", "mustn't":
		return false
	case "may", "might", "can", "could", "would", "does", "did", "sometimes", "often", "usually":
		return isReader(subject)
	case "must", "should", "shall", "will":
		return isReader(subject) || !isOthers(subject)
	case "to":
		return !isReported(before)
	case "phrase", "phrases", "pattern", "patterns", "string", "strings", "text", "words", "sentence", "saying", "says", "say", "said", "like", "payload", "example":
		return false
	default:
		return !isOthers(p)
	}
}

// isReader reports whether w is the one who reads the text.
func isReader(w string) bool {
	switch w {
	case "you", "assistant", "agent", "claude", "gpt", "ai", "bot":
		return true
	}
	return false
}

// isOthers reports whether w names someone else: a pronoun or a plural.
func isOthers(w string) bool {
	switch w {
	case "they", "it", "that", "which", "who", "people", "someone", "attacker", "page", "model", "he", "she", "we", "i":
		return true
	case "instructions", "rules", "orders", "commands", "directives", "guidelines", "is", "this", "always", "yes", "thus", "as", "has", "was", "us", "tasks", "steps":
		return false
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// isReported reports whether the words before "to" tell of an attempt or of
// another's order.
func isReported(before []word) bool {
	for _, w := range before {
		switch w.text {
		case "tell", "tells", "told", "telling", "asks", "asked", "asking", "tries", "tried", "trying", "attempt", "attempts", "attempted",
			"attempting", "instructs", "instructed", "instructing", "tricks", "tricked", "tricking", "causes", "caused", "causing", "gets", "getting",
			"makes", "made", "how", "able", "fails", "failed", "refuses", "refused", "likely", "tend", "tends", "why", "whether", "convinced":
			return w.text != "tell" || !before[0].fresh || before[0].text != "tell"
		}
	}
	return false
}

// maxTalk is how many words around a quotation are looked at for what it is an
// example of.
const maxTalk = 60

// isExample reports whether the word at i stands in quotation marks and the
// words outside of them show that it is an example.
func isExample(words []word, i int) bool {
	if !words[i].quoted {
		return false
	}
	for _, w := range words[max(0, i-maxTalk):min(len(words), i+maxTalk)] {
		if w.quoted {
			continue
		}
		switch w.text {
		case "injection", "injections", "jailbreak", "jailbreaks", "detector", "detectors", "detect", "detects", "phrase", "phrases", "pattern", "patterns",
			"payload", "payloads", "quarantine", "quarantined", "quarantines", "malicious", "hostile", "regex", "attack", "attacks", "attacker", "attackers",
			"fixture", "fixtures", "poison", "poisoned", "filter", "filters", "flag", "flags", "blocks", "blocked", "rejects", "rejected", "sanitizer":
			return true
		}
	}
	return false
}
