package text

import "github.com/rivo/uniseg"

// Width returns the number of columns that s takes in a terminal: two for a
// CJK character or an emoji, none for a combining mark.
func Width(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return uniseg.StringWidth(s)
		}
	}
	return len(s)
}
