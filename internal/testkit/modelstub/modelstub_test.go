package modelstub_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/dshkit/dshkit/internal/testkit/modelstub"
)

func post(t *testing.T, url, body string) (code int, answer string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body) // a stream may break off
	return resp.StatusCode, string(data)
}

// TestScript holds that the stub plays what it was given, once each, records what
// it was asked and counts what it told.
func TestScript(t *testing.T) {
	s := modelstub.Start(modelstub.Good("abcd"), modelstub.Drifted("## LESSONS\n- x"), modelstub.RateLimited(7))
	defer s.Close()
	const ask = `{"model":"m","max_tokens":5,"messages":[{"role":"system","content":"S"},{"role":"user","content":"U"}]}`
	if code, got := post(t, s.OpenAI()+"/chat/completions", ask); code != 200 || !strings.Contains(got, `"content":"ab"`) || !strings.HasSuffix(got, "data: [DONE]\n\n") {
		t.Errorf("%d, %q; want two halves and an end", code, got)
	}
	if code, got := post(t, s.Anthropic()+"/v1/messages", `{"model":"m","system":"S"}`); code != 200 || !strings.Contains(got, `\n**Less`) || !strings.Contains(got, "event: message_stop") {
		t.Errorf("%d, %q; want a drifted heading in the other dialect", code, got)
	}
	if code, _ := post(t, s.OpenAI()+"/chat/completions", ask); code != 429 {
		t.Errorf("status %d, want 429", code)
	}
	if code, _ := post(t, s.OpenAI()+"/chat/completions", ask); code != 410 || s.Beyond() != 1 {
		t.Errorf("after the script: %d, %d beyond; want 410 and 1", code, s.Beyond())
	}
	r := s.Requests()[0]
	if r.System != "S" || r.User != "U" || r.Model != "m" || r.MaxTokens != 5 || s.Requests()[1].System != "S" {
		t.Errorf("recorded %+v", r)
	}
	if in, out := s.Usage(); in != 2000 || out != 400 {
		t.Errorf("usage %d and %d, want that of the two answers", in, out)
	}
}
