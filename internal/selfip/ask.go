package selfip

import "context"

// Ask makes one call of a language model. It ends when ctx does. The error says
// in its kind what can be done: Refused when the model cannot be used as it is
// set up, Timeout, Failed. An error consumes nothing: what the call was for stays
// to be done.
type Ask func(ctx context.Context, q Question) (Answer, error)

// The kinds of calls, by which their costs are booked (spec/selfip.md 3.9).
const (
	ErrorRetro   = "error-retro"
	SessionRetro = "session-retro"
	ManualRetro  = "manual-retro"
	SleepCall    = "sleep"
	CompactCall  = "compact"
)

// Question is what a model is asked (spec/selfip.md 25.1).
type Question struct {
	Kind      string
	System    string
	User      string
	MaxTokens int // of the answer
	MaxChars  int // the answer is cut here, UTF-16 code units
}

// Answer is what a model said.
type Answer struct {
	Text     string
	Cut      bool // by the model's limit or at MaxChars
	Input    int  // tokens, as the model's service counts them, else estimated
	Output   int
	Provider string
	Model    string
	Effort   string // of reasoning; "" when none was asked for
	Routed   string // why this model was taken when it is not the one set; else ""
}

// By names the author of what an answer brought, for metadata.
func (a Answer) By() string { return a.Provider + "/" + a.Model }
