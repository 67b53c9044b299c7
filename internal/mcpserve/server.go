// Package mcpserve serves tools, resources and prompts to an agent over MCP, the
// Model Context Protocol, on two streams: one JSON-RPC message a line.
//
// Whoever serves declares a Tool once: its schema, the check of its arguments
// and what tools/list says are all made from that declaration. Clients that open
// with initialize and clients of the stateless protocol, which name their
// version in each request, are both answered, and no state hangs on the
// connection (spec/harness-hooks.md 23).
//
// The package knows no domain and no language: errors are put into words by the
// one who serves. It writes nothing to the output but messages of the protocol.
// Between processes it promises nothing.
package mcpserve

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// Limits that hold when the Config names none.
const (
	DefaultTimeout  = 20 * time.Second // spec/selfip.md 27.1
	DefaultParallel = 4
	DefaultLine     = 4 << 20
)

// Config says what a server tells of itself, and its limits.
type Config struct {
	Name, Title, Version string
	Instructions         string // for the model: what the tools are for

	Timeout  time.Duration // of one call, waiting for its turn included
	Parallel int           // how many calls run at once
	Line     int           // bytes of one message

	// Explain words an error: the sentence that the model reads, and a document
	// for programs, which may be nil. It must be safe for concurrent use. Nil: the
	// error's own words.
	Explain func(error) (sentence string, document any)

	// Resources returns the resources that there are now. It is asked for each list
	// and each read, so nothing is remembered between two. Nil: there are none.
	Resources func(context.Context) []Resource
}

// Server is a table of tools, prompts and resources. Its methods are safe for
// concurrent use, also while it serves: a client is told when a list changed.
type Server struct {
	config Config
	slots  chan struct{} // one element for each call that runs

	mu      sync.Mutex
	tools   map[string]Tool
	prompts map[string]Prompt
	client  *connection // that is served; nil: none
}

// New returns a server without tools.
func New(c Config) *Server {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Parallel <= 0 {
		c.Parallel = DefaultParallel
	}
	if c.Line <= 0 {
		c.Line = DefaultLine
	}
	return &Server{config: c, slots: make(chan struct{}, c.Parallel), tools: map[string]Tool{}, prompts: map[string]Prompt{}}
}

// Serve answers what comes in until in ends, ctx does, or out is closed. What
// was asked before the end of in is still answered. It serves one client at a
// time.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	serving, cancel := context.WithCancel(ctx)
	defer cancel()
	c := newConnection(s, out)
	s.attach(c)
	defer s.attach(nil)
	lines := make(chan line)
	go readLines(in, s.config.Line, lines, serving.Done())
	for {
		select {
		case l, more := <-lines:
			if !more {
				return c.end(ctx)
			}
			c.receive(serving, l)
		case <-c.broken:
			return c.failure()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *Server) attach(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = c
}

// change changes the lists and tells the client which one.
func (s *Server) change(method string, wants func(listener) bool, do func()) {
	s.mu.Lock()
	do()
	client := s.client
	s.mu.Unlock()
	if client != nil {
		client.changed(method, wants)
	}
}

// explain words an error and gives its document.
func (s *Server) explain(err error) (string, any) {
	if s.config.Explain == nil {
		return err.Error(), nil
	}
	return s.config.Explain(err)
}

// names returns what a list of things is called, in order.
func names[T any](list map[string]T) []string { return slices.Sorted(maps.Keys(list)) }

// encode is JSON with the characters of HTML as they are.
func encode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	return marshal(v)
}
