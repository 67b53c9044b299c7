// Package scope is how far experience travels, as a value: the three scopes,
// the switches they compile to, what a change of scope hides or brings back,
// and when two spellings of a path mean one folder (spec/selfip.md 6.4, 6.6, 7).
package scope

import (
	"strings"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Scope says which libraries are read and written.
type Scope string

// The three scopes. The zero Scope is none of them and reads nothing.
const (
	Workspace Scope = "workspace" // closed: this workspace alone
	Global    Scope = "global"    // shared: the global library alone, both ways
	Both      Scope = "both"      // one way: read both, write the workspace
)

// Default is the scope of a workspace that nobody configured.
const Default = Workspace

// All lists the scopes in the order in which help shows them.
var All = []Scope{Workspace, Global, Both}

// Parse reads a scope as a person writes it: any case, blanks around it. The
// error is a fault of kind Usage that names the value and the choices.
func Parse(s string) (Scope, error) {
	got := Scope(strings.ToLower(strings.TrimSpace(s)))
	for _, known := range All {
		if got == known {
			return got, nil
		}
	}
	return "", fault.New(fault.Usage, codeUnknown, s, string(Workspace), string(Global), string(Both))
}

// Switches is what a scope compiles to; all behaviour hangs on it
// (spec/selfip.md 6.4).
type Switches struct {
	ReadWorkspace bool // injection, search and forget see the workspace's library
	ReadGlobal    bool // injection, search and forget see the global library
	WriteGlobal   bool // new entries go to the global library
	Promote       bool // always false: nothing is copied to others unasked
}

// Switches compiles the scope. Unlike the original, ReadWorkspace masks search
// and forget as well as injection (spec/selfip.md 29, W12).
func (s Scope) Switches() Switches {
	return Switches{
		ReadWorkspace: s == Workspace || s == Both,
		ReadGlobal:    s == Global || s == Both,
		WriteGlobal:   s == Global,
	}
}
