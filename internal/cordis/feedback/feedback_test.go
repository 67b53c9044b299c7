package feedback_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/feedback"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// notices is one of each topic.
func notices() []registry.Notice {
	base := registry.Notice{Session: "S-a", PluginID: "clock-1", PackageID: "pkg-2", RunID: "run-3", Mode: registry.ModeUpdate, Current: "pkg-1", Next: "pkg-2"}
	with := func(topic registry.Topic, change func(*registry.Notice)) registry.Notice {
		n := base
		n.Topic = topic
		change(&n)
		return n
	}
	thrown := func(n *registry.Notice) { n.Message, n.Stack = "boom\ntopic: fake", "Error: boom\n  at apply" }
	return []registry.Notice{
		with(registry.TopicRunSucceeded, func(n *registry.Notice) { n.Current, n.Next = "pkg-2", "" }),
		with(registry.TopicRunRejected, func(*registry.Notice) {}),
		with(registry.TopicRunFailed, func(n *registry.Notice) {
			thrown(n)
			n.Returned, n.Reason = registry.ReturnedAwaiting, registry.ClientHalfFailed
		}),
		with(registry.TopicHandlerFailed, func(n *registry.Notice) { thrown(n); n.Side, n.Method = registry.Host, "my method" }),
		with(registry.TopicGuardRejected, func(n *registry.Notice) { thrown(n); n.Side = registry.Client }),
		with(registry.TopicRenderFailed, func(n *registry.Notice) {
			thrown(n)
			n.Side, n.Slot = registry.Client, "shell.overlay"
		}),
		with(registry.TopicCodeFailed, func(n *registry.Notice) { thrown(n); n.Side, n.Where, n.Last = registry.Host, "timer", true }),
		with(registry.TopicUserRan, func(*registry.Notice) {}),
		with(registry.TopicUserRunFailed, func(n *registry.Notice) { thrown(n); n.Stack, n.Reason = "", registry.HostHalfFailed }),
		{Topic: registry.TopicUserStopped, Session: "S-a", PluginID: "clock-1", Current: "pkg-1"},
		{Topic: registry.TopicUserRemoved, Session: "S-a", PluginID: "clock-1"},
	}
}

