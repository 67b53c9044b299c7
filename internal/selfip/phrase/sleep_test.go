package phrase_test

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
)

// TestSleepTablesAgree holds that both languages have every sentence, with the
// same verbs in the same order, and the same headings in the contract.
func TestSleepTablesAgree(t *testing.T) {
	verb, heading := regexp.MustCompile(`%[a-z]`), regexp.MustCompile(`(?m)^## [A-Z]+$`)
	english, chinese := reflect.ValueOf(phrase.For("en").Sleep), reflect.ValueOf(phrase.For("zh-CN").Sleep)
	for i := range english.NumField() {
		name := english.Type().Field(i).Name
		e, c := english.Field(i).String(), chinese.Field(i).String()
		if e == "" || c == "" || !slices.Equal(verb.FindAllString(e, -1), verb.FindAllString(c, -1)) {
			t.Errorf("%s: got %q and %q, want both with the same verbs", name, e, c)
		}
	}
	e, c := heading.FindAllString(phrase.For("en").Sleep.System, -1), heading.FindAllString(phrase.For("zh-CN").Sleep.System, -1)
	if len(e) != 5 || !slices.Equal(e, c) {
		t.Errorf("headings of the contract: %q and %q, want five, the same", e, c)
	}
}
