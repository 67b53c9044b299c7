package model

import (
	"slices"
	"strings"
)

// object is a JSON object of a request.
type object = map[string]any

// declared is what a family of models offers as efforts of reasoning, the
// dearest first, as a service declares them.
type declared struct {
	host    string // "": any
	model   string // how its name begins, without its vendor; "": any
	efforts string // separated by blanks
}

// families is searched from the front. What is not in it reasons as its service
// likes. A service that refuses an effort is asked with the next dearer one, and in
// the end with none, so a row that is out of date costs a question and no answer.
var families = [...]declared{
	{"", "gpt-5-pro", "high"},
	{"", "gpt-5-codex", "high medium low"},
	{"", "gpt-5.", "high medium low none"},
	{"", "gpt-5", "high medium low minimal"},
	{"", "o1", "high medium low"},
	{"", "o3", "high medium low"},
	{"", "o4", "high medium low"},
	{"", "gpt-oss", "high medium low"},
	{"api.openai.com", "", ""},
	{"api.deepseek.com", "deepseek-reasoner", ""},
	{"api.deepseek.com", "", "max high off"},
	{"openrouter.ai", "", "high medium low minimal none"},
	{"generativelanguage.googleapis.com", "gemini", "high medium low minimal none"},
	{"api.x.ai", "grok-3-mini", "high low"},
	{"api.groq.com", "qwen", "default none"},
	{"", "qwen3", "off"},
	{"localhost", "", "high medium low none"}, // Ollama, LM Studio
	{"127.0.0.1", "", "high medium low none"},
	{"::1", "", "high medium low none"},
}

// effortsOf lists the efforts that a model declares, the dearest first.
func effortsOf(host, model string) []string {
	model = strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	for _, f := range families {
		if (f.host == "" || strings.EqualFold(f.host, host)) && strings.HasPrefix(model, f.model) {
			return strings.Fields(f.efforts)
		}
	}
	return nil
}

// cheapest returns the efforts from the cheapest on: off or none if there is such a
// one, then from the end of the list, which is the dearest first (spec/selfip.md
// 25.3).
func cheapest(efforts []string) []string {
	list := slices.Clone(efforts)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b string) int { return rank(a) - rank(b) })
	return list
}

func rank(effort string) int {
	if isOff(effort) {
		return 0
	}
	return 1
}

func isOff(effort string) bool { return effort == "off" || effort == "none" }

// rung is one way to ask for an effort.
type rung struct {
	word   string // "": none is asked for
	fields object // of the request
}

// rungs lists the ways to ask a model for little reasoning: the one that is set or
// the cheapest first, the last asks for nothing.
func (m *Model) rungs(name string) []rung {
	host := m.at.base.Hostname()
	var out []rung
	if m.set.Provider == OpenAI {
		words := cheapest(effortsOf(host, name))
		if set := strings.ToLower(strings.TrimSpace(m.set.Effort)); set != "" && set != "auto" {
			words = []string{set}
		}
		for _, word := range words {
			for _, fields := range effortFields(host, name, word) {
				out = append(out, rung{word, fields})
			}
		}
	}
	return append(out, rung{})
}

// effortFields is how a service may want to hear of an effort, the likeliest way
// first.
func effortFields(host, model, word string) []object {
	model = strings.ToLower(model)
	switch {
	case strings.EqualFold(host, "openrouter.ai"):
		return []object{{"reasoning": object{"effort": word}}}
	case strings.EqualFold(host, "api.deepseek.com") && isOff(word):
		return []object{{"thinking": object{"type": "disabled"}}}
	case strings.Contains(model, "qwen3") && isOff(word) && !strings.EqualFold(host, "api.groq.com"):
		template := object{"enable_thinking": false} // of vLLM; Ollama knows the other
		return []object{{"reasoning_effort": "none", "chat_template_kwargs": template}, {"chat_template_kwargs": template}}
	case isOff(word):
		word = "none"
	}
	return []object{{"reasoning_effort": word}}
}
