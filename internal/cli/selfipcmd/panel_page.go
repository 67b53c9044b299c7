package selfipcmd

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/dshkit/dshkit/internal/selfip/entry"
	"github.com/dshkit/dshkit/internal/selfip/scope"
	"github.com/dshkit/dshkit/internal/webui"
)

// panelPage writes the four cards (spec/selfip.md 27.5). As a report it holds no
// form and needs no server.
type panelPage struct {
	webui.HTML
	visit    visit
	state    PanelJSON
	tab      string // key of a section, "" for all
	form     string // the token that forms send back; "" in a report
	said     []panelSaid
	warnings []string
	status   *StatusJSON // a report tells of health too
}

func (p *panelSite) servePage(w http.ResponseWriter, r *http.Request) {
	v, err := p.visit("")
	if err != nil {
		http.Error(w, p.env.Sentence(err), http.StatusInternalServerError)
		return
	}
	state, err := v.panelState()
	if err != nil {
		http.Error(w, v.env.Sentence(err), http.StatusInternalServerError)
		return
	}
	page := panelPage{visit: v, state: state, tab: knownTab(r.URL.Query().Get("tab")), form: webui.FormToken(r.Context())}
	page.said, page.warnings = p.news()
	page.document()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(page.String())) // a browser that went away has what it wanted
}

// report is the page as a file.
func (d desk) report() ([]byte, error) {
	v, err := d.visit("")
	if err != nil {
		return nil, err
	}
	page := panelPage{visit: v}
	if page.state, err = v.panelState(); err != nil {
		return nil, err
	}
	status := statusOf(v.env, v.opened).JSON().(StatusJSON)
	page.status = &status
	page.document()
	return []byte(page.String()), nil
}

// knownTab is the key of a tab, "" for one that there is not.
func knownTab(tab string) string {
	tab = strings.ToUpper(tab)
	if tab == "PRINCIPLES" || tab == "HYPOTHESES" || slices.ContainsFunc(sections[:], func(s section) bool { return s.key == tab }) {
		return tab
	}
	return ""
}

func (p *panelPage) words(id string, args ...any) string { return p.visit.env.Say(id, args...) }

func attributes(list ...string) []string { return list }

func (p *panelPage) document() {
	p.Doctype()
	p.In("html", attributes("lang", string(p.visit.env.Lang())), func() {
		p.In("head", nil, p.head)
		p.In("body", nil, func() {
			p.In("header", attributes("id", "head"), p.header)
			p.Leaf("p", "", "id", "live", "class", "attention", "role", "status", "data-lost", p.words("panel-lost"))
			p.In("main", attributes("id", "cards", "data-stamp", p.state.Stamp, "data-pulse", "/selfip/pulse"), func() {
				p.news()
				p.proposals()
				p.memory()
				p.scope()
				p.work()
				p.health()
			})
			p.Leaf("footer", p.words("panel-foot", p.state.CWD))
		})
	})
}

