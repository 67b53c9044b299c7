package webui

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// policy lets a page load nothing but what this server has, and run no script
// that stands in it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// headers are those of every answer.
var headers = [][2]string{
	{"Cache-Control", "no-store"},
	{"Content-Security-Policy", policy},
	{"X-Content-Type-Options", "nosniff"},
	{"X-Frame-Options", "DENY"},
	{"Referrer-Policy", "same-origin"}, // with no-referrer a form of ours would have no origin
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
}

type formKey struct{}

// FormToken returns what a form or a script of the page must send back with a
// POST: as the field "csrf" or the header X-CSRF-Token.
func FormToken(ctx context.Context) string {
	token, _ := ctx.Value(formKey{}).(string)
	return token
}

// guard decides which requests reach the site.
type guard struct {
	Config
	hosts  []string // names under which this server is meant
	cookie string   // its name holds the port, for cookies do not tell ports apart
	form   string
	used   atomic.Bool // the ticket
}

// Guard wraps the site for a server on port. A request is let through when it
//   - was sent to 127.0.0.1 or localhost by that name, so that no other name that
//     resolves to this machine will do (DNS rebinding);
//   - holds the secret: as the cookie that the address sets, or as
//     "Authorization: Bearer", which no browser sends by itself;
//   - does not come from another site; a POST with the cookie also sends back what
//     only the page knows.
func Guard(c Config, port int) http.Handler {
	p := strconv.Itoa(port)
	sum := sha256.Sum256([]byte("form " + c.Secret))
	return &guard{
		Config: c, hosts: []string{"127.0.0.1:" + p, "localhost:" + p}, cookie: "dshkit-page-" + p, form: hex.EncodeToString(sum[:16]),
	}
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, h := range headers {
		w.Header().Set(h[0], h[1])
	}
	defer g.recover(w)
	switch {
	case !g.meant(r):
		http.Error(w, "wrong host", http.StatusForbidden)
	case g.foreign(r):
		http.Error(w, "wrong origin", http.StatusForbidden)
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "wrong method", http.StatusMethodNotAllowed)
	case r.Method != http.MethodPost && r.URL.Path == "/" && r.URL.Query().Has("token"):
		g.enter(w, r)
	default:
		g.pass(w, r)
	}
}

// recover answers for a site that panics.
func (g *guard) recover(w http.ResponseWriter) {
	if p := recover(); p != nil {
		if g.OnPanic != nil {
			g.OnPanic(p)
		}
		http.Error(w, g.Failed, http.StatusInternalServerError)
	}
}

// meant reports whether a request names this server.
func (g *guard) meant(r *http.Request) bool {
	return r.Host == g.hosts[0] || r.Host == g.hosts[1]
}

// foreign reports whether another site had the browser send this request. A
// link from elsewhere may lead here, but it gets no further than the secret.
func (g *guard) foreign(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Method == http.MethodPost && site != "" && site != "same-origin"
}

// enter takes the secret out of the address and into a cookie.
func (g *guard) enter(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if !same(token, g.Secret) && (!same(token, g.Ticket) || g.used.Swap(true)) {
		g.deny(w)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.Secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
}

func (g *guard) pass(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, MaxBody+1)
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if !same(bearer, g.Secret) {
			g.deny(w)
			return
		}
		g.Site.ServeHTTP(w, r)
		return
	}
	cookie, err := r.Cookie(g.cookie)
	if err != nil || !same(cookie.Value, g.Secret) {
		g.deny(w)
		return
	}
	if r.Method == http.MethodPost && !same(sentBack(r), g.form) {
		http.Error(w, "wrong form token", http.StatusForbidden)
		return
	}
	g.Site.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), formKey{}, g.form)))
}

// sentBack is the form token of a request.
func sentBack(r *http.Request) string {
	if token := r.Header.Get("X-CSRF-Token"); token != "" {
		return token
	}
	return r.PostFormValue("csrf")
}

func (g *guard) deny(w http.ResponseWriter) { http.Error(w, g.Denied, http.StatusUnauthorized) }

// same compares without telling by its time how much was right.
func same(a, b string) bool { return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
