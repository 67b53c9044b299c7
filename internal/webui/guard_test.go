package webui_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/webui"
)

const (
	secret = "SECRETSECRETSECRETSECRET"
	host   = "127.0.0.1:8000"
)

// site answers with what the guard lets through: method, path, form token.
func site(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/panic" {
		panic("oh")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = []byte("too long")
	}
	_, _ = io.WriteString(w, "site "+r.Method+" "+r.URL.Path+" "+string(body)+" "+webui.FormToken(r.Context()))
}

func guard() http.Handler {
	return webui.Guard(webui.Config{Secret: secret, Site: http.HandlerFunc(site), Denied: "denied", Failed: "failed"}, 8000)
}

// send makes a request with the headers given as names and values in turn.
func send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = host
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	guard().ServeHTTP(w, r)
	return w
}

const cookie = "dshkit-page-8000=" + secret

func TestGuardGet(t *testing.T) {
	for _, row := range []struct {
		name, target string
		headers      []string
		status       int
	}{
		{"no secret", "/", nil, 401},
		{"the cookie", "/", []string{"Cookie", cookie}, 200},
		{"the cookie of another port", "/", []string{"Cookie", "dshkit-page-8001=" + secret}, 401},
		{"a wrong cookie", "/", []string{"Cookie", "dshkit-page-8000=x"}, 401},
		{"an empty cookie", "/", []string{"Cookie", "dshkit-page-8000="}, 401},
		{"a bearer", "/x", []string{"Authorization", "Bearer " + secret}, 200},
		{"a wrong bearer", "/", []string{"Authorization", "Bearer no", "Cookie", cookie}, 401},
		{"the secret in the address of something else", "/x?token=" + secret, nil, 401},
		{"by the other name", "/", []string{"Cookie", cookie, "Host", "localhost:8000"}, 200},
		{"a name that was bent to here", "/", []string{"Cookie", cookie, "Host", "evil.example:8000"}, 403},
		{"another port", "/", []string{"Cookie", cookie, "Host", "127.0.0.1:8001"}, 403},
		{"no port", "/", []string{"Cookie", cookie, "Host", "127.0.0.1"}, 403},
		{"a wrong host with the secret", "/?token=" + secret, []string{"Host", "evil.example:8000"}, 403},
		{"a script of another site", "/", []string{"Cookie", cookie, "Origin", "http://evil.example"}, 403},
		{"a link on another site", "/", []string{"Cookie", cookie, "Sec-Fetch-Site", "cross-site"}, 200},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := send("GET", row.target, "", row.headers...)
			if w.Code != row.status {
				t.Errorf("status %d, want %d: %s", w.Code, row.status, w.Body)
			}
			if got := strings.HasPrefix(w.Body.String(), "site "); got != (row.status == 200) {
				t.Errorf("reached the site: %v", got)
			}
			for name, want := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin"} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
				t.Errorf("policy %q", policy)
			}
		})
	}
}

func TestGuardEnter(t *testing.T) {
	w := send("GET", "/?token="+secret, "")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("status %d to %q", w.Code, w.Header().Get("Location"))
	}
	got := w.Result().Cookies()
	if len(got) != 1 || got[0].Value != secret || !got[0].HttpOnly || got[0].SameSite != http.SameSiteStrictMode || got[0].Path != "/" {
		t.Errorf("cookies %v", got)
	}
	for _, token := range []string{"", "x", secret + "x"} {
		if w := send("GET", "/?token="+token, "", "Cookie", cookie); w.Code != 401 || len(w.Result().Cookies()) != 0 {
			t.Errorf("token %q: status %d, cookies %v", token, w.Code, w.Result().Cookies())
		}
	}
}

func formToken(t *testing.T) string {
	t.Helper()
	fields := strings.Fields(send("GET", "/", "", "Cookie", cookie).Body.String())
	token := fields[len(fields)-1]
	if len(token) != 32 || strings.Contains(token, secret) {
		t.Fatalf("form token %q", token)
	}
	return token
}

// The arguments of a browser can be read by every user of the machine, so what it is
// handed there opens the page once.
func TestGuardTicket(t *testing.T) {
	const ticket = "TICKETTICKETTICKETTICKET"
	config := webui.Config{Secret: secret, Ticket: ticket, Site: http.HandlerFunc(site), Denied: "denied"}
	g := webui.Guard(config, 8000)
	get := func(target, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Host = host
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		return w
	}
	if w := get("/", ticket); w.Code != 401 {
		t.Errorf("as a bearer: %d", w.Code)
	}
	w := get("/?token="+ticket, "")
	if got := w.Header().Get("Set-Cookie"); w.Code != 303 || !strings.HasPrefix(got, cookie+";") || strings.Contains(got, ticket) {
		t.Errorf("the first time: %d, cookie %q", w.Code, got)
	}
	if w := get("/?token="+ticket, ""); w.Code != 401 {
		t.Errorf("the second time: %d", w.Code)
	}
	if w := get("/?token="+secret, ""); w.Code != 303 {
		t.Errorf("the secret: %d", w.Code)
	}
	if w := get("/?token=", ""); w.Code != 401 {
		t.Errorf("nothing: %d", w.Code)
	}
}

