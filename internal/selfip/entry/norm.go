package entry

import "strings"

// Norm returns the words of a line as the key under which two lines count as the
// same when they are shown (spec/selfip.md 10.4): without bullet, stamp, kind,
// metadata group and marks, blanks collapsed. Unlike the original it takes the
// whole text, not 160 characters of it: two long lines that begin alike are two.
func Norm(line string) string {
	line = trimLine(line)
	if rest, ok := strings.CutPrefix(line, "*"); ok {
		line = "-" + rest
	}
	if e, ok := ParseLine(line); ok {
		line = e.Text
	}
	return strings.Join(strings.Fields(dropMarks(line)), " ")
}

// dropMarks takes out what stands between 〈 and 〉.
func dropMarks(s string) string {
	for {
		open := strings.Index(s, "〈")
		if open < 0 {
			return s
		}
		end := strings.Index(s[open:], "〉")
		if end < 0 {
			return s
		}
		s = s[:open] + s[open+end+len("〉"):]
	}
}
