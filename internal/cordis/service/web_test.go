package service_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/wire"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func serve(t *testing.T, handler http.HandlerFunc) (host string) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

func page(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, body)
	}
}

func fetchOf(u string) any { return obj("url", u) }

func TestFetch(t *testing.T) {
	w := newWorld(t)
	host := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/html":
			page("text/html; charset=utf-8", "<p>é")(rw, r)
		case "/json":
			page("application/ld+json", `{"a":1}`)(rw, r)
		case "/latin":
			page("text/plain; charset=ISO-8859-1", "\xe9")(rw, r)
		case "/bytes":
			page("image/png", "x")(rw, r)
		case "/long":
			page("text/plain", strings.Repeat("é", 3<<20))(rw, r)
		default:
			rw.Header().Set("Content-Type", "text/plain")
			rw.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(rw, r.Method+" "+r.Header.Get("User-Agent"))
		}
	})
	w.allow("web " + host)
	base := "http://" + host
	for path, want := range map[string]string{
		"/html":  `{"url":"BASE/html","statusCode":200,"body":{"kind":"html","content":"<p>é"},"truncated":false}`,
		"/json":  `{"url":"BASE/json","statusCode":200,"body":{"kind":"text","content":"{\"a\":1}"},"truncated":false}`,
		"/latin": `{"url":"BASE/latin","statusCode":200,"body":{"kind":"text","content":"é"},"truncated":false}`,
		"/none":  `{"url":"BASE/none","statusCode":418,"body":{"kind":"text","content":"GET cordis (dshkit)"},"truncated":false}`,
	} {
		got := w.call("web.fetch", fetchOf(base+path))
		if diff := cmp.Diff(strings.ReplaceAll(want, "BASE", base), jsonvalue.Format(got)); diff != "" {
			t.Error(diff)
		}
	}
	long := w.call("web.fetch", fetchOf(base+"/long"))
	if text := get(t, long, "body", "content").(string); get(t, long, "truncated") != true || len(text) != 2<<20 || strings.Contains(text, "\uFFFD") {
		t.Errorf("%d bytes", len(text))
	}
	_, err := w.try("web.fetch", fetchOf(base+"/bytes"))
	refused(t, err, "unsupported-content")
	for _, bad := range []any{nil, "x", obj(), fetchOf("/x"), fetchOf("file:///etc/passwd"), fetchOf("ftp://a.test"), fetchOf("http://a:b@" + host), fetchOf("http://"), fetchOf("http://a.test/" + strings.Repeat("x", 9000))} {
		_, err := w.try("web.fetch", bad)
		refused(t, err, "ERR_INVALID_ARG")
	}
}

// Hosts that are not granted are not reached: neither at first nor by a redirect,
// nor a private address behind a granted name.
func TestFetchNeedsGrants(t *testing.T) {
	w := newWorld(t)
	hits := make(chan string, 100)
	secret := serve(t, func(http.ResponseWriter, *http.Request) { hits <- "secret" })
	var to string
	host := serve(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusFound) })
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.try("web.fetch", fetchOf("http://"+host))
	if thrown := refused(t, err, "not-granted"); !strings.Contains(thrown.Message, "plugin clock-1 may not fetch from "+host) || !strings.Contains(thrown.Message, "`cordis grant allow web "+host+"`") {
		t.Error(thrown.Message)
	}
	_, err = w.try("web.fetch", fetchOf("https://Example.org/x"))
	if thrown := refused(t, err, "not-granted"); !strings.Contains(thrown.Message, "`cordis grant allow web example.org`") {
		t.Error(thrown.Message)
	}
	w.allow("web *")
	_, err = w.try("web.fetch", fetchOf("http://"+host)) // all public hosts: this one is not
	if thrown := refused(t, err, "not-granted"); !strings.Contains(thrown.Message, "private address") {
		t.Error(thrown.Message)
	}
	_, err = w.try("web.fetch", fetchOf("http://localhost:"+port))
	refused(t, err, "not-granted")
	w.allow("web " + host)
	for _, to = range []string{"http://" + secret + "/x", "http://localhost:" + strings.TrimPrefix(secret, "127.0.0.1:"), "http://[::ffff:127.0.0.1]:" + strings.TrimPrefix(secret, "127.0.0.1:"), "http://0.0.0.0:1/", "http://169.254.169.254/"} {
		_, err = w.try("web.fetch", fetchOf("http://"+host))
		refused(t, err, "not-granted")
	}
	to = "ftp://" + host
	_, err = w.try("web.fetch", fetchOf("http://"+host))
	refused(t, err, "unsupported-url")
	to = "http://" + host + "/again"
	_, err = w.try("web.fetch", fetchOf("http://"+host))
	refused(t, err, "too-many-redirects")
	if len(hits) > 0 {
		t.Error("the host that is not granted was reached")
	}
	w.allow("web localhost:" + port)
	to = "http://" + secret
	_, err = w.try("web.fetch", fetchOf("http://localhost:"+port))
	refused(t, err, "not-granted") // by the redirect: the name itself is granted now
	w.allow("web " + secret)
	w.call("web.fetch", fetchOf("http://localhost:"+port))
	if len(hits) != 1 {
		t.Error("the granted host was not reached")
	}
}

