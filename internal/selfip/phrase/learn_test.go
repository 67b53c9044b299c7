package phrase_test

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
)

// TestLearnTablesAgree holds that both languages have every sentence, with the
// same verbs in the same order.
func TestLearnTablesAgree(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`)
	english, chinese := reflect.ValueOf(phrase.For("en").Learn), reflect.ValueOf(phrase.For("zh-CN").Learn)
	for i := range english.NumField() {
		name := english.Type().Field(i).Name
		e, c := english.Field(i).String(), chinese.Field(i).String()
		if e == "" || c == "" || !slices.Equal(verb.FindAllString(e, -1), verb.FindAllString(c, -1)) {
			t.Errorf("%s: got %q and %q, want both with the same verbs", name, e, c)
		}
	}
}
