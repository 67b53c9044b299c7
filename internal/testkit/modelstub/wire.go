package modelstub

import "encoding/json"

// document writes a value as JSON.
func document(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("modelstub: " + err.Error())
	}
	return string(b)
}

type object = map[string]any

// openAI is the dialect of chat completions.
type openAI struct{}

func (openAI) chunk(delta object, finish any) string {
	return "data: " + document(object{"object": "chat.completion.chunk", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}) + "\n\n"
}

func (w openAI) begin(int) string { return w.chunk(object{"role": "assistant", "content": ""}, nil) }

func (w openAI) text(s string) string { return w.chunk(object{"content": s}, nil) }

func (w openAI) thought(s string) string {
	return w.chunk(object{"content": nil, "reasoning_content": s}, nil)
}

func (w openAI) end(finish string, input, output int) string {
	s := w.chunk(object{}, finish)
	if input+output > 0 {
		s += "data: " + document(object{"choices": []any{}, "usage": object{"prompt_tokens": input, "completion_tokens": output}}) + "\n\n"
	}
	return s + "data: [DONE]\n\n"
}

func (openAI) trouble(kind, says string) string {
	return "data: " + document(object{"error": object{"type": kind, "message": says}}) + "\n\n"
}

// anthropic is the dialect of messages.
type anthropic struct{}

func (anthropic) event(kind string, fields object) string {
	fields["type"] = kind
	return "event: " + kind + "\ndata: " + document(fields) + "\n\n"
}

func (w anthropic) begin(input int) string {
	return w.event("message_start", object{"message": object{"role": "assistant", "usage": object{"input_tokens": input, "output_tokens": 1}}}) +
		w.event("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}}) +
		w.event("ping", object{})
}

func (w anthropic) text(s string) string {
	return w.event("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": s}})
}

func (w anthropic) thought(s string) string {
	return w.event("content_block_delta", object{"index": 0, "delta": object{"type": "thinking_delta", "thinking": s}})
}

func (w anthropic) end(finish string, _, output int) string {
	switch finish {
	case "stop":
		finish = "end_turn"
	case "length":
		finish = "max_tokens"
	}
	return w.event("content_block_stop", object{"index": 0}) +
		w.event("message_delta", object{"delta": object{"stop_reason": finish}, "usage": object{"output_tokens": output}}) +
		w.event("message_stop", object{})
}

func (w anthropic) trouble(kind, says string) string {
	return w.event("error", object{"error": object{"type": kind, "message": says}})
}
