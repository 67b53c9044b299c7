package host_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/inspect"
	"github.com/dshkit/dshkit/pkg/fault"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

const clientCode = "return { apply() {} }"

// gesture starts a Host half by hand.
func gesture(d host.Defined) host.HostHalfOptions {
	return host.HostHalfOptions{Agent: owner, Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}
}

// requested is the request of a plugin.
func (b *bench) requested(p host.PluginID) host.Request {
	b.Helper()
	for _, r := range b.host.Approvals() {
		if r.PluginID == p {
			return r
		}
	}
	b.Fatalf("no request of %s", p)
	return host.Request{}
}

// approveBy carries a request out as a page does whose user has allowed it.
func (b *bench) approveBy(p *host.Page, d host.Defined, r host.Resolution) (host.HostHalfAnswer, bool) {
	b.Helper()
	q := b.requested(d.PluginID)
	o := gesture(d)
	o.Request, o.Mode = q.RequestID, q.Mode
	a := p.RunHostHalf(b.ctx, o)
	if !a.OK {
		return a, false
	}
	if _, err := p.ClientCode(owner, d.PluginID, a.PluginRunID); err != nil {
		b.Fatal(err)
	}
	r.PluginRunID = a.PluginRunID
	return a, p.ResolveRequest(b.ctx, q.RequestID, r)
}

// CR-R10, CR-R8, CR-R7, CR-R1, CR-R2, CR-R3
func TestApproval(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	if _, err := page.ClientCode(owner, d.PluginID, "run-1"); fault.CodeOf(err) != "stale-run" {
		t.Errorf("source before a run: %v", err)
	}
	if a := b.mustRun(d); a.Status != "awaiting-approval" || a.NextPackageID != d.PackageID {
		t.Errorf("run: %+v", a)
	}
	if _, ok := b.approveBy(page, d, host.Resolution{OK: true, WaitingFor: []string{"slots"}}); !ok {
		t.Error("the success did not count")
	}
	if row := b.row(d.PluginID); row.LatestRun.Status != "waiting" || row.LatestRun.Client.WaitingFor[0] != "slots" {
		t.Errorf("attempt %+v", row.LatestRun)
	}
	b.want("events", b.heard(), []string{"request-run", "dynamic-package", "request-run-resolved approved"})
	b.want("feedback", b.told(), []string{"run-succeeded"})
	if _, err := page.ClientCode("S-b", d.PluginID, "run-1"); fault.CodeOf(err) != "plugin-missing" {
		t.Errorf("source for another Session: %v", err)
	}
	other := b.host.Session("S-b")
	if err := other.Stop(b.ctx, d.PluginID); fault.CodeOf(err) != "plugin-missing" {
		t.Errorf("stop by another Session: %v", err)
	}
	// CR-W32
	bound, _ := b.page("S-b")
	if a := bound.Invoke(b.ctx, d.PluginID, "run-1", "double", 1.0); a.Code != "plugin-not-running" {
		t.Errorf("invoke by a page of another Session: %+v", a)
	}
	if rows := bound.Inventory(); len(rows) != 0 {
		t.Errorf("a page of another Session sees %v", rows)
	}
}

// CR-R11, CR-R12, CR-R13, CR-W9
func TestApprovalEndsBadly(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	if !page.ResolveRequest(b.ctx, b.requested(d.PluginID).RequestID, host.Resolution{Reason: "rejected"}) {
		t.Error("the refusal did not count")
	}
	b.want("events", b.heard(), []string{"request-run", "request-run-resolved rejected"})
	b.want("feedback", b.told(), []string{"run-rejected"})

	b.mustRun(d)
	if _, ok := b.approveBy(page, d, host.Resolution{Reason: "client-half-failed", Message: "activate: broke"}); !ok {
		t.Error("the failure did not count")
	}
	row := b.row(d.PluginID)
	if row.ActiveRun != nil || row.LatestRun.Status != "failed" || row.LatestRun.Host.Status != "stopped" || row.LatestRun.Error.Message != "activate: broke" {
		t.Errorf("attempt %+v", row.LatestRun)
	}
	b.want("events", b.heard(), []string{"request-run", "dynamic-package", "dynamic-retract", "request-run-resolved failed"})
	b.want("feedback", b.told(), []string{"run-failed"})
	if a := b.mustRun(d); a.Status != "starting" { // the grant has stayed
		t.Errorf("run: %+v", a)
	}
}

