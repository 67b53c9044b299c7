package selfipcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dshkit/dshkit/internal/cli"
	"github.com/dshkit/dshkit/internal/selfip"
	"github.com/dshkit/dshkit/internal/webui"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// panelUser is who clicks in the panel: the user, for nobody else has its address.
var panelUser = selfip.Author{Origin: "panel"}

// panelImportance is that of an entry which the user adds (spec/selfip.md 14.3).
const panelImportance = 7

// panelSite is the page and its JSON interface (spec/selfip.md 27.4). Of what it
// did it keeps the sentences that the next page shows.
type panelSite struct {
	desk

	mu       sync.Mutex
	said     []panelSaid
	warnings []string // stay until they are dismissed
}

// panelSaid is what came of the last click.
type panelSaid struct {
	sentence string
	failed   bool
}

func newPanelSite(d desk) *panelSite { return &panelSite{desk: d} }

// config is how the site is served behind secret.
func (p *panelSite) config(secret string, idle time.Duration) webui.Config {
	return webui.Config{
		Secret: secret, Site: p, Idle: idle, Denied: p.env.Say("panel-denied"), Failed: p.env.Say("panel-failed"),
		OnPanic: func(said any) { p.env.Note("panel-panic", fmt.Sprint(said)) },
	}
}

// ServeHTTP answers a request that the guard let through.
func (p *panelSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch route := r.Method + " " + r.URL.Path; route {
	case "GET /", "HEAD /":
		p.servePage(w, r)
	case "GET /style.css":
		serveAsset(w, "style.css", "text/css; charset=utf-8")
	case "GET /page.js":
		serveAsset(w, "page.js", "text/javascript; charset=utf-8")
	case "GET /favicon.ico":
		w.WriteHeader(http.StatusNoContent)
	case "GET /selfip/state":
		p.serveState(w)
	case "GET /selfip/pulse":
		p.servePulse(w)
	case "POST /selfip/proposal", "POST /selfip/memory", "POST /selfip/config", "POST /selfip/promote":
		p.serveCall(w, r)
	case "POST /act":
		p.serveForm(w, r)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		p.write(w, panelError{Error: p.env.Say("panel-no-path", r.URL.Path)})
	}
}

func serveAsset(w http.ResponseWriter, name, form string) {
	w.Header().Set("Content-Type", form)
	_, _ = w.Write(webui.Asset(name)) // a browser that went away has what it wanted
}

// panelError is what a call answers that did not do what it should: with status
// 200, as the original does.
type panelError struct {
	OK    bool   `json:"ok"`
	Error string `json:"error"`
}

func (p *panelSite) write(w http.ResponseWriter, v any) {
	doc, err := cli.Marshal(v)
	if err != nil {
		doc, _ = cli.Marshal(panelError{Error: err.Error()})
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(doc)
}

// answerWith writes what a call came to.
func (p *panelSite) answerWith(w http.ResponseWriter, v any, err error) {
	if err != nil {
		v = panelError{Error: p.env.Sentence(err)}
	}
	p.write(w, v)
}

func (p *panelSite) serveState(w http.ResponseWriter) {
	v, err := p.visit("")
	if err != nil {
		p.answerWith(w, nil, err)
		return
	}
	state, err := v.panelState()
	p.answerWith(w, state, err)
}

func (p *panelSite) servePulse(w http.ResponseWriter) {
	v, err := p.visit("")
	if err != nil {
		p.answerWith(w, nil, err)
		return
	}
	p.write(w, map[string]any{"ok": true, "stamp": v.memory.Pulse()})
}

// panelCall is the body of a call; of what it does not know it takes no notice.
type panelCall struct {
	ID          string `json:"id"`
	Action      string `json:"action"`
	Note        string `json:"note"`
	Section     string `json:"section"`
	Text        string `json:"text"`
	Scope       string `json:"scope"`
	GlobalDir   string `json:"globalDir"`
	AutoPromote *bool  `json:"autoPromote"`
}

// serveCall answers a call of the JSON interface. A body that is no JSON, or too
// long, counts as an empty one (spec/selfip.md 27.4).
func (p *panelSite) serveCall(w http.ResponseWriter, r *http.Request) {
	var call panelCall
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) > webui.MaxBody || json.Unmarshal(body, &call) != nil {
		call = panelCall{}
	}
	var answer any
	switch r.URL.Path {
	case "/selfip/proposal":
		answer, err = p.decide(r.Context(), call)
	case "/selfip/memory":
		answer, err = p.remember(r.Context(), call)
	case "/selfip/config":
		answer, err = p.configure(r.Context(), call)
	default:
		answer, err = nil, promoteRefused()
	}
	p.answerWith(w, answer, err)
}

