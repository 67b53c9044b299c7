// Package modelstub is a stand-in for the service of a language model: it
// speaks both dialects that models are called in, OpenAI's chat completions and
// Anthropic's messages, streamed, and plays answers from a script, good ones and
// every kind of bad one. It records what it was asked and counts the tokens that
// it told of. Nothing but tests imports it.
package modelstub

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server plays a script, one answer for each call of a model. When the script is
// over it says so with a status of 410, and a test that began it with New fails.
type Server struct {
	URL string // without a path

	server *httptest.Server
	over   chan struct{} // closed when the test is over: who hangs lets go

	mu       sync.Mutex
	script   []Answer
	requests []Request
	input    int
	output   int
	beyond   int // calls after the end of the script
	models   []string
}

// Request is one call that arrived.
type Request struct {
	Path      string
	Header    http.Header
	Model     string
	System    string
	User      string
	MaxTokens int
	Stream    bool
	Body      map[string]any // all of it
}

// New starts a server that ends with the test and fails it when it was called
// more often than the script has answers.
func New(t testing.TB, script ...Answer) *Server {
	t.Helper()
	s := Start(script...)
	t.Cleanup(func() {
		s.Close()
		if n := s.Beyond(); n > 0 {
			t.Errorf("the model was called %d times more than its script of %d answers says", n, len(script))
		}
	})
	return s
}

// Start starts a server that the caller closes.
func Start(script ...Answer) *Server {
	s := &Server{script: script, over: make(chan struct{}), models: []string{"stub-model"}}
	s.server = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.server.URL
	return s
}

// Close ends the server and lets go of calls that hang.
func (s *Server) Close() {
	close(s.over)
	s.server.Close()
}

// OpenAI is the base address for OpenAI's dialect.
func (s *Server) OpenAI() string { return s.URL + "/v1" }

// Anthropic is the base address for Anthropic's dialect.
func (s *Server) Anthropic() string { return s.URL }

// Then appends to the script.
func (s *Server) Then(more ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, more...)
}

// Models sets what the list of models holds.
func (s *Server) Models(names ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = names
}

// Requests returns the calls so far, oldest first.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Calls is how many calls there were.
func (s *Server) Calls() int { return len(s.Requests()) }

// Usage is the tokens that the answers so far have told of.
func (s *Server) Usage() (input, output int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.input, s.output
}

// Beyond is how many calls came after the end of the script.
func (s *Server) Beyond() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.beyond
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models") {
		s.list(w)
		return
	}
	body, _ := io.ReadAll(r.Body) // what is missing shows in what is recorded
	a, ok := s.next(request(r, body))
	if !ok {
		http.Error(w, "the script of the stub is over", http.StatusGone)
		return
	}
	p := player{w: w, r: r, over: s.over, wire: openAI{}}
	if strings.HasSuffix(r.URL.Path, "/messages") {
		p.wire = anthropic{}
	}
	a.play(p)
}

// next records a call and takes the answer for it.
func (s *Server) next(r Request) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if len(s.script) == 0 {
		s.beyond++
		return Answer{}, false
	}
	a := s.script[0]
	if !a.always {
		s.script = s.script[1:]
	}
	s.input, s.output = s.input+a.input, s.output+a.output
	return a, true
}

func (s *Server) list(w http.ResponseWriter) {
	type model struct {
		ID string `json:"id"`
	}
	s.mu.Lock()
	out := struct {
		Data []model `json:"data"`
	}{Data: []model{}}
	for _, name := range s.models {
		out.Data = append(out.Data, model{name})
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out) // the caller has gone
}

func request(r *http.Request, body []byte) Request {
	out := Request{Path: r.URL.Path, Header: r.Header.Clone()}
	if json.Unmarshal(body, &out.Body) != nil {
		return out
	}
	out.Model, _ = out.Body["model"].(string)
	out.Stream, _ = out.Body["stream"].(bool)
	out.System, _ = out.Body["system"].(string)
	for _, key := range []string{"max_tokens", "max_completion_tokens"} {
		if n, ok := out.Body[key].(float64); ok {
			out.MaxTokens = int(n)
		}
	}
	messages, _ := out.Body["messages"].([]any)
	for _, m := range messages {
		m, _ := m.(map[string]any)
		switch said := fmt.Sprint(m["content"]); m["role"] {
		case "system":
			out.System = said
		case "user":
			out.User = said
		}
	}
	return out
}
