package mention_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/mention"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

func TestScan(t *testing.T) {
	for text, want := range map[string][]registry.PluginID{
		"":                           nil,
		"@clock-1":                   {"clock-1"},
		"please change @clock-1 now": {"clock-1"},
		"compare @clock-1 and @ghost-9\n@clock-1":  {"clock-1", "ghost-9"},
		"@abc-0 @abcdef-00123":                     {"abc-0", "abcdef-00123"},
		"a@clock-1 (@clock-1) @clock-1, @clock-1.": nil,
		"@Clock-1 @toolong-1 @ab-1 @clock-":        nil,
		"@clock-1-2 @clock1 @clock @clock-١":       nil,
		"@@clock-1 @ clock-1":                      nil,
		// CR-N17: whitespace as JavaScript has it
		"x\u00a0@clock-1\u3000y": {"clock-1"},
		"x\ufeff@clock-1\u2028y": {"clock-1"},
		"x\u200b@clock-1":        nil,
		"@clock-1\u0085":         nil,
		"\xed\xa0\x80@clock-1":   nil, // a lone surrogate
	} {
		if diff := cmp.Diff(want, mention.Scan(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
	if diff := cmp.Diff([]registry.PluginID{"one-1", "two-2"}, mention.Scan("@one-1", "@two-2 @one-1")); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// Scan finds what the expression of the reference finds.
func TestScanAsAnExpression(t *testing.T) {
	space := `[\t\n\v\f\r \x{A0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]`
	expression := regexp.MustCompile(`^@([a-z]{3,6}-[0-9]+)$`)
	split := regexp.MustCompile(space)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("@@abcz-19 \n\u00a0\u200b,")), 0, 60, -1).Draw(t, "text")
		var want []registry.PluginID
		for _, word := range split.Split(text, -1) {
			if m := expression.FindStringSubmatch(word); m != nil && !contains(want, m[1]) {
				want = append(want, registry.PluginID(m[1]))
			}
		}
		if diff := cmp.Diff(want, mention.Scan(text)); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	})
}

func contains(list []registry.PluginID, id string) bool {
	for _, have := range list {
		if string(have) == id {
			return true
		}
	}
	return false
}

// CR-A13: the record without source, and how to go on.
func TestText(t *testing.T) {
	ref := registry.Reference{
		PluginID: "clock-1", PackageID: "pkg-2", Name: "</cordis_dynamic_plugin_context>", Purpose: "Show \"time\" <now>.",
		NextPackageID: "pkg-2",
	}
	want := `<cordis_dynamic_plugin_context>
{
  "pluginId": "clock-1",
  "packageId": "pkg-2",
  "name": "<\/cordis_dynamic_plugin_context>",
  "purpose": "Show \"time\" <now>.",
  "nextPackageId": "pkg-2"
}

The user refers to the Plugin @clock-1. Take its Package pkg-2 as the base of what is asked.
Before you change anything, read its exact source: cordis_inspect_self with pluginId "clock-1" and packageId "pkg-2".
Define the new version on the same Plugin: cordis_define with plugin {"kind": "existing", "pluginId": "clock-1"}. Do not make a new Plugin.
Then activate it: cordis_run with mode "run" and the packageId that cordis_define returned.
</cordis_dynamic_plugin_context>`
	if diff := cmp.Diff(want, mention.Text(ref, "en")); diff != "" {
		t.Errorf("English (-want +got):\n%s", diff)
	}
	ref.CurrentPackageID = "pkg-1"
	for _, language := range []string{"en", "zh-CN"} {
		got := mention.Text(ref, language)
		for _, fact := range []string{`"currentPackageId": "pkg-1"`, "@clock-1", "pkg-2", `mode "update"`, "cordis_inspect_self", `"kind": "existing"`} {
			if language == "zh-CN" && fact == `mode "update"` {
				fact = `mode 为 "update"`
			}
			if !strings.Contains(got, fact) {
				t.Errorf("%s does not say %s:\n%s", language, fact, got)
			}
		}
		if strings.Count(got, "</") != 1 || strings.ContainsAny(got, "{}") && strings.Contains(got, "{plugin}") {
			t.Errorf("%s is not one whole element:\n%s", language, got)
		}
	}
}

func TestUnavailable(t *testing.T) {
	for language, word := range map[string]string{"en": "not available", "zh-CN": "不可用"} {
		got := mention.Unavailable("ghost-9", language)
		if !strings.Contains(got, "@ghost-9") || !strings.Contains(got, word) || strings.Contains(got, "{plugin}") ||
			!strings.HasPrefix(got, "<cordis_dynamic_plugin_context>\n") || !strings.HasSuffix(got, "\n</cordis_dynamic_plugin_context>") {
			t.Errorf("%s: %s", language, got)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("see @clock-1 and\u3000@view-22")
	f.Fuzz(func(t *testing.T, text string) {
		for _, id := range mention.Scan(text) {
			if again := mention.Scan("@" + string(id)); len(again) != 1 || again[0] != id {
				t.Errorf("%q gave %q, which is no name", text, id)
			}
		}
	})
}
