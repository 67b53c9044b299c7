package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/tool"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// fakeHost answers what it is told to, and writes down what it was asked.
type fakeHost struct {
	asked []any
	ran   tool.Ran
	err   error
}

func (h *fakeHost) note(what ...any) error { h.asked = append(h.asked, what...); return h.err }

func (h *fakeHost) Providers(context.Context) []any { return []any{jsonvalue.Of("id", "Service")} }

func (h *fakeHost) Query(_ context.Context, session string, q inspect.Question) (any, error) {
	return jsonvalue.Of("mode", "catalog"), h.note(session, q)
}

func (h *fakeHost) Self(_ context.Context, session, plugin, pkg string) (any, error) {
	return jsonvalue.Of("mode", "plugins", "plugins", []any{}), h.note(session, plugin, pkg)
}

func (h *fakeHost) Define(_ context.Context, session string, d tool.Definition) (tool.Defined, error) {
	return tool.Defined{PluginID: "clock-1", PackageID: "pkg-1", Name: d.Name, Purpose: d.Purpose, HasHostHalf: d.Host != nil, HasClientHalf: d.Client != nil}, h.note(session, d)
}

func (h *fakeHost) Run(_ context.Context, session string, r tool.Running) (tool.Ran, error) {
	return h.ran, h.note(session, r)
}

func (h *fakeHost) Stop(_ context.Context, session, plugin string) error {
	return h.note(session, plugin)
}

func (h *fakeHost) Undefine(_ context.Context, session, plugin string) (bool, error) {
	return true, h.note(session, plugin)
}

func parse(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonvalue.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func pointer(s string) *string { return &s }

// A call becomes a call of the host, and its answer the result that the originals
// give, member by member (spec/cordis.md 3.1). CR-A3: what a model is answered.
func TestExecute(t *testing.T) {
	async := tool.Ran{Status: tool.StatusAwaiting, PluginID: "clock-1", PackageID: "pkg-2", PluginRunID: "run-3", Mode: tool.ModeUpdate, CurrentPackageID: "pkg-1", NextPackageID: "pkg-2"}
	parked := tool.Ran{
		Status: tool.StatusRunning, PluginID: "clock-1", PackageID: "pkg-1", PluginRunID: "run-1", CurrentPackageID: "pkg-1",
		Host:   &tool.HostHalf{Status: "waiting", Provides: []string{}, WaitingFor: []string{"fs", "web"}},
		Client: &tool.ClientHalf{Status: "absent", WaitingFor: []string{}},
	}
	for _, c := range []struct {
		name, tool, args string
		ran              tool.Ran
		asked            []any
		value, text      string
		meta             *tool.Meta
	}{
		{
			name: "list", tool: "cordis_inspect_list", args: `{"anything": 1}`,
			value: `{"providers":[{"id":"Service"}]}`, text: "{\n  \"providers\": [\n    {\n      \"id\": \"Service\"\n    }\n  ]\n}",
		},
		{
			name: "query", tool: "cordis_inspect_query", args: `{"platform":"client","provider":"Slots","method":"listSubTree","input":null}`,
			asked: []any{"S", inspect.Question{Platform: "client", Provider: "Slots", Method: "listSubTree", Given: true}},
			value: `{"platform":"client","provider":"Slots","method":"listSubTree","data":{"mode":"catalog"}}`,
		},
		{
			name: "self", tool: "cordis_inspect_self", args: `{"pluginId":"clock-1","packageId":"pkg-1"}`,
			asked: []any{"S", "clock-1", "pkg-1"}, value: `{"mode":"plugins","plugins":[]}`,
		},
		{
			name: "define", tool: "cordis_define", args: `{"plugin":{"kind":"new","idPrefix":"clock"},"name":"n","purpose":"p","code":{"host":"","client":"c"}}`,
			asked: []any{"S", tool.Definition{New: true, Prefix: "clock", Name: "n", Purpose: "p", Host: pointer(""), Client: pointer("c")}},
			value: `{"pluginId":"clock-1","packageId":"pkg-1","name":"n","purpose":"p","hasHostHalf":true,"hasClientHalf":true}`,
			text:  "clock-1/pkg-1 is defined (Host and Client), not running. Next: cordis_run.",
			meta:  &tool.Meta{PluginID: "clock-1", PackageID: "pkg-1"},
		},
		{
			name: "append", tool: "cordis_define", args: `{"plugin":{"kind":"existing","pluginId":"clock-1"},"name":"n","purpose":"p","code":{}}`,
			asked: []any{"S", tool.Definition{PluginID: "clock-1", Name: "n", Purpose: "p"}},
			value: `{"pluginId":"clock-1","packageId":"pkg-1","name":"n","purpose":"p","hasHostHalf":false,"hasClientHalf":false}`,
			text:  "clock-1/pkg-1 is defined (Host), not running. Next: cordis_run.",
			meta:  &tool.Meta{PluginID: "clock-1", PackageID: "pkg-1"},
		},
		{
			name: "run, asynchronous", tool: "cordis_run", args: `{"pluginId":"clock-1","packageId":"pkg-2","mode":"update"}`, ran: async,
			asked: []any{"S", tool.Running{PluginID: "clock-1", PackageID: "pkg-2", Mode: "update"}},
			value: `{"status":"awaiting-approval","pluginId":"clock-1","packageId":"pkg-2","pluginRunId":"run-3","mode":"update","currentPackageId":"pkg-1","nextPackageId":"pkg-2"}`,
			text:  "clock-1/pkg-2 awaits the decision of the user as run-3. It does not run yet. Do not wait and do not ask again.",
			meta:  &tool.Meta{PluginID: "clock-1", PackageID: "pkg-2", PluginRunID: "run-3"},
		},
		{
			name: "run, parked", tool: "cordis_run", args: `{"pluginId":"clock-1","packageId":"pkg-1","mode":"run"}`, ran: parked,
			asked: []any{"S", tool.Running{PluginID: "clock-1", PackageID: "pkg-1", Mode: "run"}},
			value: `{"status":"running","pluginId":"clock-1","packageId":"pkg-1","pluginRunId":"run-1","currentPackageId":"pkg-1",` +
				`"host":{"status":"waiting","provides":[],"waitingFor":["fs","web"]},"client":{"status":"absent","waitingFor":[]}}`,
			text: "clock-1/pkg-1 is active as run-1 and waits for fs, web; it starts by itself when that is there.",
			meta: &tool.Meta{PluginID: "clock-1", PackageID: "pkg-1", PluginRunID: "run-1"},
		},
		{
			name: "stop", tool: "cordis_stop", args: `{"pluginId":"clock-1"}`, asked: []any{"S", "clock-1"},
			value: `{"pluginId":"clock-1"}`, text: "clock-1 is stopped. Its Packages and pointers stay.",
		},
		{
			name: "undefine", tool: "cordis_undefine", args: `{"pluginId":"clock-1"}`, asked: []any{"S", "clock-1"},
			value: `{"pluginId":"clock-1","wasRunning":true}`, text: "clock-1 was running; it is stopped and removed.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := &fakeHost{ran: c.ran}
			r, err := tool.Execute(t.Context(), host, tool.Call{Name: c.tool, Session: "S", Args: parse(t, c.args)})
			if err != nil {
				t.Fatal(err)
			}
			v, err := jsonvalue.From(r.Value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.value, jsonvalue.Format(v)); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
			if c.text == "" {
				c.text = jsonvalue.FormatIndent(v, "  ")
			}
			if diff := cmp.Diff(c.text, r.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.asked, host.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.meta, r.Meta); diff != "" {
				t.Errorf("meta (-want +got):\n%s", diff)
			}
		})
	}
}

