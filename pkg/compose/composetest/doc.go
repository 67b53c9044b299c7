// Package composetest is the contracts of package compose as tests. An author of
// a Source, a Strategy or an extension runs them on their own:
//
//	func TestNotes(t *testing.T) {
//		composetest.CheckSource(t, newNotes, composetest.Operation{ID: "read", Input: jsonvalue.Of()})
//	}
//
// Each sentence of a contract is a subtest. What Core refuses by itself is found
// by composing and reading through a real Core; what it cannot see, such as a
// change of a value that was handed out, is looked for here.
package composetest

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// sentence is one part of a contract, and how to see that it does not hold.
type sentence struct {
	name  string
	check func(ctx context.Context) error
}

// patience is how long anything may take that is meant to be quick.
const patience = 10 * time.Second

// run makes a subtest of each sentence.
func run(t *testing.T, sentences []sentence) {
	t.Helper()
	for _, s := range sentences {
		t.Run(s.name, func(t *testing.T) {
			if err := s.try(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// try returns the failure of one sentence; code that does not return is one.
func (s sentence) try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- fmt.Errorf("panic: %v", p)
			}
		}()
		done <- s.check(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(2 * patience):
		return fmt.Errorf("nothing came back within %v", 2*patience)
	}
}
