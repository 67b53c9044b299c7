package model

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit/modelstub"
)

func TestCheapestEffort(t *testing.T) {
	for _, row := range []struct {
		id, declared string
		want         string
	}{
		{"AE01", "off low high max", "off max high low"},
		{"AE04", "high low", "low high"},
		{"AE06", "", ""},
		{"none is off", "high low none", "none low high"},
	} {
		t.Run(row.id, func(t *testing.T) {
			if got := strings.Join(cheapest(strings.Fields(row.declared)), " "); got != row.want {
				t.Errorf("%s: %q gives %q, want %q", row.id, row.declared, got, row.want)
			}
		})
	}
}

// TestEffort shows which effort the table has asked for, and in which words.
func TestEffort(t *testing.T) {
	off := object{"thinking": object{"type": "disabled"}}
	for _, row := range []struct {
		id, provider, url, name, set string
		word                         string
		fields                       object
	}{
		{"AE01 one that can be switched off", OpenAI, "https://api.deepseek.com", "deepseek-chat", "", "off", off},
		{"AE04 the lowest", OpenAI, "", "gpt-5-mini", "auto", "minimal", object{"reasoning_effort": "minimal"}},
		{"a later one", OpenAI, "", "gpt-5.2", "auto", "none", object{"reasoning_effort": "none"}},
		{"one behind another service", OpenAI, "https://openrouter.ai/api/v1", "openai/gpt-5-mini", "", "minimal", object{"reasoning": object{"effort": "minimal"}}},
		{"reasoning only", OpenAI, "", "o4-mini", "", "low", object{"reasoning_effort": "low"}},
		{"near", OpenAI, "http://localhost:11434", "llama3", "", "none", object{"reasoning_effort": "none"}},
		{"a template", OpenAI, "https://vllm.example.com", "Qwen/Qwen3-8B", "", "off", object{"reasoning_effort": "none", "chat_template_kwargs": object{"enable_thinking": false}}},
		{"AE05 nothing declared", OpenAI, "https://models.example.com", "unknown", "", "", nil},
		{"AE06 an empty list", OpenAI, "https://api.deepseek.com", "deepseek-reasoner", "", "", nil},
		{"AE07 the user's own choice", OpenAI, "https://models.example.com", "unknown", "max", "max", object{"reasoning_effort": "max"}},
		{"the user's own choice first", OpenAI, "", "gpt-5.2", "high", "high", object{"reasoning_effort": "high"}},
		{"messages ask for none", Anthropic, "", "claude-haiku-4-5", "", "", nil},
	} {
		t.Run(row.id, func(t *testing.T) {
			m, err := New(Settings{Provider: row.provider, URL: row.url, Name: row.name, Effort: row.set}, World{})
			if err != nil {
				t.Fatal(err)
			}
			first := m.rungs(row.name)[0]
			if name, word := m.Route(); name != row.name || word != row.word {
				t.Errorf("%s: route %q, %q", row.id, name, word)
			}
			if diff := cmp.Diff(row.fields, first.fields); first.word != row.word || diff != "" {
				t.Errorf("%s: %q, want %q; fields (-want +got):\n%s", row.id, first.word, row.word, diff)
			}
		})
	}
}

// TestOtherWords: a service that does not know a part of the request is asked
// without it, at once.
func TestOtherWords(t *testing.T) {
	refuse := func(says string) modelstub.Answer { return modelstub.Status(400, says) }
	stub := modelstub.New(t,
		refuse("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
		refuse("temperature does not support 0.2"),
		refuse("Unknown parameter: 'stream_options'"),
		refuse("reasoning_effort 'none' is not one of low, medium, high"),
		modelstub.Good("## LESSONS\n- one"),
	)
	now := time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)
	m, err := New(Settings{Provider: OpenAI, URL: stub.OpenAI(), Name: "odd"}, World{
		Getenv: func(string) string { return "" }, Now: func() time.Time { return now }, Chance: func() float64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Call(t.Context(), Request{User: "evidence", MaxTokens: 7})
	if err != nil || r.Effort != "low" {
		t.Fatalf("%+v, %v; want the next dearer effort", r, err)
	}
	first, last := stub.Requests()[0].Body, stub.Requests()[4].Body
	delete(first, "messages")
	delete(last, "messages")
	want := object{"model": "odd", "stream": true, "max_tokens": 7.0, "temperature": 0.2, "stream_options": object{"include_usage": true}, "reasoning_effort": "none"}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("the first request (-want +got):\n%s", diff)
	}
	want = object{"model": "odd", "stream": true, "max_completion_tokens": 7.0, "reasoning_effort": "low"}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("the last request (-want +got):\n%s", diff)
	}
	stub.Then(refuse("temperature max_completion_tokens stream_options reasoning").Always())
	if _, err := m.Call(t.Context(), Request{User: "evidence", MaxTokens: 7}); err == nil || stub.Calls() > 5+maxWords {
		t.Errorf("%v after %d more requests", err, stub.Calls()-5)
	}
}
