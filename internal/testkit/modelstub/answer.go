package modelstub

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Answer is one answer of a script.
type Answer struct {
	play          func(player)
	input, output int
	always        bool
}

// Always makes an answer the last one of its script, given to every call from
// then on.
func (a Answer) Always() Answer { a.always = true; return a }

// Usage is what the answers of this package tell unless WithUsage says otherwise.
const (
	Input  = 1000
	Output = 200
)

// player gives one answer to one call.
type player struct {
	w    http.ResponseWriter
	r    *http.Request
	over <-chan struct{}
	wire wire
}

// wire is a dialect: the events of a stream, each with its line ends.
type wire interface {
	begin(input int) string
	text(s string) string
	thought(s string) string
	end(finish string, input, output int) string // finish is stop, length or another word
	trouble(kind, says string) string
}

// Stream says parts one after another.
type Stream struct {
	Parts    []string
	Thoughts []string // of a reasoning model, before the parts
	Finish   string   // stop, length, or any other word; "": the stream ends without one
	Input    int      // tokens; with Output 0 too: none are told
	Output   int
	Cut      bool   // the connection breaks after the parts
	Trouble  string // a fault inside the stream, after the parts
}

// Play makes an answer of a stream.
func Play(s Stream) Answer {
	return Answer{input: s.Input, output: s.Output, play: func(p player) {
		p.begin("text/event-stream")
		p.say(": a remark of the service\n\n", p.wire.begin(s.Input))
		for _, t := range s.Thoughts {
			p.say(p.wire.thought(t))
		}
		for _, t := range s.Parts {
			p.say(p.wire.text(t))
		}
		switch {
		case s.Cut:
			panic(http.ErrAbortHandler)
		case s.Trouble != "":
			p.say(p.wire.trouble("overloaded_error", s.Trouble))
		case s.Finish != "":
			p.say(p.wire.end(s.Finish, s.Input, s.Output))
		}
	}}
}

// halves splits a text where a stream may well do it: inside a word.
func halves(text string) []string {
	r := []rune(text)
	return []string{string(r[:len(r)/2]), string(r[len(r)/2:])}
}

// Good says the whole text.
func Good(text string) Answer {
	return Play(Stream{Parts: halves(text), Finish: "stop", Input: Input, Output: Output})
}

// Fenced says the text inside a code fence, as some models do with everything.
func Fenced(text string) Answer { return Good("```markdown\n" + text + "\n```") }

// Thinking says thoughts in tags before the text.
func Thinking(text string) Answer {
	return Good("<think>\nThe user wants sections.\n## LESSONS\n- not one of these\n</think>\n\n" + text)
}

// Reasoning says thoughts in a field of their own before the text.
func Reasoning(text string) Answer {
	return Play(Stream{Thoughts: []string{"## LESSONS\n- not ", "one of these"}, Parts: halves(text), Finish: "stop", Input: Input, Output: Output})
}

// Drifted says the text with its headings in another form than was asked for.
func Drifted(text string) Answer {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			lines[i] = "**" + strings.ToUpper(title[:1]) + strings.ToLower(title[1:]) + ":**"
		}
	}
	return Good("Sure, here is what I found.\n\n" + strings.Join(lines, "\n"))
}

// Truncated says the text and that the limit of tokens was reached.
func Truncated(text string) Answer {
	return Play(Stream{Parts: halves(text), Finish: "length", Input: Input, Output: Output})
}

// Aborted says the text and that the service ended it for a reason of its own.
func Aborted(text, reason string) Answer {
	return Play(Stream{Parts: halves(text), Finish: reason, Input: Input, Output: Output})
}

// Unfinished says the text and ends the stream without saying that it is whole.
func Unfinished(text string) Answer {
	return Play(Stream{Parts: halves(text), Input: Input})
}

// Half says the text, and then the connection breaks.
func Half(text string) Answer { return Play(Stream{Parts: halves(text), Input: Input, Cut: true}) }

// Troubled says the text and then that something is wrong.
func Troubled(text, says string) Answer {
	return Play(Stream{Parts: halves(text), Input: Input, Trouble: says})
}

// Whole says the text in one document, as services that do not stream do.
func Whole(text string) Answer {
	return Answer{input: Input, output: Output, play: func(p player) {
		p.begin("application/json")
		if _, ok := p.wire.(anthropic); ok {
			p.say(document(map[string]any{
				"content": []any{map[string]any{"type": "text", "text": text}}, "stop_reason": "end_turn",
				"usage": map[string]any{"input_tokens": Input, "output_tokens": Output},
			}))
			return
		}
		p.say(document(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"content": text}, "finish_reason": "stop"}},
			"usage":   map[string]any{"prompt_tokens": Input, "completion_tokens": Output},
		}))
	}}
}

// Status answers with a status and a body of the service's usual form.
func Status(code int, says string) Answer { return status(code, says, nil) }

// RateLimited answers 429. retryAfter, in seconds, is not sent when negative.
func RateLimited(retryAfter int) Answer {
	h := http.Header{}
	if retryAfter >= 0 {
		h.Set("Retry-After", strconv.Itoa(retryAfter))
	}
	return status(http.StatusTooManyRequests, "slow down", h)
}

func status(code int, says string, header http.Header) Answer {
	return Answer{play: func(p player) {
		for k, v := range header {
			p.w.Header()[k] = v
		}
		p.w.Header().Set("Content-Type", "application/json")
		p.w.WriteHeader(code)
		p.say(document(map[string]any{"type": "error", "error": map[string]any{"type": "stub", "message": says}}))
	}}
}

// Body answers with a status and any body.
func Body(code int, contentType, body string) Answer {
	return Answer{play: func(p player) {
		p.w.Header().Set("Content-Type", contentType)
		p.w.WriteHeader(code)
		p.say(body)
	}}
}

// HTML answers with a page of a proxy.
func HTML(code int) Answer {
	return Body(code, "text/html; charset=utf-8", "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>")
}

// WrongJSON streams something that is no JSON.
func WrongJSON() Answer {
	return Body(http.StatusOK, "text/event-stream", "data: {\"choices\": [{\"delta\"\n\n")
}

// Hang accepts the call and never answers (case 08).
func Hang() Answer { return Answer{play: player.wait} }

// Stall says the text and then nothing more, while the connection stays.
func Stall(text string) Answer {
	return Answer{input: Input, play: func(p player) {
		p.begin("text/event-stream")
		p.say(p.wire.begin(Input), p.wire.text(text))
		p.wait()
	}}
}

// Endless never stops talking.
func Endless() Answer {
	return Answer{play: func(p player) {
		p.begin("text/event-stream")
		p.say(p.wire.begin(Input))
		for part := p.wire.text(strings.Repeat("more ", 10_000)); p.r.Context().Err() == nil; {
			p.say(part)
		}
	}}
}

// Redirect sends the caller elsewhere.
func Redirect(to string) Answer {
	return Answer{play: func(p player) {
		p.w.Header().Set("Location", to)
		p.w.WriteHeader(http.StatusTemporaryRedirect)
	}}
}

func (p player) begin(contentType string) {
	p.w.Header().Set("Content-Type", contentType)
	p.w.WriteHeader(http.StatusOK)
}

func (p player) say(parts ...string) {
	for _, s := range parts {
		fmt.Fprint(p.w, s)
		if f, ok := p.w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

func (p player) wait() {
	select {
	case <-p.r.Context().Done():
	case <-p.over:
	}
}
