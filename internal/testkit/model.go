package testkit

import (
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dshkit/dshkit/internal/testkit/modelstub"
)

// playModel starts a stand-in for a model's service and points the settings at it.
// Its arguments are its script, an answer each, and the last one is repeated:
//
//	model good.md             the text of a file
//	model cut:half.md         that text, at the limit of tokens
//	model drifted:good.md     with headings of another form; also fenced, thinking
//	model half:good.md        and then the connection breaks; also unfinished
//	model 429:120 500 401     a status; behind 429 the seconds of Retry-After
//	model hang html json      no answer; a web page; broken JSON
//
// "model calls N" holds that there have been N calls since.
func playModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: model ANSWER... | model calls N")
	}
	if args[0] == "calls" {
		modelCalls(ts, args[1:])
		return
	}
	var script []modelstub.Answer
	for _, arg := range args {
		script = append(script, modelAnswer(ts, arg))
	}
	script[len(script)-1] = script[len(script)-1].Always()
	stub := modelstub.Start(script...)
	ts.Defer(stub.Close)
	models.put(ts.Getenv(stateVar), stub)
	ts.Setenv("SELFIP_MODEL_PROVIDER", "openai")
	ts.Setenv("SELFIP_MODEL_URL", stub.OpenAI())
	ts.Setenv("SELFIP_MODEL_NAME", "stub-model")
}

func modelCalls(ts *testscript.TestScript, args []string) {
	stub := models.get(ts.Getenv(stateVar))
	if len(args) != 1 || stub == nil {
		ts.Fatalf("usage: model calls N, after model ANSWER...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := stub.Calls(); got != want {
		ts.Fatalf("the model was called %d times, want %d", got, want)
	}
}

func modelAnswer(ts *testscript.TestScript, arg string) modelstub.Answer {
	kind, value, ok := strings.Cut(arg, ":")
	texts := map[string]func(string) modelstub.Answer{
		"cut": modelstub.Truncated, "drifted": modelstub.Drifted, "fenced": modelstub.Fenced, "thinking": modelstub.Thinking,
		"half": modelstub.Half, "unfinished": modelstub.Unfinished, "whole": modelstub.Whole,
	}
	if say := texts[kind]; say != nil && ok {
		return say(ts.ReadFile(value))
	}
	switch arg {
	case "hang":
		return modelstub.Hang()
	case "html":
		return modelstub.HTML(200)
	case "json":
		return modelstub.WrongJSON()
	}
	code, err := strconv.Atoi(kind)
	switch {
	case err != nil:
		return modelstub.Good(ts.ReadFile(arg))
	case code == 429:
		seconds, err := strconv.Atoi(value)
		if err != nil {
			seconds = -1
		}
		return modelstub.RateLimited(seconds)
	}
	return modelstub.Status(code, "the stub says "+kind)
}

// models are the stand-ins of scripts that run, by the folder of their state.
var models stubs

type stubs struct {
	mu sync.Mutex
	of map[string]*modelstub.Server
}

func (s *stubs) put(script string, stub *modelstub.Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]*modelstub.Server{}
	}
	s.of[script] = stub
}

func (s *stubs) get(script string) *modelstub.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[script]
}