// PanelDecisionJSON is what POST /selfip/proposal answers.
type PanelDecisionJSON struct {
	OK     bool   `json:"ok"`
	ID     string `json:"id"`
	Status string `json:"status"` // accepted or rejected
}

// decide records the user's word on a proposal, or on an entry that waits for it.
func (p *panelSite) decide(ctx context.Context, c panelCall) (PanelDecisionJSON, error) {
	status, known := map[string]string{"accept": "accepted", "reject": "rejected"}[c.Action]
	if !known {
		return PanelDecisionJSON{}, fault.New(fault.Usage, "panel-action", c.Action)
	}
	v, err := p.visit("")
	if err != nil {
		return PanelDecisionJSON{}, err
	}
	waiting, _, err := v.memory.Candidates(false)
	if err != nil {
		return PanelDecisionJSON{}, err
	}
	if slices.ContainsFunc(waiting, func(d selfip.Decided) bool { return c.ID != "" && d.ID == c.ID }) {
		_, err = v.memory.DecideCandidates(ctx, []string{c.ID}, c.Action == "accept", c.Note, panelUser)
		return PanelDecisionJSON{true, c.ID, status}, err
	}
	decided, err := v.memory.Decide(ctx, c.ID, c.Action == "accept", c.Note, panelUser)
	return PanelDecisionJSON{true, decided.ID, status}, err
}

// PanelMemoryJSON is what POST /selfip/memory answers.
type PanelMemoryJSON struct {
	OK     bool   `json:"ok"`
	Action string `json:"action"`
	Target string `json:"target"` // base folder of the library
	Hits   *int   `json:"hits,omitempty"`
}

// remember adds an entry, through the gate, or withdraws those that a text means.
func (p *panelSite) remember(ctx context.Context, c panelCall) (PanelMemoryJSON, error) {
	out := PanelMemoryJSON{OK: true, Action: c.Action}
	v, err := p.visit("")
	if err != nil {
		return out, err
	}
	switch c.Action {
	case "add":
		got, err := v.add(ctx, c)
		out.Target = v.baseOf(got.Library)
		return out, err
	case "invalidate":
		if strings.TrimSpace(c.Text) == "" {
			return out, fault.New(fault.Usage, "panel-empty")
		}
		got, err := v.memory.Forget(ctx, c.Text, panelUser)
		n := len(got.Entries)
		out.Hits = &n
		if n > 0 {
			out.Target = v.baseOf(got.Entries[0].Library)
		}
		return out, err
	}
	return out, fault.New(fault.Usage, "panel-action", c.Action)
}

func (v visit) add(ctx context.Context, c panelCall) (selfip.Remembered, error) {
	i := slices.IndexFunc(sections[:], func(s section) bool { return s.key == strings.ToUpper(c.Section) })
	if i < 0 {
		return selfip.Remembered{}, fault.New(fault.Usage, "panel-section", c.Section)
	}
	if text.Len(c.Text) > panelAddition {
		return selfip.Remembered{}, fault.New(fault.Usage, "panel-long", panelAddition)
	}
	return v.memory.Remember(ctx, selfip.Note{Kind: sections[i].kind, Text: c.Text, Importance: panelImportance, Source: "user"}, panelUser)
}

// baseOf is the folder that a library lies in.
func (v visit) baseOf(label selfip.Label) string {
	if label == selfip.GlobalLabel {
		return v.settings.GlobalDir
	}
	return v.workspace.Root
}

