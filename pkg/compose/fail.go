package compose

import "fmt"

// Codes of errors that a caller tells apart. All other errors of this package
// have no code: their sentence says everything.
const (
	CodeUnavailable      = "memory-composition-unavailable" // no generation serves
	CodeStrategyTimeout  = "strategy-timeout"
	CodeExtensionTimeout = "strategy-extension-timeout"
	CodeCreateTimeout    = "source-create-timeout"
)

// Error is an error with a stable code.
type Error struct {
	Code    string
	Message string
}

func (e *Error) Error() string { return e.Message }

// AggregateError is several errors under one sentence.
type AggregateError struct {
	Message string
	Errors  []error
}

func (e *AggregateError) Error() string   { return e.Message }
func (e *AggregateError) Unwrap() []error { return e.Errors }

// late is what becomes of synchronous plugin code that overran its time.
func late(code, what, key string) error {
	return &Error{Code: code, Message: fmt.Sprintf("memory %s %s timed out", what, key)}
}
