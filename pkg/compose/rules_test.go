package compose_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// TestViewExtensionValues: one value for each slot, validated.
func TestViewExtensionValues(t *testing.T) {
	contribution := func(slot, value any) *jsonvalue.Object {
		return jsonvalue.Of("instanceKey", "strategy-extension:x", "typeId", "x", "slot", slot, "value", value)
	}
	selection := jsonvalue.Of("sourceKeys", []any{"source:a"})
	size := jsonvalue.Of("maxProjectionCharacters", 5.0)
	for _, c := range []struct {
		in   []any
		want *jsonvalue.Object
		err  string
	}{
		{nil, jsonvalue.Of(), ""},
		{[]any{contribution("projection", size), contribution("selection", selection)}, jsonvalue.Of("projection", size, "selection", selection), ""},
		{[]any{contribution("projection", size), contribution("projection", nil)}, nil, "duplicate View extension slot: projection"},
		{[]any{contribution("own", jsonvalue.Of())}, nil, "unsupported View extension slot: own"},
		{[]any{contribution("projection", jsonvalue.Of())}, nil, "maxProjectionCharacters is required"},
		{[]any{contribution("projection", 5.0)}, nil, "View projection contribution must be an object"},
		{[]any{nil}, nil, "View extension contribution must be an object"},
	} {
		got, err := compose.ViewExtensionValues(c.in)
		if message(err) != c.err || !got.Equal(c.want) {
			t.Errorf("%s: %s, %q, want %q", jsonvalue.Format(c.in), jsonvalue.Format(got), message(err), c.err)
		}
	}
}

// contributing is an extension with one value.
type contributing struct{ value any }

func (c contributing) Contribute(context.Context, *compose.Request, []any) (any, error) {
	return c.value, nil
}

// TestDefineViewExtension: for any Strategy, a standard slot alone, its value held
// against the slot.
func TestDefineViewExtension(t *testing.T) {
	d, err := compose.DefineViewExtension("e", "p", "capture", contributing{jsonvalue.Of("instruction", " do ", "actionIds", []any{"a"})})
	if err != nil {
		t.Fatal(err)
	}
	if want := extensionManifest("strategyTypeId", "*", "slot", "capture"); !d.Manifest.Raw.Equal(want) {
		t.Errorf("%s", jsonvalue.Format(d.Manifest.Raw))
	}
	got, err := d.Extension.Contribute(t.Context(), nil, nil)
	if want := jsonvalue.Of("instruction", "do", "actionIds", []any{"a"}); err != nil || !jsonvalue.Equal(got, want) {
		t.Errorf("%s, %v", jsonvalue.Format(got), err)
	}
	if d, err = compose.DefineViewExtension("e", "p", "projection", contributing{5.0}); err != nil {
		t.Fatal(err)
	}
	_, err = d.Extension.Contribute(t.Context(), nil, nil)
	if want := "View projection contribution must be an object"; message(err) != want {
		t.Errorf("%q, want %q", message(err), want)
	}
	_, err = compose.DefineViewExtension("e", "p", "own", contributing{})
	if want := "memory Strategy extension for any Strategy must use a standard slot: own"; message(err) != want {
		t.Errorf("%q, want %q", message(err), want)
	}
	_, err = compose.DefineViewExtension("e", "p", "capture", nil)
	if want := "memory Strategy extension contribute() is required"; message(err) != want {
		t.Errorf("%q, want %q", message(err), want)
	}
}

// TestPrintedInMessages is String(x) of what stands where a text should.
func TestPrintedInMessages(t *testing.T) {
	own := []any{nil}
	own[0] = own
	for _, c := range []struct {
		in   any
		want string
	}{
		{foreign(jsonvalue.Undefined), "undefined"},
		{nil, "null"},
		{true, "true"},
		{1e21, "1e+21"},
		{math.Copysign(0, -1), "0"},
		{math.NaN(), "NaN"},
		{[]any{1.0, nil, []any{"a", "b"}, jsonvalue.Of(), jsonvalue.Hole{}, foreign(jsonvalue.Undefined)}, "1,,a,b,[object Object],,"},
		{own, ""},
		{jsonvalue.Of("a", 1.0), "[object Object]"},
		{jsonvalue.Foreign{Kind: jsonvalue.Function, Text: "() => 1"}, "() => 1"},
	} {
		_, err := compose.DefineSource(sourceManifest("apiVersion", c.in), noSource)
		if want := "unsupported memory Source API: " + c.want; message(err) != want {
			t.Errorf("%q, want %q", message(err), want)
		}
	}
}

