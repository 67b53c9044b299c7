package text_test

import (
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/pkg/text"
)

// tricky draws texts from characters that join, compose, fold or break lines.
func tricky() *rapid.Generator[string] {
	joiners := []rune("\u200d\u200c\u0301\u030C\u3099\u094d\u0915\u0937\u093f\u0D4D\u0E33\u0600\u1100\u1161\u11A8가각\r\n\u2028\u0085\uFEFF\x00" +
		"👩👍🏽🇩🇪🏴\U000E0067\U000E007F©️⃣1a bZ.。 　Ａ中かｶﾞ\uFFFDİßΣςǆ¨ﬁ…\u0344\u1E9B\u0323\u034F")
	return rapid.Custom(func(t *rapid.T) string {
		return rapid.StringOfN(rapid.OneOf(
			rapid.SampledFrom(joiners),
			rapid.RuneFrom(nil, unicode.Mn, unicode.Lo, unicode.Lu, unicode.So, unicode.Zs),
		), 0, 30, -1).Draw(t, "s")
	})
}

func TestFoldOfTrickyTextIsStable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := tricky().Draw(r, "text")
		once := text.Fold(s)
		if again := text.Fold(once); again != once {
			r.Fatalf("Fold(%+q) = %+q, and folded again %+q", s, once, again)
		}
	})
}

func TestCutsOfTrickyTextKeepClusters(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := tricky().Draw(r, "text")
		checkCuts(t, s, rapid.IntRange(-1, text.Len(s)+1).Draw(r, "n"))
		if t.Failed() {
			r.FailNow()
		}
	})
}

func TestCleanOfTrickyTextIsStable(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := tricky().Draw(r, "text")
		once := text.Clean(s)
		if again := text.Clean(once); again != once {
			r.Fatalf("Clean(%+q) = %+q, and cleaned again %+q", s, once, again)
		}
	})
}

// The short way through common characters and the long way through the tables
// agree. A character of neither case that no table changes forces the long one.
func TestFoldOfCommonTextTakesEitherWay(t *testing.T) {
	common := rapid.StringOfN(rapid.OneOf(
		rapid.RuneFrom([]rune(" \t\r\n\v\x00\x7f.。，ＡＺｚ！～\u3000中かカヷヺー々Zz")),
		rapid.Rune(),
	), 0, 20, -1)
	rapid.Check(t, func(r *rapid.T) {
		s := common.Draw(r, "text")
		if short, long := text.Fold(s+"x"), text.Fold(s+"x\u0416"); long != short+"\u0436" {
			r.Fatalf("Fold(%+q) = %+q, with a foreign letter behind it %+q", s, short, long)
		}
	})
}
