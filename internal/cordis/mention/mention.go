// Package mention finds the Plugins that a user names in a message (`@clock-1`)
// and says to a model what they are (spec/cordis.md 3.9).
package mention

import "github.com/dshkit/dshkit/internal/cordis/registry"

// Scan returns the Plugins that the texts of a message name, each once, in the
// order of first appearance. The texts are its blocks; between two stands a line
// break. A name stands between the ends of the text or JavaScript's whitespace.
func Scan(texts ...string) []registry.PluginID { return nil }

// Text is what a model is told about a Plugin that was named. The language is
// "zh-CN" or else English.
func Text(ref registry.Reference, language string) string { return "" }

// Unavailable is what a model is told about a name that leads to no Plugin of its
// Session.
func Unavailable(plugin registry.PluginID, language string) string { return "" }
