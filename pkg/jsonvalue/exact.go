package jsonvalue

import (
	"slices"
	"strings"
)

// ParseExact reads JSON text as Parse does, but for what JSON.parse takes and
// changes: a number that is too large, which would be infinite, and a second
// member of one name, which would hide the first. Those are a *LossError.
func ParseExact(text []byte) (any, error) {
	return (&parser{text: string(text), exact: true}).document()
}

// A LossError says where a text holds what its value would not.
type LossError struct {
	Path  string // .key and [index] from the whole value, which is ""
	Twice bool   // a second member of one name; else a number that is too large
}

// Error gives the path and the problem.
func (e *LossError) Error() string {
	if e.Twice {
		return e.Path + ": the member is there twice"
	}
	return e.Path + ": the number is too large"
}

// below notes a step to a loss. The path is made at the end, once: each level
// could have a long name.
func (p *parser) below(err error, step string) error {
	if _, ok := err.(*LossError); ok {
		p.steps = append(p.steps, step)
	}
	return err
}

// placed gives a loss its path.
func (p *parser) placed(err error) error {
	if loss, ok := err.(*LossError); ok {
		slices.Reverse(p.steps)
		loss.Path = strings.Join(p.steps, "")
	}
	return err
}
