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

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxWaiting is how many requests may wait for their answer at once; what comes
// on top is refused, so that a client gone wild does not fill the memory.
const maxWaiting = 1024

// codeOverloaded is the error of a request that came on top, from the range that
// JSON-RPC leaves to servers.
const codeOverloaded = -32000

// lines is a connection of one message a line. The SDK's own ends with the first
// line that is no message; this one answers it and goes on. When the input ends
// it keeps the connection until what was asked is answered.
type lines struct {
	in    *bufio.Reader
	out   io.Writer
	limit int

	messages chan jsonrpc.Message // from the reader; closed at the end of the input
	closed   chan struct{}
	once     sync.Once

	mu      sync.Mutex
	waiting map[jsonrpc.ID]bool // requests without an answer; true: stays open by its nature
	ended   bool                // the input is at its end
	idle    chan struct{}       // closed when it is and nothing waits
	failed  error               // of the output
}

func newLines(in io.Reader, out io.Writer, limit int) *lines {
	return &lines{
		in: bufio.NewReaderSize(in, 64<<10), out: out, limit: limit,
		messages: make(chan jsonrpc.Message), closed: make(chan struct{}), idle: make(chan struct{}),
		waiting: map[jsonrpc.ID]bool{},
	}
}

// Connect starts to read. The goroutine ends with the input; nothing can wake a
// read of a terminal or a pipe, so it may outlive the connection.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	go l.read()
	return l, nil
}

// SessionID is empty: a pipe has one client.
func (l *lines) SessionID() string { return "" }

// Read returns the next message; io.EOF when there will be none and all answers
// are out.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-l.messages:
		if ok {
			return m, nil
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
		return nil, io.EOF
	}
	select {
	case <-l.idle:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closed:
	}
	return nil, io.EOF
}

// Write writes one message. A failure ends the connection.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = l.writeLine(data)
	if r, ok := m.(*jsonrpc.Response); ok {
		l.mu.Lock()
		delete(l.waiting, r.ID)
		l.settle()
		l.mu.Unlock()
	}
	return err
}

// Close ends the connection, not the streams: they are not ours.
func (l *lines) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *lines) writeLine(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return l.failed
	}
	_, err := l.out.Write(append(data, '\n'))
	l.failed = err
	return err
}

// failure returns why the output ended, nil when it did not.
func (l *lines) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// settle closes idle when nothing more is to come or to go. The caller holds mu.
func (l *lines) settle() {
	if !l.ended {
		return
	}
	for _, stays := range l.waiting {
		if !stays {
			return
		}
	}
	select {
	case <-l.idle:
	default:
		close(l.idle)
	}
}

// read takes the input apart until it ends or the connection does.
func (l *lines) read() {
	defer func() {
		l.mu.Lock()
		l.ended = true
		l.settle()
		l.mu.Unlock()
		close(l.messages)
	}()
	for {
		line, tooLong, err := readLine(l.in, l.limit)
		if tooLong {
			l.refuse(nil, jsonrpc.CodeInvalidRequest, "message too long")
		} else if m := l.message(line); m != nil {
			select {
			case l.messages <- m:
			case <-l.closed:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads up to a line end. A line over the limit is read and dropped.
func readLine(in *bufio.Reader, limit int) (line []byte, tooLong bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) > limit+1 {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// message makes a message of a line, nil when there is none or it was refused.
func (l *lines) message(line []byte) jsonrpc.Message {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0:
		return nil
	case !utf8.Valid(line) || !json.Valid(line): // two messages on a line are not valid either
		l.refuse(nil, jsonrpc.CodeParseError, "a line is one JSON message in UTF-8")
		return nil
	case line[0] != '{':
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "a message is a JSON object; batches are not taken")
		return nil
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		l.refuse(idOf(line), jsonrpc.CodeInvalidRequest, "no message of JSON-RPC 2.0")
		return nil
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && !l.admit(r, line) {
		return nil
	}
	return m
}

// admit notes that a request waits for its answer, or refuses it.
func (l *lines) admit(r *jsonrpc.Request, line []byte) bool {
	l.mu.Lock()
	_, twice := l.waiting[r.ID]
	full := len(l.waiting) >= maxWaiting
	if !twice && !full {
		l.waiting[r.ID] = r.Method == "subscriptions/listen"
	}
	l.mu.Unlock()
	switch {
	case twice: // an answer with this id would be taken for the other's
		l.refuse(nil, jsonrpc.CodeInvalidRequest, "the id is in use")
	case full:
		l.refuse(idOf(line), codeOverloaded, "too many requests at once")
	}
	return !twice && !full
}

// idOf returns the id that a line has, as it is written, else nil.
func idOf(line []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil || len(m.ID) == 0 || m.ID[0] != '"' && (m.ID[0] < '0' || m.ID[0] > '9') && m.ID[0] != '-' {
		return nil
	}
	return m.ID
}

// refuse answers what is no request that could be passed on.
func (l *lines) refuse(id json.RawMessage, code int, sentence string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   any             `json:"error"`
	}{"2.0", id, map[string]any{"code": code, "message": sentence}})
	if err == nil {
		_ = l.writeLine(data) // the next write tells of it
	}
}