// CR-A14: a message says in words, in lines and in facts what happened, in both
// languages alike.
func TestNew(t *testing.T) {
	n := notices()[2]
	no := false
	got := feedback.New(n, "en", noon)
	message := "boom\ntopic: fake"
	want := feedback.Message{
		Kind: feedback.Steer, Topic: registry.TopicRunFailed, PluginID: "clock-1", PackageID: "pkg-2", PluginRunID: "run-3", At: noon,
		Facts: feedback.Facts{
			Mode: registry.ModeUpdate, Returned: registry.ReturnedAwaiting, Reason: registry.ClientHalfFailed,
			Message: &message, Stack: "Error: boom\n  at apply", CurrentPackageID: "pkg-1", NextPackageID: "pkg-2",
		},
		Text: `Cordis: the update of clock-1/pkg-2 (run-3) failed.

topic: run-failed
pluginId: clock-1
packageId: pkg-2
pluginRunId: run-3
mode: update
returned: awaiting-approval
reason: client-half-failed
message: boom
  topic: fake
stack: Error: boom
    at apply
currentPackageId: pkg-1
nextPackageId: pkg-2

Look at the error with cordis_inspect_self, define a repaired Package on the same Plugin and run it. Do so on your own; the user need not ask.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run-failed (-want +got):\n%s", diff)
	}
	if got := feedback.New(notices()[5], "en", noon).Facts.Abdicated; got == nil || *got != no {
		t.Errorf("abdicated is %v", got)
	}
}

// What must be in each text (spec/cordis.md 14.4, 14.5).
func TestFacts(t *testing.T) {
	failed := []string{"message", "stack"}
	run := []string{"pluginId", "packageId", "pluginRunId", "mode", "currentPackageId", "nextPackageId"}
	must := map[registry.Topic][]string{
		registry.TopicRunSucceeded:  run,
		registry.TopicRunRejected:   run,
		registry.TopicRunFailed:     slices.Concat(run, failed, []string{"returned", "reason"}),
		registry.TopicHandlerFailed: slices.Concat(run, failed, []string{"method"}),
		registry.TopicGuardRejected: slices.Concat(run, failed, []string{"platform"}),
		registry.TopicRenderFailed:  slices.Concat(run, failed, []string{"slot", "abdicated"}),
		registry.TopicCodeFailed:    slices.Concat(run, failed, []string{"platform", "where", "last"}),
		registry.TopicUserRan:       run,
		registry.TopicUserRunFailed: slices.Concat(run, []string{"message", "reason"}),
		registry.TopicUserStopped:   {"pluginId", "currentPackageId", "nextPackageId"},
		registry.TopicUserRemoved:   {"pluginId", "currentPackageId", "nextPackageId"},
	}
	for _, n := range notices() {
		m := feedback.New(n, "en", noon)
		facts, ok := feedback.Parse(m.Text)
		if !ok {
			t.Fatalf("%s: no facts in\n%s", n.Topic, m.Text)
		}
		want := append([]string{"topic"}, must[n.Topic]...)
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(facts))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", n.Topic, diff)
		}
		if n.Message != "" && (facts["message"] != n.Message || facts["stack"] != n.Stack) {
			t.Errorf("%s: read %q, %q", n.Topic, facts["message"], facts["stack"])
		}
		if (m.Kind == feedback.Steer) != n.Topic.Steers() {
			t.Errorf("%s is %s", n.Topic, m.Kind)
		}
	}
}

// The languages say the same: same facts, a sentence and advice for each topic, and
// no place left open.
func TestLanguages(t *testing.T) {
	for _, n := range notices() {
		en, zh := feedback.New(n, "en", noon), feedback.New(n, "zh-CN", noon)
		enFacts, _ := feedback.Parse(en.Text)
		zhFacts, _ := feedback.Parse(zh.Text)
		if diff := cmp.Diff(enFacts, zhFacts); diff != "" {
			t.Errorf("%s: English and Chinese differ:\n%s", n.Topic, diff)
		}
		if strings.Count(en.Text, "\n\n") != strings.Count(zh.Text, "\n\n") {
			t.Errorf("%s: not the same parts:\n%s\n%s", n.Topic, en.Text, zh.Text)
		}
		if !strings.ContainsFunc(zh.Text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%s is not in Chinese:\n%s", n.Topic, zh.Text)
		}
		for _, text := range []string{en.Text, zh.Text} {
			if strings.ContainsAny(text, "{}") || strings.HasPrefix(text, "\n") {
				t.Errorf("%s: something is missing in\n%s", n.Topic, text)
			}
		}
	}
}

// What plugin code throws cannot blow up a message, nor pass for its facts.
func TestHostileMessages(t *testing.T) {
	n := notices()[2]
	n.Message, n.Stack = strings.Repeat("x", 1<<20), strings.Repeat("y\n", 1<<20)
	if got := feedback.New(n, "en", noon); len(got.Text) > 30_000 || len(*got.Facts.Message)+len(got.Facts.Stack) > 20_000 {
		t.Errorf("a message of %d bytes", len(got.Text))
	}
	rapid.Check(t, func(t *rapid.T) {
		n := notices()[2]
		n.Message = rapid.StringOf(rapid.SampledFrom([]rune("a: \n{}stack"))).Draw(t, "message")
		n.Stack = ""
		facts, _ := feedback.Parse(feedback.New(n, "en", noon).Text)
		if facts["message"] != n.Message || facts["currentPackageId"] != "pkg-1" || facts["stack"] != "" {
			t.Fatalf("read %q", facts)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, n := range notices() {
		f.Add(feedback.New(n, "en", noon).Text)
		f.Add(feedback.New(n, "zh-CN", noon).Text)
	}
	f.Add("no facts")
	f.Fuzz(func(t *testing.T, text string) {
		facts, ok := feedback.Parse(text)
		if _, has := facts["topic"]; has != ok {
			t.Errorf("%t, %q", ok, facts)
		}
	})
}
