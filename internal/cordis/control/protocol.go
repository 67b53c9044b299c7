// Package control is how programs talk with a host process: JSON-RPC 2.0, one
// message a line, in both directions, over a unix socket in the folder .cordis
// of the workspace (docs/formats/cordis.md, docs/adr/0028-control-protocol.md).
//
// It promises that one workspace has one host, found by a lock that dies with
// its holder and never by a process id; that only the user's own processes are
// answered; and that no client can hold the host up: what is read, queued and
// in flight is bounded, and who does not read what it is sent is cut off.
package control

import (
	"encoding/json"
	"time"
)

// Protocol is the version of what is spoken. A host and a client of different
// versions do not talk.
const Protocol = 1

// Role is what a connection is for, which decides what it may ask.
type Role string

// The roles.
const (
	Client Role = "client" // a command, or a program in its place
	Page   Role = "page"   // runs Client halves and has a person decide
	Bridge Role = "bridge" // a harness that offers services and tools to plugins
)

// Roles lists the roles.
var Roles = []Role{Client, Page, Bridge}

// Bounds of a connection.
const (
	MaxLine        = 16 << 20 // bytes of one message
	maxHello       = 64 << 10 // of the first one
	maxServing     = 256      // requests of one connection at once
	maxQueue       = 4096     // messages that wait to be read
	maxQueueBytes  = 32 << 20
	maxBad         = 16 // lines that are no message, before the connection ends
	maxConnections = 512

	helloTime = 5 * time.Second  // for the first message, and for its answer
	writeTime = 30 * time.Second // for a message that nobody reads
	byeTime   = time.Second      // for the last one
)

// The numbers of errors that JSON-RPC knows, and of ours.
const (
	numParse    = -32700 // the line is no JSON
	numInvalid  = -32600 // it is no message, or too long
	numMethod   = -32601 // there is no such method
	numParams   = -32602 // the params do not fit it
	numInternal = -32603 // a recovered panic
	numFault    = -32000 // what data says
)

// HelloParams open a connection: its first message is the method "hello".
type HelloParams struct {
	Protocol int    `json:"protocol"`
	Role     Role   `json:"role"`
	Name     string `json:"name,omitempty"`    // of the program, for people
	Version  string `json:"version,omitempty"` // of the program

	Language string `json:"language,omitempty"` // of sentences: en or zh-CN

	// Sessions are those that a page is bound to; none: all.
	Sessions []string `json:"sessions,omitempty"`
}

// HelloResult says who answers.
type HelloResult struct {
	Protocol  int    `json:"protocol"`
	PID       int    `json:"pid"`
	Version   string `json:"version"`
	Workspace string `json:"workspace"`
	Started   string `json:"started"` // RFC 3339
}

// message is one line. Without an id it is a notification, without a method an
// answer.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *wireError      `json:"error,omitempty"`
}

// cancelParams name the request that its sender gives up.
type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// byeParams are the last that a connection is sent.
type byeParams struct {
	Error *wireError `json:"error,omitempty"` // why, when it was not the end of the host
}

const (
	methodHello  = "hello"
	methodCancel = "cancel"
	methodBye    = "bye"
)