// What cannot be asked of the host is not asked.
func TestRefused(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	broken := fault.New(fault.NotFound, "plugin-missing", "no plugin")
	for _, c := range []struct {
		name string
		ctx  context.Context
		call tool.Call
		host error
		want error
	}{
		{"unknown", t.Context(), tool.Call{Name: "cordis_update", Session: "S"}, nil, fault.New(fault.NotFound, "tool-unknown", "cordis_update")},
		{"no Session", t.Context(), tool.Call{Name: "cordis_inspect_self"}, nil, fault.New(fault.Usage, "session-missing", "cordis_inspect_self")},
		{"aborted", ended, tool.Call{Name: "cordis_inspect_self", Session: "S"}, nil, fault.New(fault.Timeout, "aborted-before-dispatch")},
		{"package alone", t.Context(), tool.Call{Name: "cordis_inspect_self", Session: "S", Args: jsonvalue.Of("packageId", "pkg-1")}, nil, fault.New(fault.Usage, "self-package-without-plugin")},
		{"empty plugin", t.Context(), tool.Call{Name: "cordis_inspect_self", Session: "S", Args: jsonvalue.Of("pluginId", "")}, nil, &registry.Refusal{Reason: registry.PluginMissing, Rule: registry.RulePlugin}},
		{"empty package", t.Context(), tool.Call{Name: "cordis_inspect_self", Session: "S", Args: jsonvalue.Of("pluginId", "a-1", "packageId", "")}, nil, &registry.Refusal{Reason: registry.PackageMissing, Rule: registry.RulePackage, PluginID: "a-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			host := &fakeHost{err: c.host}
			_, err := tool.Execute(c.ctx, host, c.call)
			if diff := cmp.Diff(c.want, err); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if host.asked != nil {
				t.Errorf("the host was asked %v", host.asked)
			}
		})
	}
	t.Run("the host refuses", func(t *testing.T) {
		for _, name := range tool.Names()[1:] {
			args := map[tool.Name]string{
				tool.InspectQuery: `{"platform":"host","provider":"a","method":"b"}`, tool.InspectSelf: `{}`,
				tool.Define: `{"plugin":{"kind":"new","idPrefix":"abc"},"name":"n","purpose":"p","code":{}}`,
				tool.Run:    `{"pluginId":"a-1","packageId":"pkg-1","mode":"run"}`,
				tool.Stop:   `{"pluginId":"a-1"}`, tool.Undefine: `{"pluginId":"a-1"}`,
			}[name]
			r, err := tool.Execute(t.Context(), &fakeHost{err: broken}, tool.Call{Name: string(name), Session: "S", Args: parse(t, args)})
			if diff := cmp.Diff(error(broken), err); diff != "" || r != (tool.Result{}) {
				t.Errorf("%s: %v, error (-want +got):\n%s", name, r, diff)
			}
		}
	})
}

