package model_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/model"
	"github.com/dshkit/dshkit/internal/testkit/modelstub"
	"github.com/dshkit/dshkit/pkg/fault"
)

const (
	good   = "## LESSONS\n- 迁移没有跑 -> 缺列 -> 先 make migrate"
	secret = "sk-test-0123456789abcdef"
)

var asked = model.Request{System: "only sections", User: "evidence", MaxTokens: 3000}

// bench is a model in front of a stub. Waiting takes no time and is noted.
type bench struct {
	*model.Model
	stub   *modelstub.Server
	waited []time.Duration
	now    time.Time
}

func newBench(t *testing.T, set model.Settings, script ...modelstub.Answer) *bench {
	t.Helper()
	b := &bench{stub: modelstub.New(t, script...), now: time.Date(2026, 9, 15, 12, 0, 0, 0, time.UTC)}
	if set.Provider == "" {
		set.Provider = model.OpenAI
	}
	switch {
	case set.URL != "":
	case set.Provider == model.Anthropic:
		set.URL = b.stub.Anthropic()
	default:
		set.URL = b.stub.OpenAI()
	}
	if set.KeyEnv == "" {
		set.KeyEnv = "TEST_KEY"
	}
	m, err := model.New(set, b.world())
	if err != nil {
		t.Fatal(err)
	}
	b.Model = m
	return b
}

func (b *bench) world() model.World {
	return model.World{
		Getenv: func(name string) string {
			return map[string]string{"TEST_KEY": secret, "PATH": os.Getenv("PATH")}[name]
		},
		Environ: func() []string { return []string{"PATH=" + os.Getenv("PATH"), "CLAUDECODE=1", "KEPT=yes"} },
		Now:     func() time.Time { return b.now },
		Chance:  func() float64 { return 0.5 },
		Redact:  func(s string) string { return strings.ReplaceAll(s, "hunter2", "<redacted>") },
		Wait: func(_ context.Context, d time.Duration) error {
			b.waited, b.now = append(b.waited, d), b.now.Add(d)
			return nil
		},
	}
}

// both runs a test in both dialects of services.
func both(t *testing.T, name string, f func(t *testing.T, set model.Settings)) {
	t.Run(name+"/openai", func(t *testing.T) { f(t, model.Settings{Provider: model.OpenAI, Name: "small"}) })
	t.Run(name+"/anthropic", func(t *testing.T) { f(t, model.Settings{Provider: model.Anthropic, Name: "small"}) })
}

