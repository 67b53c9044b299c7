package script_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/mnemon/script"
	"github.com/dshkit/dshkit/pkg/compose"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
	"github.com/dshkit/dshkit/pkg/jsrun"
)

func text(s string) *jsonvalue.Object { return jsonvalue.Of("text", s) }

var hanging = jsonvalue.Of("text", "Never.", "hang", true)

func entry(id, specifier string) script.Entry { return script.Entry{ID: id, Specifier: specifier} }

// TestRealms holds that where a plugin runs is seen nowhere: two Sources and a
// Strategy compose the same View in one realm and in three.
func TestRealms(t *testing.T) {
	views := map[string]*jsonvalue.Object{}
	for _, name := range []string{"one", "three"} {
		b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{})
		shared := b.realm()
		realm := func() *script.Realm {
			if name == "one" {
				return shared
			}
			return b.realm()
		}
		b.mount(realm(), "a", "./source.mjs", text("First."))
		b.mount(realm(), "b", "./source.mjs", text("Second."))
		b.mount(realm(), "s", "./strategy.mjs", nil)
		views[name] = b.view()
	}
	digest, ok := views["one"].Text("digest")
	if !ok || len(digest) != 64 {
		t.Fatalf("no digest: %s", jsonvalue.Format(views["one"]))
	}
	if diff := cmp.Diff(jsonvalue.FormatIndent(views["one"], " "), jsonvalue.FormatIndent(views["three"], " ")); diff != "" {
		t.Errorf("one realm and three (-one +three):\n%s", diff)
	}
}

// TestHangEndsOneRealm holds that a Source that never returns costs its own
// realm: what it had contributed is reported as missing, and the others serve.
func TestHangEndsOneRealm(t *testing.T) {
	b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{Busy: 2 * time.Second})
	bad, good := b.realm(), b.realm()
	b.mount(bad, "bad", "./source.mjs", hanging)
	b.mount(good, "good", "./source.mjs", text("Still here."))
	b.mount(good, "s", "./strategy.mjs", nil)

	view := b.view()
	<-bad.Done()
	if err := bad.Err(); !errors.Is(err, jsrun.ErrLimit) {
		t.Errorf("the realm that hung: %v", err)
	}
	if err := good.Err(); err != nil {
		t.Errorf("the other realm: %v", err)
	}
	want := []any{jsonvalue.Of("code", "source-facts-failed", "message", "Memory Source source:bad facts() failed", "contributionInstanceKey", "source:bad")}
	got, _ := view.Array("diagnostics")
	if diff := cmp.Diff(jsonvalue.Format(want), jsonvalue.Format(got)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	began := time.Now()
	again := b.view()
	if time.Since(began) > 1500*time.Millisecond {
		t.Error("a realm that is gone was waited for")
	}
	if diff := cmp.Diff(jsonvalue.Format(view), jsonvalue.Format(again)); diff != "" {
		t.Errorf("the second View (-first +second):\n%s", diff)
	}
	fragments, _ := view.Array("projection")
	if len(fragments) != 1 || !strings.Contains(jsonvalue.Format(fragments[0]), "Still here.") {
		t.Errorf("projection: %s", jsonvalue.Format(fragments))
	}
}

// TestMountAgain holds that the owner of a realm that is gone opens another.
func TestMountAgain(t *testing.T) {
	b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{Busy: 2 * time.Second})
	bad, good := b.realm(), b.realm()
	hung := b.mount(bad, "a", "./source.mjs", hanging)
	b.mount(good, "s", "./strategy.mjs", nil)
	b.view()
	<-bad.Done()
	if err := hung.Dispose(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.mount(b.realm(), "a", "./source.mjs", text("Again."))
	if got := jsonvalue.Format(b.view()); !strings.Contains(got, "Again.") {
		t.Errorf("view: %s", got)
	}
}

// TestErrorsKeepTheirIdentity (MN34) holds that what a plugin throws comes to Go with
// its name and code.
func TestErrorsKeepTheirIdentity(t *testing.T) {
	b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{})
	r := b.realm()
	b.mount(r, "a", "./source.mjs", jsonvalue.Of("text", "x", "trip", true))
	b.mount(r, "s", "./strategy.mjs", nil)
	view, err := b.compose()
	if err != nil {
		t.Fatal(err)
	}
	lease, err := b.core.Acquire("")
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	_, err = lease.Route(t.Context(), view, compose.NewExecution(compose.DefaultBudget), "source:a/read", jsonvalue.Of("q", 1.0), false)
	var thrown *jsrun.Error
	if !errors.As(err, &thrown) {
		t.Fatalf("%v", err)
	}
	got := []string{thrown.Name, thrown.Code, thrown.Message}
	if diff := cmp.Diff([]string{"RangeError", "acme-trip", `tripped over {"q":1}`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMountReportsWhy holds that a plugin that cannot start says so, and leaves
// nothing behind.
func TestMountReportsWhy(t *testing.T) {
	b := newBench(t, unpack(t, "trio"), compose.Settings{}, jsrun.Limits{})
	r := b.realm()
	for _, tc := range []struct {
		entry script.Entry
		want  string
	}{
		{entry("a", "./gone.mjs"), "gone.mjs"},
		{script.Entry{ID: "a", Specifier: "./source.mjs", Export: "nothing"}, "invalid plugin"},
		{entry("a", "./source.mjs"), "not object coercible"},
	} {
		_, err := b.tryMount(r, tc.entry)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: %v", tc.entry, err)
		}
	}
	evaluation, _ := b.core.Inspect().Map("evaluation")
	keys, _ := evaluation.Array("sourceInstanceKeys")
	if len(keys) != 0 {
		t.Errorf("left behind: %s", jsonvalue.Format(keys))
	}
}
