// Package model makes one call of a language model: a service that speaks
// OpenAI's chat completions or Anthropic's messages, or a program that reads a
// text and writes the answer (spec/selfip.md 25).
//
// A call ends within its time limit, tries again included, and when its context
// ends. An answer is whole or it is an error: a stream that ends without saying
// so, a finish for any reason but the end or the limit of tokens, a page in the
// place of an answer. What is read is bounded, and a key appears in no error. The
// package keeps no state and knows no budget: whoever calls it books what it cost.
package model

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// The kinds of providers.
const (
	OpenAI    = "openai"
	Anthropic = "anthropic"
	Command   = "command"
)

// Settings say which model is called and how.
type Settings struct {
	Provider string        // openai, anthropic or command
	URL      string        // base address; "": that of the provider
	Name     string        // of the model; "": the one of the address, if it has one
	KeyEnv   string        // variable that holds the key; "": the usual one of the address
	KeyFile  string        // file that holds the key, absolute; it comes first
	Command  []string      // program and arguments
	Effort   string        // of reasoning; "" or auto: the cheapest there is
	Timeout  time.Duration // of a whole call; 0: 45 s
}

// World is what a call may use of its process.
type World struct {
	Getenv  func(string) string
	Environ func() []string  // of a program that is called
	Now     func() time.Time // to see how much of the time limit is left
	Chance  func() float64   // at least 0, less than 1; spreads new tries
	// Redact takes secrets out of what a service or program says; nil: nothing is
	// taken out but the key itself.
	Redact func(string) string
	// Wait waits before a new try; nil: a timer.
	Wait func(context.Context, time.Duration) error
}

// Request is what a model is asked.
type Request struct {
	System    string
	User      string
	MaxTokens int // of the answer; at least 1
}

// Reply is what a model said. Beside an error it tells what is known of the cost.
type Reply struct {
	Text   string // without thoughts and without blanks around it
	Cut    bool   // the limit of tokens was reached
	Input  int    // tokens as the service counts them; 0 and 0: it did not say
	Output int
	Unsent bool // of a call that failed: the model has not worked on it

	Provider string
	Model    string
	Effort   string // that was asked for; "": none
	Routed   string // why this model was taken when none was named; else ""
}

// Pause is the error of a service that wants no more calls for a while.
type Pause struct {
	For time.Duration // 0: it did not say
	Err error
}

func (p *Pause) Error() string { return p.Err.Error() }

// Unwrap returns the error that says why.
func (p *Pause) Unwrap() error { return p.Err }

// DefaultTimeout bounds a call (spec/selfip.md 8, retroTimeoutMs).
const DefaultTimeout = 45 * time.Second

// Model is a model that can be called. It may be used by many goroutines.
type Model struct {
	set   Settings
	world World
	at    endpoint // of a service
}

// New returns the model that the settings name. It makes no connection and reads
// no file. The error is a fault of kind Refused that says what is missing.
func New(s Settings, w World) (*Model, error) {
	if s.Timeout <= 0 {
		s.Timeout = DefaultTimeout
	}
	if w.Wait == nil {
		w.Wait = wait
	}
	m := &Model{set: s, world: w}
	var err error
	switch s.Provider {
	case OpenAI, Anthropic:
		m.at, err = endpointOf(s)
	case Command:
		if len(s.Command) == 0 {
			err = fault.New(fault.Refused, codeCommandUnset)
		}
	default:
		err = fault.New(fault.Refused, codeProvider, s.Provider)
	}
	return m, err
}

// Ready reports why a call could not even begin: a key that is not there, a
// program that cannot be found. It makes no connection.
func (m *Model) Ready() error {
	if m.set.Provider == Command {
		_, err := m.program()
		return err
	}
	_, err := m.key()
	return err
}

// Route tells what a call will go to: the model, "" when that is found out by
// the call, and the effort.
func (m *Model) Route() (name, effort string) {
	if m.set.Provider == Command {
		return m.commandName(), ""
	}
	return m.at.name, m.rungs(m.at.name)[0].word
}

// who names what is called, for errors.
func (m *Model) who() string {
	if m.set.Provider == Command {
		return m.commandName()
	}
	return m.at.host
}

// errOver is the cause of a context whose call has used up its time.
var errOver = errors.New("the time of the call is over")

// Call asks the model. The error is of the kind Refused when the settings, the key
// or the request are to blame, Busy (a *Pause) when the service wants no calls for
// now, Timeout, or Failed; when ctx has ended it is the cause of that.
func (m *Model) Call(ctx context.Context, q Request) (Reply, error) {
	if strings.TrimSpace(q.User) == "" || q.MaxTokens < 1 {
		return Reply{Unsent: true}, fault.New(fault.Usage, codeQuestion)
	}
	within, cancel := context.WithTimeoutCause(ctx, m.set.Timeout, errOver)
	defer cancel()
	var r Reply
	var err error
	if m.set.Provider == Command {
		r, err = m.run(within, q)
	} else {
		r, err = m.request(within, q)
	}
	r.Provider = m.set.Provider
	text, whole := withoutThoughts(r.Text)
	if r.Text = text; err == nil && !whole && !r.Cut {
		err = fault.New(fault.Failed, codeUnfinished, m.who())
	}
	if err != nil && ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	return r, err
}

// wait waits for d, or until ctx ends.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
