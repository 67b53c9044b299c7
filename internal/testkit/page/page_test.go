package page_test

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis"
	"github.com/dshkit/dshkit/internal/cordis/control"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/testkit/page"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// bench is a host in this process, and a model that asks it for things.
type bench struct {
	t     *testing.T
	dir   string
	model *control.Conn
}

func open(t *testing.T) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := cordis.Open(cordis.Options{Root: dir, Language: "en", Now: time.Now, Random: func() float64 { return 0 }})
	ctx, stop := context.WithCancel(context.Background())
	ready, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- w.Serve(ctx, cordis.ServeOptions{Trusted: true, Ready: func(control.Card) { close(ready) }})
	}()
	t.Cleanup(func() {
		stop()
		<-ended // that it was stopped
	})
	select {
	case <-ready:
	case err := <-ended:
		t.Fatal(err)
	}
	b := &bench{t: t, dir: dir}
	if b.model, _, err = control.At(dir).Dial(ctx, control.Hello{Role: control.Client}, control.Handlers{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) ask(method string, params any) *jsonvalue.Object {
	b.t.Helper()
	var v control.Value
	if err := b.model.Call(b.t.Context(), method, params, &v); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	o, _ := jsonvalue.Map(v.V)
	return o
}

// define records a Package with a Client half, of a new Plugin or of one.
func (b *bench) define(plugin string) (pluginID, packageID string) {
	source := "return { apply() {} }"
	params := control.DefineParams{Prefix: "face", Plugin: plugin, Name: "n", Purpose: "p", Client: &source}
	if plugin != "" {
		params.Prefix = ""
	}
	o := b.ask("define", params)
	pluginID, _ = o.Text("pluginId")
	packageID, _ = o.Text("packageId")
	return pluginID, packageID
}

// status is how the latest attempt stands.
func (b *bench) status(plugin string) string {
	rows, _ := b.ask("inventory", struct{}{}).Array("rows")
	for _, row := range rows {
		o, _ := jsonvalue.Map(row)
		if id, _ := o.Text("pluginId"); id == plugin {
			latest, _ := o.Map("latestRun")
			status, _ := latest.Text("status")
			return status
		}
	}
	return ""
}

func (b *bench) page(o page.Options) *page.Page {
	b.t.Helper()
	p, err := page.Open(b.t.Context(), b.dir, o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(p.Vanish)
	return p
}

func named(name string) func(control.EventParams) bool {
	return func(e control.EventParams) bool { return e.Name == name }
}

// A page carries out what a person allows, and later runs by itself: CR-A4. It
// says what its script says of the source: CR-A5.
func TestApprove(t *testing.T) {
	b := open(t)
	var sources []string
	p := b.page(page.Options{Script: func(c host.ClientCode) page.Outcome {
		sources = append(sources, string(c.Code))
		return page.Outcome{}
	}})
	plugin, pkg := b.define("")
	b.ask("run", control.RunParams{Plugin: plugin, Package: pkg, Mode: "run"})
	if got := b.status(plugin); got != "awaiting-approval" {
		t.Errorf("before anybody allowed it: %s", got)
	}
	if err := p.Approve(t.Context(), "approval-1", false); err != nil {
		t.Fatal(err)
	}
	if got := b.status(plugin); got != "running" {
		t.Errorf("after it was allowed: %s", got)
	}
	b.ask("run", control.RunParams{Plugin: plugin, Package: pkg, Mode: "run"})
	settled := func(e control.EventParams) bool {
		text, _ := e.Payload.MarshalJSON()
		return e.Name == "cordis/request-run-resolved" && strings.Contains(string(text), "approval-2")
	}
	if err := p.Await(t.Context(), settled); err != nil {
		t.Fatal(err)
	}
	if got := b.status(plugin); got != "running" {
		t.Errorf("run again: %s", got)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"return { apply() {} }", "return { apply() {} }"}, sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome page.Outcome
		want    string
	}{
		{"waits", page.Outcome{WaitingFor: []string{"slots"}}, "waiting"},
		{"fails", page.Outcome{Failure: "evaluate: no plugin"}, "failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t)
			p := b.page(page.Options{Script: func(host.ClientCode) page.Outcome { return c.outcome }})
			plugin, pkg := b.define("")
			b.ask("run", control.RunParams{Plugin: plugin, Package: pkg, Mode: "run"})
			if err := p.Approve(t.Context(), "approval-1", false); err != nil {
				t.Fatal(err)
			}
			if got := b.status(plugin); got != c.want {
				t.Errorf("status %s, want %s", got, c.want)
			}
		})
	}
}

