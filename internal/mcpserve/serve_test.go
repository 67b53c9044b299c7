package mcpserve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dshkit/dshkit/internal/mcpserve"
	"github.com/dshkit/dshkit/pkg/fault"
)

// eras are the versions that clients open with: one of each kind.
var eras = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// echo is a tool that returns what it was given.
func echo(name string) mcpserve.Tool {
	return mcpserve.Tool{
		Name: name, Title: "Echo", About: "Says it again", ReadOnly: true, Idempotent: true,
		Input: mcpserve.Schema{Type: mcpserve.Object, Fields: []mcpserve.Field{
			{Name: "text", Required: true, Schema: mcpserve.Schema{Type: mcpserve.Text, Length: 20}},
			{Name: "times", Schema: mcpserve.Schema{Type: mcpserve.Whole, Low: 1, High: 3}},
		}},
		Output: mcpserve.Schema{Type: mcpserve.Object, Open: true, Fields: []mcpserve.Field{
			{Name: "said", Required: true, Schema: mcpserve.Schema{Type: mcpserve.Text}},
		}},
		Call: func(_ context.Context, a mcpserve.Arguments) (any, error) {
			n, given := a.Whole("times")
			if !given {
				n = 1
			}
			return map[string]any{"said": strings.Repeat(a.Text("text"), n)}, nil
		},
	}
}

// doing is a tool without arguments.
func doing(name string, call func(context.Context) (any, error)) mcpserve.Tool {
	return mcpserve.Tool{
		Name: name, Input: mcpserve.Schema{Type: mcpserve.Object},
		Call: func(ctx context.Context, _ mcpserve.Arguments) (any, error) { return call(ctx) },
	}
}

// connect serves s to a client of the SDK that opens with a version.
func connect(t *testing.T, s *mcpserve.Server, version string, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan error, 1)
	go func() {
		err := s.Serve(context.Background(), in, out)
		_ = out.Close()
		served <- err
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("%s: %v", version, err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) { // a client may leave without listening to the end
			t.Errorf("Serve: %v", err)
		}
	})
	return session
}

// play sends lines and returns the answers by id, those without one under "".
func play(t *testing.T, s *mcpserve.Server, input string) map[string][]string {
	t.Helper()
	var out strings.Builder
	if err := s.Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatalf("Serve: %v", err)
	}
	answers := map[string][]string{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
			t.Fatalf("no message: %q (%v)", line, err)
		}
		id := string(m.ID)
		if id == "null" {
			id = ""
		}
		answers[id] = append(answers[id], strings.TrimSuffix(line, "\n"))
	}
	return answers
}

const initialize = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func call(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args) + "\n"
}

