package replay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/testkit"
	"github.com/dshkit/dshkit/internal/testkit/replay"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

func recorded(t *testing.T, results ...string) (list []replay.Recorded) {
	t.Helper()
	for _, text := range results {
		v, err := jsonvalue.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, replay.Recorded{Step: "s", Result: v})
	}
	return list
}

func TestGist(t *testing.T) {
	for _, c := range []struct{ name, message, want string }{
		{"of a sample", "boom while evaluating\nmore", "boom while evaluating"},
		{"inside another", `evaluate: the Host half returned undefined: end it`, "evaluate: host.no-return"},
		{"a trap", "fetch is not available in the dynamic sandbox: for HTTP declare inject: ['web'] and use ctx.web.fetch({ url })", "trap.host(fetch)->web"},
		{"the path of a value", `harness.handle("set") result.s must be lossless JSON data`, `json.lossy(harness.handle("set") result.s)`},
		{"a refusal", `package "pkg-2" is not the current one of plugin "feat-1", that is "pkg-1": use mode update`, "mode.differs(current=pkg-1)"},
		{"violations", `invalid arguments: "purpose" is required and missing; "plugin" must fit exactly one of the oneOf schemas (fits 0); "code.server" is not declared`, "args(purpose:missing; plugin:oneOf=0; code.server:undeclared)"},
		{"a crash", "your entry in slot \"shell.overlay\" crashed while React rendered it: setInterval is not available in a dynamic client half, inject: ['timer']", "render.crash(shell.overlay: trap.client(setInterval)->timer)"},
		{"a handler behind a call", `host.call("fails") on adder-1 failed inside the host handler: host side refused`, "call.handler-error(fails: host side refused)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := replay.Gist(c.message); got != c.want {
				t.Errorf("Gist(%q) = %q, want %q", c.message, got, c.want)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	want := recorded(t, `{"a":1,"b":[1,2]}`, `"x"`)
	if lines := replay.Compare(want, recorded(t, `{"b":[1,2],"a":1}`, `"x"`)); lines != nil {
		t.Errorf("the order of members counts: %v", lines)
	}
	got := replay.Compare(want, recorded(t, `{"a":2,"b":[1,3],"c":true}`))
	var lines []string
	for _, m := range got {
		lines = append(lines, m.String())
	}
	if diff := cmp.Diff([]string{
		`step 0 s.a: recorded 1, got 2`,
		`step 0 s.b[1]: recorded 2, got 3`,
		`step 0 s.c: nothing was recorded, got true`,
		`step 1 s: there is none`,
	}, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestExpected(t *testing.T) {
	golden := []string{`{"value":{"status":"running","list":[{"text":"a"}]}}`}
	for _, c := range []struct {
		name       string
		difference replay.Difference
		want       string
	}{
		{"another value", replay.Difference{At: ".value.status", Was: `"running"`, Want: `"stopped"`}, `{"value":{"list":[{"text":"a"}],"status":"stopped"}}`},
		{"in a list", replay.Difference{At: ".value.list[0].text", Was: `"a"`, Want: `"b"`}, `{"value":{"status":"running","list":[{"text":"b"}]}}`},
		{"nothing more", replay.Difference{At: ".value.status", Was: `"running"`}, `{"value":{"list":[{"text":"a"}]}}`},
		{"something new", replay.Difference{At: ".error", Want: `"e"`}, `{"value":{"status":"running","list":[{"text":"a"}]},"error":"e"}`},
		{"all", replay.Difference{Was: golden[0], Want: `1`}, `1`},
		{"of another sample", replay.Difference{Sample: "other", Was: "wrong"}, golden[0]},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.difference.Sample == "" {
				c.difference.Sample = "mine"
			}
			got, err := replay.Expected("mine", recorded(t, golden...), []replay.Difference{c.difference})
			if err != nil {
				t.Fatal(err)
			}
			if lines := replay.Compare(recorded(t, c.want), got); lines != nil {
				t.Error(lines)
			}
		})
	}
	for _, d := range []replay.Difference{
		{At: ".value.status", Was: `"waiting"`},
		{At: ".value.list[1]", Was: `1`},
		{At: ".value.status.more", Was: `1`},
		{At: ".value.new", Was: `1`},
		{Step: 1},
	} {
		d.Sample = "mine"
		if got, err := replay.Expected("mine", recorded(t, golden...), []replay.Difference{d}); err == nil {
			t.Errorf("%+v does not fit the recording, and gave %v", d, got)
		}
	}
}

// Every difference says where it comes from.
func TestDifferencesHaveReasons(t *testing.T) {
	for _, d := range replay.Differences() {
		if d.Item == "" || d.Why == "" || !strings.ContainsAny(d.Item[:1], "WN0123456789") {
			t.Errorf("%s step %d: item %q, why %q", d.Sample, d.Step, d.Item, d.Why)
		}
	}
}

// TestThePageListsTheDifferences holds that docs/conformance.md names each place
// where ours is meant to do otherwise; UPDATE=1 writes them.
func TestThePageListsTheDifferences(t *testing.T) {
	path := filepath.Join(testkit.Root(t), "docs", "conformance.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- differences -->\n", "<!-- end -->"
	before, rest, found := strings.Cut(string(data), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("the page has no table of differences")
	}
	testkit.Golden(t, path, []byte(before+begin+differences()+end+after))
}

// differences is the table, a row for what one item changes in one sample.
func differences() string {
	type group struct{ sample, item, why string }
	var order []group
	steps := map[group][]int{}
	for _, d := range replay.Differences() {
		g := group{d.Sample, regexp.MustCompile(`\b[WN]\d`).ReplaceAllString(d.Item, "CR-$0"), d.Why}
		if !slices.Contains(order, g) {
			order = append(order, g)
		}
		if !slices.Contains(steps[g], d.Step) {
			steps[g] = append(steps[g], d.Step)
		}
	}
	slices.SortStableFunc(order, func(a, b group) int { return strings.Compare(a.sample, b.sample) })
	var out strings.Builder
	out.WriteString("\n| Sample and steps | Item | Ours |\n| --- | --- | --- |\n")
	for _, g := range order {
		slices.Sort(steps[g])
		list := strings.Trim(strings.ReplaceAll(fmt.Sprint(steps[g]), " ", ", "), "[]")
		fmt.Fprintf(&out, "| %s: %s | %s | %s |\n", g.sample, list, g.item, g.why)
	}
	return out.String() + "\n"
}
