package node

import (
	"context"
	"io"
)

// Network sends requests.
type Network interface {
	// Do sends a request and returns when the head of the answer is there. Its
	// body is read until ctx ends. Errors should be SystemErrors where the
	// system has a name for them (ECONNREFUSED, ENOTFOUND).
	Do(ctx context.Context, r *Request) (*Response, error)
}

// Request is what fetch sends. Redirect is follow, manual or error.
type Request struct {
	Method, URL string
	Header      [][2]string
	Body        []byte // nil: none
	Redirect    string
}

// Response is the head of an answer and its body.
type Response struct {
	Status     int
	StatusText string
	URL        string // after redirects
	Redirected bool
	Header     [][2]string // names in lower case, in order
	Body       io.ReadCloser
}