// CR-R14, CR-R15, CR-R16: gestures share one start.
func TestGestures(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, map[string]*script{"slow": {eval: func(context.Context, *fake) error { <-gate; return nil }}})
	page, _ := b.page()
	second, _ := b.page()
	d := b.define("slow", "")
	answers := make([]host.HostHalfAnswer, 2)
	var both sync.WaitGroup
	for i, p := range []*host.Page{page, second} {
		both.Go(func() { answers[i] = p.RunHostHalf(b.ctx, gesture(d)) })
	}
	b.wait("the start", func() bool { n, _ := b.starter.count("slow"); return n == 1 })
	close(gate)
	both.Wait()
	for _, a := range answers {
		if !a.OK || a.PluginRunID != "run-1" || a.WaitingFor == nil {
			t.Errorf("answer %+v", a)
		}
	}
	if a := page.RunHostHalf(b.ctx, gesture(d)); !a.OK || a.StartedHere || a.PluginRunID != "run-1" {
		t.Errorf("once more: %+v", a)
	}
	if n, _ := b.starter.count("slow"); n != 1 {
		t.Errorf("it was evaluated %d times", n)
	}
	if page.ResolveRequest(b.ctx, "approval-9", host.Resolution{OK: true}) {
		t.Error("an unknown request was answered")
	}
}

// CR-W5: two pages at one automatic request: the second joins.
func TestTwoPages(t *testing.T) {
	gate := make(chan struct{})
	close(gate)
	b := newBench(t, map[string]*script{"slow": {eval: func(context.Context, *fake) error { <-gate; return nil }}})
	page, _ := b.page()
	second, _ := b.page()
	d := b.define("slow", clientCode)
	b.mustRun(d)
	if _, ok := b.approveBy(page, d, host.Resolution{OK: true}); !ok {
		t.Fatal("the first approval failed")
	}
	b.heard()
	gate = make(chan struct{})
	if a := b.mustRun(d); a.Status != "starting" {
		t.Fatalf("run: %+v", a)
	}
	q := b.requested(d.PluginID)
	o := gesture(d)
	o.Request = q.RequestID
	answers := make(chan host.HostHalfAnswer, 2)
	for _, p := range []*host.Page{page, second} {
		go func() { answers <- p.RunHostHalf(b.ctx, o) }()
	}
	b.wait("the start", func() bool { n, _ := b.starter.count("slow"); return n == 2 })
	close(gate)
	one, two := <-answers, <-answers
	if !one.OK || !two.OK || one.PluginRunID != two.PluginRunID || one.StartedHere == two.StartedHere {
		t.Errorf("answers %+v and %+v", one, two)
	}
	if !page.ResolveRequest(b.ctx, q.RequestID, host.Resolution{OK: true, PluginRunID: one.PluginRunID}) {
		t.Error("the success did not count")
	}
	b.want("events", b.heard(), []string{"request-run", "dynamic-retract", "dynamic-package", "request-run-resolved completed"})
}

// CR-R17, CR-V3
func TestStopWhileAPageLoads(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	q := b.requested(d.PluginID)
	o := gesture(d)
	o.Request = q.RequestID
	a := page.RunHostHalf(b.ctx, o)
	b.mustStop(d.PluginID)
	if page.ResolveRequest(b.ctx, q.RequestID, host.Resolution{OK: true, PluginRunID: a.PluginRunID}) {
		t.Error("the answer counted after the stop")
	}
	b.want("events", b.heard(), []string{"request-run", "dynamic-package", "request-run-resolved cancelled", "dynamic-retract"})
	if next := page.RunHostHalf(b.ctx, gesture(d)); next.PluginRunID != "run-2" || !next.StartedHere {
		t.Errorf("the next gesture: %+v", next)
	}
	no := false
	got := page.SettleUserRun(b.ctx, owner, d.PluginID, host.Resolution{Reason: "client-half-failed", PluginRunID: "run-2", StartedHere: &no, Message: "x"})
	if got.OK || got.Reason != "client-half-failed" || b.row(d.PluginID).ActiveRun == nil {
		t.Errorf("a failure of a page that attached: %+v", got)
	}
}

