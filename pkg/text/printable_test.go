package text_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/dshkit/dshkit/pkg/text"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain 记忆\n\tand tab", "plain 记忆\n\tand tab"},
		{"\x1b]0;owned\x07\x1b[31mred\x9b1m", "]0;owned[31mred\uFFFD1m"},
		{"c1 \u009b2J del \x7f", "c1 2J del "},
		{"user\u202e nimda\u2066x\u2069", "user nimdax"},
	} {
		if got := text.Printable(c.in); got != c.want {
			t.Errorf("Printable(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// steering are the characters that no terminal should be sent.
func steering(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
}

func FuzzEscapeControls(f *testing.F) {
	for _, s := range append(jsonSeeds, "\x7f\u0085\u009b2J\u202euser\u2069") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		doc := text.EscapeControls(text.AppendJSON(nil, s))
		if i := strings.IndexFunc(string(doc), steering); i >= 0 {
			t.Errorf("EscapeControls left a control at %d of %q", i, doc)
		}
		var back string
		if err := json.Unmarshal(doc, &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") && back != string([]rune(s)) {
			t.Errorf("EscapeControls(%q) reads back as %q (%v)", s, back, err)
		}
		if plain := text.Printable(s); strings.IndexFunc(plain, steering) >= 0 || text.Printable(plain) != plain {
			t.Errorf("Printable(%q) = %q", s, plain)
		}
	})
}