func textOf(r *mcp.CallToolResult) string {
	if len(r.Content) != 1 {
		return fmt.Sprintf("%d contents", len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text
}

func TestEveryVersionCallsTools(t *testing.T) {
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1", Instructions: "read me"})
			s.Add(echo("b"), echo("a"))
			session := connect(t, s, version, nil)
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("version %s, want %s", got, version)
			}
			if got := session.InitializeResult().Instructions; got != "read me" {
				t.Errorf("instructions %q", got)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Tools) != 2 || list.Tools[0].Name != "a" || list.Tools[1].Name != "b" {
				t.Errorf("tools are not in order: %v", list.Tools)
			}
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "a", Arguments: map[string]any{"text": "é<&", "times": 2}})
			if err != nil {
				t.Fatal(err)
			}
			if want := `{"said":"é<&é<&"}`; textOf(r) != want || r.IsError {
				t.Errorf("text %s (error %v), want %s", textOf(r), r.IsError, want)
			}
			if diff := cmp.Diff(map[string]any{"said": "é<&é<&"}, r.StructuredContent); diff != "" {
				t.Errorf("structured (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDeclaration(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	s.Add(echo("echo"))
	got := play(t, s, initialize+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n")["1"]
	want := `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","title":"Echo","description":"Says it again",` +
		`"inputSchema":{"type":"object","properties":{"text":{"type":"string","maxLength":20},"times":{"type":"integer","minimum":1,"maximum":3}},` +
		`"required":["text"],"additionalProperties":false},"outputSchema":{"type":"object","properties":{"said":{"type":"string"}},"required":["said"]},` +
		`"annotations":{"title":"Echo","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}}]}}`
	if diff := cmp.Diff([]string{want}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestStateless plays a client of the current protocol by hand.
func TestStateless(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
	now := fmt.Sprintf(meta, "2026-07-28")
	for _, row := range []struct{ name, line, want string }{
		{"discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + now + `}}`, `"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`},
		{"a call without an opening", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},` + now + `}}`, `"resultType":"complete"`},
		{"a list tells how long it holds", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + now + `}}`, `"ttlMs":0,"cacheScope":"private"`},
		{"a version of the future", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + fmt.Sprintf(meta, "2031-01-01") + `}}`, `"code":-32022`},
		{"which names those we speak", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + fmt.Sprintf(meta, "2031-01-01") + `}}`, `"requested":"2031-01-01"`},
		{"ping is gone", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + now + `}}`, `"code":-32601`},
		{"no opening at all", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `initialization`},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
			s.Add(echo("echo"))
			got := play(t, s, row.line+"\n")["1"]
			if len(got) != 1 || !strings.Contains(got[0], row.want) {
				t.Errorf("answers %q, want one with %s", got, row.want)
			}
		})
	}
}

// TestListsChange holds that tools and resources may come and go, and that a
// client of either kind is told.
func TestListsChange(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
			s.Add(echo("a"))
			changed := make(chan struct{}, 1000)
			session := connect(t, s, version, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
			})
			until(t, changed, func() { s.Add(echo("b")) }) // the client may not have begun to listen yet
			until(t, changed, func() { s.Remove("a", "unknown") })
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(list.Tools) != 1 || list.Tools[0].Name != "b" {
				t.Errorf("tools %v, want b", list.Tools)
			}
		})
	}
}

// until does something until it is told of.
func until(t *testing.T, told <-chan struct{}, do func()) {
	t.Helper()
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	deadline := time.After(20 * time.Second)
	for {
		do()
		select {
		case <-told:
			return
		case <-ticks.C:
		case <-deadline:
			t.Fatal("waited in vain")
		}
	}
}

func await(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(20 * time.Second):
		t.Fatal("waited in vain")
	}
}

func TestFailuresAreResults(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{
		Name: "n", Version: "1", Timeout: 50 * time.Millisecond,
		Explain: func(err error) (string, any) {
			return "said: " + err.Error(), map[string]any{"ok": false, "code": fault.CodeOf(err)}
		},
	})
	s.Add(
		echo("echo"),
		doing("fails", func(context.Context) (any, error) { return nil, fault.New(fault.Refused, "not-today", "x") }),
		doing("panics", func(context.Context) (any, error) { panic("oh") }),
		doing("hangs", func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() }),
		doing("returns", func(context.Context) (any, error) { return func() {}, nil }),
	)
	session := connect(t, s, "", nil)
	for _, row := range []struct {
		tool      string
		args      map[string]any
		want, doc string
	}{
		{"fails", nil, "said: not-today x", "not-today"},
		{"panics", nil, "said: panic oh", "panic"},
		{"hangs", nil, "said: call-timed-out hangs 50ms", "call-timed-out"},
		{"returns", nil, "said: json: unsupported type: func()", ""},
		{"echo", nil, "said: argument-missing text", "argument-missing"},
		{"echo", map[string]any{"text": nil}, "said: argument-missing text", "argument-missing"},
		{"echo", map[string]any{"text": "x", "times": "high"}, `said: argument-type times integer "high"`, "argument-type"},
		{"echo", map[string]any{"text": "x", "times": 9}, "said: argument-range times 9 1 3", "argument-range"},
		{"echo", map[string]any{"text": strings.Repeat("x", 21)}, "said: argument-long text 20", "argument-long"},
		{"echo", map[string]any{"text": "x", "colour": "red"}, "said: argument-unknown colour text, times", "argument-unknown"},
		{"fails", map[string]any{"colour": "red"}, "said: argument-none colour", "argument-none"},
	} {
		t.Run(row.tool+" "+row.want, func(t *testing.T) {
			r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: row.tool, Arguments: row.args})
			if err != nil {
				t.Fatal(err)
			}
			if !r.IsError || textOf(r) != row.want {
				t.Errorf("error %v, text %q, want %q", r.IsError, textOf(r), row.want)
			}
			if diff := cmp.Diff(map[string]any{"ok": false, "code": row.doc}, r.StructuredContent); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "nobody"}); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestCancel holds that a client which gives up reaches the call, and that the
