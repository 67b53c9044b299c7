package script_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// answer is what a service says to the requests that On matches: "GET /a*b",
// where * stands for any text. The first answer that matches is given.
type answer struct {
	On     string            `json:"on"`
	Status int               `json:"status"`
	JSON   any               `json:"json"` // "$body.NAME" and so on are filled in
	Text   string            `json:"text"`
	Hang   bool              `json:"hang"`  // never answers, and is not recorded
	Times  int               `json:"times"` // how often it is given; 0: always
	Keep   bool              `json:"keep"`  // the body's content is kept under its uri
	Kept   map[string]string `json:"kept"`  // what is there from the start
}

// service answers as a scenario says and records what it was asked.
type service struct {
	mu      sync.Mutex
	answers []answer
	given   []int
	kept    map[string]string
	asked   []asked
}

// asked is one request.
type asked struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body,omitempty"`
}

// Each client has its own way to say these, which no plugin decides.
var ofTheClient = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "Connection": true, "Sec-Fetch-Mode": true, "User-Agent": true,
}

func newService(answers []answer) *service {
	s := &service{answers: answers, given: make([]int, len(answers)), kept: map[string]string{}}
	for _, a := range answers {
		for uri, content := range a.Kept {
			s.kept[uri] = content
		}
	}
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/-/requests" {
		s.report(w)
		return
	}
	body, _ := io.ReadAll(r.Body)
	a := s.answer(r.Method + " " + r.RequestURI)
	if a.Hang {
		<-r.Context().Done()
		return
	}
	s.record(r, string(body))
	if a.JSON == nil {
		reply(w, a.Status, a.Text)
		return
	}
	v, known := s.filled(a, r, body)
	if !known {
		reply(w, http.StatusNotFound, `{"error":{"message":"nothing is kept there"}}`)
		return
	}
	text, _ := json.Marshal(v)
	reply(w, a.Status, string(text))
}

func reply(w http.ResponseWriter, status int, text string) {
	if status == 0 {
		status = http.StatusOK
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// report tells what was asked since the last report.
func (s *service) report(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.asked
	if list == nil {
		list = []asked{}
	}
	s.asked = nil
	_ = json.NewEncoder(w).Encode(list)
}

func (s *service) record(r *http.Request, body string) {
	headers := map[string]string{}
	for name, values := range r.Header {
		if !ofTheClient[name] {
			headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked{r.Method, r.RequestURI, headers, body})
}

func (s *service) answer(request string) answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.answers {
		if matches(a.On, request) && (a.Times == 0 || s.given[i] < a.Times) {
			s.given[i]++
			return a
		}
	}
	return answer{Status: http.StatusNotFound, Text: `{"error":"the scenario has no answer to this"}`}
}

// matches says whether a text is what a pattern with stars describes.
func matches(pattern, text string) bool {
	head, rest, starred := strings.Cut(pattern, "*")
	if !strings.HasPrefix(text, head) {
		return false
	}
	text = text[len(head):]
	if !starred {
		return text == ""
	}
	for i := range len(text) + 1 {
		if matches(rest, text[i:]) {
			return true
		}
	}
	return false
}

// filled is the answer with what the request says in its places.
func (s *service) filled(a answer, r *http.Request, body []byte) (v any, known bool) {
	var sent map[string]any
	_ = json.Unmarshal(body, &sent)
	content, _ := sent["content"].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	if uri, ok := sent["uri"].(string); ok && a.Keep {
		s.kept[uri] = content
	}
	known = true
	v = fill(a.JSON, func(name string) any {
		from, key, _ := strings.Cut(name, ".")
		switch from {
		case "body":
			return sent[key]
		case "query":
			return r.URL.Query().Get(key)
		case "bytes":
			return len(content)
		case "kept":
			content, known = s.kept[r.URL.Query().Get("uri")]
			return content
		}
		return "$" + name
	})
	return v, known
}

func fill(v any, value func(name string) any) any {
	switch v := v.(type) {
	case string:
		if name, ok := strings.CutPrefix(v, "$"); ok {
			return value(name)
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = fill(v[i], value)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = fill(v[key], value)
		}
		return out
	}
	return v
}
