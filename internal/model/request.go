package model

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/text"
)

// trouble is an error of one attempt, with what can be done about it.
type trouble struct {
	err    *fault.Error
	again  bool          // it may go better in a moment
	busy   bool          // the service wants no calls for now
	after  time.Duration // for how long; 0: it did not say
	unsent bool          // the model has not worked on it
	says   string        // what the service said about a request that it refuses; ""
}

// maxTries bounds how often a call is tried, and how often it is put in other words.
const (
	maxTries  = 4
	maxWords  = 6
	firstWait = 500 * time.Millisecond
)

// wording is how a request is put: what services differ about.
type wording struct {
	model  string
	limit  string // the name of the limit of tokens
	rungs  []rung // the first one is asked for
	warmth bool   // the temperature is sent
	usage  bool   // usage is asked for
}

// temperature of all calls (spec/selfip.md 25.1).
const temperature = 0.2

// request asks a service, as often as makes sense within the time.
func (m *Model) request(ctx context.Context, q Request) (Reply, error) {
	key, err := m.key()
	if err != nil {
		return Reply{Unsent: true}, err
	}
	c := &call{Model: m, key: key, client: m.client(), began: m.world.Now()}
	defer c.client.CloseIdleConnections()
	name, routed := m.at.name, ""
	if name == "" {
		if name, err = c.firstModel(ctx); err != nil {
			return Reply{Unsent: true}, err
		}
		routed = "first-listed"
	}
	w := m.wording(name)
	var r Reply
	for tries, words := 1, 1; ; {
		var t *trouble
		r, t = c.attempt(ctx, q, w)
		r.Model, r.Effort, r.Routed = name, w.rungs[0].word, routed
		r.Text = hide(r.Text, key)
		if t == nil {
			return r, nil
		}
		r.Unsent = t.unsent
		if next, ok := w.after(t.says); ok && words < maxWords {
			w, words = next, words+1
			continue
		}
		pause := c.pause(t, tries)
		if !t.again || tries >= maxTries || c.left() <= pause {
			return r, t.fault()
		}
		if m.world.Wait(ctx, pause) != nil {
			return r, t.fault()
		}
		tries++
	}
}

// fault returns the error that the caller sees.
func (t *trouble) fault() error {
	if t.busy {
		return &Pause{For: t.after, Err: t.err}
	}
	return t.err
}

// wording returns how a model is asked at first.
func (m *Model) wording(name string) wording {
	w := wording{model: name, limit: "max_tokens", rungs: m.rungs(name), warmth: true, usage: true}
	if m.set.Provider == OpenAI && isNewer(name) {
		w.limit, w.warmth = "max_completion_tokens", false
	}
	return w
}

// isNewer reports whether a model is one of OpenAI's that take no temperature and
// call the limit by another name.
func isNewer(name string) bool {
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, family := range []string{"gpt-5", "o1", "o3", "o4"} {
		if strings.HasPrefix(name, family) {
			return true
		}
	}
	return false
}

// after returns the wording for a service that has refused this one and said why,
// false when there is none.
func (w wording) after(says string) (wording, bool) {
	says = strings.ToLower(says)
	switch {
	case says == "":
		return w, false
	case w.limit == "max_tokens" && strings.Contains(says, "max_completion_tokens"):
		w.limit = "max_completion_tokens"
	case w.limit != "max_tokens" && strings.Contains(says, "max_completion_tokens"):
		w.limit = "max_tokens"
	case w.warmth && strings.Contains(says, "temperature"):
		w.warmth = false
	case w.usage && strings.Contains(says, "stream_options"):
		w.usage = false
	case len(w.rungs) > 1 && saysEffort(says):
		w.rungs = w.rungs[1:]
	default:
		return w, false
	}
	return w, true
}

func saysEffort(says string) bool {
	for _, word := range []string{"reasoning", "effort", "thinking", "chat_template"} {
		if strings.Contains(says, word) {
			return true
		}
	}
	return false
}

// call is one call while it lasts.
type call struct {
	*Model
	key    string
	client *http.Client
	began  time.Time
}

// left is the time that is left of the call.
func (c *call) left() time.Duration { return c.set.Timeout - c.world.Now().Sub(c.began) }

// pause is how long to wait after try n: as long as the service asks, else twice as
// long each time, spread by chance, so that many callers do not come back at once.
func (c *call) pause(t *trouble, n int) time.Duration {
	if t.after > 0 {
		return t.after
	}
	longest := firstWait << (n - 1)
	return longest/2 + time.Duration(math.Round(c.world.Chance()*float64(longest)))/2
}

// body writes the request in the dialect of the provider.
func (c *call) body(q Request, w wording) []byte {
	b := object{"model": w.model, "stream": true, w.limit: q.MaxTokens}
	user := object{"role": "user", "content": q.User}
	if w.warmth {
		b["temperature"] = temperature
	}
	if c.set.Provider == Anthropic {
		b["messages"] = []any{user}
		if q.System != "" {
			b["system"] = q.System
		}
	} else {
		b["messages"] = []any{user}
		if q.System != "" {
			b["messages"] = []any{object{"role": "system", "content": q.System}, user}
		}
		if w.usage {
			b["stream_options"] = object{"include_usage": true}
		}
	}
	for k, v := range w.rungs[0].fields {
		b[k] = v
	}
	out, _ := json.Marshal(b) // strings, numbers and maps of them
	return out
}

// firstModel asks a service near us for the models that it has.
func (c *call) firstModel(ctx context.Context) (string, error) {
	body, t := c.send(ctx, http.MethodGet, "/models", nil, func(r *http.Response) ([]byte, *trouble) {
		data, err := io.ReadAll(&bounded{r.Body, maxLine})
		if err != nil {
			return nil, c.broken(ctx, err)
		}
		return data, nil
	})
	if t != nil {
		return "", t.fault()
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &list) == nil {
		for _, m := range list.Data {
			if c.isName(m.ID) {
				return m.ID, nil
			}
		}
	}
	return "", fault.New(fault.Refused, codeNoModels, c.at.host)
}

// maxModelName bounds the name of a model, in UTF-16 code units.
const maxModelName = 200

// isName reports whether what a service calls a model can stand in a library, as
// the author of entries: a short line in print, without a secret.
func (c *call) isName(s string) bool {
	printed := !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
	return strings.TrimSpace(s) != "" && text.Len(s) <= maxModelName && printed && c.clean(s, c.key) == s
}
