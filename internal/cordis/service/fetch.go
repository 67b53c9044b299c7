package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/grant"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// get fetches a page, by a connection of its own: where that leads is checked
// for each.
func (w *web) get(ctx context.Context, c *call, u *url.URL) (any, error) {
	if err := w.allowed(c, u); err != nil {
		return nil, err
	}
	transport := &http.Transport{
		DialContext:            w.dial(c),
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  webTimeout,
		MaxResponseHeaderBytes: 256 << 10,
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return problem("too-many-redirects", "the page leads on and on")
		}
		return w.allowed(c, r.URL)
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, argumentError("request.url must be an absolute URL of http or https")
	}
	request.Header.Set("User-Agent", "cordis (dshkit)")
	request.Header.Set("Accept", "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1")
	response, err := client.Do(request)
	if err != nil {
		return nil, webError(err)
	}
	defer response.Body.Close()
	return page(response)
}

// webError is an error of the network without Go's words around it.
func webError(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return problem("ENOTFOUND", "the host "+dns.Name+" was not found")
	}
	return err
}

// page is what a response says.
func page(r *http.Response) (any, error) {
	kind, charset, err := kindOf(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return nil, webError(err)
	}
	truncated := len(data) > maxBody
	if truncated {
		data = data[:maxBody]
		data = data[:whole(data)]
	}
	return jsonvalue.Of(
		"url", r.Request.URL.String(),
		"statusCode", float64(r.StatusCode),
		"body", jsonvalue.Of("kind", kind, "content", charsetText(data, charset)),
		"truncated", truncated,
	), nil
}

// kindOf is html or text, and the charset.
func kindOf(contentType string) (kind, charset string, err error) {
	if contentType == "" {
		return "text", "", nil
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil && media == "" {
		return "", "", problem("unsupported-content", "the page has no content type that can be read")
	}
	_, sub, _ := strings.Cut(media, "/")
	switch {
	case media == "text/html" || media == "application/xhtml+xml":
		kind = "html"
	case strings.HasPrefix(media, "text/"), sub == "json", sub == "xml", sub == "javascript", sub == "yaml", sub == "x-yaml", sub == "toml",
		strings.HasSuffix(sub, "+json"), strings.HasSuffix(sub, "+xml"):
		kind = "text"
	default:
		return "", "", problem("unsupported-content", "the page is neither html nor text: "+media)
	}
	return kind, strings.ToLower(params["charset"]), nil
}

// charsetText is a text in UTF-8 or Latin-1; all else is taken for UTF-8.
func charsetText(data []byte, charset string) string {
	if charset != "iso-8859-1" && charset != "latin1" {
		return decode(data)
	}
	runes := make([]rune, len(data))
	for i, b := range data {
		runes[i] = rune(b)
	}
	return string(runes)
}

// allowed refuses a host that is not granted.
func (w *web) allowed(c *call, u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return problem("unsupported-url", "the page leads to a URL that cannot be fetched")
	}
	name, port, usual := place(u)
	if w.grants().Host(name, port, usual) {
		return nil
	}
	return w.denied(c, name, port, usual)
}

func (w *web) denied(c *call, name, port, usual string) error {
	target := strings.ToLower(name)
	if port != usual {
		target = net.JoinHostPort(target, port)
	}
	return &grant.Denied{PluginID: c.caller.PluginID, Want: "fetch from " + target, Root: w.root, Grant: grant.Grant{Kind: grant.Web, Target: target}}
}

// place is where a URL leads.
func place(u *url.URL) (name, port, usual string) {
	usual = "443"
	if u.Scheme == "http" {
		usual = "80"
	}
	if port = u.Port(); port == "" {
		port = usual
	}
	return u.Hostname(), port, usual
}

// dial connects, but not to an address of this machine or of a private network,
// unless the user has granted that address itself. What a name leads to is
// checked when the connection is made, so that it cannot change in between.
func (w *web) dial(c *call) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		name, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		dialer := &net.Dialer{Timeout: 10 * time.Second, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			return w.reachable(c, name, port, address)
		}}
		return dialer.DialContext(ctx, network, addr)
	}
}

func (w *web) reachable(c *call, name, port, address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := to.Addr().Unmap().WithZone("")
	usual := "443"
	if port == "80" {
		usual = port
	}
	grants := w.grants()
	switch {
	case public(ip), grants.Named(ip.String(), port, usual):
		return nil
	case ip.IsLoopback() && strings.EqualFold(name, "localhost") && grants.Named(name, port, usual):
		return nil
	}
	denied := w.denied(c, ip.String(), port, usual)
	var d *grant.Denied
	if errors.As(denied, &d) {
		d.Want = fmt.Sprintf("reach %s, a private address that %s leads to", ip, name)
	}
	return denied
}

// public says whether an address is one of the open network.
func public(ip netip.Addr) bool {
	if !ip.IsGlobalUnicast() || ip.IsPrivate() {
		return false
	}
	for _, network := range reserved() {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}

// reserved are the networks that IsGlobalUnicast counts as public and that lead
// to no host of the open network, or to one by way of another address.
func reserved() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
		"64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10", "::/96",
	} {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}
