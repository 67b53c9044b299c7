package model

import (
	"bufio"
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"
)

func fuzzCall() *call {
	base, _ := url.Parse("https://h.example.com/v1")
	return &call{Model: &Model{
		set: Settings{Provider: OpenAI, Timeout: time.Second, Command: []string{"x"}},
		at:  endpoint{base: base, host: base.Host, name: "m"},
	}, key: "sk-0123456789"}
}

// FuzzStream reads any bytes as an answer: without a finish there is none, and no
// error repeats the key or grows long.
func FuzzStream(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\n\n"))
	f.Add([]byte("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}\n\n"))
	f.Add([]byte(": x\n\ndata: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"sk-0123456789\"}}\n\n"))
	f.Add([]byte("data:\ndata:{}\n\ndata: {\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}],\"usage\":null}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func(*call, *bufio.Reader) (Reply, *trouble){
			func(c *call, r *bufio.Reader) (Reply, *trouble) { return c.stream(t.Context(), r) },
			func(c *call, r *bufio.Reader) (Reply, *trouble) { return c.whole(t.Context(), r) },
		} {
			r, trouble := read(fuzzCall(), bufio.NewReader(bytes.NewReader(data)))
			if trouble == nil && !bytes.Contains(data, []byte("reason")) {
				t.Errorf("%q is an answer without a finish: %+v", data, r)
			}
			if trouble == nil {
				continue
			}
			if s := trouble.err.Error(); strings.Contains(s, "sk-0123456789") || len(s) > 2000 {
				t.Errorf("%q gives the error %q", data, s)
			}
		}
	})
}

// FuzzCommandOutput reads any bytes as what a command wrote.
func FuzzCommandOutput(f *testing.F) {
	f.Add([]byte(`{"text":"a","finish":"stop","usage":{"input":1,"output":2}}`))
	f.Add([]byte(`{"result":"a","is_error":true,"stop_reason":null}`))
	f.Add([]byte("plain\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := fuzzCall().heard(Reply{}, data)
		if err == nil && r.Text == "" && !bytes.Contains(data, []byte("{")) {
			t.Errorf("%q is an empty answer", data)
		}
		if r.Input < 0 || r.Output < 0 {
			t.Errorf("%q costs %d and %d", data, r.Input, r.Output)
		}
	})
}

// FuzzThoughts holds that what is left of an answer is a part of it, and has no
// more thoughts in front.
func FuzzThoughts(f *testing.F) {
	f.Add("<think>a</think><thinking>b</thinking> c")
	f.Add("a\n</think>\nb")
	f.Fuzz(func(t *testing.T, s string) {
		got, whole := withoutThoughts(s)
		if !strings.Contains(s, got) || !whole && got != "" {
			t.Errorf("%q gives %q, %v", s, got, whole)
		}
		if again, _ := withoutThoughts(got); again != got {
			t.Errorf("%q gives %q and then %q", s, got, again)
		}
	})
}
