package text_test

import (
	"testing"

	"github.com/dshkit/dshkit/pkg/text"
)

func TestNearest(t *testing.T) {
	choices := []string{"scope", "globalDir", "autoPromote", "injectChars", "SELFIP_SCOPE"}
	for _, row := range []struct{ word, want string }{
		{"scpoe", "scope"},
		{"SCOPE", "scope"},
		{"InjectChars", "injectChars"},
		{"inject_chars", "injectChars"},
		{"global-dir", "globalDir"},
		{"autopromte", "autoPromote"},
		{"SELFIP_SCOP", "SELFIP_SCOPE"},
		{"x-team", ""},
		{"unknownKey", ""},
		{"", ""},
		{"范围", ""},
	} {
		if got := text.Nearest(row.word, choices); got != row.want {
			t.Errorf("Nearest(%q) = %q, want %q", row.word, got, row.want)
		}
	}
	if got := text.Nearest("abc", nil); got != "" {
		t.Errorf("Nearest without choices = %q, want none", got)
	}
}

func TestWidth(t *testing.T) {
	for _, row := range []struct {
		s    string
		want int
	}{
		{"", 0},
		{"plain", 5},
		{"记忆", 4},
		{"e\u0301", 1},
		{"👩‍💻", 2},
		{"a 库", 4},
	} {
		if got := text.Width(row.s); got != row.want {
			t.Errorf("Width(%q) = %d, want %d", row.s, got, row.want)
		}
	}
}
