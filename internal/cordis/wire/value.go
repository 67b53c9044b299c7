// Package wire is what crosses between the host and one Host half: values,
// errors and frames, over a Link that may lead to another process.
//
// A value that crosses is JSON as package jsonvalue has it, with the leaves of
// this file wherever JSON has a value. Data is copied. What cannot be copied is
// named by a Handle; it lives at its home, and lasts as long as somebody has its
// Lease, or as that run if it has none.
package wire

// Undefined is JavaScript's undefined, which JSON does not know.
type Undefined struct{}

// Bytes is a Uint8Array.
type Bytes []byte

// Context is a plugin core's Context. It never crosses as itself: the guard on
// the other side refuses it (spec/cordis.md 7.4).
type Context struct{}

// Home says where the thing that a Handle names lives: "host", or the id of the
// run whose half holds it.
type Home string

// Host is the home of what the host itself holds.
const Host Home = "host"

// Handle names one thing at its home.
type Handle struct {
	Home Home
	ID   uint64
}

// Func is something that can be called.
type Func struct {
	Handle
	Name   string
	Async  bool // it gives a promise, so its answer may come late
	Effect bool // its result is a disposer, which belongs to the Fiber of the caller

	Lease *Lease // keeps it; nil: it lasts as long as its home
}

// Promise settles later: await waits for it.
type Promise struct{ Handle }

// Iterator is an async iterator: its Next gives {value, done} by a promise, its
// Return ends it.
type Iterator struct {
	Next, Return Func
}

// Signal is something that can be aborted; the side that holds it tells so.
type Signal struct {
	Handle
	Aborted bool
	Lease   *Lease // as that of a Func
}

// Object is an object with members that are not plain data: a service, or what
// one returned. Plain members are a snapshot, getters are read anew each time.
type Object struct {
	Members []Member // own ones in their order, then those of the prototype chain
	Call    *Func    // the object can be called itself
}

// Member is one member of an Object: a value, or a getter.
type Member struct {
	Name   string
	Value  any   // nil with a Getter
	Getter *Func // nil: Value counts

	Inherited bool // from the prototype chain
	Hidden    bool // it cannot be enumerated
}

// Thrown is what code on the other side threw.
type Thrown struct {
	Name, Message, Stack, Code string
	// Plain says that no Error was thrown but this text, made of the value.
	Plain bool
}

// Error is the message.
func (t *Thrown) Error() string { return t.Message }
