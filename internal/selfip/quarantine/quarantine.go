// Package quarantine recognises text that tries to give orders to whoever reads
// it, and writes and reads the files in which such text waits for a person
// (spec/selfip.md 3.3, 15).
//
// The nine families of the originals are kept under their numbers. Each knows
// more variants, and each tells an order from talk about orders: "ignore
// previous instructions" is one, "our docs explain why agents ignore previous
// instructions" is not. The detectors read a folded view of the text, in which
// full-width letters, hidden characters, look-alike letters, emphasis inside
// words, HTML comments and entities make no difference. What is encoded as base64,
// written with digits for letters or with its letters apart is read as well. They are a net with a mesh, not a
// proof: what passes is still marked with its source and kept apart from the
// words of the user.
package quarantine

// Detector is one of the patterns that a text can trip.
type Detector struct {
	Number  int    `json:"number"`  // the family, 1 to 9 (spec/selfip.md 15)
	Name    string `json:"name"`    // the intent of the family
	Pattern string `json:"pattern"` // what was matched, for people; stored as the reason
}

// The intents of the families, by number.
var names = [...]string{
	1: "override",
	2: "override-zh",
	3: "role-lock",
	4: "forced-execution",
	5: "fake-markup",
	6: "fake-role",
	7: "download-and-run",
	8: "destructive-delete",
	9: "disk-format",
}

func detector(number int, pattern string) (Detector, bool) {
	return Detector{number, names[number], pattern}, true
}

// Detect returns the first detector, in the order of the families, that s
// trips. s is a note, or a whole line of a memory file, or several lines: what
// stands before the text of an entry does not hide it.
func Detect(s string) (Detector, bool) {
	if hasCue(s) {
		if d, ok := examine(s); ok {
			return d, true
		}
	}
	return disguised(s)
}

// examine is Detect without the filter that spares it clean text.
func examine(s string) (Detector, bool) {
	v := partGroups(foldView(unescape(s)))
	if d, ok := detect(openComments(v)); ok {
		return d, true
	}
	if cut := cutMarkup(v); cut != v {
		return detect(cut)
	}
	return Detector{}, false
}

// detect asks the families in order. Each answers with the pattern it found, or
// "". The English halves of 3 and 4, which the originals do not have, come last,
// so that what the originals catch keeps its number.
func detect(v string) (Detector, bool) {
	words, han := split(v), packHan(v)
	if p := override(words); p != "" {
		return detector(1, p)
	}
	if p := overrideChinese(han); p != "" {
		return detector(2, p)
	}
	if p := roleLockChinese(han); p != "" {
		return detector(3, p)
	}
	if p := forcedChinese(han); p != "" {
		return detector(4, p)
	}
	for i, family := range [...]func(string) string{fakeMarkup, fakeRole, downloadAndRun, destructiveDelete, diskFormat} {
		if p := family(v); p != "" {
			return detector(5+i, p)
		}
	}
	if p := roleLock(words); p != "" {
		return detector(3, p)
	}
	if p := forced(words); p != "" {
		return detector(4, p)
	}
	return Detector{}, false
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