// TestFactsNarrow (MN15, MN39, MN65): what a Strategy sees is what the manifest
// declares, the facts name, the Host allows and the capabilities cover, in the
// order of the manifest.
func TestFactsNarrow(t *testing.T) {
	facts := func(pairs ...any) *jsonvalue.Object {
		return jsonvalue.Of("sourceInstanceKey", "source:x", "sourceTypeId", "t", "role", "r", "availability", "ready",
			"revision", " r1 ", "capabilities", []any{"project", "read", "write"},
			"routeIds", []any{"q", "r"}, "actionIds", []any{"a"}, "more", 1.0).With(pairs...)
	}
	type seen struct {
		Availability                      string
		Capabilities, RouteIDs, ActionIDs []any
	}
	for _, c := range []struct {
		name    string
		raw     *jsonvalue.Object
		ceiling []string
		want    seen
	}{
		{"as declared", facts(), nil, seen{"ready", []any{"project", "read", "write"}, []any{"r", "q"}, []any{"a"}}},
		{"less capable", facts("capabilities", []any{"read"}), nil, seen{"ready", []any{"read"}, []any{"r"}, []any{}}},
		{"capped", facts(), []string{"write", "search"}, seen{"ready", []any{"write"}, []any{}, []any{"a"}}},
		{"capped to nothing", facts(), []string{"search"}, seen{"unavailable", []any{}, []any{}, []any{}}},
		{"nothing allowed", facts(), []string{}, seen{"unavailable", []any{}, []any{}, []any{}}},
		{"nothing to cap", facts("capabilities", []any{}), nil, seen{"ready", []any{}, []any{}, []any{}}},
		{"unavailable", facts("availability", "unavailable"), nil, seen{"unavailable", []any{"project", "read", "write"}, []any{}, []any{}}},
		{"degraded", facts("availability", "degraded", "routeIds", []any{}), nil, seen{"degraded", []any{"project", "read", "write"}, []any{}, []any{"a"}}},
	} {
		o, err := compose.Facts(ruledSource(t), c.raw, c.ceiling)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if o.Has("more") {
			t.Errorf("%s: an unknown member is kept", c.name)
		}
		var got seen
		got.Availability, _ = o.Text("availability")
		got.Capabilities, _ = o.Array("capabilities")
		got.RouteIDs, _ = o.Array("routeIds")
		got.ActionIDs, _ = o.Array("actionIds")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		routes, _ := o.Array("routes")
		actions, _ := o.Array("actions")
		if diff := cmp.Diff([][]any{got.RouteIDs, got.ActionIDs}, [][]any{idsOf(routes), idsOf(actions)}); diff != "" {
			t.Errorf("%s: ids and entries differ:\n%s", c.name, diff)
		}
	}
	want := jsonvalue.Of("sourceInstanceKey", "source:x", "sourceTypeId", "t", "role", "r", "availability", "unavailable",
		"revision", "unavailable", "capabilities", []any{}, "routeIds", []any{}, "actionIds", []any{}, "routes", []any{}, "actions", []any{})
	if got := compose.NoFacts(ruledSource(t)); !got.Equal(want) {
		t.Errorf("without facts: %s", jsonvalue.Format(got))
	}
}

func idsOf(operations []any) []any {
	out := []any{}
	for _, o := range operations {
		id, _ := o.(*jsonvalue.Object).Get("id")
		out = append(out, id)
	}
	return out
}

// TestRequestIsOfItself: the scope is one pointer, unknown members stay, and nothing
// is shared with the caller.
func TestRequestIsOfItself(t *testing.T) {
	scope := jsonvalue.Of("storage", "global")
	raw := jsonvalue.Of("scope", scope, "scenario", " s ", "more", []any{1.0}, "budget", jsonvalue.Of(
		"maxProjectionCharacters", 5.0, "maxRoutes", 1.0, "maxActions", 2.0, "maxEvidenceResults", 3.0,
		"maxEvidenceCharacters", 4.0, "maxMore", 9.0))
	r, err := compose.NormalizeRequest(raw)
	if err != nil {
		t.Fatal(err)
	}
	if kept, _ := r.Raw.Get("scope"); kept != any(r.Scope) || r.Scope == scope {
		t.Error("the scope is not one pointer of its own")
	}
	budget, _ := raw.Map("budget")
	want := raw.With("scenario", "s", "budget", budget.Without("maxMore"))
	if !r.Raw.Equal(want) || r.Budget != (compose.Budget{5, 1, 2, 3, 4}) {
		t.Errorf("%s, %+v", jsonvalue.Format(r.Raw), r.Budget)
	}
	if r, err = compose.NormalizeRequest(raw.With("scope", "anything")); err != nil || r.Scope != nil {
		t.Errorf("a scope that is no object: %v, %v", r, err)
	}
}

