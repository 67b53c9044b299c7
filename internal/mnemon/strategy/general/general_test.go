package general_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/strategy/general"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// available is a Source as Core describes it to a Strategy.
func available(key, role string, routes, actions []string, capabilities ...string) any {
	offers := []any{}
	for _, id := range actions {
		offers = append(offers, jsonvalue.Of("id", id, "capability", "write"))
	}
	return jsonvalue.Of(
		"sourceInstanceKey", "source:"+key, "sourceTypeId", key, "role", role, "availability", "ready",
		"capabilities", jsonvalue.Texts(capabilities),
		"routeIds", jsonvalue.Texts(routes), "actionIds", jsonvalue.Texts(actions), "actions", offers,
	)
}

func compositionOf(t *testing.T, config any, characters int, sources []any, contributions ...any) *jsonvalue.Object {
	t.Helper()
	s, err := general.New(config)
	if err != nil {
		t.Fatal(err)
	}
	r := &compose.Request{Budget: compose.Budget{MaxProjectionCharacters: characters, MaxRoutes: 3, MaxActions: 2}}
	out, err := s.Compose(t.Context(), r, sources, contributions)
	if err != nil {
		t.Fatal(err)
	}
	return out.(*jsonvalue.Object)
}

// TestShares (MN88): nine parts for residents and one for the rest, to the last
// character.
func TestShares(t *testing.T) {
	sources := []any{
		available("b", "narrative", nil, nil, "project"),
		available("mute", "narrative", nil, nil, "search"),
		available("a", "working-context", nil, nil, "project"),
	}
	for _, tc := range []struct {
		characters int
		want       string
	}{
		{1000, `[900,100]`},
		{11, `[10,1]`},
		{10, `[9,1]`},
		{9, `[9,0]`}, // what is left over goes to the first
		{1, `[1,0]`},
	} {
		out := compositionOf(t, nil, tc.characters, sources)
		list, _ := out.Array("sources")
		got := []any{}
		for _, v := range list {
			o := v.(*jsonvalue.Object)
			if key, _ := o.Text("sourceInstanceKey"); key == "source:mute" {
				if o.Has("projection") {
					t.Error("a Source that does not project has a share")
				}
				continue
			}
			projection, _ := o.Map("projection")
			n, _ := projection.Number("maxCharacters")
			got = append(got, n)
		}
		if diff := cmp.Diff(tc.want, jsonvalue.Format(got)); diff != "" {
			t.Errorf("%d characters (-want +got):\n%s", tc.characters, diff)
		}
	}
}

// TestOperationsAreDealtInRounds (MN88): every Source has a first operation
// before any has a second.
func TestOperationsAreDealtInRounds(t *testing.T) {
	out := compositionOf(t, nil, 10, []any{
		available("a", "x", []string{"r1", "r2", "r3"}, []string{"w1", "w2"}),
		available("b", "x", []string{"r1"}, []string{"w1"}),
		available("c", "x", []string{"r1"}, []string{"w1"}),
	})
	sources, _ := out.Get("sources")
	want := `[{"sourceInstanceKey":"source:a","required":false,"routeIds":["r1"],"actionIds":["w1"]},` +
		`{"sourceInstanceKey":"source:b","required":false,"routeIds":["r1"],"actionIds":["w1"]},` +
		`{"sourceInstanceKey":"source:c","required":false,"routeIds":["r1"],"actionIds":[]}]`
	if diff := cmp.Diff(want, jsonvalue.Format(sources)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSelectionLeavesOutWhatIsNotThere (MN88): a selection may name what is not
// installed.
func TestSelectionLeavesOutWhatIsNotThere(t *testing.T) {
	selection := jsonvalue.Of("slot", "selection", "value", jsonvalue.Of(
		"sourceKeys", []any{"source:ghost", "source:b", "source:a"}, "writableSourceKeys", []any{"source:a"}))
	out := compositionOf(t, nil, 10, []any{
		available("a", "working-context", nil, []string{"w"}),
		available("b", "x", nil, []string{"w"}),
		available("c", "x", nil, []string{"w"}),
	}, selection)
	guidance, _ := out.Map("guidance")
	got, _ := guidance.Text("routing")
	want := "Admitted memory Sources:\n" +
		"- source:b (b, role x): on demand, 0 route(s), read-only\n" +
		"- source:a (a, role working-context): resident, 0 route(s), 1 action(s)"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNothingToAdmit (MN88): without Sources the View says so.
func TestNothingToAdmit(t *testing.T) {
	out := compositionOf(t, nil, 10, nil)
	guidance, _ := out.Map("guidance")
	got, _ := guidance.Text("routing")
	if want := "No memory Source is currently admitted; continue without memory."; got != want {
		t.Errorf("routing %q", got)
	}
}

// TestCaptureNamesWhoMayRecord (MN88): who offers the action may record, nobody else.
func TestCaptureNamesWhoMayRecord(t *testing.T) {
	capture := jsonvalue.Of("slot", "capture", "value", jsonvalue.Of("instruction", "Keep what lasts.", "actionIds", []any{"w"}))
	sources := []any{
		available("a", "x", nil, []string{"w"}),
		available("b", "x", nil, []string{"other"}),
	}
	system := func(contributions ...any) string {
		guidance, _ := compositionOf(t, jsonvalue.Of("instruction", " Be brief. "), 10, sources, contributions...).Map("guidance")
		text, _ := guidance.Text("system")
		return text
	}
	with, without := system(capture), system()
	rest, ok := strings.CutPrefix(with, without+"\n\n")
	if !ok {
		t.Fatalf("the block does not follow the protocol and the user's words:\n%s", with)
	}
	want := "MNEMON OPTIONAL AUTO CAPTURE\nKeep what lasts.\nEligible Source instances: source:a\nRecording action ids: w\n"
	if head := rest[:min(len(rest), len(want))]; head != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, head))
	}
}

// TestOptionsAreRefused (MN88): options that do not fit end with a sentence.
func TestOptionsAreRefused(t *testing.T) {
	for _, tc := range []struct {
		config *jsonvalue.Object
		want   string
	}{
		{jsonvalue.Of("residentSourceKeys", []any{"tasks"}), "residentSourceKeys must contain at most 32 exact Source instance keys"},
		{jsonvalue.Of("residentSourceKeys", []any{"source:a", "source:a"}), "residentSourceKeys contains duplicate Source keys"},
		{jsonvalue.Of("instruction", 5.0), "general Strategy instruction must be a string"},
	} {
		_, err := general.New(tc.config)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: %v", jsonvalue.Format(tc.config), err)
		}
	}
}
