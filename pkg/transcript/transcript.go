// Package transcript is what happened in a session of a coding agent, as a
// sequence of records that no longer shows which harness wrote it down. The
// dialects of internal/harness read their own formats into it; learning reads
// it.
package transcript

import "time"

// Kind says what a record is.
type Kind string

// The kinds of record.
const (
	Prompt   Kind = "prompt"   // a person's words to the agent
	Reply    Kind = "reply"    // the agent's words to the person
	Call     Kind = "call"     // a tool was called
	Result   Kind = "result"   // a tool answered, well or with a failure
	Fault    Kind = "fault"    // the agent itself failed: the model's service, a limit
	Feedback Kind = "feedback" // a person judged a reply
)

// Record is one thing that happened. Text that came from outside is untrusted:
// whoever stores it passes it through the gate first.
type Record struct {
	Kind   Kind      `json:"kind"`
	Time   time.Time `json:"time,omitzero"`
	ID     string    `json:"id,omitempty"`    // pairs a result with its call
	Tool   string    `json:"tool,omitempty"`  // the tool's name, of a call or result
	Input  string    `json:"input,omitempty"` // what was asked of the tool: the command, the path
	Text   string    `json:"text,omitempty"`  // the words, the output, the message of the failure
	Failed bool      `json:"failed,omitempty"`
	Good   bool      `json:"good,omitempty"` // of feedback: the person liked it
	Dir    string    `json:"-"`              // the folder in which it happened, where the log tells; "" when it does not
}
