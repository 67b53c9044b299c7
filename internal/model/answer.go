package model

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// gathered is what has been read of an answer so far.
type gathered struct {
	text   strings.Builder
	finish string // as the service calls it; "": none has come
	input  int
	output int
}

// reply returns the answer when it is whole, or what is wrong with it. The tokens
// are told in any case.
func (g *gathered) reply(host string, clean func(string) string) (Reply, *trouble) {
	r := Reply{Text: g.text.String(), Input: g.input, Output: g.output}
	switch g.finish {
	case "":
		return r, &trouble{err: fault.New(fault.Failed, codeUnfinished, host)}
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token":
		return r, nil
	case "length", "max_tokens", "max-tokens", "model_context_window_exceeded":
		r.Cut = true
		return r, nil
	}
	return r, &trouble{err: fault.New(fault.Failed, codeAborted, host, clean(g.finish))}
}

// piece is an event of a stream, or a whole answer, in either dialect: OpenAI's
// have choices and usage, Anthropic's a type.
type piece struct {
	Choices []struct {
		Delta   content `json:"delta"`
		Message content `json:"message"`
		Finish  string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`

	Type    string `json:"type"`
	Message struct {
		Usage *usage `json:"usage"`
	} `json:"message"`
	Delta struct {
		Type string `json:"type"`
		Text string `json:"text"`
		Stop string `json:"stop_reason"`
	} `json:"delta"`
	Content []part `json:"content"`
	Stop    string `json:"stop_reason"`
}

// content is what is said, without thoughts: reasoning_content and its like are
// not read.
type content struct {
	Content said `json:"content"`
}

// said is a text, given as a string or as parts.
type said string

// UnmarshalJSON takes what is no text for nothing said.
func (s *said) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*s = said(one)
		return nil
	}
	var parts []part
	_ = json.Unmarshal(data, &parts)
	for _, p := range parts {
		if p.Type == "text" {
			*s += said(p.Text)
		}
	}
	return nil
}

type part struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// usage is tokens, under the names of both dialects.
type usage struct {
	Prompt     float64 `json:"prompt_tokens"`
	Completion float64 `json:"completion_tokens"`
	Input      float64 `json:"input_tokens"`
	Output     float64 `json:"output_tokens"`
	Written    float64 `json:"cache_creation_input_tokens"`
	Cached     float64 `json:"cache_read_input_tokens"`
}

// maxTokens bounds what a service can have us believe of its tokens.
const maxTokens = 1e9

// take notes what a service counts. A later figure takes the place of an earlier
// one: they are sums.
func (g *gathered) take(u *usage) {
	if u == nil {
		return
	}
	if n := u.Prompt + u.Input + u.Written + u.Cached; n > 0 && n < maxTokens {
		g.input = int(n)
	}
	if n := u.Completion + u.Output; n > 0 && n < maxTokens {
		g.output = int(n)
	}
}

// add takes in one event.
func (g *gathered) add(p piece) {
	g.take(p.Usage)
	g.take(p.Message.Usage)
	for i := range p.Choices {
		if i > 0 {
			break // one answer was asked for
		}
		ch := p.Choices[i]
		g.text.WriteString(string(ch.Delta.Content + ch.Message.Content))
		if ch.Finish != "" {
			g.finish = ch.Finish
		}
	}
	if p.Delta.Type == "text_delta" {
		g.text.WriteString(p.Delta.Text)
	}
	for _, c := range p.Content {
		if c.Type == "text" {
			g.text.WriteString(c.Text)
		}
	}
	for _, stop := range []string{p.Delta.Stop, p.Stop} {
		if stop != "" {
			g.finish = stop
		}
	}
}

// stream reads a streamed answer. When it has said that it is whole, how the
// connection ends does not matter.
func (c *call) stream(ctx context.Context, body *bufio.Reader) (Reply, *trouble) {
	var g gathered
	for data, err := range events(body) {
		if err != nil {
			if g.finish != "" {
				break
			}
			r := Reply{Input: g.input, Output: g.output}
			return r, c.broken(ctx, err)
		}
		if string(data) == "[DONE]" {
			break
		}
		p, t := c.piece(data)
		if p != nil {
			g.add(*p)
		}
		if t != nil {
			return Reply{Input: g.input, Output: g.output}, t
		}
		if p.Type == "message_stop" {
			break
		}
	}
	return g.reply(c.at.host, func(s string) string { return c.clean(s, c.key) })
}

// piece reads one event, or the trouble that it tells of.
func (c *call) piece(data []byte) (*piece, *trouble) {
	var p piece
	if json.Unmarshal(data, &p) != nil {
		return nil, &trouble{err: fault.New(fault.Failed, codeAnswer, c.at.host)}
	}
	if len(p.Error) > 0 && string(p.Error) != "null" {
		t := &trouble{err: fault.New(fault.Failed, codeTrouble, c.at.host, c.clean(messageOf(p.Error), c.key))}
		var kind struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(p.Error, &kind)
		if t.busy = kind.Type == "overloaded_error" || kind.Type == "rate_limit_error"; t.busy {
			t.err.Kind = fault.Busy
		}
		return &p, t
	}
	return &p, nil
}

// whole reads an answer that came in one document.
func (c *call) whole(ctx context.Context, body *bufio.Reader) (Reply, *trouble) {
	data, err := io.ReadAll(body)
	if err != nil {
		return Reply{}, c.broken(ctx, err)
	}
	p, t := c.piece(data)
	if t != nil {
		return Reply{}, t
	}
	var g gathered
	g.add(*p)
	return g.reply(c.at.host, func(s string) string { return c.clean(s, c.key) })
}

// thoughtTags are the tags that models put around their thoughts.
var thoughtTags = [...]string{"think", "thinking", "thought"}

// withoutThoughts removes thoughts from the front of an answer, and the blanks
// around the rest. Tags elsewhere may be what the answer is about, and stay. whole
// is false when the thoughts never came to an end.
func withoutThoughts(s string) (answer string, whole bool) {
	s = strings.TrimSpace(s)
	for _, tag := range thoughtTags {
		open, shut := "<"+tag+">", "</"+tag+">"
		if strings.HasPrefix(s, open) {
			_, rest, whole := strings.Cut(s, shut)
			if !whole {
				return "", false
			}
			return withoutThoughts(rest)
		}
		// Some templates give the model the first tag, so that it says the second only.
		if before, rest, ok := strings.Cut("\n"+s, "\n"+shut+"\n"); ok && !strings.Contains(before, open) {
			return withoutThoughts(rest)
		}
	}
	return s, true
}