// Both languages offer the same seven: names, schemas without their words, cards.
// CR-Z6.
func TestLanguages(t *testing.T) {
	en, zh := tool.All("en"), tool.All(tool.Chinese)
	if len(en) != 7 || len(zh) != 7 {
		t.Fatalf("%d tools in English, %d in Chinese, want 7", len(en), len(zh))
	}
	for i, e := range en {
		z := zh[i]
		if e.Title == z.Title || e.Description == z.Description {
			t.Errorf("%s is described in one language", e.Name)
		}
		if diff := cmp.Diff(jsonvalue.Format(bare(e.Parameters)), jsonvalue.Format(bare(z.Parameters))); diff != "" {
			t.Errorf("%s: schemas (-en +zh):\n%s", e.Name, diff)
		}
		e.Title, e.Description, e.Parameters = z.Title, z.Description, z.Parameters
		if e != z {
			t.Errorf("%+v and %+v differ", e, z)
		}
		if got, ok := tool.Find(string(z.Name), "fr"); !ok || got.Title != en[i].Title {
			t.Errorf("%s in a language that is not known is not in English", z.Name)
		}
	}
	if _, ok := tool.Find("cordis_update", "en"); ok {
		t.Error("a tool that is none was found")
	}
}

// bare is a schema without descriptions; each must have had one.
func bare(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v {
			out = append(out, bare(e))
		}
		return out
	case *jsonvalue.Object:
		out := jsonvalue.Of()
		for key, e := range v.All() {
			if text, isText := e.(string); key == "description" && isText && text != "" {
				continue
			}
			out.Set(key, bare(e))
		}
		return out
	}
	return v
}

// Schemas are those of spec/cordis.md 3: open roots, a closed selector, closed code.
func TestSchemas(t *testing.T) {
	want := map[tool.Name]string{
		tool.InspectList:  `{"type":"object","properties":{},"additionalProperties":true}`,
		tool.InspectQuery: `{"type":"object","properties":{"platform":{"type":"string","enum":["host","client"]},"provider":{"type":"string"},"method":{"type":"string"},"input":{}},"required":["platform","provider","method"],"additionalProperties":true}`,
		tool.InspectSelf:  `{"type":"object","properties":{"pluginId":{"type":"string"},"packageId":{"type":"string"}},"additionalProperties":true}`,
		tool.Define: `{"type":"object","properties":{"plugin":{"oneOf":[` +
			`{"type":"object","properties":{"kind":{"type":"string","const":"new"},"idPrefix":{"type":"string"}},"required":["kind","idPrefix"],"additionalProperties":false},` +
			`{"type":"object","properties":{"kind":{"type":"string","const":"existing"},"pluginId":{"type":"string"}},"required":["kind","pluginId"],"additionalProperties":false}]},` +
			`"name":{"type":"string"},"purpose":{"type":"string"},` +
			`"code":{"type":"object","properties":{"host":{"type":"string"},"client":{"type":"string"}},"additionalProperties":false}},` +
			`"required":["plugin","name","purpose","code"],"additionalProperties":true}`,
		tool.Run:      `{"type":"object","properties":{"pluginId":{"type":"string"},"packageId":{"type":"string"},"mode":{"type":"string","enum":["run","update"]}},"required":["pluginId","packageId","mode"],"additionalProperties":true}`,
		tool.Stop:     `{"type":"object","properties":{"pluginId":{"type":"string"}},"required":["pluginId"],"additionalProperties":true}`,
		tool.Undefine: `{"type":"object","properties":{"pluginId":{"type":"string"}},"required":["pluginId"],"additionalProperties":true}`,
	}
	for _, one := range tool.All("en") {
		if diff := cmp.Diff(want[one.Name], jsonvalue.Format(bare(one.Parameters))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", one.Name, diff)
		}
	}
}