// PanelConfigJSON is what POST /selfip/config answers. Proposals stay with their
// workspace in every scope, so none is ever migrated (W26).
type PanelConfigJSON struct {
	OK          bool   `json:"ok"`
	Scope       string `json:"scope"`
	GlobalDir   string `json:"globalDir"`
	AutoPromote bool   `json:"autoPromote"`
	Migrated    int    `json:"migrated"`
	MigrateNote string `json:"migrateNote"`
	ScopeNote   string `json:"scopeNote"` // what the change hides
}

func (p *panelSite) configure(ctx context.Context, c panelCall) (PanelConfigJSON, error) {
	v, err := p.visit("")
	if err != nil {
		return PanelConfigJSON{}, err
	}
	var settings [][2]string
	for _, s := range [][2]string{{"scope", c.Scope}, {"globalDir", c.GlobalDir}} {
		if s[1] != "" {
			settings = append(settings, s)
		}
	}
	if c.AutoPromote != nil {
		settings = append(settings, [2]string{"autoPromote", strconv.FormatBool(*c.AutoPromote)})
	}
	r, err := v.configure(ctx, settings, false)
	if err != nil {
		return PanelConfigJSON{}, err
	}
	var notes []string
	for _, line := range r.echo {
		notes = append(notes, v.env.Say(line.Code, line.Args...))
	}
	if r.overridden != nil {
		notes = append(notes, v.env.Say("overridden", originPhrase(v.env.Writer(), *r.overridden)))
	}
	s := r.settings
	return PanelConfigJSON{OK: true, Scope: s.Scope, GlobalDir: s.GlobalDir, AutoPromote: s.AutoPromote, ScopeNote: strings.Join(notes, "\n")}, nil
}

// serveForm does what a form of the page asks for and leads back to the page, so
// that loading it again does nothing twice.
func (p *panelSite) serveForm(w http.ResponseWriter, r *http.Request) {
	card, err := p.act(r)
	if err != nil {
		p.say(p.env.Sentence(err), true)
	}
	to := url.URL{Path: "/", Fragment: card}
	if tab := r.PostFormValue("tab"); tab != "" {
		to.RawQuery = url.Values{"tab": {tab}}.Encode()
	}
	w.Header().Set("Location", to.String())
	w.WriteHeader(http.StatusSeeOther)
}

// act does it and returns the card that it belongs to.
func (p *panelSite) act(r *http.Request) (card string, err error) {
	c := panelCall{
		ID: r.PostFormValue("id"), Note: r.PostFormValue("note"), Section: r.PostFormValue("section"), Text: r.PostFormValue("text"),
		Scope: r.PostFormValue("scope"), Action: r.PostFormValue("do"),
	}
	switch c.Action {
	case "accept", "reject":
		got, err := p.decide(r.Context(), c)
		if err == nil {
			p.say(p.env.Say("panel-said-"+got.Status, got.ID), false)
		}
		return "proposals", err
	case "add":
		got, err := p.remember(r.Context(), c)
		if err == nil {
			p.say(p.env.Say("panel-said-added", got.Target), false)
		}
		return "memory", err
	case "invalidate":
		got, err := p.remember(r.Context(), c)
		if err == nil {
			p.say(p.env.Say("panel-said-withdrawn", *got.Hits), false)
		}
		return "memory", err
	case "scope":
		got, err := p.configure(r.Context(), c)
		if err == nil {
			p.say(p.env.Say("panel-said-scope", got.Scope), false)
			p.warn(got.ScopeNote)
		}
		return "scope", err
	case "dismiss":
		p.dismiss()
		return "scope", nil
	}
	return "", fault.New(fault.Usage, "panel-action", c.Action)
}

func (p *panelSite) say(sentence string, failed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, panelSaid{sentence, failed})
	p.said = p.said[max(0, len(p.said)-5):] // of a browser that never looks
}

// warn replaces the warnings by those of the latest change.
func (p *panelSite) warn(note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.warnings = nil
	if note != "" {
		p.warnings = strings.Split(note, "\n")
	}
}

func (p *panelSite) dismiss() { p.warn("") }

// news is what is to be said once, and the warnings that stay.
func (p *panelSite) news() (said []panelSaid, warnings []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	said, p.said = p.said, nil
	return said, slices.Clone(p.warnings)
}
