package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// standIn is the model: it follows a script and keeps every request.
type standIn struct {
	mu       sync.Mutex
	requests []modelRequest
	working  bool // the script is on; else the model has words only
	server   *http.Server
	address  string // http://127.0.0.1:PORT
}

// modelRequest is what a harness sent to the model.
type modelRequest struct {
	Path string
	Body string
}

// The commands that the script has the agent run: the first fails.
const (
	failingCommand = "sh check.sh"
	workingCommand = "sh check.sh --migrate"
	finalAnswer    = "The check passes now: it needs the migration first."
)

// move is what the model does next.
type move struct {
	command string // to run in a shell; "" for words
	words   string
}

// next reads from a request what the model does: it runs the failing command,
// then the working one, then it answers. A request that offers no shell is for a
// title or a summary.
func next(c conversation, working bool) move {
	switch {
	case c.shell == nil || !working:
		return move{words: "Understood."}
	case c.results == 0:
		return move{command: failingCommand}
	case c.results == 1:
		return move{command: workingCommand}
	}
	return move{words: finalAnswer}
}

// conversation is what matters of a request, in any dialect.
type conversation struct {
	results int // answers of tools
	shell   *shellTool
	stream  bool
}

// shellTool is the tool that runs commands, as the harness offers it.
type shellTool struct {
	name   string
	schema map[string]any
}

// arguments calls the tool: the command under the name that the schema has for
// it, and something for whatever else the schema demands.
func (s *shellTool) arguments(command string) map[string]any {
	args := map[string]any{}
	properties, _ := s.schema["properties"].(map[string]any)
	required, _ := s.schema["required"].([]any)
	for _, name := range required {
		key, _ := name.(string)
		property, _ := properties[key].(map[string]any)
		switch property["type"] {
		case "string":
			args[key] = "check"
		case "number", "integer":
			args[key] = 30000
		case "boolean":
			args[key] = false
		}
	}
	for _, key := range []string{"command", "cmd"} {
		property, ok := properties[key].(map[string]any)
		switch {
		case !ok:
		case property["type"] == "array":
			args[key] = []string{"sh", "-c", command}
			return args
		default:
			args[key] = command
			return args
		}
	}
	args["command"] = command
	return args
}

// shellNames are the tools that run commands, by harness.
var shellNames = []string{"Bash", "bash", "shell", "shell_command", "exec_command", "run_shell_command", "exec", "local_shell"}

// shellOf picks the shell among the tools that are offered; each has a name and
// a schema of its input under one of keys.
func shellOf(tools []any, keys ...string) *shellTool {
	offered := map[string]*shellTool{}
	for _, t := range tools {
		tool, _ := t.(map[string]any)
		if inner, ok := tool["function"].(map[string]any); ok {
			tool = inner
		}
		name, _ := tool["name"].(string)
		for _, key := range keys {
			if schema, ok := tool[key].(map[string]any); ok {
				offered[name] = &shellTool{name, schema}
			}
		}
	}
	for _, name := range shellNames {
		if s := offered[name]; s != nil {
			return s
		}
	}
	return nil
}

// startStandIn listens on a free port of loopback.
func startStandIn() (*standIn, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &standIn{address: "http://" + listener.Addr().String()}
	mux := http.NewServeMux()
	for path, d := range dialects() {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, d) })
	}
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"object": "list", "data": []any{map[string]any{"id": modelName, "object": "model"}}})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.keep(r)
		http.Error(w, `{"error":{"message":"no such thing here","type":"not_found_error"}}`, http.StatusNotFound)
	})
	s.server = &http.Server{Handler: mux}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

// modelName is what the harnesses call the model.
const modelName = "e2e-model"

func (s *standIn) stop() { _ = s.server.Close() }

// work switches the script on or off.
func (s *standIn) work(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working = on
}

func (s *standIn) works() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.working
}

// keep remembers a request.
func (s *standIn) keep(r *http.Request) []byte {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, modelRequest{r.URL.Path, string(body)})
	return body
}

// taken returns the requests since the last call of it.
func (s *standIn) taken() []modelRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.requests
	s.requests = nil
	return taken
}

func (s *standIn) serve(w http.ResponseWriter, r *http.Request, d dialect) {
	var doc map[string]any
	if err := json.Unmarshal(s.keep(r), &doc); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c := d.read(doc)
	c.stream = c.stream || strings.Contains(r.URL.Path, ":streamGenerateContent")
	d.answer(w, c, next(c, s.works()))
}

func writeJSON(w http.ResponseWriter, doc any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(doc)
}

// event writes one server-sent event; name may be "".
func event(w http.ResponseWriter, name string, doc any) {
	data, err := json.Marshal(doc)
	if err != nil {
		panic(err) // our own documents
	}
	if name != "" {
		_, _ = io.WriteString(w, "event: "+name+"\n")
	}
	_, _ = io.WriteString(w, "data: "+string(data)+"\n\n")
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
