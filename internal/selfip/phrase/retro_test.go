package phrase_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/selfip/phrase"
)

func TestRetroTablesAgree(t *testing.T) {
	verb := regexp.MustCompile(`%[a-z]`)
	en, zh := reflect.ValueOf(phrase.For("en").Retro), reflect.ValueOf(phrase.For("zh-CN").Retro)
	for i := range en.NumField() {
		name, a, b := en.Type().Field(i).Name, en.Field(i).String(), zh.Field(i).String()
		if a == "" || b == "" || a == b && name != "Call" {
			t.Errorf("%s: %q and %q, want two sentences", name, a, b)
		}
		if va, vb := verb.FindAllString(a, -1), verb.FindAllString(b, -1); !slices.Equal(va, vb) {
			t.Errorf("%s: verbs %v and %v, want the same", name, va, vb)
		}
	}
	for _, language := range []string{"en", "zh-CN"} {
		for _, part := range []string{
			"## LESSONS\n", "## FACTS\n", "## RESOURCES\n", "## METHODS\n", "## PLAYBOOK:", "## SUPERSEDE\n", "## HANDOFF\n",
			"## PROPOSAL\n", "[facts|lessons|resources|methods]", "{imp:N}", "{src:web}", "{src:tool}", "(preference)",
		} {
			if system := phrase.For(language).Retro.System; !strings.Contains(system, part) {
				t.Errorf("%s: %q is not in the contract", language, part)
			}
		}
	}
}
