package selfip

import (
	"context"
	"slices"
	"strings"
	"time"
)

// Ask makes one call of a language model. It ends when ctx does.
//
// The error says in its kind what can be done: Refused when the model cannot be
// used as it is set up, Busy when its service wants no more calls for a while (a
// Pause in the chain says how long), Timeout, Failed. An error consumes nothing:
// what the call was for stays to be done. The answer beside an error tells what
// the call cost all the same.
type Ask func(ctx context.Context, q Question) (Answer, error)

// The kinds of calls, by which their costs are booked (spec/selfip.md 3.9).
const (
	ErrorRetro   = "error-retro"
	SessionRetro = "session-retro"
	ManualRetro  = "manual-retro"
	SleepCall    = "sleep"
	CompactCall  = "compact"
)

// The uses of a model that a user can allow one by one.
const (
	UseRetro   = "retro"
	UseSleep   = "sleep"
	UseCompact = "compact"
)

// useOf returns the use that a kind of call belongs to.
func useOf(kind string) string {
	if strings.HasSuffix(kind, "-retro") {
		return UseRetro
	}
	return kind
}

// Question is what a model is asked (spec/selfip.md 25.1).
type Question struct {
	Kind      string
	System    string
	User      string
	MaxTokens int // of the answer
	MaxChars  int // the answer is cut here, UTF-16 code units; 0: 8000
}

// Answer is what a model said. Text is trimmed. It is empty when the model came
// to its end and had nothing to say; then the work is done, with no result.
type Answer struct {
	Text     string
	Cut      bool // by the model's limit or at MaxChars: the last part is not whole
	Input    int  // tokens, as the model's service counts them, else estimated
	Output   int
	Provider string
	Model    string
	Effort   string // of reasoning; "" when none was asked for
	Routed   string // why this model was taken when it is not the one set; else ""
	Unsent   bool   // of a call that failed: nothing was spent, it never got to the model
}

// By names the author of what an answer brought, for metadata.
func (a Answer) By() string { return a.Provider + "/" + a.Model }

// Route is the model that calls go to, as far as it is known before one is made.
type Route struct {
	Provider string
	Model    string
	Effort   string
	Routed   string
}

// Pause is the error of a service that wants no more calls for a while.
type Pause struct {
	For time.Duration // 0: it did not say
	Err error
}

func (p *Pause) Error() string { return p.Err.Error() }

// Unwrap returns the error that says why.
func (p *Pause) Unwrap() error { return p.Err }

// Asks reports whether questions of a kind go to a model: one is set up, the user
// lets it be used for that, and nobody waits for a hook.
func (m *Memory) Asks(kind string) bool {
	return m.Model != nil && !m.Quick && (m.Settings.ModelUse == nil || slices.Contains(m.Settings.ModelUse, useOf(kind)))
}
