package text_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/dshkit/dshkit/pkg/text"
)

// standard is what encoding/json makes of s.
func standard(t testing.TB, s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

var jsonSeeds = []string{
	"", "plain", `quo"te \ back`, "\b\f\n\r\t\x00\x1f\x7f", "记忆 <b>&amp;", "\u2028\u2029\ufeff", "bro\xffken\xc3", "\U0001F600\ufffd",
}

func TestAppendJSON(t *testing.T) {
	for _, s := range jsonSeeds {
		if got, want := string(text.AppendJSON([]byte("x"), s)), "x"+standard(t, s); got != want {
			t.Errorf("AppendJSON(%q) = %s, want %s", s, got, want)
		}
	}
}

func FuzzAppendJSON(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(text.AppendJSON(nil, s)), standard(t, s); got != want {
			t.Errorf("AppendJSON(%q) = %s, want %s", s, got, want)
		}
	})
}
