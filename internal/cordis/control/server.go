package control

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/fault"
)

// ServerConfig says what a Server tells of itself and what it answers.
type ServerConfig struct {
	Hello HelloResult
	// Attach is asked once for each connection that has said hello: what it
	// answers there, and what is to be done when the connection has ended.
	Attach func(c *Conn, hello HelloParams) (handlers Handlers, detach func())
	// Explain puts an error into words for those who have no tables. Nil: codes.
	Explain func(error) string
	// Log takes what a maintainer would ask for. Nil: nothing.
	Log func(what string, pairs ...any)
}

// Server answers the connections of one host.
type Server struct {
	config ServerConfig
	work   sync.WaitGroup

	mu    sync.Mutex
	conns map[*Conn]bool
	count int // connections, those that have not said hello too
	ended bool
}

// NewServer returns a Server without connections.
func NewServer(config ServerConfig) *Server {
	if config.Log == nil {
		config.Log = func(string, ...any) {}
	}
	return &Server{config: config, conns: map[*Conn]bool{}}
}

// Serve answers connections until ctx ends or the listener fails. What waits to
// be sent is then still sent, and all connections have ended when it returns.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	defer s.end()
	for {
		raw, err := listener.Accept()
		switch {
		case err == nil:
			s.accept(raw)
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			return nil
		case isTemporary(err): // too many open files: those that are there go on
			s.config.Log("accept", "error", err.Error())
			pause(ctx, 20*time.Millisecond)
		default:
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// accept takes a connection in, unless there are too many.
func (s *Server) accept(raw net.Conn) {
	s.mu.Lock()
	full := s.count >= maxConnections
	if !full {
		s.count++
	}
	s.mu.Unlock()
	if full {
		s.refuse(raw, fault.New(fault.Busy, codeManyClients, maxConnections))
		return
	}
	s.work.Go(func() {
		defer func() {
			s.mu.Lock()
			s.count--
			s.mu.Unlock()
		}()
		s.attend(raw)
	})
}

// refuse ends a connection with a last word, for which it does not wait.
func (s *Server) refuse(raw net.Conn, err error) {
	line, _ := format(message{Method: methodBye, Params: must(byeParams{wireOf(err, s.config.Explain)})})
	late := time.AfterFunc(10*time.Millisecond, func() { _ = raw.SetWriteDeadline(longAgo) })
	defer late.Stop()
	_, _ = raw.Write(line) // it may be gone
	_ = raw.Close()
}

// attend is one connection, from hello to its end.
func (s *Server) attend(raw net.Conn) {
	if err := checkPeer(raw); err != nil {
		s.config.Log("peer", "error", err.Error())
		s.refuse(raw, err)
		return
	}
	c := newConn(raw, Handlers{}, s.config.Explain)
	hello, id, err := s.greet(c)
	if err != nil {
		c.start()
		if id != nil || !errors.Is(err, errSilent) {
			_ = c.send(message{ID: orNull(id), Error: wireOf(err, s.config.Explain)}, true)
		}
		_ = c.Close()
		return
	}
	if !s.add(c) {
		c.start()
		_ = c.Close()
		return
	}
	// The answer of hello is the first that is sent, and by then the host knows the
	// connection.
	c.language = hello.Language
	c.reply(id, s.config.Hello, nil)
	handlers, detach := s.config.Attach(c, hello)
	c.handlers = handlers
	c.start()
	if hello.Role != Client { // commands come and go by the hundred
		s.config.Log("hello", "role", hello.Role, "name", hello.Name)
	}
	c.serve()
	detach()
	s.remove(c)
}

// errSilent says that a connection ended without a word.
var errSilent = errors.New("silent")

// greet reads the first message.
func (s *Server) greet(c *Conn) (hello HelloParams, id json.RawMessage, err error) {
	late := time.AfterFunc(helloTime, func() { _ = c.raw.SetReadDeadline(longAgo) })
	line, long, err := readLine(c.in, maxHello)
	if !late.Stop() || err != nil {
		return hello, nil, errSilent
	}
	m, ok := parse(line)
	switch {
	case long || !ok:
		return hello, m.ID, fault.New(fault.Usage, codeBadMessage)
	case m.Method != methodHello || m.ID == nil:
		return hello, m.ID, fault.New(fault.Usage, codeHelloFirst)
	case json.Unmarshal(m.Params, &hello) != nil:
		return hello, m.ID, fault.New(fault.Usage, codeParams, methodHello)
	case hello.Protocol != Protocol:
		return hello, m.ID, fault.New(fault.Conflict, codeProtocol, Protocol, hello.Protocol)
	case hello.Role != Client && hello.Role != Page && hello.Role != Bridge:
		return hello, m.ID, fault.New(fault.Usage, codeBadRole, string(hello.Role))
	}
	return hello, m.ID, nil
}

func (s *Server) add(c *Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.conns[c] = true
	return true
}

func (s *Server) remove(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Connections is how many have said hello.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// end ends all connections and waits for them.
func (s *Server) end() {
	s.mu.Lock()
	s.ended = true
	for c := range s.conns {
		s.work.Go(func() { _ = c.Close() })
	}
	s.mu.Unlock()
	s.work.Wait()
}