// CR-W23 and the topics of panels.
func TestPanel(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter(), "bad": {eval: func(context.Context, *fake) error { return context.Canceled }}})
	page, carried := b.page()
	d := b.define("greeter", "")
	if r, err := b.host.PanelRun(b.ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: "run"}); err != nil || !r.OK || r.Status != "running" || r.CurrentPackageID != d.PackageID {
		t.Errorf("panel run: %+v, %v", r, err)
	}
	bad := b.define("bad", "")
	if r, _ := b.host.PanelRun(b.ctx, host.RunOptions{Plugin: bad.PluginID, Package: bad.PackageID, Mode: "run"}); r.OK || r.Reason != "host-half-failed" {
		t.Errorf("panel run of what fails: %+v", r)
	}
	if a := b.host.PanelStop(b.ctx, d.PluginID); !a.OK {
		t.Errorf("panel stop: %+v", a)
	}
	if a := page.Stop(b.ctx, owner, d.PluginID); a.OK || a.Reason != "not-running" {
		t.Errorf("panel stop again: %+v", a)
	}
	if a := b.host.PanelRemove(b.ctx, d.PluginID); !a.OK || *a.WasRunning {
		t.Errorf("panel remove: %+v", a)
	}
	if a := page.Undefine(b.ctx, owner, d.PluginID); a.OK || a.Reason != "plugin-missing" {
		t.Errorf("panel remove again: %+v", a)
	}
	b.want("feedback", b.told(), []string{"user-ran", "user-run-failed", "user-stopped", "user-removed"})
	both := b.define("greeter", clientCode)
	r, err := b.host.PanelRun(b.ctx, host.RunOptions{Plugin: both.PluginID, Package: both.PackageID, Mode: "run"})
	if err != nil || r.Status != "starting" || (<-carried).PluginRunID != r.PluginRunID {
		t.Errorf("panel run of a Client half: %+v, %v", r, err)
	}
}

// Approvals by shell go to one page, now or when one comes (17.5).
func TestShellApproves(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	q := b.requested(d.PluginID)
	if r, err := b.host.Approve(b.ctx, q.RequestID, true); fault.CodeOf(err) != "no-page" || r.RequiresApproval {
		t.Errorf("without a page: %+v, %v", r, err)
	}
	first, carried := b.page()
	if got := <-carried; got.RequestID != q.RequestID {
		t.Errorf("carried %+v", got)
	}
	if !first.Renew(q.RequestID) {
		t.Error("the lease was not renewed")
	}
	second, next := b.page()
	first.Close()
	if got := <-next; got.RequestID != q.RequestID || second.Renew("approval-9") {
		t.Errorf("handed on %+v", got)
	}
	if _, ok := b.approveBy(second, d, host.Resolution{OK: true}); !ok {
		t.Error("the second page could not carry it out")
	}
	v, err := b.s.Settled(b.ctx, d.PluginID, q.PluginRunID)
	if err != nil || b.status(d.PluginID) != "running" {
		t.Errorf("settled %v, %v", v, err)
	}
	b.mustRun(d)
	if err := b.host.Decline(b.ctx, b.requested(d.PluginID).RequestID); fault.CodeOf(err) != "stale-request" {
		t.Errorf("declining what was allowed for all versions: %v", err)
	}
	if err := b.host.Decline(b.ctx, "approval-9"); fault.CodeOf(err) != "request-missing" {
		t.Errorf("declining nothing: %v", err)
	}
}

// CR-R27, CR-R28, CR-R29 and the topics of failures that come while a plugin runs.
func TestTopics(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	page, _ := b.page()
	d := b.define("greeter", clientCode)
	b.mustRun(d)
	a, _ := b.approveBy(page, d, host.Resolution{OK: true})
	b.told()
	f := b.starter.latest(t, "greeter")
	for range 2 { // each is told once
		b.host.Invoke(b.ctx, d.PluginID, "", "boom", nil)
		f.world.Report(half.Failure{Kind: half.FailureGuard, Message: "undeclared x"})
		f.world.Report(half.Failure{Kind: half.FailureTimer, Message: "tick"})
		page.ReportGuard(owner, d.PluginID, a.PluginRunID, "client guard", "")
	}
	b.want("feedback", b.told(), []string{"handler-failed", "guard-rejected", "code-failed", "guard-rejected"})
	page.ReportRender("S-b", d.PluginID, a.PluginRunID, host.RenderFailure{Slot: "x"})
	page.ReportRender(owner, d.PluginID, "run-9", host.RenderFailure{Slot: "x"})
	b.want("feedback of stale reports", b.told(), []string{})
	page.ReportRender(owner, d.PluginID, a.PluginRunID, host.RenderFailure{Slot: "root", Message: "one"})
	page.ReportRender(owner, d.PluginID, a.PluginRunID, host.RenderFailure{Slot: "shell.overlay", Message: "later"})
	b.want("feedback of crashes", b.told(), []string{"render-failed"})
	if e := b.row(d.PluginID).LatestRun.Error; e.Slot != "shell.overlay" || e.Message != "later" {
		t.Errorf("diagnostic %+v", e)
	}
	b.host.Invoke(b.ctx, d.PluginID, "", "boom", nil) // CR-W28 needs another text, which a second handler would give
	b.mustStop(d.PluginID)
	if e := b.row(d.PluginID).LatestRun.Error; e != nil {
		t.Errorf("the crash outlives the stop: %+v", e)
	}
}

