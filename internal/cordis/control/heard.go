package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/dshkit/dshkit/pkg/fault"
)

// serve reads what the other side sends until it ends, and waits for what is
// being answered.
func (c *Conn) serve() {
	defer c.work.Wait()
	for {
		line, long, err := readLine(c.in, MaxLine)
		switch {
		case err != nil:
			c.end(c.farewell(err))
			return
		case long:
			c.reject(nil, fault.New(fault.Usage, codeLong, MaxLine))
		default:
			c.receive(line)
		}
		if c.bad > maxBad {
			c.finish(fault.New(fault.Usage, codeBadMessage))
			return
		}
	}
}

// farewell is why reading ended: what the other side said, or that it is gone.
func (c *Conn) farewell(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.reason != nil:
		return c.reason
	case errors.Is(err, io.EOF):
		return fault.New(fault.NoHost, codeGone)
	}
	return fault.New(fault.NoHost, codeGone).Because(err)
}

// receive takes one line in.
func (c *Conn) receive(line []byte) {
	m, ok := parse(line)
	switch {
	case len(bytes.TrimSpace(line)) == 0:
	case !ok:
		c.reject(m.ID, fault.New(fault.Usage, codeBadMessage))
	case m.Method == "":
		c.answered(m)
	case m.ID == nil:
		c.told(m)
	default:
		c.requested(m)
	}
}

// reject answers what is no message. Who sends nothing else is no client.
func (c *Conn) reject(id json.RawMessage, err error) {
	if c.strict {
		c.end(fault.New(fault.Failed, codeNoHostThere))
		return
	}
	_ = c.send(message{ID: orNull(id), Error: wireOf(err, c.explain)}, true)
	c.bad++
}

func orNull(id json.RawMessage) json.RawMessage {
	if isID(id) {
		return id
	}
	return json.RawMessage("null")
}

func (c *Conn) answered(m message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer, ok := c.asked[string(m.ID)]; ok {
		delete(c.asked, string(m.ID))
		answer <- m
	}
}

// told hears a notification.
func (c *Conn) told(m message) {
	switch m.Method {
	case methodCancel:
		var p cancelParams
		if json.Unmarshal(m.Params, &p) != nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if cancel := c.serving[string(p.ID)]; cancel != nil {
			cancel()
		}
	case methodBye:
		var p byeParams
		if json.Unmarshal(m.Params, &p) != nil || p.Error == nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.reason = p.Error.fault()
	default:
		if c.handlers.Notify != nil {
			c.handlers.Notify(m.Method, m.Params)
		}
	}
}

// requested begins to answer a request.
func (c *Conn) requested(m message) {
	ctx, cancel := context.WithCancel(c.ctx)
	id := string(m.ID)
	c.mu.Lock()
	_, twice := c.serving[id]
	full := len(c.serving) >= maxServing
	if !twice && !full {
		c.serving[id] = cancel
	}
	c.mu.Unlock()
	switch {
	case twice: // its answer would be taken for the other's
		cancel()
		c.reject(nil, fault.New(fault.Usage, codeBadMessage))
		return
	case full:
		cancel()
		_ = c.send(message{ID: m.ID, Error: wireOf(fault.New(fault.Busy, codeManyRequests, maxServing), c.explain)}, true)
		return
	}
	c.work.Go(func() {
		result, err := c.attempt(ctx, m)
		c.mu.Lock()
		delete(c.serving, id)
		c.mu.Unlock()
		cancel()
		c.reply(m.ID, result, err)
	})
}

// attempt answers a request; a panic is an error of that request alone.
func (c *Conn) attempt(ctx context.Context, m message) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fault.New(fault.Internal, codePanic, fmt.Sprint(p))
		}
	}()
	if c.handlers.Request == nil {
		return nil, fault.New(fault.Usage, codeUnknown, m.Method)
	}
	handle, err := c.handlers.Request(m.Method)
	if err != nil {
		return nil, err
	}
	return handle(ctx, m.Params)
}

func (c *Conn) reply(id json.RawMessage, result any, err error) {
	encoded := json.RawMessage("null")
	if err == nil && result != nil {
		encoded, err = encode(result)
	}
	if err == nil && len(encoded) > MaxLine-1024 {
		err = fault.New(fault.Refused, codeLong, MaxLine)
	}
	m := message{ID: id, Result: encoded}
	if err != nil {
		m.Result, m.Error = nil, wireIn(err, c.explain, c.language)
	}
	_ = c.send(m, true) // who is gone needs no answer
}
