package feedback

import (
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// sentence is what a topic is said with: how it begins, and what to do.
type sentence struct{ opening, advice string }

// words are the sentences of a language.
type words struct {
	topics map[registry.Topic]sentence
	last   string // added when further failures are not told
}

func wordsOf(language string) words {
	if language == "zh-CN" {
		return chinese()
	}
	return english()
}

// write is the text of a message: opening, facts, advice.
func (m Message) write(language string) string {
	w := wordsOf(language)
	s := w.topics[m.Topic]
	parts := []string{s.opening, m.lines()}
	if s.advice != "" {
		parts = append(parts, s.advice)
	}
	if m.Facts.Last {
		parts = append(parts, w.last)
	}
	return strings.NewReplacer(
		"{plugin}", string(m.PluginID), "{package}", string(m.PackageID), "{run}", string(m.PluginRunID),
		"{mode}", string(m.Facts.Mode), "{current}", string(m.Facts.CurrentPackageID), "{count}", strconv.Itoa(m.Facts.Count),
	).Replace(parts[0]) + "\n\n" + strings.Join(parts[1:], "\n\n")
}

// lines are the facts as they stand in the text, name and value. What goes over
// several lines is indented after the first.
func (m Message) lines() string {
	var b strings.Builder
	line := func(name, value string) {
		b.WriteString(name + ": " + strings.ReplaceAll(value, "\n", "\n  ") + "\n")
	}
	line("topic", string(m.Topic))
	for _, fact := range m.list() {
		if fact[1] != "" || fact[0] == "message" {
			line(fact[0], fact[1])
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// list are the names and values of the facts, in their order.
func (m Message) list() [][2]string {
	f := m.Facts
	list := [][2]string{
		{"pluginId", string(m.PluginID)},
		{"packageId", string(m.PackageID)},
		{"pluginRunId", string(m.PluginRunID)},
		{"mode", string(f.Mode)},
		{"returned", string(f.Returned)},
		{"reason", string(f.Reason)},
		{"platform", f.Platform},
		{"slot", f.Slot},
		{"abdicated", boolean(f.Abdicated)},
		{"method", f.Method},
		{"where", f.Where},
	}
	if f.Message != nil {
		list = append(list, [2]string{"message", *f.Message})
	}
	list = append(list, [2]string{"stack", f.Stack})
	if m.Topic != TopicDropped {
		list = append(list, [2]string{"currentPackageId", orNone(f.CurrentPackageID)}, [2]string{"nextPackageId", orNone(f.NextPackageID)})
	}
	if f.Last {
		list = append(list, [2]string{"last", "true"})
	}
	if f.Count > 0 {
		list = append(list, [2]string{"count", strconv.Itoa(f.Count)})
	}
	return list
}

func boolean(b *bool) string {
	if b == nil {
		return ""
	}
	return strconv.FormatBool(*b)
}

func orNone(id registry.PackageID) string {
	if id == "" {
		return "none"
	}
	return string(id)
}

// Parse reads the facts out of a text in any language, by name. It is false for a
// text that holds none.
func Parse(text string) (facts map[string]string, ok bool) {
	parts := strings.SplitN(text, "\n\ntopic: ", 2)
	if len(parts) != 2 {
		return nil, false
	}
	facts = map[string]string{}
	name := "topic"
	facts[name] = ""
	for i, line := range strings.Split("topic: "+parts[1], "\n") {
		if rest, more := strings.CutPrefix(line, "  "); more && i > 0 {
			facts[name] += "\n" + rest
			continue
		}
		key, value, found := strings.Cut(line, ": ")
		if !found {
			break
		}
		name = key
		facts[name] = value
	}
	return facts, true
}