func TestInspectAndMention(t *testing.T) {
	b := newBench(t, map[string]*script{"greeter": greeter()})
	d, _ := b.up("greeter")
	if got := b.s.InspectList(); len(got) < 4 {
		t.Errorf("providers: %v", got)
	}
	data, err := b.s.InspectQuery(b.ctx, inspect.Question{Platform: inspect.Host, Provider: "Service", Method: "listService"})
	if o, ok := jsonvalue.Map(data); err != nil || !ok || !o.Has("services") {
		t.Errorf("listService: %v, %v", data, err)
	}
	data, err = b.s.InspectQuery(b.ctx, inspect.Question{Platform: inspect.Host, Provider: "Tool", Method: "listTools"})
	if o, ok := jsonvalue.Map(data); err != nil || !ok || !strings.Contains(jsonvalue.Format(o), "cordis_run") {
		t.Errorf("listTools: %v, %v", data, err)
	}
	page, _ := b.page()
	schema := jsonvalue.Of("type", "object", "properties", jsonvalue.Of(), "additionalProperties", true)
	manifest := inspect.Manifest{ID: "Slots", Description: "slots", Methods: []inspect.Method{{Name: "list", Description: "all", Input: schema, Output: schema}}}
	if err := page.SyncManifest([]inspect.Manifest{manifest}); err != nil {
		t.Fatal(err)
	}
	b.heard()
	q := inspect.Question{Platform: inspect.Client, Provider: "Slots", Method: "list"}
	asked := make(chan any, 1)
	go func() { v, _ := b.s.InspectQuery(b.ctx, q); asked <- v }()
	b.wait("the query", func() bool { e, _ := b.host.Events(b.seq); return len(e) > 0 })
	if page.ResolveQuery("S-b", "inspect-1", inspect.Answer{OK: true, Data: jsonvalue.Of()}) {
		t.Error("another Session has answered")
	}
	if !page.ResolveQuery(owner, "inspect-1", inspect.Answer{OK: true, Data: jsonvalue.Of("a", 1.0)}) {
		t.Error("the answer did not count")
	}
	if v := <-asked; jsonvalue.Format(v) != `{"a":1}` {
		t.Errorf("answer %v", v)
	}
	b.want("events", b.heard(), []string{"inspect-query", "inspect-query-resolved"})
	ctx, cancel := context.WithCancel(b.ctx)
	failed := make(chan error, 1)
	go func() { _, err := b.s.InspectQuery(ctx, q); failed <- err }()
	b.wait("the query", func() bool { e, _ := b.host.Events(b.seq); return len(e) > 0 })
	cancel()
	if err := <-failed; fault.CodeOf(err) != "cancelled" {
		t.Errorf("a query that was given up: %v", err)
	}
	b.want("events", b.heard(), []string{"inspect-query", "inspect-query-resolved"})

	texts := b.s.Mention([]string{"use @" + string(d.PluginID) + " and @view-7"})
	if len(texts) != 2 || !strings.Contains(texts[0], "pkg-1") || !strings.Contains(texts[1], "view-7") {
		t.Errorf("mentions: %q", texts)
	}
	for _, c := range []struct {
		plugin host.PluginID
		pkg    host.PackageID
		code   string
	}{{"", "", ""}, {d.PluginID, "", ""}, {d.PluginID, d.PackageID, ""}, {"", d.PackageID, "self-package-without-plugin"}, {"dyn-9", "", "plugin-missing"}, {d.PluginID, "pkg-9", "package-missing"}} {
		if _, err := b.s.InspectSelf(c.plugin, c.pkg); fault.CodeOf(err) != c.code {
			t.Errorf("self %v: %v", c, err)
		}
	}
}
