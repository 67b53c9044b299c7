package machine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/pkg/jsrun/node"
)

// Network sends requests from this machine.
type Network struct {
	// Allow is asked before each request and each redirect; nil allows all.
	Allow func(u *url.URL) error

	once   sync.Once
	client *http.Client
}

var _ node.Network = (*Network)(nil)

const maxRedirects = 20

type redirectKey struct{}

// Do sends a request.
func (n *Network) Do(ctx context.Context, r *node.Request) (*node.Response, error) {
	n.once.Do(n.setUp)
	ctx = context.WithValue(ctx, redirectKey{}, r.Redirect)
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	if r.Body == nil {
		request.Body, request.GetBody, request.ContentLength = nil, nil, 0
	}
	if err := n.allowed(request.URL); err != nil {
		return nil, err
	}
	for _, h := range r.Header {
		if strings.EqualFold(h[0], "host") {
			request.Host = h[1]
			continue
		}
		request.Header.Add(h[0], h[1])
	}
	response, err := n.client.Do(request)
	if err != nil {
		return nil, netError(ctx, err)
	}
	_, text, _ := strings.Cut(response.Status, " ")
	return &node.Response{
		Status:     response.StatusCode,
		StatusText: text,
		URL:        response.Request.URL.String(),
		Redirected: response.Request.URL.String() != request.URL.String(),
		Header:     headers(response.Header),
		Body:       response.Body,
	}, nil
}

func (n *Network) setUp() {
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   4,
		IdleConnTimeout:       10 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
	n.client = &http.Client{Transport: transport, CheckRedirect: n.redirect}
}

// Close lets go of idle connections.
func (n *Network) Close() {
	n.once.Do(n.setUp)
	n.client.CloseIdleConnections()
}

var errRedirect = errors.New("unexpected redirect")

func (n *Network) redirect(r *http.Request, via []*http.Request) error {
	switch r.Context().Value(redirectKey{}) {
	case "manual":
		return http.ErrUseLastResponse
	case "error":
		return errRedirect
	}
	if len(via) > maxRedirects {
		return errors.New("redirect count exceeded")
	}
	return n.allowed(r.URL)
}

func (n *Network) allowed(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("unknown scheme %q", u.Scheme)
	}
	if n.Allow == nil {
		return nil
	}
	if err := n.Allow(u); err != nil {
		return &node.SystemError{Code: "ERR_ACCESS_DENIED", Note: err.Error(), Err: err}
	}
	return nil
}

// netError names the errors of the network as Node does.
func netError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var known *node.SystemError
	if errors.As(err, &known) {
		return known
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		code := "EAI_AGAIN"
		if dns.IsNotFound {
			code = "ENOTFOUND"
		}
		return &node.SystemError{Code: code, Note: "getaddrinfo " + code + " " + dns.Name, Err: err}
	}
	var op *net.OpError
	if errors.As(err, &op) {
		s := systemError(op.Err)
		if errors.As(s, &known) && known.Code != "EIO" {
			return &node.SystemError{Code: known.Code, Note: strings.TrimSpace(callOf(op) + " " + known.Code + " " + addressOf(op)), Err: err}
		}
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return err
}

func callOf(op *net.OpError) string {
	if op.Op == "dial" {
		return "connect"
	}
	return op.Op
}

func addressOf(op *net.OpError) string {
	if op.Addr == nil || op.Op != "dial" {
		return ""
	}
	return op.Addr.String()
}

// headers are in the order of their names: the one of the wire is not kept.
func headers(h http.Header) [][2]string {
	var list [][2]string
	for name, values := range h {
		for _, v := range values {
			list = append(list, [2]string{strings.ToLower(name), v})
		}
	}
	slices.SortStableFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}
