package text

import "unicode/utf8"

// Tokens estimates how many tokens a language model counts for s, rather too
// many than too few: one for each three ASCII characters, one for each other.
func Tokens(s string) int {
	ascii, others := 0, 0
	for _, r := range s {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			others++
		}
	}
	return (ascii+2)/3 + others
}
