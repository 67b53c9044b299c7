package control_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/pkg/fault"
)

// What is wrong with params is said without a word of the decoder.
func TestParamsThatDoNotFit(t *testing.T) {
	handlers, leave := (&control.Desk{}).Attach(nil, control.HelloParams{Role: control.Client})
	defer leave()
	for params, want := range map[string]string{
		`7`:                               "bad-shape",
		`[]`:                              "bad-shape",
		`"x"`:                             "bad-shape",
		`{"name":7}`:                      "bad-member name",
		`{"name":["x"]}`:                  "bad-member name",
		`{"host":{}}`:                     "bad-member host",
		`{"names":"x"}`:                   "unknown-member names",
		`{"a\"b\u001b":1}`:                `unknown-member "a\"b\x1b"`,
		`{"name":"n","__proto__":"evil"}`: "unknown-member __proto__",
		`{"name":"a","name":"b"}`:         "twice-member name",
		`{"name":1e400}`:                  "lossy-number name",
	} {
		define, err := handlers.Request("define")
		if err != nil {
			t.Fatal(err)
		}
		_, err = define(t.Context(), json.RawMessage(params))
		var outer *fault.Error
		if !errors.As(err, &outer) || outer.Code != "bad-params" {
			t.Errorf("%s: %v", params, err)
			continue
		}
		if diff := cmp.Diff(want, outer.Err.Error()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", params, diff)
		}
	}
	var live control.Live
	for _, leaf := range []string{`{"$":"bytes","base64":"%"}`, `{"$":"nope"}`, `{"$":"func","id":-1}`} {
		wantCode(t, json.Unmarshal([]byte(leaf), &live), "bad-leaf")
	}
}

// What readers of JSON take differently is refused by every method that takes a
// value, with the number of bad params and the place.
func TestValuesThatReadersTakeDifferently(t *testing.T) {
	for _, c := range []struct {
		method string
		params string
		want   string
	}{
		{"invoke", `{"pluginId":"p","method":"m","args":{"a":[1,1e400]}}`, "lossy-number args.a[1]"},
		{"callTool", `{"name":"t","args":{"n":-1e400}}`, "lossy-number args.n"},
		{"callCordisTool", `{"name":"t","args":{"a":{"b":1,"b":2}}}`, "twice-member args.a.b"},
		{"inspectQuery", `{"platform":"host","provider":"p","method":"m","input":[[1e309]]}`, "lossy-number input[0][0]"},
		{"resolveInspectQuery", `{"agentId":"a","requestId":"r","resolution":{"ok":true,"data":1e999}}`, "lossy-number resolution.data"},
		{"callService", `{"name":"s","method":"m","args":[{"$":"bytes","$":"undefined"}]}`, "twice-member args[0].$"},
		{"emit", `{"event":"e","args":[1,1e400]}`, "lossy-number args[1]"},
	} {
		method := control.MethodNamed(c.method)
		_, err := method(t.Context(), json.RawMessage(c.params))
		var outer *fault.Error
		if !errors.As(err, &outer) || outer.Code != "bad-params" || outer.Err == nil || outer.Err.Error() != c.want {
			t.Errorf("%s %s: %v", c.method, c.params, err)
		}
	}
}

// A number that JSON cannot hold is refused on both sides, with its place.
func TestNumbersThatAreLost(t *testing.T) {
	for args, want := range map[string]string{
		`1e400`:                  "lossy-number args",
		`{"a":[1,{"b":-1e999}]}`: "lossy-number args.a[1].b",
		`[0,-0]`:                 "lossy-args args[1]",
	} {
		var got control.Lossless
		if err := json.Unmarshal([]byte(args), &got); err == nil || err.Error() != want {
			t.Errorf("%s was read: %v", args, err)
		}
	}
	c := openDesk(t, t.TempDir()).dial(t, control.Client, control.Handlers{})
	huge := math.Inf(1)
	for _, params := range []any{
		control.InvokeParams{Args: control.Lossless{Optional: control.Given(huge)}}, control.ToolParams{Args: control.Given(huge)},
	} {
		err := c.Call(t.Context(), "echo", params, nil)
		wantCode(t, err, "lossy-number")
		if strings.Contains(err.Error(), "json") {
			t.Errorf("the encoder's words: %v", err)
		}
	}
}