// connection goes on.
func TestCancel(t *testing.T) {
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
			started, ended := make(chan struct{}, 1), make(chan struct{}, 1)
			s.Add(echo("echo"), doing("waits", func(ctx context.Context) (any, error) {
				started <- struct{}{}
				<-ctx.Done()
				ended <- struct{}{}
				return nil, ctx.Err()
			}))
			session := connect(t, s, version, nil)
			ctx, cancel := context.WithCancel(t.Context())
			got := make(chan error, 1)
			go func() {
				_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "waits"})
				got <- err
			}()
			await(t, started)
			cancel()
			await(t, ended)
			if err := <-got; !errors.Is(err, context.Canceled) {
				t.Errorf("the call: %v", err)
			}
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "x"}}); err != nil {
				t.Errorf("after it: %v", err)
			}
		})
	}
}

// TestCallsAtOnce holds that no more calls run at once than were allowed, and
// that one which does not end in time keeps its place.
func TestCallsAtOnce(t *testing.T) {
	release := make(chan struct{})
	running := make(chan struct{}, 10)
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1", Parallel: 2, Timeout: 200 * time.Millisecond})
	s.Add(doing("stubborn", func(context.Context) (any, error) { running <- struct{}{}; <-release; return "late", nil }), echo("echo"))
	session := connect(t, s, "", nil)
	for range 3 {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "stubborn"})
		if err != nil || !r.IsError {
			t.Fatalf("%v, %v", r, err)
		}
	}
	if n := len(running); n != 2 {
		t.Errorf("%d ran at once, want 2", n)
	}
	close(release)
	for { // the slots come back
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": "x"}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.IsError {
			break
		}
	}
}

