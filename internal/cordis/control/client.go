package control

import (
	"context"
	"net"

	"github.com/dshkit/dshkit/pkg/fault"
)

// Hello is what a program tells of itself when it connects.
type Hello struct {
	Role          Role
	Name, Version string
	Language      string   // of the sentences of faults: en or zh-CN
	Sessions      []string // of a page: those that it is bound to
}

// Dial connects with the host of a workspace. Without one the error is a fault of
// kind NoHost; what holds the socket and does not answer, one of kind Timeout. The
// Conn belongs to the caller, who closes it.
func (p Place) Dial(ctx context.Context, hello Hello, handlers Handlers) (*Conn, HelloResult, error) {
	raw, err := p.connect(ctx)
	if err != nil {
		return nil, HelloResult{}, err
	}
	if err := checkPeer(raw); err != nil {
		_ = raw.Close()
		return nil, HelloResult{}, err
	}
	c := newConn(raw, handlers, nil)
	c.strict = true
	c.start()
	go c.serve()
	answer, err := c.hello(ctx, hello)
	if err != nil {
		c.end(err)
		return nil, HelloResult{}, err
	}
	return c, answer, nil
}

// hello opens the conversation.
func (c *Conn) hello(ctx context.Context, hello Hello) (answer HelloResult, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, helloTime, fault.New(fault.Timeout, codeMute, helloTime.String()))
	defer cancel()
	err = c.Call(ctx, methodHello, HelloParams{Protocol, hello.Role, hello.Name, hello.Version, hello.Language, hello.Sessions}, &answer)
	if err == nil && answer.Protocol != Protocol {
		err = fault.New(fault.Conflict, codeProtocol, answer.Protocol, Protocol)
	}
	return answer, err
}

// connect opens the socket.
func (p Place) connect(ctx context.Context) (raw net.Conn, err error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, helloTime, fault.New(fault.Timeout, codeMute, helloTime.String()))
	defer cancel()
	err = p.reach(func(path string) error {
		raw, err = (&net.Dialer{}).DialContext(ctx, "unix", path)
		return err
	})
	switch {
	case err == nil:
		return raw, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case isAbsent(err):
		return nil, fault.New(fault.NoHost, codeNoHost, p.Workspace)
	}
	return nil, fault.New(fault.Failed, codeConnect).Because(err)
}