// TestMutationReceipt (MN123): the status follows from the completion, and only
// what was committed has a time.
func TestMutationReceipt(t *testing.T) {
	now := time.Date(2026, 1, 2, 4, 4, 5, 6_999_999, time.FixedZone("", 3600))
	for completion, want := range map[string]*jsonvalue.Object{
		"":          jsonvalue.Of("status", "partial", "completion", "unknown"),
		"unknown":   jsonvalue.Of("status", "partial", "completion", "unknown"),
		"partial":   jsonvalue.Of("status", "partial", "completion", "partial"),
		"failed":    jsonvalue.Of("status", "failed", "completion", "failed"),
		"accepted":  jsonvalue.Of("status", "succeeded", "completion", "accepted"),
		"candidate": jsonvalue.Of("status", "succeeded", "completion", "candidate"),
		"committed": jsonvalue.Of("status", "succeeded", "completion", "committed", "committedAt", "2026-01-02T03:04:05.006Z"),
	} {
		got := compose.MutationReceipt("1", now, compose.Mutation{
			ViewID: "v", OfferID: "o", SourceInstanceKey: "source:x", Details: jsonvalue.Of("n", 1.0), Completion: completion,
		})
		whole := want.With("id", "receipt:1", "viewId", "v", "offerId", "o", "sourceInstanceKey", "source:x", "details", jsonvalue.Of("n", 1.0))
		if diff := cmp.Diff(plain(t, whole), plain(t, got)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", completion, diff)
		}
	}
	got := compose.MutationReceipt("1", now, compose.Mutation{Revision: "r2"})
	if revision, _ := got.Text("revision"); revision != "r2" {
		t.Errorf("%s", jsonvalue.Format(got))
	}
}

