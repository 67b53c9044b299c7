package quarantine

// Examine is Detect without its filter, so that tests can hold the filter
// against it.
func Examine(s string) (Detector, bool) {
	if d, ok := examine(s); ok {
		return d, true
	}
	return disguised(s)
}

// Lookalikes are the two halves of the table of letters that look alike.
var Lookalikes = [2]string{lookalikes, lookalikeOf}

// Traditional are the two halves of the table of traditional characters.
var Traditional = [2]string{traditional, simple}