// A card says what a call is about, also of one that no host would take.
func TestPresent(t *testing.T) {
	for _, c := range []struct {
		name, args string
		card       tool.Card
		title      string
		input      string
	}{
		{"cordis_define", `{"plugin":{"kind":"new","idPrefix":"clock"},"name":"Clock","purpose":"Tell the time.","code":{"host":"return 1"}}`, tool.ExecuteCard, "Define a Cordis package: Clock · new clock-* · Tell the time.", `{"host":"return 1"}`},
		{"cordis_define", `{"plugin":{"kind":"existing","pluginId":"clock-1"}}`, tool.ExecuteCard, "Define a Cordis package: clock-1", "null"},
		{"cordis_define", `"nonsense"`, tool.ExecuteCard, "Define a Cordis package", "null"},
		{"cordis_run", `{"pluginId":"clock-1","packageId":"pkg-2","mode":"update"}`, tool.ExecuteCard, "Run a Cordis package: clock-1 · pkg-2 · update", `{"pluginId":"clock-1","packageId":"pkg-2","mode":"update"}`},
		{"cordis_stop", `{"pluginId":"clock-1"}`, tool.ExecuteCard, "Stop a Cordis plugin: clock-1", `{"pluginId":"clock-1"}`},
		{"cordis_undefine", `{"pluginId":"clock-1"}`, tool.DeleteCard, "Remove a Cordis plugin: clock-1", `{"pluginId":"clock-1"}`},
		{"cordis_inspect_query", `{"provider":"Service","method":"listService"}`, tool.ReadCard, "Ask a Cordis provider: Service · listService", `{"provider":"Service","method":"listService"}`},
		{"cordis_inspect_list", `{}`, tool.ReadCard, "List Cordis providers", `{}`},
	} {
		p := tool.Present(tool.Call{Name: c.name, Args: parse(t, c.args)})
		got := []string{string(p.Card), p.Title, jsonvalue.Format(p.Input)}
		if diff := cmp.Diff([]string{string(c.card), c.title, c.input}, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.name, c.args, diff)
		}
	}
}

// The texts for a model say which tool comes next, by its name.
func TestDescriptionsNameTheNextTool(t *testing.T) {
	next := map[tool.Name]string{tool.InspectList: "cordis_inspect_query", tool.InspectQuery: "cordis_inspect_list", tool.Define: "cordis_run", tool.Stop: "cordis_run", tool.Undefine: "cordis_stop"}
	for _, language := range []string{"en", tool.Chinese} {
		for _, one := range tool.All(language) {
			if !strings.Contains(one.Description, next[one.Name]) {
				t.Errorf("%s in %s does not name %s", one.Name, language, next[one.Name])
			}
		}
	}
}

// All that is wrong with arguments is said at once, in the order of the walk.
// CR-N10.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ tool, args, want string }{
		{"cordis_define", `{"code":{"server":"x"},"plugin":{"kind":"existing"},"name":"n"}`, `"purpose" is required and missing; "plugin" must fit exactly one of the oneOf schemas (fits 0); "code.server" is not declared`},
		{"cordis_define", `{"plugin":{"kind":"new","idPrefix":"abc","extra":1},"name":"n","purpose":"p","code":{"host":"return 1"}}`, `"plugin" must fit exactly one of the oneOf schemas (fits 0)`},
		{"cordis_run", `{"pluginId":"x","packageId":"y","mode":"restart"}`, `"mode" must be one of "run", "update"`},
		{"cordis_inspect_query", `{"platform":"server","provider":1,"method":"m"}`, `"platform" must be one of "host", "client"; "provider" must be of type string`},
		{"cordis_stop", `[]`, `"arguments" must be of type object`},
		{"cordis_stop", `{"pluginId":"a-1","more":{}}`, ""},
	} {
		host := &fakeHost{}
		_, err := tool.Execute(t.Context(), host, tool.Call{Name: c.tool, Session: "S", Args: parse(t, c.args)})
		var want error
		if c.want != "" {
			want = fault.New(fault.Usage, "invalid-args", c.want)
		}
		if diff := cmp.Diff(want, err); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
		if c.want != "" && host.asked != nil {
			t.Errorf("%s %s: the host was asked %v", c.tool, c.args, host.asked)
		}
	}
}
