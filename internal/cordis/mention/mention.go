// Package mention finds the Plugins that a user names in a message (`@clock-1`)
// and says to a model what they are (spec/cordis.md 3.9).
package mention

import (
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// Scan returns the Plugins that the texts of a message name, each once, in the
// order of first appearance. The texts are its blocks; between two stands a line
// break. A name stands between the ends of the text or JavaScript's whitespace.
func Scan(texts ...string) []registry.PluginID {
	var out []registry.PluginID
	for _, t := range texts {
		for word := range strings.FieldsFuncSeq(t, registry.IsSpace) {
			if id, ok := parse(word); ok && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// parse reads @, three to six lowercase letters, a hyphen and digits.
func parse(word string) (registry.PluginID, bool) {
	name, ok := strings.CutPrefix(word, "@")
	prefix, digits, cut := strings.Cut(name, "-")
	ok = ok && cut && len(prefix) >= 3 && len(prefix) <= 6 && only(prefix, 'a', 'z') && digits != "" && only(digits, '0', '9')
	return registry.PluginID(name), ok
}

func only(s string, low, high byte) bool {
	for i := range len(s) {
		if s[i] < low || s[i] > high {
			return false
		}
	}
	return true
}

const (
	opening = "<cordis_dynamic_plugin_context>\n"
	closing = "\n</cordis_dynamic_plugin_context>"
)

// Text is what a model is told about a Plugin that was named: its record without
// source, and how to go on with it. The language is "zh-CN" or else English.
func Text(ref registry.Reference, language string) string {
	mode := registry.ModeRun
	if ref.CurrentPackageID != "" {
		mode = registry.ModeUpdate
	}
	return opening + record(ref) + "\n\n" + strings.NewReplacer(
		"{plugin}", string(ref.PluginID), "{package}", string(ref.PackageID), "{mode}", string(mode),
	).Replace(words(language).available) + closing
}

// record is the reference as JSON. No text in it can end the element.
func record(ref registry.Reference) string {
	v, err := jsonvalue.From(ref)
	if err != nil { // a Reference holds nothing that JSON does not
		panic(err)
	}
	return strings.ReplaceAll(jsonvalue.FormatIndent(v, "  "), "</", `<\/`)
}

// Unavailable is what a model is told about a name that leads to no Plugin of its
// Session.
func Unavailable(plugin registry.PluginID, language string) string {
	return opening + strings.ReplaceAll(words(language).unavailable, "{plugin}", string(plugin)) + closing
}

type sentences struct{ available, unavailable string }

func words(language string) sentences {
	if language == "zh-CN" {
		return chinese()
	}
	return english()
}