// A page that vanishes leaves its request to the next one: CR-W5.
func TestVanish(t *testing.T) {
	b := open(t)
	gone := b.page(page.Options{Script: func(host.ClientCode) page.Outcome { return page.Outcome{Vanish: true} }})
	plugin, pkg := b.define("")
	b.ask("run", control.RunParams{Plugin: plugin, Package: pkg, Mode: "run"})
	if err := gone.Approve(t.Context(), "approval-1", true); err == nil {
		t.Error("a page that is gone has an answer")
	}
	next := b.page(page.Options{})
	if err := next.Await(t.Context(), named("cordis/request-run-resolved")); err != nil {
		t.Fatal(err)
	}
	if got := b.status(plugin); got != "running" {
		t.Errorf("status %s, want running", got)
	}
}

func TestDeclineAndGestures(t *testing.T) {
	b := open(t)
	p := b.page(page.Options{Idle: true})
	plugin, pkg := b.define("")
	b.ask("run", control.RunParams{Plugin: plugin, Package: pkg, Mode: "run"})
	if err := p.Decline(t.Context(), "approval-1"); err != nil {
		t.Fatal(err)
	}
	if got := b.status(plugin); got != "rejected" {
		t.Errorf("declined: %s", got)
	}
	if err := p.Approve(t.Context(), "approval-9", false); err == nil {
		t.Error("a request that nobody made was allowed")
	}
	r, err := p.Run(t.Context(), control.DefaultSession, plugin, pkg, "run")
	if err != nil || !r.OK {
		t.Fatalf("run by hand: %+v, %v", r, err)
	}
	if err := p.Crash(t.Context(), control.DefaultSession, plugin, string(r.PluginRunID), host.RenderFailure{Slot: "root", Message: "crashed"}); err != nil {
		t.Fatal(err)
	}
	if got := b.status(plugin); got != "failed" {
		t.Errorf("crashed: %s", got)
	}
	if a, err := p.Invoke(t.Context(), plugin, string(r.PluginRunID), "none", nil); err != nil || a.Code != "method-not-found" {
		t.Errorf("a method that is not there: %+v, %v", a, err)
	}
	if err := p.Refused(t.Context(), control.DefaultSession, plugin, string(r.PluginRunID), "refused"); err != nil {
		t.Error(err)
	}
	if len(p.Events()) == 0 {
		t.Error("the page has heard nothing")
	}
}

// CR-W21: -0 does not become 0 on its way to the Host half. It is refused where it
// is sent, and where it arrives from a page that sent it all the same.
func TestNegativeZero(t *testing.T) {
	b := open(t)
	p := b.page(page.Options{})
	plugin, _ := b.define("")
	if _, err := p.Invoke(t.Context(), plugin, "run-1", "m", []any{math.Copysign(0, -1)}); fault.CodeOf(err) != "lossy-args" {
		t.Errorf("sent: %v", err)
	}
	for args, want := range map[string]string{
		`-0`: "bad-params", `{"a":[1,{"b":-0.0}]}`: "bad-params", `[-0e9]`: "bad-params",
		`0`: "", `{"a":[0,-1]}`: "", `"-0"`: "",
	} {
		raw := json.RawMessage(`{"pluginId":"` + plugin + `","method":"m","args":` + args + `}`)
		if err := b.model.Call(t.Context(), "invoke", raw, nil); fault.CodeOf(err) != want {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
