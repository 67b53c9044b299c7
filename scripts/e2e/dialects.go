package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
)

// dialect is the language of one API for models.
type dialect interface {
	read(doc map[string]any) conversation
	answer(w http.ResponseWriter, c conversation, m move)
}

// dialects by the path of their requests.
func dialects() map[string]dialect {
	return map[string]dialect{
		"/v1/chat/completions": chat{},
		"/chat/completions":    chat{},
		"/v1/responses":        responses{},
		"/responses":           responses{},
		"/v1/messages":         messages{},
		"/v1beta/models/":      gemini{},
		"/v1/models/":          gemini{},
	}
}

// counter makes ids.
var counter atomic.Int64

func newID(prefix string) string { return fmt.Sprintf("%s%06d", prefix, counter.Add(1)) }

// dict and list read a document without complaint.
func dict(v any) map[string]any { m, _ := v.(map[string]any); return m }
func list(v any) []any          { l, _ := v.([]any); return l }

func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own documents
	}
	return string(data)
}

// chat is the API of chat completions.
type chat struct{}

func (chat) read(doc map[string]any) conversation {
	c := conversation{shell: shellOf(list(doc["tools"]), "parameters"), stream: doc["stream"] == true}
	for _, m := range list(doc["messages"]) {
		if dict(m)["role"] == "tool" {
			c.results++
		}
	}
	return c
}

func (chat) answer(w http.ResponseWriter, c conversation, m move) {
	message, finish := map[string]any{"role": "assistant", "content": m.words}, "stop"
	if m.command != "" {
		finish = "tool_calls"
		message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{
			"index": 0, "id": newID("call_"), "type": "function",
			"function": map[string]any{"name": c.shell.name, "arguments": encoded(c.shell.arguments(m.command))},
		}}}
	}
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	base := func(choice map[string]any) map[string]any {
		choice["index"] = 0
		return map[string]any{"id": newID("chatcmpl-"), "object": "chat.completion.chunk", "created": 1, "model": modelName, "choices": []any{choice}}
	}
	if !c.stream {
		doc := base(map[string]any{"message": message, "finish_reason": finish})
		doc["object"], doc["usage"] = "chat.completion", usage
		writeJSON(w, doc)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "", base(map[string]any{"delta": message, "finish_reason": nil}))
	last := base(map[string]any{"delta": map[string]any{}, "finish_reason": finish})
	last["usage"] = usage
	event(w, "", last)
	_, _ = w.Write([]byte("data: [DONE]\n\n"))
}

// responses is OpenAI's API of responses.
type responses struct{}

func (responses) read(doc map[string]any) conversation {
	c := conversation{shell: shellOf(list(doc["tools"]), "parameters"), stream: doc["stream"] == true}
	for _, item := range list(doc["input"]) {
		switch dict(item)["type"] {
		case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
			c.results++
		}
	}
	return c
}

func (responses) answer(w http.ResponseWriter, c conversation, m move) {
	item := map[string]any{
		"type": "message", "id": newID("msg_"), "role": "assistant", "status": "completed",
		"content": []any{map[string]any{"type": "output_text", "text": m.words, "annotations": []any{}}},
	}
	if m.command != "" {
		item = map[string]any{
			"type": "function_call", "id": newID("fc_"), "call_id": newID("call_"), "status": "completed",
			"name": c.shell.name, "arguments": encoded(c.shell.arguments(m.command)),
		}
	}
	id := newID("resp_")
	response := func(status string, output ...any) map[string]any {
		return map[string]any{
			"id": id, "object": "response", "created_at": 1, "status": status, "model": modelName, "output": append([]any{}, output...),
			"usage": map[string]any{
				"input_tokens": 10, "output_tokens": 5, "total_tokens": 15,
				"input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens_details": map[string]any{"reasoning_tokens": 0},
			},
		}
	}
	if !c.stream {
		writeJSON(w, response("completed", item))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "response.created", map[string]any{"type": "response.created", "response": response("in_progress")})
	event(w, "response.output_item.added", map[string]any{"type": "response.output_item.added", "output_index": 0, "item": item})
	if m.command == "" {
		event(w, "response.output_text.delta", map[string]any{
			"type": "response.output_text.delta", "item_id": item["id"], "output_index": 0, "content_index": 0, "delta": m.words,
		})
	}
	event(w, "response.output_item.done", map[string]any{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", map[string]any{"type": "response.completed", "response": response("completed", item)})
}

// messages is Anthropic's API.
type messages struct{}

func (messages) read(doc map[string]any) conversation {
	c := conversation{shell: shellOf(list(doc["tools"]), "input_schema"), stream: doc["stream"] == true}
	for _, m := range list(doc["messages"]) {
		for _, block := range list(dict(m)["content"]) {
			if dict(block)["type"] == "tool_result" {
				c.results++
			}
		}
	}
	return c
}

func (messages) answer(w http.ResponseWriter, c conversation, m move) {
	block, stop := map[string]any{"type": "text", "text": m.words}, "end_turn"
	if m.command != "" {
		stop = "tool_use"
		block = map[string]any{"type": "tool_use", "id": newID("toolu_"), "name": c.shell.name, "input": c.shell.arguments(m.command)}
	}
	usage := map[string]any{"input_tokens": 10, "output_tokens": 5}
	message := map[string]any{
		"id": newID("msg_"), "type": "message", "role": "assistant", "model": modelName, "content": []any{block},
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	}
	if !c.stream {
		writeJSON(w, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	message["content"], message["stop_reason"] = []any{}, nil
	event(w, "message_start", map[string]any{"type": "message_start", "message": message})
	delta := map[string]any{"type": "text_delta", "text": m.words}
	empty := map[string]any{"type": "text", "text": ""}
	if m.command != "" {
		delta = map[string]any{"type": "input_json_delta", "partial_json": encoded(block["input"])}
		empty = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
	}
	event(w, "content_block_start", map[string]any{"type": "content_block_start", "index": 0, "content_block": empty})
	event(w, "content_block_delta", map[string]any{"type": "content_block_delta", "index": 0, "delta": delta})
	event(w, "content_block_stop", map[string]any{"type": "content_block_stop", "index": 0})
	event(w, "message_delta", map[string]any{
		"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage,
	})
	event(w, "message_stop", map[string]any{"type": "message_stop"})
}

// gemini is Google's API generateContent.
type gemini struct{}

func (gemini) read(doc map[string]any) conversation {
	var tools []any
	for _, t := range list(doc["tools"]) {
		tools = append(tools, list(dict(t)["functionDeclarations"])...)
	}
	c := conversation{shell: shellOf(tools, "parametersJsonSchema", "parameters")}
	for _, m := range list(doc["contents"]) {
		for _, part := range list(dict(m)["parts"]) {
			if dict(part)["functionResponse"] != nil {
				c.results++
			}
		}
	}
	return c
}

func (gemini) answer(w http.ResponseWriter, c conversation, m move) {
	part := map[string]any{"text": m.words}
	if m.command != "" {
		part = map[string]any{"functionCall": map[string]any{"name": c.shell.name, "args": c.shell.arguments(m.command)}}
	}
	doc := map[string]any{
		"candidates": []any{map[string]any{
			"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
		"modelVersion":  modelName,
	}
	if !c.stream {
		writeJSON(w, doc)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event(w, "", doc)
}
