package control

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Handler answers a request of the other side. Its context ends when the other
// side gives the request up or goes away.
type Handler func(ctx context.Context, params json.RawMessage) (any, error)

// Handlers are what one side answers and hears.
type Handlers struct {
	// Request finds the Handler of a method, or says why there is none. Nil: none.
	Request func(method string) (Handler, error)
	// Notify hears what is told without being asked, in order; it must not call
	// back. Nil: nothing is heard.
	Notify func(method string, params json.RawMessage)
}

// Conn is one side of a connection. Its methods may be called from any
// goroutine.
type Conn struct {
	raw     net.Conn
	in      *bufio.Reader
	out     *outbox
	explain func(error) string

	language string // that the other side speaks; "": nobody said

	handlers Handlers
	ctx      context.Context // ends with the connection
	cancel   context.CancelCauseFunc
	work     sync.WaitGroup // requests that are answered
	writing  chan struct{}  // closed when nothing is written any more

	mu      sync.Mutex
	last    int64
	asked   map[string]chan message       // our requests by id
	serving map[string]context.CancelFunc // theirs
	reason  error                         // what the other side said at the end

	// strict: what is no message ends the connection, for the other side is no
	// host.
	strict bool
	bad    int // lines that were no message; the reader's own
}

func newConn(raw net.Conn, handlers Handlers, explain func(error) string) *Conn {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &Conn{
		raw: raw, in: bufio.NewReaderSize(raw, 32<<10), out: newOutbox(), explain: explain,
		handlers: handlers, ctx: ctx, cancel: cancel, writing: make(chan struct{}),
		asked: map[string]chan message{}, serving: map[string]context.CancelFunc{},
	}
	return c
}

// start begins to send what is queued.
func (c *Conn) start() { go c.write() }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.ctx.Done() }

// Err says why the connection has ended; nil while it lasts.
func (c *Conn) Err() error {
	if c.ctx.Err() == nil {
		return nil
	}
	return context.Cause(c.ctx)
}

// Call asks the other side and waits for its answer, which it puts into result;
// a nil result is not looked at. When ctx ends, the other side is told that the
// request is given up. An error that the other side answers is the fault that it
// was there.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	encoded, err := encode(params)
	if err != nil {
		return err
	}
	id, answer := c.ask()
	defer c.forget(id)
	if err := c.send(message{ID: json.RawMessage(id), Method: method, Params: encoded}, true); err != nil {
		return err
	}
	select {
	case m := <-answer:
		return read(method, m, result)
	case <-ctx.Done():
		_ = c.Notify(methodCancel, cancelParams{json.RawMessage(id)}) // it may be gone
		return context.Cause(ctx)
	case <-c.ctx.Done():
		select { // the answer may have been the last that came
		case m := <-answer:
			return read(method, m, result)
		default:
			return context.Cause(c.ctx)
		}
	}
}

// read takes the result out of an answer.
func read(method string, m message, result any) error {
	switch {
	case m.Error != nil:
		return m.Error.fault()
	case result == nil:
		return nil
	}
	if raw, ok := result.(*json.RawMessage); ok {
		*raw = m.Result
		return nil
	}
	err := exact(m.Result)
	if err == nil {
		err = json.Unmarshal(m.Result, result)
	}
	if err != nil {
		return fault.New(fault.Failed, codeAnswer, method).Because(misfit(err))
	}
	return nil
}

func encode(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	line, err := marshal(v)
	var known *fault.Error
	if errors.As(err, &known) {
		return nil, known // without the encoder's words
	}
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// Notify tells the other side something without being asked. It does not wait:
// who does not read what is sent is cut off.
func (c *Conn) Notify(method string, params any) error {
	encoded, err := encode(params)
	if err != nil {
		return err
	}
	return c.send(message{Method: method, Params: encoded}, false)
}

// Close ends the connection: what waits to be written is still sent, for a
// moment, and what is being answered is given up.
func (c *Conn) Close() error {
	c.finish(nil)
	return nil
}

// finish ends the connection after what waits was sent, and the reason if there is
// one. Who does not read is sent the reason alone.
func (c *Conn) finish(reason error) {
	var bye []byte
	if reason != nil {
		bye, _ = format(message{Method: methodBye, Params: must(byeParams{wireOf(reason, c.explain)})})
	} else {
		reason = fault.New(fault.NoHost, codeGone)
	}
	c.out.end(bye, fault.CodeOf(reason) == codeSlow)
	late := time.AfterFunc(byeTime, c.expire)
	defer late.Stop()
	<-c.writing
	c.end(reason)
}

// longAgo is a deadline that has passed: timers set it, for the clock is not ours
// to read.
var longAgo = time.Unix(1, 0)

// expire ends the writes that wait.
func (c *Conn) expire() { _ = c.raw.SetWriteDeadline(longAgo) }

// must encodes what has only parts that can be.
func must(v any) json.RawMessage {
	b, err := encode(v)
	if err != nil {
		panic(err)
	}
	return b
}

// end ends the connection at once.
func (c *Conn) end(reason error) {
	c.cancel(reason)
	c.out.drop()
	_ = c.raw.Close()
}

// ask notes that an answer will come.
func (c *Conn) ask() (id string, answer chan message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	id, answer = strconv.FormatInt(c.last, 10), make(chan message, 1)
	c.asked[id] = answer
	return id, answer
}

func (c *Conn) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asked, id)
}

// send queues a message. An event that finds the queue full is the end of a
// connection that nobody reads.
func (c *Conn) send(m message, patient bool) error {
	line, err := format(m)
	if err != nil {
		return err
	}
	if len(line) > MaxLine {
		return fault.New(fault.Refused, codeLong, MaxLine)
	}
	open, err := c.out.put(line, patient)
	switch {
	case errors.Is(err, errFull):
		slow := fault.New(fault.Refused, codeSlow, maxQueue)
		go c.finish(slow) // it waits for who does not read
		return slow
	case !open && c.ctx.Err() != nil:
		return context.Cause(c.ctx)
	case !open:
		return fault.New(fault.NoHost, codeGone)
	}
	return nil
}

// write sends what is queued until there will be no more.
func (c *Conn) write() {
	defer close(c.writing)
	for {
		line, ok := c.out.next()
		if !ok {
			return
		}
		late := time.AfterFunc(writeTime, c.expire)
		_, err := c.raw.Write(line)
		late.Stop()
		if err != nil {
			c.unread(err)
			return
		}
	}
}

// unread ends the connection when nothing can be written. Of one that the other
// side has ended the last words are still to be read.
func (c *Conn) unread(err error) {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.end(fault.New(fault.NoHost, codeGone).Because(err))
		return
	}
	c.out.drop()
}
