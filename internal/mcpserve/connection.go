package mcpserve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"unicode/utf8"
)

// maxWaiting is how many requests may wait for their answer at once; what comes
// on top is refused, so that a client gone wild does not fill the memory.
const maxWaiting = 1024

// message is one line: a request when it has a method and an id, a notification
// without an id, else an answer, to which nobody here has asked.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// waiting is a request without an answer.
type waiting struct {
	cancel context.CancelFunc
	stays  bool // it is open by its nature: the end of the input does not wait for it
}

// connection is one client. It answers a line that is no message and goes on, and
// when the input ends it stays until what was asked is answered.
type connection struct {
	server *Server
	out    io.Writer

	mu      sync.Mutex
	waiting map[string]*waiting // by id, as it was written
	version string              // that initialize has agreed on; "" before
	ended   bool                // the input is at its end
	failed  error               // of the output
	idle    chan struct{}       // closed when the input ended and nothing waits
	broken  chan struct{}       // closed when the output failed

	telling   sync.Mutex          // guards listening, and the order of what listeners are told
	listening map[string]listener // by the id of their request
}

func newConnection(s *Server, out io.Writer) *connection {
	return &connection{
		server: s, out: out, waiting: map[string]*waiting{}, listening: map[string]listener{},
		idle: make(chan struct{}), broken: make(chan struct{}),
	}
}

// line is what was read up to a line end.
type line struct {
	data    []byte
	tooLong bool
}

// readLines reads in until it ends or done does. Nothing can wake a read of a pipe,
// so the goroutine that it runs in may outlive the connection.
func readLines(in io.Reader, limit int, lines chan<- line, done <-chan struct{}) {
	defer close(lines)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		data, tooLong, err := readLine(r, limit)
		select {
		case lines <- line{data, tooLong}:
		case <-done:
			return
		}
		if err != nil {
			return
		}
	}
}

// readLine reads up to a line end. A line over the limit is read and dropped.
func readLine(in *bufio.Reader, limit int) (data []byte, tooLong bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(data)+len(piece) > limit+1 {
			tooLong, data = true, nil
		}
		if !tooLong {
			data = append(data, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return data, tooLong, err
		}
	}
}

// receive takes one line in. Requests are answered beside it, but for the opening,
// which all others depend on.
func (c *connection) receive(ctx context.Context, l line) {
	if l.tooLong {
		c.refuse(nil, invalidRequest, "message too long")
		return
	}
	m, ok := c.parse(bytes.TrimSpace(l.data))
	if !ok {
		return
	}
	if m.ID == nil {
		c.notified(m)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !c.admit(m, cancel) {
		cancel()
		return
	}
	if m.Method == "initialize" {
		c.answer(ctx, m)
		return
	}
	go c.answer(ctx, m)
}

// parse makes a message of a line; what is none is refused.
func (c *connection) parse(data []byte) (m message, ok bool) {
	switch {
	case len(data) == 0:
		return m, false
	case !utf8.Valid(data) || !json.Valid(data): // two messages on a line are not valid either
		c.refuse(nil, parseError, "a line is one JSON message in UTF-8")
		return m, false
	case data[0] != '{':
		c.refuse(nil, invalidRequest, "a message is a JSON object; batches are not taken")
		return m, false
	}
	if err := json.Unmarshal(data, &m); err != nil || m.Version != "2.0" || m.ID != nil && !isID(m.ID) {
		if !isID(m.ID) {
			m.ID = nil
		}
		c.refuse(m.ID, invalidRequest, "no message of JSON-RPC 2.0")
		return m, false
	}
	return m, m.Method != ""
}

// isID reports whether an id is a text or a number, as MCP wants it.
func isID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// admit notes that a request waits for its answer, or refuses it.
func (c *connection) admit(m message, cancel context.CancelFunc) bool {
	c.mu.Lock()
	_, twice := c.waiting[string(m.ID)]
	full := len(c.waiting) >= maxWaiting
	if !twice && !full {
		c.waiting[string(m.ID)] = &waiting{cancel: cancel, stays: m.Method == "subscriptions/listen"}
	}
	c.mu.Unlock()
	switch {
	case twice: // an answer with this id would be taken for the other's
		c.refuse(nil, invalidRequest, "the id is in use")
	case full:
		c.refuse(m.ID, overloaded, "too many requests at once")
	}
	return !twice && !full
}

// answer does what a request asks for and writes the answer. One that the client
// has given up gets none.
func (c *connection) answer(ctx context.Context, m message) {
	result, err := c.attempt(ctx, m)
	switch {
	case err != nil && ctx.Err() == nil:
		c.write(reply{ID: m.ID, Error: err})
	case err == nil && (ctx.Err() == nil || m.Method == "subscriptions/listen"):
		c.write(reply{ID: m.ID, Result: result})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.waiting[string(m.ID)]; w != nil {
		w.cancel()
	}
	delete(c.waiting, string(m.ID))
	c.settle()
}

// attempt is dispatch, in which a panic is an error of that request alone: it would
// end the process, and with the code that blocks a turn where a hook is meant.
func (c *connection) attempt(ctx context.Context, m message) (result any, err *protocolError) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, refusal(internalError, "%s went wrong inside: %v", shortened(m.Method), p)
		}
	}()
	return c.dispatch(ctx, m)
}

// notified takes a notification in. Only a cancellation is of interest; which
// version a client has opened with was told by its first request.
func (c *connection) notified(m message) {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if m.Method != "notifications/cancelled" || json.Unmarshal(m.Params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.waiting[string(p.ID)]; w != nil {
		w.cancel()
	}
}

// end says that the input is at its end, and waits for what was asked.
func (c *connection) end(ctx context.Context) error {
	c.mu.Lock()
	c.ended = true
	c.settle()
	c.mu.Unlock()
	select {
	case <-c.idle:
		return nil
	case <-c.broken:
		return c.failure()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// settle closes idle when nothing more is to come or to go. The caller holds mu.
func (c *connection) settle() {
	if !c.ended {
		return
	}
	for _, w := range c.waiting {
		if !w.stays {
			return
		}
	}
	select {
	case <-c.idle:
	default:
		close(c.idle)
	}
}

// reply is an answer. An id that is nil is that of a line which had none.
type reply struct {
	ID     json.RawMessage
	Result any
	Error  *protocolError
}

func (c *connection) refuse(id json.RawMessage, code int, sentence string) {
	c.write(reply{ID: id, Error: &protocolError{Code: code, Message: sentence}})
}

func (c *connection) write(r reply) {
	var o ordered
	o.add("jsonrpc", "2.0")
	if r.ID == nil {
		r.ID = json.RawMessage("null")
	}
	o.add("id", r.ID)
	if r.Error != nil {
		o.add("error", r.Error)
	} else {
		o.add("result", r.Result)
	}
	c.send(&o)
}

// notify tells the client something that it did not ask for.
func (c *connection) notify(method string, params any) {
	var o ordered
	o.add("jsonrpc", "2.0")
	o.add("method", method)
	o.add("params", params)
	c.send(&o)
}

// send writes one line. A failure of the output ends the connection.
func (c *connection) send(o *ordered) {
	data, err := o.bytes()
	if err != nil { // of a value that is no JSON; results have been through it before
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed != nil {
		return
	}
	if _, c.failed = c.out.Write(append(data, '\n')); c.failed != nil {
		close(c.broken)
	}
}

// failure returns why the output ended.
func (c *connection) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}
