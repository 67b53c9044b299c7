package phrase_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
)

// TestBlockTablesAgree: both languages say everything, with the same verbs and
// the marks in their brackets.
func TestBlockTablesAgree(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`)
	en, zh := reflect.ValueOf(phrase.For("en").Block), reflect.ValueOf(phrase.For("zh-CN").Block)
	for i := range en.NumField() {
		name, a, b := en.Type().Field(i).Name, en.Field(i).String(), zh.Field(i).String()
		if a == "" || b == "" || a == b && name != "Global" {
			t.Errorf("%s: %q and %q, want two sentences", name, a, b)
		}
		if va, vb := verb.FindAllString(a, -1), verb.FindAllString(b, -1); !slices.Equal(va, vb) {
			t.Errorf("%s: verbs %v and %v, want the same", name, va, vb)
		}
	}
	for _, table := range []phrase.Block{phrase.For("en").Block, phrase.For("zh-CN").Block} {
		for _, mark := range []string{table.External, table.Induced, table.Expired} {
			if !strings.HasPrefix(mark, "〈") || !strings.HasSuffix(mark, "〉") {
				t.Errorf("mark %q, want it in 〈〉", mark)
			}
		}
	}
}