// TestEndOfInput holds that what was asked before the input ended is answered,
// and that Serve returns then; a subscription does not hold it up.
func TestEndOfInput(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	s.Add(doing("slow", func(ctx context.Context) (any, error) {
		select {
		case <-time.After(30 * time.Millisecond):
			return map[string]any{"done": true}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}))
	input := initialize + `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}` + "\n"
	for i := range 20 {
		input += call(fmt.Sprint(i), "slow", "{}")
	}
	answers := play(t, s, strings.TrimSuffix(input, "\n")) // the last line may lack its end
	for i := range 20 {
		if got := answers[fmt.Sprint(i)]; len(got) != 1 || !strings.Contains(got[0], `"structuredContent":{"done":true}`) {
			t.Errorf("call %d: %q", i, got)
		}
	}
}

// TestHostileLines holds that a line which is no message is answered as such and
// that the next one is served all the same.
func TestHostileLines(t *testing.T) {
	good := call(`9`, "echo", `{"text":"fine"}`)
	for _, row := range []struct{ name, line, code string }{
		{"broken JSON", `{"jsonrpc":"2.0","id":1,`, "-32700"},
		{"two messages on a line", strings.TrimSpace(good) + good, "-32700"},
		{"no JSON at all", "hello", "-32700"},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "-32700"},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "-32600"},
		{"a number", `42`, "-32600"},
		{"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600"},
		{"no version", `{"id":1,"method":"ping"}`, "-32600"},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 100_000) + `"}`, "-32600"},
		{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "-32600"},
		{"an unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/explode"}`, "-32601"},
		{"parameters of another kind", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, "-32602"},
		{"no parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "-32602"},
		{"deep nesting", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "-32700"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1", Line: 64 << 10})
			s.Add(echo("echo"))
			answers := play(t, s, initialize+row.line+"\n"+good)
			refused := strings.Join(append(answers[""], answers["1"]...), "\n")
			if strings.Count(refused, `"error"`) != 1 || !strings.Contains(refused, row.code) {
				t.Errorf("refused with %q, want code %s", refused, row.code)
			}
			if got := answers["9"]; len(got) != 1 || !strings.Contains(got[0], `"said":"fine"`) {
				t.Errorf("the next line: %q", got)
			}
		})
	}
	t.Run("harmless", func(t *testing.T) {
		s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
		s.Add(echo("echo"))
		for _, line := range []string{
			"", "   ", `{"jsonrpc":"2.0","method":"notifications/unheard-of"}`, `{"jsonrpc":"2.0","id":77,"result":{}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`,
		} {
			answers := play(t, s, initialize+line+"\r\n"+good)
			if len(answers) != 2 || len(answers["9"]) != 1 {
				t.Errorf("%q: %q", line, answers)
			}
		}
	})
}

func TestSameIDTwice(t *testing.T) {
	release := make(chan struct{})
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	s.Add(doing("waits", func(context.Context) (any, error) { <-release; return map[string]any{}, nil }), doing("frees", func(context.Context) (any, error) {
		close(release)
		return map[string]any{}, nil
	}))
	answers := play(t, s, initialize+call("1", "waits", "{}")+call("1", "waits", "{}")+call("2", "frees", "{}"))
	if len(answers["1"]) != 1 || len(answers[""]) != 1 || !strings.Contains(answers[""][0], "in use") {
		t.Errorf("answers %q", answers)
	}
}

func TestTooManyRequests(t *testing.T) {
	release := make(chan struct{})
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	s.Add(doing("waits", func(context.Context) (any, error) { <-release; return map[string]any{}, nil }))
	var b strings.Builder
	b.WriteString(initialize)
	for i := range 1100 {
		b.WriteString(call(fmt.Sprint(i), "waits", "{}"))
	}
	in, w := io.Pipe()
	refused := make(chan struct{}, 2000)
	go func() {
		_, _ = io.WriteString(w, b.String())
		<-refused
		close(release)
		_ = w.Close()
	}()
	counted := counting{match: "-32000", seen: refused}
	if err := s.Serve(t.Context(), in, &counted); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(counted.String(), "-32000"); n < 1 || n > 100 {
		t.Errorf("%d refused, want those over 1024", n)
	}
	if n := strings.Count(counted.String(), "structuredContent"); n < 1000 {
		t.Errorf("%d answered", n)
	}
}

// counting is a buffer that tells when a line with match is written.
type counting struct {
	strings.Builder
	match string
	seen  chan struct{}
}

func (c *counting) Write(b []byte) (int, error) {
	if strings.Contains(string(b), c.match) {
		c.seen <- struct{}{}
	}
	return c.Builder.Write(b)
}

func TestOutputGone(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	gone := errors.New("gone")
	in, w := io.Pipe()
	go func() { _, _ = io.WriteString(w, initialize) }() // and the input stays open
	if err := s.Serve(t.Context(), in, failing{gone}); !errors.Is(err, gone) {
		t.Errorf("Serve: %v, want %v", err, gone)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestContextEnds(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	in, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	if err := s.Serve(ctx, in, io.Discard); !errors.Is(err, stop) {
		t.Errorf("Serve: %v, want %v", err, stop)
	}
}

// TestResources holds that the list is the one of the moment, whoever changed it.
func TestResources(t *testing.T) {
	list := []mcpserve.Resource{
		{URI: "x://a", Name: "a", Title: "A", About: "first", Form: "text/plain", Read: func(context.Context) (string, error) { return "text of a", nil }},
		{URI: "x://bad", Name: "bad", Read: func(context.Context) (string, error) { return "", errors.New("cannot") }},
	}
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1", Resources: func(context.Context) []mcpserve.Resource { return list }})
	session := connect(t, s, "", nil)
	uris := func() (out []string) {
		got, err := session.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range got.Resources {
			out = append(out, r.URI+" "+r.Title)
		}
		return out
	}
	if diff := cmp.Diff([]string{"x://a A", "x://bad "}, uris()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://a"})
	if err != nil || len(r.Contents) != 1 || r.Contents[0].Text != "text of a" || r.Contents[0].MIMEType != "text/plain" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://bad"}); err == nil || !strings.Contains(err.Error(), "cannot") {
		t.Errorf("a resource that cannot be read: %v", err)
	}
	renamed := list[0]
	renamed.Title = "B"
	list = []mcpserve.Resource{renamed, {URI: "x://c", Name: "c", Read: renamed.Read}}
	if diff := cmp.Diff([]string{"x://a B", "x://c "}, uris()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "x://bad"}); err == nil {
		t.Error("a resource that is gone was read")
	}
}

func TestPrompts(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1"})
	s.AddPrompts(mcpserve.Prompt{
		Name: "greet", Title: "Greet", About: "Says hello",
		Fields: []mcpserve.Field{{Name: "who", Required: true, Schema: mcpserve.Schema{Type: mcpserve.Text, About: "whom"}}},
		Get:    func(_ context.Context, a mcpserve.Arguments) (string, error) { return "hello " + a.Text("who"), nil },
	})
	session := connect(t, s, "", nil)
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != 1 || list.Prompts[0].Arguments[0].Name != "who" || !list.Prompts[0].Arguments[0].Required {
		t.Fatalf("%+v, %v", list, err)
	}
	got, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "you"}})
	if err != nil || got.Messages[0].Content.(*mcp.TextContent).Text != "hello you" || got.Messages[0].Role != "user" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"}); err == nil || !strings.Contains(err.Error(), "argument-missing who") {
		t.Errorf("without its argument: %v", err)
	}
}

// FuzzServe holds that whatever comes in, what goes out are messages, one a
// line, and that serving ends with the input.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		initialize + call("1", "echo", `{"text":"x"}`),
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"[]\n{}\n\"\n{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
		initialize + `{"jsonrpc":"2.0","id":1.5,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		s := mcpserve.New(mcpserve.Config{Name: "n", Version: "1", Line: 10_000})
		s.Add(echo("echo"))
		var out strings.Builder
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if err := s.Serve(ctx, strings.NewReader(input), &out); err != nil {
			t.Fatalf("Serve(%q): %v", input, err)
		}
		for lines := bufio.NewScanner(strings.NewReader(out.String())); lines.Scan(); {
			if !json.Valid(lines.Bytes()) {
				t.Errorf("Serve(%q) wrote %q", input, lines.Text())
			}
		}
	})
}

// TestPanicEndsOneRequest: whatever panics outside of a tool is an error of that
// request, and the next is answered.
func TestPanicEndsOneRequest(t *testing.T) {
	s := mcpserve.New(mcpserve.Config{
		Name: "n", Version: "1",
		Resources: func(context.Context) []mcpserve.Resource { panic("oh") },
	})
	answers := play(t, s, initialize+
		`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n")
	if got := answers["1"]; len(got) != 1 || !strings.Contains(got[0], `"code":-32603`) || !strings.Contains(got[0], "oh") {
		t.Errorf("resources/list: %q, want an internal error", got)
	}
	if got := answers["2"]; len(got) != 1 || !strings.Contains(got[0], `"tools":[]`) {
		t.Errorf("tools/list: %q, want a list", got)
	}
}