func (p *panelPage) head() {
	p.Void("meta", "charset", "utf-8")
	p.Void("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
	p.Leaf("title", p.words("panel-title"))
	if p.form == "" {
		p.Void("meta", "http-equiv", "Content-Security-Policy", "content", "default-src 'none'; style-src 'unsafe-inline'")
		p.Style(webui.Asset("style.css"))
		return
	}
	p.Void("link", "rel", "stylesheet", "href", "/style.css")
	p.Leaf("script", "", "src", "/page.js", "defer", "")
}

func (p *panelPage) header() {
	p.Leaf("h1", p.words("panel-title"))
	if n := len(p.state.Proposals) + len(p.state.Candidates); n > 0 {
		p.Leaf("span", p.words("panel-waiting", n), "class", "attention")
	} else {
		p.Leaf("span", p.words("panel-none-waiting"), "class", "soft")
	}
	p.Leaf("span", p.words("panel-total", p.state.TotalEntries), "class", "soft")
}

func (p *panelPage) card(id, title string, body func()) {
	p.In("section", attributes("class", "card", "id", id, "aria-labelledby", id+"-title"), func() {
		p.Leaf("h2", title, "id", id+"-title")
		body()
	})
}

// post is a form that has do done.
func (p *panelPage) post(class, do string, fields func(), hidden ...string) {
	p.In("form", attributes("method", "post", "action", "/act", "class", class), func() {
		hidden = append([]string{"csrf", p.form, "tab", strings.ToLower(p.tab)}, hidden...)
		if do != "" {
			hidden = append(hidden, "do", do)
		}
		for i := 0; i+1 < len(hidden); i += 2 {
			p.Void("input", "type", "hidden", "name", hidden[i], "value", hidden[i+1])
		}
		fields()
	})
}

// news is what came of the last click, and what it hides.
func (p *panelPage) news() {
	for _, s := range p.said {
		class := "said"
		if s.failed {
			class = "said failed"
		}
		p.Leaf("p", s.sentence, "class", class, "role", "status")
	}
	if len(p.warnings) == 0 {
		return
	}
	p.In("div", attributes("class", "warning", "role", "alert"), func() {
		for _, s := range p.warnings {
			p.Leaf("p", s)
		}
		p.post("", "dismiss", func() { p.Leaf("button", p.words("panel-dismiss"), "type", "submit") })
	})
}

func (p *panelPage) proposals() {
	p.card("proposals", p.words("panel-proposals"), func() {
		if len(p.state.Proposals)+len(p.state.Candidates) == 0 {
			p.Leaf("p", p.words("panel-no-proposals"), "class", "soft")
			return
		}
		p.In("ul", attributes("class", "rows"), func() {
			for _, one := range p.state.Proposals {
				summary := one.Summary
				if summary == "" {
					summary = one.File
				}
				p.decision(one.ID, summary, one.At)
			}
			for _, one := range p.state.Candidates {
				said := one.Entry.Text
				if one.Quarantine {
					said = p.words("panel-blocked")
				}
				p.decision(one.ID, p.words("panel-candidate", said), one.At)
			}
		})
	})
}

// decision is a row that waits for the user's word.
func (p *panelPage) decision(id, said, at string) {
	p.In("li", nil, func() {
		p.In("div", attributes("class", "entry"), func() {
			p.Leaf("p", said, "dir", "auto")
			p.Leaf("span", strings.TrimSpace(id+"  "+p.minute(at)), "class", "soft")
		})
		if p.form == "" {
			return
		}
		p.post("", "", func() {
			p.Leaf("label", p.words("panel-reason"), "for", "reason-"+id, "class", "visually-hidden")
			p.Void("input", "type", "text", "name", "note", "id", "reason-"+id, "maxlength", "300", "placeholder", p.words("panel-reason"))
			p.Leaf("button", p.words("panel-accept"), "type", "submit", "name", "do", "value", "accept")
			p.Leaf("button", p.words("panel-reject"), "type", "submit", "name", "do", "value", "reject")
		}, "id", id)
	})
}

// minute is a stamp as a person reads it.
func (p *panelPage) minute(stamp string) string {
	at, ok := entry.ParseTime(stamp, p.visit.memory.Now().Location())
	if !ok {
		return stamp
	}
	return at.In(p.visit.memory.Now().Location()).Format("2006-01-02 15:04")
}

func (p *panelPage) memory() {
	p.card("memory", p.words("panel-memory", p.state.EffectiveLabel), func() {
		var shown []PanelSectionJSON
		if p.state.Effective != nil {
			shown = p.state.Effective.Sections
		}
		p.tabs()
		empty := true
		for _, s := range shown {
			if p.tab == "" || p.tab == s.Key {
				empty = false
				p.section(s)
			}
		}
		if empty {
			p.Leaf("p", p.words("panel-empty-library"), "class", "soft")
		}
		if p.form != "" {
			p.addition()
		}
	})
}

// tabs lead to the sections; each names how much there is, of all that there is.
func (p *panelPage) tabs() {
	p.In("nav", attributes("aria-label", p.words("panel-sections")), func() {
		p.oneTab("", p.words("panel-all"), p.state.TotalEntries)
		for _, s := range sections {
			p.oneTab(s.key, p.words("panel-section-"+s.partition), p.state.Counts[s.key])
		}
		p.oneTab("PRINCIPLES", p.words("panel-section-principles"), p.state.Counts["PRINCIPLES"])
		p.oneTab("HYPOTHESES", p.words("panel-section-hypotheses"), p.state.Counts["HYPOTHESES"])
	})
}

func (p *panelPage) oneTab(key, title string, count int) {
	said := title + " " + strconv.Itoa(count)
	if p.form == "" {
		p.Leaf("span", said, "class", "soft")
		return
	}
	to := url.URL{Path: "/", Fragment: "memory"}
	if key != "" {
		to.RawQuery = url.Values{"tab": {strings.ToLower(key)}}.Encode()
	}
	list := attributes("href", to.String())
	if key == p.tab {
		list = append(list, "aria-current", "true")
	}
	p.Leaf("a", said, list...)
}

func (p *panelPage) section(s PanelSectionJSON) {
	p.Leaf("h3", s.Title)
	if s.Freeform != "" {
		p.Leaf("pre", s.Freeform, "dir", "auto")
	}
	if len(s.Entries) == 0 {
		return
	}
	p.In("ul", attributes("class", "rows"), func() {
		for _, e := range s.Entries {
			p.entry(e)
		}
	})
	if more := s.Count - len(s.Entries); more > 0 {
		p.Leaf("p", p.words("panel-more", more), "class", "soft")
	}
}

func (p *panelPage) entry(e PanelEntryJSON) {
	p.In("li", nil, func() {
		p.In("div", attributes("class", "entry"), func() {
			p.Leaf("p", e.Text, "dir", "auto")
			p.Leaf("time", p.minute(e.At), "datetime", e.At)
			for _, mark := range e.Marks {
				p.Text(" ")
				p.Leaf("span", mark, "class", "mark")
			}
		})
		if p.form != "" {
			p.post("", "invalidate", func() {
				p.Leaf("button", p.words("panel-withdraw"), "type", "submit", "aria-label", p.words("panel-withdraw-which", e.Text))
			}, "text", e.ID)
		}
	})
}

func (p *panelPage) addition() {
	p.post("stack", "add", func() {
		p.Leaf("label", p.words("panel-add-label"), "for", "add-text", "class", "visually-hidden")
		p.Void("input", "type", "text", "name", "text", "id", "add-text", "class", "wide", "maxlength", strconv.Itoa(panelAddition), "required", "", "placeholder", p.words("panel-add-label"))
		p.Leaf("label", p.words("panel-sections"), "for", "add-section", "class", "visually-hidden")
		p.In("select", attributes("name", "section", "id", "add-section"), func() {
			for _, s := range sections {
				list := attributes("value", s.key)
				if s.key == p.tab || p.tab == "" && s.key == "FACTS" {
					list = append(list, "selected", "")
				}
				p.Leaf("option", p.words("panel-section-"+s.partition), list...)
			}
		})
		p.Leaf("button", p.words("panel-add"), "type", "submit")
	})
}

func (p *panelPage) scope() {
	p.card("scope", p.words("panel-scope"), func() {
		p.Leaf("p", p.words("scope-meaning-"+p.state.Scope))
		if p.form != "" {
			p.post("", "scope", func() {
				for _, s := range []scope.Scope{scope.Workspace, scope.Both, scope.Global} {
					p.Leaf("button", p.words("panel-scope-"+string(s)), "type", "submit", "name", "scope", "value", string(s),
						"aria-pressed", strconv.FormatBool(string(s) == p.state.Scope))
				}
			})
		}
		p.facts(
			"panel-set-by", p.state.Diag,
			"panel-workspace-dir", p.state.CWD,
			"panel-global-dir", p.state.GlobalDir,
			"panel-outward", p.outward(),
		)
	})
}

// outward says whether what is learned here is read elsewhere.
func (p *panelPage) outward() string {
	if p.state.Scope == string(scope.Global) {
		return p.words("panel-flows-out")
	}
	return p.words("panel-stays-here")
}

// facts is a list of names, by the ids of their sentences, and values.
func (p *panelPage) facts(list ...string) {
	p.In("dl", nil, func() {
		for i := 0; i+1 < len(list); i += 2 {
			if list[i+1] != "" {
				p.Leaf("dt", p.words(list[i]))
				p.Leaf("dd", list[i+1], "dir", "auto")
			}
		}
	})
}