func TestGuardPost(t *testing.T) {
	token := formToken(t)
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	with := func(more ...string) []string { return append(append([]string{"Cookie", cookie}, form...), more...) }
	good := url.Values{"csrf": {token}, "a": {"b"}}.Encode()
	for _, row := range []struct {
		name, body string
		headers    []string
		status     int
	}{
		{"a form of ours", good, with("Origin", "http://"+host, "Sec-Fetch-Site", "same-origin"), 200},
		{"a form without an origin", good, with(), 200},
		{"the token in a header", "{}", []string{"Cookie", cookie, "X-CSRF-Token", token}, 200},
		{"no token", "a=b", with("Origin", "http://"+host), 403},
		{"the secret for a token", "csrf=" + secret, with(), 403},
		{"a form of another site", good, with("Origin", "http://evil.example"), 403},
		{"of a page without origin", good, with("Origin", "null"), 403},
		{"of the same host, another port", good, with("Origin", "http://127.0.0.1:9999"), 403},
		{"fetched by another site", good, with("Sec-Fetch-Site", "cross-site"), 403},
		{"of the same machine", good, with("Sec-Fetch-Site", "same-site"), 403},
		{"no cookie", good, form, 401},
		{"a program with the secret", "{}", []string{"Authorization", "Bearer " + secret}, 200},
		{"a program, sent by another site", "{}", []string{"Authorization", "Bearer " + secret, "Origin", "http://evil.example"}, 403},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := send("POST", "/act", row.body, row.headers...)
			if w.Code != row.status || strings.HasPrefix(w.Body.String(), "site POST /act") != (row.status == 200) {
				t.Errorf("status %d: %s, want %d", w.Code, w.Body, row.status)
			}
		})
	}
}

func TestGuardMethods(t *testing.T) {
	for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"} {
		if w := send(method, "/", "", "Authorization", "Bearer "+secret); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("%s: %d %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
}

func TestGuardPanic(t *testing.T) {
	w := send("GET", "/panic", "", "Cookie", cookie)
	if w.Code != 500 || strings.TrimSpace(w.Body.String()) != "failed" {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
}

func TestGuardBody(t *testing.T) {
	w := send("POST", "/x", strings.Repeat("x", webui.MaxBody), "Authorization", "Bearer "+secret)
	if !strings.Contains(w.Body.String(), "xxx") {
		t.Errorf("a body within the bound: %.40s", w.Body)
	}
	if w := send("POST", "/x", strings.Repeat("x", webui.MaxBody+2), "Authorization", "Bearer "+secret); !strings.Contains(w.Body.String(), "too long") {
		t.Errorf("a body over the bound: %.40s", w.Body)
	}
}

// TestServe holds that a server answers on loopback, and ends when it is told to.
func TestServe(t *testing.T) {
	s, err := webui.Listen(0, webui.Config{Secret: secret, Site: http.HandlerFunc(site), Denied: "denied"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	jar := &jar{}
	client := http.Client{Jar: jar, Timeout: 10 * time.Second}
	resp, err := client.Get(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if resp.StatusCode != 200 || !strings.HasPrefix(string(body), "site GET / ") || resp.Request.URL.RawQuery != "" {
		t.Errorf("%d %s at %s", resp.StatusCode, body, resp.Request.URL)
	}
	if _, err := webui.Listen(s.Port(), webui.Config{}); err == nil {
		t.Error("a port was taken twice")
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// jar keeps cookies and gives them back, whatever the address.
type jar struct{ cookies []*http.Cookie }

func (j *jar) SetCookies(_ *url.URL, c []*http.Cookie) { j.cookies = append(j.cookies, c...) }
func (j *jar) Cookies(*url.URL) []*http.Cookie         { return j.cookies }

func TestServeEndsWhenNobodyLooks(t *testing.T) {
	s, err := webui.Listen(0, webui.Config{Secret: secret, Site: http.HandlerFunc(site), Idle: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(t.Context()); err != nil {
		t.Errorf("Serve: %v", err)
	}
}
