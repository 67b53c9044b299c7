package search_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/selfip/search"
)

// marks write the kind of a token behind its text; a word has none.
var marks = map[search.Kind]string{
	search.Word: "", search.Stop: "!", search.Pair: "/2", search.Particle: "/p", search.Lone: "/1",
	search.Char: "/c", search.Kana: "/k", search.Alias: "=", search.Digits: "#",
}

func tokens(s string) string {
	var out []string
	for _, t := range search.Tokens(s) {
		out = append(out, t.Text+marks[t.Kind])
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"words", "The caches, cached!", "the! cach cach"},
		{"accent", "Café Zürich NAÏVE", "cafe zurich naiv"},
		{"other scripts", "Кэш αβγ", "кэш αβγ"},
		{"snake", "LOG_RATE", "log rate lograt="},
		{"camel", "logRate", "log rate lograt="},
		{"kebab", "log-rate", "log rate lograt="},
		{"hyphen of type", "log\u2010rate log\u2011rate", "log rate lograt= log rate lograt="},
		{"capitals", "parseHTTPServer", "pars http server parsehttpserv="},
		{"plural of capitals", "APIs", "api"},
		{"apostrophe", "don't", "don! t!"},
		{"version", "v2.1", "v2 1 v2.1="},
		{"three numbers", "go1.26.8", "go1 26 8 go1.26.8="},
		{"fraction", "0.05", "0 05 0.05="},
		{"thousands", "10,000", "10 000 10000="},
		{"comma between words", "a1,b2", "a1 b2"},
		{"date", "2026-09-15", "2026 09 15 20260915="},
		{"code", "E1042", "1042# e1042"},
		{"one digit", "p5", "p5"},
		{"sign", "C++ C# c++x a#b", "c c++= c c#= c x a! b"},
		{"path", "src/main.go", "src main go"},
		{"end of sentence", "Done.Next", "done next"},
		{"trailing marks", "a-_.b-", "a! b"},
		{"chinese", "重跑", "重/c 重跑/2 跑/c"},
		{"stop character", "我的猫", "我的/p 的猫/2 猫/c"},
		{"lone", "猫 cat", "猫/1 cat"},
		{"lone stop character", "的", ""},
		{"border of scripts", "把LOG_RATE设为0.05", "log rate lograt= 设/c 设为/2 0 05 0.05="},
		{"glued", "跑gen-itgc后", "跑/1 gen itgc genitgc= 后/1"},
		{"kana", "成語しりとり", "成/c 成語/2 語/c 語し/2 し/k しり/p り/k りと/p と/k とり/p り/k"},
		{"half width kana", "ｷｬｯｼｭ", "キ/c キャ/2 ャ/c ャッ/2 ッ/c ッシ/2 シ/c シュ/2 ュ/c"},
		{"dot of katakana", "ア・イ", "ア/1 イ/1"},
		{"full width", "ＬＯＧ＿ＲＡＴＥ：５", "log rate lograt= 5"},
		{"full width marks", "好，Cache！", "好/1 cach"},
		{"hangul", "백업", "백/c 백업/2 업/c"},
		{"beyond the basic plane", "𠮷野", "𠮷/c 𠮷野/2 野/c"},
		{"ideographic zero", "二〇二六", "二/c 二〇/2 〇/c 〇二/2 二/c 二六/2 六/c"},
		{"marks only", "((( * \\ 😀", ""},
		{"broken bytes", "a\xffb \xe2\x80", "a! b"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if diff := cmp.Diff(row.want, tokens(row.text)); diff != "" {
				t.Errorf("tokens of %q (-want +got):\n%s", row.text, diff)
			}
		})
	}
}

// TestStems has the examples of Porter's paper.
func TestStems(t *testing.T) {
	const pairs = `caresses caress ponies poni ties ti cats cat feed feed agreed agre plastered plaster bled bled
		motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall
		hissing hiss fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit
		rational ration valenci valenc hesitanci hesit digitizer digit conformabli conform radicalli radic
		differentli differ vileli vile analogousli analog vietnamization vietnam predication predic operator oper
		feudalism feudal decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit
		sensibiliti sensibl triplicate triplic formative form formalize formal electriciti electr electrical electr
		hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop
		adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend
		adoption adopt homologou homolog communism commun activate activ angulariti angular homologous homolog
		effective effect bowdlerize bowdler probate probat rate rate cease ceas controll control roll roll`
	words := strings.Fields(pairs)
	for i := 0; i < len(words); i += 2 {
		if got := tokens(words[i]); got != words[i+1] {
			t.Errorf("stem of %q is %q, want %q", words[i], got, words[i+1])
		}
	}
}