func TestFetchIsCancelled(t *testing.T) {
	w := newWorld(t)
	entered, leave := make(chan struct{}), make(chan struct{})
	host := serve(t, func(http.ResponseWriter, *http.Request) {
		close(entered)
		<-leave
	})
	defer close(leave)
	w.allow("web " + host)
	var s signals
	w.caller.Watch = s.watch
	done := make(chan error)
	go func() {
		_, err := w.try("web.fetch", fetchOf("http://"+host), signal(1))
		done <- err
	}()
	<-entered
	s.abort(1)
	refused(t, <-done, "ABORT_ERR")
	_, err := w.try("web.fetch", fetchOf("http://"+host), wire.Signal{Aborted: true})
	refused(t, err, "ABORT_ERR")
}

func TestFetchFails(t *testing.T) {
	w := newWorld(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	w.allow("web " + host)
	_, err = w.try("web.fetch", fetchOf("http://"+host))
	refused(t, err, "ECONNREFUSED")
}

func TestProviders(t *testing.T) {
	w := newWorld(t)
	p := newPeer()
	w.caller.Peer = p
	_, err := w.try("web.search", obj("query", "x"))
	refused(t, err, "no-provider")
	var answer any
	var failure error
	ask := p.function(func(_ context.Context, args []any) (any, error) {
		if diff := cmp.Diff(`{"query":"x","maxResults":3}`, jsonvalue.Format(args[0])); diff != "" {
			t.Error(diff)
		}
		return answer, failure
	})
	settle := p.function(func(context.Context, []any) (any, error) { return answer, nil })
	provider := wire.Object{Members: []wire.Member{{Name: "name", Value: "mine"}, {Name: "search", Value: ask}}}
	dispose := w.call("web.registerSearchProvider", provider).(wire.Func)
	request := obj("query", "x", "maxResults", 3.0)
	good := obj("sources", []any{obj("url", "http://a.test")}, "truncated", false)
	answer = good
	if diff := cmp.Diff(jsonvalue.Format(good), jsonvalue.Format(w.call("web.search", request))); diff != "" {
		t.Error(diff)
	}
	for _, answer = range []any{nil, "text", obj("sources", []any{}), obj("sources", []any{obj()}, "truncated", false), good.With("content", ask), wire.Promise{Handle: settle.Handle}} {
		_, err := w.try("web.search", request)
		refused(t, err, "bad-provider")
	}
	failure = &wire.Thrown{Name: "MyError", Message: "no luck"}
	_, err = w.try("web.search", request)
	if thrown := refused(t, err, ""); thrown.Name != "MyError" || !strings.HasSuffix(thrown.Message, "no luck") {
		t.Errorf("%+v", thrown)
	}
	w.callFunc(dispose)
	_, err = w.try("web.search", request)
	refused(t, err, "no-provider")
	for _, bad := range []any{nil, obj(), obj("search", "x")} {
		_, err := w.try("web.registerSearchProvider", bad)
		refused(t, err, "ERR_INVALID_ARG")
	}
}

// A registration ends with its activation; the one before it is asked again.
func TestFetchProvider(t *testing.T) {
	w := newWorld(t)
	p := newPeer()
	w.caller.Peer = p
	result := func(text string) *jsonvalue.Object {
		return obj("url", "http://a.test", "statusCode", 200.0, "body", obj("kind", "text", "content", text), "truncated", false)
	}
	register := func(run, text string) {
		w.caller.RunID = run
		f := p.function(func(context.Context, []any) (any, error) { return result(text), nil })
		w.call("web.registerFetchProvider", wire.Object{Members: []wire.Member{{Name: "fetch", Value: f}}})
	}
	content := func() any { return get(t, w.call("web.fetch", fetchOf("http://a.test")), "body", "content") }
	register("run-1", "first")
	register("run-2", "second")
	if got := content(); got != "second" {
		t.Error(got)
	}
	w.services.Release("run-2")
	w.caller.RunID = "run-3"
	if got := content(); got != "first" {
		t.Error(got)
	}
	w.services.Release("run-1")
	_, err := w.try("web.fetch", fetchOf("http://a.test"))
	refused(t, err, "not-granted")
}

func TestProviderIsCancelled(t *testing.T) {
	w := newWorld(t)
	p := newPeer()
	w.caller.Peer = p
	entered := make(chan struct{})
	f := p.function(func(ctx context.Context, _ []any) (any, error) {
		close(entered)
		<-ctx.Done()
		return nil, errors.New("left")
	})
	w.call("web.registerFetchProvider", wire.Object{Members: []wire.Member{{Name: "fetch", Value: f}}})
	other := w.caller
	other.RunID = "run-2"
	done := make(chan error)
	go func() {
		_, err := w.services.Call(context.Background(), other, w.method("web.fetch"), []any{fetchOf("http://a.test")})
		done <- err
	}()
	<-entered
	w.services.Release("run-2") // the one who asked
	refused(t, <-done, "gone")
}