func TestGoodAnswers(t *testing.T) {
	for _, row := range []struct {
		id   string
		say  modelstub.Answer
		want model.Reply
	}{
		{"CO11 two deltas", modelstub.Good(good), model.Reply{Text: good, Input: 1000, Output: 200}},
		{"not streamed", modelstub.Whole(good), model.Reply{Text: good, Input: 1000, Output: 200}},
		{"AU41 truncated", modelstub.Truncated(good), model.Reply{Text: good, Cut: true, Input: 1000, Output: 200}},
		{"thinking tags", modelstub.Thinking(good), model.Reply{Text: good, Input: 1000, Output: 200}},
		{"thoughts apart", modelstub.Reasoning(good), model.Reply{Text: good, Input: 1000, Output: 200}},
		{"case61 fenced", modelstub.Fenced(good), model.Reply{Text: "```markdown\n" + good + "\n```", Input: 1000, Output: 200}},
		{"case63 nothing but thoughts", modelstub.Play(modelstub.Stream{Thoughts: []string{"hm"}, Finish: "length", Input: 900, Output: 1500}), model.Reply{Cut: true, Input: 900, Output: 1500}},
		{"case63 nothing to say", modelstub.Play(modelstub.Stream{Finish: "stop", Input: 900, Output: 2}), model.Reply{Input: 900, Output: 2}},
		{"thoughts without an end", modelstub.Truncated("<think>\nhm"), model.Reply{Cut: true, Input: 1000, Output: 200}},
		{"the second tag only", modelstub.Good("hm\n</think>\n" + good), model.Reply{Text: good, Input: 1000, Output: 200}},
		{"a tag that is the matter", modelstub.Good(good + "\n- <think> is a tag"), model.Reply{Text: good + "\n- <think> is a tag", Input: 1000, Output: 200}},
	} {
		both(t, row.id, func(t *testing.T, set model.Settings) {
			b := newBench(t, set, row.say)
			got, err := b.Call(t.Context(), asked)
			row.want.Provider, row.want.Model = set.Provider, "small"
			row.want.Effort = got.Effort // see TestEffort
			if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
				t.Errorf("%s: %v, reply (-want +got):\n%s", row.id, err, diff)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	set := model.Settings{Provider: model.OpenAI, Name: "some-model"}
	b := newBench(t, set, modelstub.Good(good))
	if _, err := b.Call(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	r := b.stub.Requests()[0]
	t.Run("AE02", func(t *testing.T) {
		if r.MaxTokens != 3000 {
			t.Errorf("AE02: max_tokens %d", r.MaxTokens)
		}
	})
	t.Run("AE11", func(t *testing.T) { // whatever the model could do
		if r.MaxTokens != asked.MaxTokens {
			t.Errorf("AE11: max_tokens %d, want %d", r.MaxTokens, asked.MaxTokens)
		}
	})
	t.Run("CO13", func(t *testing.T) {
		if r.Model != "some-model" || r.Path != "/v1/chat/completions" {
			t.Errorf("CO13: model %q at %q", r.Model, r.Path)
		}
	})
	if r.System != asked.System || r.User != asked.User || !r.Stream || r.Body["temperature"] != 0.2 ||
		r.Header.Get("Authorization") != "Bearer "+secret || r.Body["stream_options"] == nil {
		t.Errorf("request %+v", r)
	}

	a := newBench(t, model.Settings{Provider: model.Anthropic, Name: "claude"}, modelstub.Good(good))
	if _, err := a.Call(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	r = a.stub.Requests()[0]
	if r.Path != "/v1/messages" || r.System != asked.System || r.User != asked.User || r.MaxTokens != 3000 ||
		r.Header.Get("X-Api-Key") != secret || r.Header.Get("Authorization") != "" || r.Header.Get("Anthropic-Version") == "" {
		t.Errorf("request %+v", r)
	}
}

// TestBadAnswers holds that what is not whole is an error, tells what it cost, and
// names no key.
func TestBadAnswers(t *testing.T) {
	for _, row := range []struct {
		id     string
		say    modelstub.Answer
		code   string
		kind   fault.Kind
		calls  int
		unsent bool
		input  int
	}{
		{"W42 no finish", modelstub.Unfinished(good), "model-unfinished", fault.Failed, 1, false, 0},
		{"W42 half a stream", modelstub.Half(good), "model-unfinished", fault.Failed, 1, false, 0},
		{"AU42 aborted", modelstub.Aborted(good, "content_filter"), "model-aborted", fault.Failed, 1, false, 1000},
		{"a fault in the stream", modelstub.Troubled(good, "no "+secret), "model-trouble", "", 1, false, 0},
		{"a page", modelstub.HTML(200), "model-page", fault.Failed, 1, true, 0},
		{"a page of a proxy", modelstub.HTML(502).Always(), "model-page", fault.Failed, 4, true, 0},
		{"wrong JSON", modelstub.WrongJSON(), "model-answer", fault.Failed, 1, false, 0},
		{"JSON of another kind", modelstub.Body(200, "application/json", `{"ok":true}`), "model-unfinished", fault.Failed, 1, false, 0},
		{"nothing", modelstub.Body(200, "text/event-stream", ""), "model-unfinished", fault.Failed, 1, false, 0},
		{"a bad key", modelstub.Status(401, "the key "+secret+" and hunter2"), "model-key-refused", fault.Refused, 1, true, 0},
		{"no such model", modelstub.Status(404, "no model"), "model-not-found", fault.Refused, 1, true, 0},
		{"a bad request", modelstub.Status(400, "context too long"), "model-refused", fault.Refused, 1, true, 0},
		{"always 500", modelstub.Status(500, "oops").Always(), "model-unwell", fault.Failed, 4, true, 0},
		{"thoughts without an end", modelstub.Good("<think>\nhm"), "model-unfinished", fault.Failed, 1, false, 1000},
	} {
		both(t, row.id, func(t *testing.T, set model.Settings) {
			b := newBench(t, set, row.say)
			r, err := b.Call(t.Context(), asked)
			if fault.CodeOf(err) != row.code || row.kind != "" && fault.KindOf(err) != row.kind {
				t.Fatalf("%s: %v, want %s", row.id, err, row.code)
			}
			if r.Unsent != row.unsent || row.input > 0 && r.Input != row.input || b.stub.Calls() != row.calls {
				t.Errorf("%s: unsent %v, input %d, %d calls; want %v, %d, %d", row.id, r.Unsent, r.Input, b.stub.Calls(), row.unsent, row.input, row.calls)
			}
			if s := err.Error(); strings.Contains(s, secret) || strings.Contains(s, "hunter2") || len(s) > 400 {
				t.Errorf("%s: the error is %q", row.id, s)
			}
		})
	}
	t.Run("W42 half a stream tells its cost where the service does", func(t *testing.T) {
		b := newBench(t, model.Settings{Provider: model.Anthropic, Name: "small"}, modelstub.Half(good))
		if r, err := b.Call(t.Context(), asked); err == nil || r.Input != 1000 || r.Text != "" {
			t.Errorf("%+v, %v; want the 1000 tokens that it began with", r, err)
		}
	})
}

func TestTriesAgain(t *testing.T) {
	for _, row := range []struct {
		id     string
		script []modelstub.Answer
		waits  []time.Duration
		code   string
		pause  time.Duration
	}{
		{"500 once", []modelstub.Answer{modelstub.Status(500, "x"), modelstub.Good(good)}, []time.Duration{375 * time.Millisecond}, "", 0},
		{"twice as long", []modelstub.Answer{modelstub.Status(503, "x"), modelstub.Status(502, "x"), modelstub.Good(good)}, []time.Duration{375 * time.Millisecond, 750 * time.Millisecond}, "", 0},
		{"as long as it asks", []modelstub.Answer{modelstub.RateLimited(7), modelstub.Good(good)}, []time.Duration{7 * time.Second}, "", 0},
		{"case68 longer than there is time", []modelstub.Answer{modelstub.RateLimited(120)}, nil, "model-busy", 2 * time.Minute},
		{"a storm", []modelstub.Answer{modelstub.RateLimited(-1).Always()}, []time.Duration{375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond}, "model-busy", 0},
		{"a storm that asks", []modelstub.Answer{modelstub.RateLimited(20).Always()}, []time.Duration{20 * time.Second, 20 * time.Second}, "model-busy", 20 * time.Second},
		{"nothing left to spend", []modelstub.Answer{modelstub.Body(429, "application/json", `{"error":{"code":"insufficient_quota","message":"pay"}}`)}, nil, "model-busy", 0},
	} {
		both(t, row.id, func(t *testing.T, set model.Settings) {
			b := newBench(t, set, row.script...)
			r, err := b.Call(t.Context(), asked)
			if fault.CodeOf(err) != row.code {
				t.Fatalf("%s: %v, want %q", row.id, err, row.code)
			}
			if diff := cmp.Diff(row.waits, b.waited); diff != "" {
				t.Errorf("%s: waits (-want +got):\n%s", row.id, diff)
			}
			if row.code == "" {
				if r.Text != good {
					t.Errorf("%s: %q", row.id, r.Text)
				}
				return
			}
			var p *model.Pause
			if !errors.As(err, &p) || p.For != row.pause || fault.KindOf(err) != fault.Busy || !r.Unsent {
				t.Errorf("%s: %#v, unsent %v; want a pause of %v", row.id, err, r.Unsent, row.pause)
			}
		})
	}
}

// TestTimeLimit: a service that takes the call and never answers, or stops in the
// middle, costs its time limit and not more (case 08).
func TestTimeLimit(t *testing.T) {
	for _, row := range []struct {
		id   string
		say  modelstub.Answer
		code string
	}{
		{"case08", modelstub.Hang(), "model-silent"},
		{"AU15 a stream that stalls", modelstub.Stall("## LES"), "model-slow"},
	} {
		both(t, row.id, func(t *testing.T, set model.Settings) {
			set.Timeout = 50 * time.Millisecond
			b := newBench(t, set, row.say)
			r, err := b.Call(t.Context(), asked)
			if fault.CodeOf(err) != row.code || fault.KindOf(err) != fault.Timeout || r.Unsent {
				t.Errorf("%s: %v (unsent %v), want %s", row.id, err, r.Unsent, row.code)
			}
		})
	}
	both(t, "CO12 AE03 a caller who gives up", func(t *testing.T, set model.Settings) {
		b := newBench(t, set, modelstub.Hang())
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		go func() {
			for b.stub.Calls() == 0 { // until it hangs
				<-time.After(time.Millisecond)
			}
			cancel(why)
		}()
		if _, err := b.Call(ctx, asked); !errors.Is(err, why) {
			t.Errorf("CO12, AE03: %v, want the cause", err)
		}
	})
}

func TestEndlessAnswerIsBounded(t *testing.T) {
	b := newBench(t, model.Settings{Name: "small"}, modelstub.Endless())
	if _, err := b.Call(t.Context(), asked); fault.CodeOf(err) != "model-too-long" {
		t.Errorf("%v, want model-too-long", err)
	}
}

func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	b := newBench(t, model.Settings{Name: "small", URL: "http://" + address})
	r, err := b.Call(t.Context(), asked)
	if fault.CodeOf(err) != "model-unreachable" || !r.Unsent || len(b.waited) != 3 {
		t.Errorf("%v, unsent %v, %d waits; want model-unreachable, true, 3", err, r.Unsent, len(b.waited))
	}
}

// TestRedirects: the key and the evidence stay with the service that was named.
func TestRedirects(t *testing.T) {
	var elsewhere int
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
	defer other.Close()
	b := newBench(t, model.Settings{Name: "small"}, modelstub.Redirect(other.URL+"/v1/chat/completions"))
	if _, err := b.Call(t.Context(), asked); fault.CodeOf(err) != "model-redirect" || elsewhere != 0 {
		t.Errorf("%v, %d calls elsewhere; want model-redirect and none", err, elsewhere)
	}
	b = newBench(t, model.Settings{Name: "small"}, modelstub.Redirect("/v2/chat/completions"), modelstub.Good(good))
	if r, err := b.Call(t.Context(), asked); err != nil || r.Text != good {
		t.Errorf("to another path: %q, %v", r.Text, err)
	}
}

func TestModelIsFound(t *testing.T) {
	b := newBench(t, model.Settings{}, modelstub.Good(good))
	b.stub.Models("fallback-model", "another")
	r, err := b.Call(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("AE08", func(t *testing.T) {
		if b.stub.Calls() != 1 || r.Routed != "first-listed" {
			t.Errorf("AE08: %d calls, routed %q", b.stub.Calls(), r.Routed)
		}
	})
	t.Run("AE09", func(t *testing.T) {
		if r.Provider != "openai" || b.stub.Requests()[0].Path != "/v1/chat/completions" {
			t.Errorf("AE09: %+v", r)
		}
	})
	t.Run("AE10", func(t *testing.T) {
		if r.Model != "fallback-model" || b.stub.Requests()[0].Model != "fallback-model" {
			t.Errorf("AE10: %q", r.Model)
		}
	})
	b = newBench(t, model.Settings{})
	b.stub.Models()
	if r, err := b.Call(t.Context(), asked); fault.CodeOf(err) != "model-no-models" || !r.Unsent {
		t.Errorf("no models: %v", err)
	}
}

// What a service calls its first model stands in the library as an author, so it
// must be one that the user could have set.
func TestOddModelNames(t *testing.T) {
	for _, name := range []string{"two\nlines", "\x1b[31mred", strings.Repeat("x", 201), " ", "a\u202eb", "hunter2"} {
		b := newBench(t, model.Settings{})
		b.stub.Models(name)
		if r, err := b.Call(t.Context(), asked); fault.CodeOf(err) != "model-no-models" || !r.Unsent {
			t.Errorf("%q: %v, unsent %v", name, err, r.Unsent)
		}
		b = newBench(t, model.Settings{}, modelstub.Good(good))
		b.stub.Models(name, "small")
		if r, err := b.Call(t.Context(), asked); err != nil || r.Model != "small" {
			t.Errorf("%q and another: %q, %v", name, r.Model, err)
		}
	}
}

// A key that a service repeats in its answer does not get into a library.
func TestAnswerWithoutTheKey(t *testing.T) {
	both(t, "answer", func(t *testing.T, set model.Settings) {
		b := newBench(t, set, modelstub.Good("your key "+secret+" is fine"))
		if r, err := b.Call(t.Context(), asked); err != nil || r.Text != "your key *** is fine" {
			t.Errorf("%q, %v", r.Text, err)
		}
	})
}

func TestKeys(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, row := range []struct {
		id   string
		set  model.Settings
		code string
	}{
		{"a file", model.Settings{KeyFile: file("ok", secret+"\n", 0o600)}, ""},
		{"read-only", model.Settings{KeyFile: file("ro", secret, 0o400)}, ""},
		{"others can read it", model.Settings{KeyFile: file("open", secret, 0o644)}, "model-key-mode"},
		{"the group can read it", model.Settings{KeyFile: file("group", secret, 0o640)}, "model-key-mode"},
		{"empty", model.Settings{KeyFile: file("empty", " \n", 0o600)}, "model-key-text"},
		{"two lines", model.Settings{KeyFile: file("two", "a\nb", 0o600)}, "model-key-text"},
		{"a folder", model.Settings{KeyFile: dir}, "model-key-text"},
		{"not there", model.Settings{KeyFile: filepath.Join(dir, "none")}, "model-key-file"},
		{"relative", model.Settings{KeyFile: "key"}, "model-key-file"},
		{"no variable", model.Settings{KeyEnv: "NOT_SET"}, "model-no-key"},
	} {
		t.Run(row.id, func(t *testing.T) {
			row.set.Name = "small"
			var script []modelstub.Answer
			if row.code == "" {
				script = append(script, modelstub.Good(good))
			}
			b := newBench(t, row.set, script...)
			r, err := b.Call(t.Context(), asked)
			if fault.CodeOf(err) != row.code || fault.CodeOf(b.Ready()) != row.code {
				t.Fatalf("%s: %v, ready %v; want %q", row.id, err, b.Ready(), row.code)
			}
			if err != nil && (!r.Unsent || fault.KindOf(err) != fault.Refused || strings.Contains(err.Error(), secret)) {
				t.Errorf("%s: unsent %v, %v", row.id, r.Unsent, err)
			}
			if err == nil && b.stub.Requests()[0].Header.Get("Authorization") != "Bearer "+secret {
				t.Errorf("%s: header %q", row.id, b.stub.Requests()[0].Header)
			}
		})
	}
}

func TestKeyVariable(t *testing.T) {
	for _, row := range []struct {
		set  model.Settings
		want string
	}{
		{model.Settings{Provider: model.OpenAI}, "OPENAI_API_KEY"},
		{model.Settings{Provider: model.OpenAI, URL: "https://api.deepseek.com"}, "DEEPSEEK_API_KEY"},
		{model.Settings{Provider: model.OpenAI, URL: "https://openrouter.ai/api/v1"}, "OPENROUTER_API_KEY"},
		{model.Settings{Provider: model.Anthropic}, "ANTHROPIC_API_KEY"},
		{model.Settings{Provider: model.Anthropic, URL: "https://proxy.example.com"}, ""},
		{model.Settings{Provider: model.OpenAI, URL: "http://localhost:11434/v1"}, ""},
		{model.Settings{Provider: model.OpenAI, URL: "https://evil.example.com/api.openai.com"}, ""},
		{model.Settings{Provider: model.OpenAI, KeyEnv: "MINE"}, "MINE"},
		{model.Settings{Provider: model.OpenAI, KeyFile: "/k", KeyEnv: "MINE"}, ""},
		{model.Settings{Provider: model.Command, KeyEnv: "MINE"}, ""},
		{model.Settings{}, ""},
	} {
		if got := row.set.KeyVariable(); got != row.want {
			t.Errorf("%+v: %q, want %q", row.set, got, row.want)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, row := range []struct {
		id   string
		set  model.Settings
		code string
	}{
		{"unknown", model.Settings{Provider: "gemini"}, "model-provider"},
		{"no command", model.Settings{Provider: model.Command}, "model-command-unset"},
		{"no name", model.Settings{Provider: model.OpenAI}, "model-no-name"},
		{"a name of its own", model.Settings{Provider: model.OpenAI, URL: "https://api.deepseek.com"}, ""},
		{"near", model.Settings{Provider: model.OpenAI, URL: "http://localhost:1234"}, ""},
		{"no scheme", model.Settings{Provider: model.OpenAI, Name: "x", URL: "api.openai.com/v1"}, "model-url"},
		{"a file", model.Settings{Provider: model.OpenAI, Name: "x", URL: "file:///etc/passwd"}, "model-url"},
		{"a password", model.Settings{Provider: model.OpenAI, Name: "x", URL: "https://u:" + secret + "@h/v1"}, "model-url"},
		{"a key in the query", model.Settings{Provider: model.OpenAI, Name: "x", URL: "https://h/v1?key=" + secret}, "model-url"},
		{"no text", model.Settings{Provider: model.OpenAI, Name: "x", URL: "https://h/" + secret + "\x7f"}, "model-url"},
	} {
		_, err := model.New(row.set, model.World{})
		if fault.CodeOf(err) != row.code || err != nil && (fault.KindOf(err) != fault.Refused || strings.Contains(err.Error(), secret)) {
			t.Errorf("%s: %v, want %q", row.id, err, row.code)
		}
	}
	b := newBench(t, model.Settings{Name: "small"})
	for _, q := range []model.Request{{User: " ", MaxTokens: 1}, {User: "x"}} {
		if r, err := b.Call(t.Context(), q); fault.CodeOf(err) != "model-question" || !r.Unsent {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestKeyOverPlainHTTP: a key leaves this machine and those beside it encrypted or
// not at all.
func TestKeyOverPlainHTTP(t *testing.T) {
	b := newBench(t, model.Settings{Name: "small"})
	for url, code := range map[string]string{
		"http://models.example.com": "model-plain-http", "http://8.8.8.8": "model-plain-http", "https://models.example.com": "",
		"http://127.0.0.1:1": "", "http://[::1]:1": "", "http://192.168.1.9": "", "http://ollama:11434": "", "http://box.lan": "",
	} {
		m, err := model.New(model.Settings{Provider: model.OpenAI, Name: "small", URL: url, KeyEnv: "TEST_KEY"}, b.world())
		if err != nil {
			t.Fatal(err)
		}
		if got := fault.CodeOf(m.Ready()); got != code {
			t.Errorf("%s: %q, want %q", url, got, code)
		}
	}
}