// TestTruncate (MN123) counts UTF-16 code units and does not cut a pair.
func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 0, ""},
		{"a", 0, ""},
		{"a", -1, ""},
		{"ab", 1, "…"},
		{"a😀", 3, "a😀"},
		{"a😀b", 3, "a…"},
		{"😀😀", 2, "…"},
		{"😀😀", 3, "😀…"},
		{"\xed\xa0\x80ab", 2, "…"},
		{"é中文", 2, "é…"},
	} {
		if got := compose.Truncate(c.in, c.max); got != c.want {
			t.Errorf("%q, %d: %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

// TestConfigurationDigest is the anchor of an empty configuration and a refusal.
func TestConfigurationDigest(t *testing.T) {
	const empty = "config:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if got, err := compose.ConfigurationDigest(jsonvalue.Of()); got != empty || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_, err := compose.ConfigurationDigest(foreign(jsonvalue.Function))
	if want := "memory configuration contains a non-JSON value"; message(err) != want {
		t.Errorf("%q, want %q", message(err), want)
	}
}

// TestDeclarationIsOfItself (MN121): the editor's metadata is a copy in canonical
// order, and it is bounded.
func TestDeclarationIsOfItself(t *testing.T) {
	label := both("a", "b")
	c, err := compose.DefineConfiguration(declaration("label", label, "fields", []any{field("k", "text", "z", 1.0)}))
	if err != nil {
		t.Fatal(err)
	}
	label.Set("en", "changed")
	const want = `{"apiVersion":"dsh-mnemon/strategy-configuration/v1","kind":"strategy","typeId":"t",` +
		`"description":{"en":"a","zh-CN":"b"},"fields":[{"input":"text","key":"k","label":{"en":"a","zh-CN":"b"},"z":1}],"label":{"en":"a","zh-CN":"b"}}`
	if got := jsonvalue.Format(c.Raw); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	long := make([]any, 16)
	for i := range long {
		long[i] = field(string(rune('a'+i)), "text", "description", both(text4000(), "b"))
	}
	_, err = compose.DefineConfiguration(declaration("fields", long[:15]))
	if err != nil {
		t.Errorf("15 fields: %v", err)
	}
	_, err = compose.DefineConfiguration(declaration("fields", append(long[:15:15], field("y", "text", "description", both(text4000(), text4000())))))
	if want := "Plugin editor metadata exceeds 64 KiB"; message(err) != want {
		t.Errorf("%q, want %q", message(err), want)
	}
}

func text4000() string { return strings.Repeat("x", 4000) }

// TestBounds (MN121) are lengths that just pass and just do not, in UTF-16 code
// units.
func TestBounds(t *testing.T) {
	capture := func(length int) error {
		_, err := compose.ViewExtensionValue("capture", jsonvalue.Of("instruction", "do", "actionIds", []any{strings.Repeat("a", length)}))
		return err
	}
	sourceKey := func(length int) error {
		_, err := compose.SourceKeys([]any{"source:" + strings.Repeat("a", length)}, "keys")
		return err
	}
	capability := func(length int) error {
		_, err := compose.DefinePlugin(pluginDescriptor("requires", []any{strings.Repeat("y", length)}))
		return err
	}
	metadata := func(length int) error {
		const besides = len(`{"description":{"en":"a","zh-CN":"b"},"fields":[],"label":{"en":"a","x":"","zh-CN":"b"}}`)
		_, err := compose.DefineConfiguration(declaration("label", both("a", "b").With("x", strings.Repeat("é", length-besides))))
		return err
	}
	values := func(length int) error {
		_, err := declared(t).Values(jsonvalue.Of("o", strings.Repeat("é", length-len(`{"o":""}`))))
		return err
	}
	const undeclared = "Plugin field is not declared for management: o"
	for _, c := range []struct {
		name       string
		check      func(length int) error
		max        int
		fits, over string
	}{
		{"action id", capture, 128, "", "capture actionIds must name 1..32 distinct Source-local recording actions"},
		{"Source key", sourceKey, 293, "", "keys must contain at most 32 exact Source instance keys"},
		{"capability", capability, 128, "", "memory plugin required capability is too long (max 128 characters)"},
		{"metadata", metadata, 65_536, "", "Plugin editor metadata exceeds 64 KiB"},
		{"values", values, 65_536, undeclared, "Plugin configuration exceeds 64 KiB"},
	} {
		if got := message(c.check(c.max)); got != c.fits {
			t.Errorf("%s of %d: %q, want %q", c.name, c.max, got, c.fits)
		}
		if got := message(c.check(c.max + 1)); got != c.over {
			t.Errorf("%s of %d: %q, want %q", c.name, c.max+1, got, c.over)
		}
	}
}

// TestConfigurationValues (MN121) are the corners of supplied values.
func TestConfigurationValues(t *testing.T) {
	c := declared(t)
	for _, v := range []struct {
		in   any
		want string
		err  string
	}{
		{nil, "{}", ""},
		{foreign(jsonvalue.Undefined), "{}", ""},
		{jsonvalue.Of("t", foreign(jsonvalue.Undefined)), "{}", ""},
		{jsonvalue.Of("n", 9.0, "t", "😀😀a", "l", []any{}), `{"n":9,"t":"😀😀a","l":[]}`, ""},
		{jsonvalue.Of("t", "😀😀😀"), "", "Invalid plugin text: t"},
		{jsonvalue.Of("x", text4000()+"y"), "", "Invalid plugin text: x"},
		{jsonvalue.Of("constructor", 1.0), "", "Unsafe plugin configuration key"},
		{jsonvalue.Of("__proto__", 1.0), "", "Unsafe plugin configuration key"},
		{jsonvalue.Of("prototype", 1.0), "", "Unsafe plugin configuration key"},
		{jsonvalue.Of("o", 1.0), "", "Plugin field is not declared for management: o"},
		{[]any{}, "", "Plugin configuration must be an object"},
		{"n", "", "Plugin configuration must be an object"},
		{jsonvalue.Of("o", strings.Repeat("x", 68_000)), "", "Plugin configuration exceeds 64 KiB"},
	} {
		got, err := c.Values(v.in)
		if message(err) != v.err || err == nil && jsonvalue.Format(got) != v.want {
			t.Errorf("%.80s: %s, %q, want %s, %q", jsonvalue.Format(v.in), jsonvalue.Format(got), message(err), v.want, v.err)
		}
	}
}
