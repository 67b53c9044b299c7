// Package webui serves a page to the one person who sits at this machine: on
// 127.0.0.1 alone, behind a secret that only the address holds, for as long as
// somebody looks at it.
//
// What is served comes from a handler that is handed in; this package lets no
// request through to it that another site, another user or another name for this
// machine could have sent. It also has a writer of HTML that escapes whatever it
// is given, and the style and script that every page shares.
//
// The package knows no domain. It reads no clock and draws no chance: the secret
// is handed in.
package webui

import (
	"context"
	"embed"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Config says what is served.
type Config struct {
	Secret  string        // what the address holds; at least 16 characters of chance
	Ticket  string        // opens the page once in the place of Secret, where others may read the address; "": none
	Site    http.Handler  // sees only requests that passed the guard
	Denied  string        // what a browser without the secret is told
	Idle    time.Duration // without a request Serve ends after it; 0: never
	Failed  string        // what is told when Site panics
	OnPanic func(any)     // is told what it said; may be nil
}

// Bounds of one request, so that nobody holds the server up.
const (
	headerTime  = 5 * time.Second
	requestTime = 10 * time.Second
	answerTime  = 60 * time.Second
	headerBytes = 16 << 10
	closeTime   = 2 * time.Second

	// MaxBody is how much of a request's body is read, in bytes.
	MaxBody = 64 << 10
)

// Server is a page that listens.
type Server struct {
	config   Config
	listener net.Listener
	port     int

	once sync.Once
	rest *time.Timer // until it ends for want of requests
	idle chan struct{}
}

// Listen opens a port on 127.0.0.1; 0 takes any that is free.
func Listen(port int, c Config) (*Server, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	return &Server{config: c, listener: l, port: l.Addr().(*net.TCPAddr).Port, idle: make(chan struct{})}, nil
}

// Address is what a browser opens: it holds the secret.
func (s *Server) Address() string { return s.address(s.config.Secret) }

// TicketAddress is Address for the arguments of a browser, which every user of the
// machine can read: it opens the page once.
func (s *Server) TicketAddress() string { return s.address(s.config.Ticket) }

func (s *Server) address(token string) string {
	return "http://127.0.0.1:" + strconv.Itoa(s.port) + "/?" + url.Values{"token": {token}}.Encode()
}

// Port is the port that it listens on.
func (s *Server) Port() int { return s.port }

// Serve answers until ctx ends or nobody has asked for Idle. Requests that run
// then are given a moment.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.restless(Guard(s.config, s.port)), ReadHeaderTimeout: headerTime, ReadTimeout: requestTime,
		WriteTimeout: answerTime, MaxHeaderBytes: headerBytes,
	}
	if s.config.Idle > 0 {
		s.rest = time.AfterFunc(s.config.Idle, func() { s.once.Do(func() { close(s.idle) }) })
		defer s.rest.Stop()
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	case <-s.idle:
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	err := server.Shutdown(closing)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-served
	return err
}

// restless puts the end off with each request.
func (s *Server) restless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.rest != nil {
			s.rest.Reset(s.config.Idle)
		}
		next.ServeHTTP(w, r)
	})
}

//go:embed assets
var assets embed.FS

// Asset returns a file that pages share: style.css or page.js.
func Asset(name string) []byte {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("webui: no asset " + name)
	}
	return data
}
