package model

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// maxRefusal is how much of a refusal is read, in bytes, and maxSaid how much of it
// an error repeats, in characters.
const (
	maxRefusal = 64 << 10
	maxSaid    = 200
)

// client is made for one call: a process makes few, and what is not made costs a
// start nothing.
func (m *Model) client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,   // the one place where everybody's proxy is set
			DialContext:         (&net.Dialer{}).DialContext, // the context bounds it
			TLSHandshakeTimeout: m.set.Timeout,
			DisableCompression:  true,
			DisableKeepAlives:   true,
		},
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			if to.URL.Host != via[0].URL.Host || to.URL.Scheme != via[0].URL.Scheme || to.Method != via[0].Method || len(via) > 3 {
				return fault.New(fault.Refused, codeRedirect, m.at.host, to.URL.Host)
			}
			return nil
		},
	}
}

// attempt asks once and reads the whole answer.
func (c *call) attempt(ctx context.Context, q Request, w wording) (r Reply, t *trouble) {
	path := "/chat/completions"
	if c.set.Provider == Anthropic {
		path = "/messages"
	}
	_, t = c.send(ctx, http.MethodPost, path, c.body(q, w), func(resp *http.Response) ([]byte, *trouble) {
		var t *trouble
		r, t = c.read(ctx, resp)
		return nil, t
	})
	return r, t
}

// send makes a request and gives a good answer to read.
func (c *call) send(ctx context.Context, method, path string, body []byte, read func(*http.Response) ([]byte, *trouble)) ([]byte, *trouble) {
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected.Store(true) }})
	req, err := http.NewRequestWithContext(ctx, method, c.at.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, &trouble{err: fault.New(fault.Refused, codeURL, c.at.host), unsent: true}
	}
	c.head(req)
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, err, connected.Load())
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, c.refusal(resp)
	}
	return read(resp)
}

// head sets the headers of a request, the key among them.
func (c *call) head(req *http.Request) {
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream, application/json")
	req.Header.Set("User-Agent", "selfip")
	switch {
	case c.set.Provider == Anthropic:
		req.Header.Set("Anthropic-Version", "2023-06-01")
		if c.key != "" {
			req.Header.Set("X-Api-Key", c.key)
		}
	case c.key != "":
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
}

// unanswered sorts the error of a request that got no answer.
func (c *call) unanswered(ctx context.Context, err error, connected bool) *trouble {
	var known *fault.Error
	if errors.As(err, &known) {
		return &trouble{err: known, unsent: true}
	}
	if ctx.Err() != nil {
		if connected {
			return &trouble{err: fault.New(fault.Timeout, codeSilent, c.at.host, c.set.Timeout)}
		}
		return &trouble{err: fault.New(fault.Timeout, codeUnreachable, c.at.host).Because(context.DeadlineExceeded), unsent: true}
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // without the address
	}
	t := &trouble{err: fault.New(fault.Failed, codeUnreachable, c.at.host).Because(err), again: !isLasting(err), unsent: !connected}
	return t
}

// isLasting reports whether an error of a connection will be the same in a moment.
func isLasting(err error) bool {
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var dns *net.DNSError
	return errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid) || errors.As(err, &dns) && dns.IsNotFound
}

// refusal sorts an answer with a status that is not good.
func (c *call) refusal(resp *http.Response) *trouble {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what has come is enough
	code := resp.StatusCode
	if isPage(data) && code != http.StatusTooManyRequests && code != http.StatusServiceUnavailable {
		return &trouble{err: fault.New(fault.Failed, codePage, c.at.host, code), again: code >= 500, unsent: true}
	}
	said := c.said(data)
	t := &trouble{unsent: true, after: retryAfter(resp.Header, c.world.Now())}
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		t.err = fault.New(fault.Refused, codeKeyRefused, c.at.host, said)
	case code == http.StatusNotFound:
		t.err = fault.New(fault.Refused, codeNotFound, c.at.host, c.at.name, said)
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable, code == 529:
		t.err = fault.New(fault.Busy, codeBusy, c.at.host, said)
		t.busy, t.again = true, !bytes.Contains(data, []byte("insufficient_quota"))
	case code == http.StatusRequestTimeout, code == http.StatusTooEarly, code >= 500:
		t.err, t.again = fault.New(fault.Failed, codeUnwell, c.at.host, code, said), true
	default:
		t.err, t.says = fault.New(fault.Refused, codeRefused, c.at.host, code, said), string(data)
	}
	return t
}

// retryAfter reads how long a service wants to be left alone, 0 when it does not
// say: seconds, milliseconds in a header of some, or a time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// said is what a service says about itself, short and without secrets.
func (c *call) said(data []byte) string {
	var doc struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	s := string(data)
	if json.Unmarshal(data, &doc) == nil {
		s = doc.Message
		for _, raw := range []json.RawMessage{doc.Error, doc.Detail} {
			if s == "" {
				s = messageOf(raw)
			}
		}
	}
	return c.clean(s, c.key)
}

// messageOf reads an error that is an object with a message, or a string.
func messageOf(raw json.RawMessage) string {
	var inner struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &inner) == nil && inner.Message != "" {
		return inner.Message
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// clean makes what others said fit for an error: one short line, without the key
// and other secrets.
func (m *Model) clean(s, key string) string {
	s = hide(s, key)
	if m.world.Redact != nil {
		s = m.world.Redact(s)
	}
	s = strings.Join(strings.FieldsFunc(text.Clean(s), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if s == "" {
		s = "-"
	}
	return text.Ellipsize(s, maxSaid)
}

// hide takes a key out of what a service said.
func hide(s, key string) string {
	if key == "" {
		return s
	}
	return strings.ReplaceAll(s, key, "***")
}

// isPage reports whether an answer is a page for a browser.
func isPage(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) }

// broken is the trouble of an answer that stopped while it was read.
func (c *call) broken(ctx context.Context, err error) *trouble {
	switch {
	case errors.Is(err, errTooLong):
		return &trouble{err: fault.New(fault.Failed, codeTooLong, c.at.host, maxAnswer)}
	case ctx.Err() != nil:
		return &trouble{err: fault.New(fault.Timeout, codeSlow, c.at.host, c.set.Timeout)}
	}
	return &trouble{err: fault.New(fault.Failed, codeUnfinished, c.at.host).Because(err)}
}

// read reads an answer, streamed or whole.
func (c *call) read(ctx context.Context, resp *http.Response) (Reply, *trouble) {
	body := bufio.NewReaderSize(&bounded{resp.Body, maxAnswer}, 16<<10)
	first, err := firstByte(body)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return Reply{}, c.broken(ctx, err)
	case first == '<':
		return Reply{}, &trouble{err: fault.New(fault.Failed, codePage, c.at.host, resp.StatusCode), unsent: true}
	case first == '{':
		return c.whole(ctx, body)
	}
	return c.stream(ctx, body)
}

// firstByte returns the first byte that is no blank, and leaves it to be read.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n", rune(b)) {
			return b, r.UnreadByte()
		}
	}
}
