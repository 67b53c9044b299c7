package registry_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dshkit/dshkit/internal/cordis/registry"
)

const (
	me    registry.Session = "S-a"
	other registry.Session = "S-b"
)

// world is a host that keeps what a registry decides, and reports by hand.
type world struct {
	t       testing.TB
	r       *registry.Registry
	last    registry.Ticket
	answers map[registry.Ticket]registry.Answer
	events  []registry.Event
	notices []registry.Notice
	offers  []registry.Offer
	orders  []registry.Action // that no report has answered
	now     time.Time
	auto    bool // starts and retracts succeed at once
}

func newWorld(t testing.TB) *world {
	return &world{
		t: t, r: registry.New(registry.Limits{}), answers: map[registry.Ticket]registry.Answer{},
		now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), auto: true,
	}
}

// slow lets the test report by hand.
func (w *world) slow() *world { w.auto = false; return w }

func (w *world) carry(d registry.Decision) {
	w.t.Helper()
	w.events = append(w.events, d.Events...)
	w.notices = append(w.notices, d.Notices...)
	w.offers = append(w.offers, d.Offers...)
	for _, a := range d.Answers {
		if _, twice := w.answers[a.Ticket]; twice {
			w.t.Fatalf("ticket %d was answered twice", a.Ticket)
		}
		w.answers[a.Ticket] = a
	}
	for _, a := range d.Do {
		if a.Kind != registry.ActCancel {
			w.orders = append(w.orders, a)
		}
	}
	if w.auto {
		w.settleOrders()
	}
}

func (w *world) settleOrders() {
	for len(w.orders) > 0 {
		w.report(w.orders[0].RunID)
	}
}

// report answers the oldest order about a run with success.
func (w *world) report(run registry.RunID) {
	w.t.Helper()
	switch a := w.take(run); a.Kind {
	case registry.ActStart:
		w.carry(w.r.HostStarted(run, registry.HostReport{Provides: []string{"svc"}}))
	case registry.ActRetract:
		w.carry(w.r.Retracted(run))
	}
}

func (w *world) take(run registry.RunID) registry.Action {
	w.t.Helper()
	for i, a := range w.orders {
		if a.RunID == run {
			w.orders = append(w.orders[:i:i], w.orders[i+1:]...)
			return a
		}
	}
	w.t.Fatalf("nothing was ordered about %s: %v", run, w.orders)
	return registry.Action{}
}

// breaks answers the order to start a run with a failure.
func (w *world) breaks(run registry.RunID, message string) {
	w.t.Helper()
	w.take(run)
	w.carry(w.r.HostFailed(run, registry.PhaseHostApply, registry.Failure{Message: message, Stack: "at apply"}))
}

func (w *world) ticket() registry.Ticket { w.last++; return w.last }

// ask gives a command a ticket, and returns it.
func (w *world) ask(command func(registry.Ticket) registry.Decision) registry.Ticket {
	w.t.Helper()
	t := w.ticket()
	w.carry(command(t))
	return t
}

// answer is what a ticket was answered: the result, or the error.
func (w *world) answer(t registry.Ticket) any {
	a, ok := w.answers[t]
	switch {
	case !ok:
		return "pending"
	case a.Err != nil:
		return a.Err
	}
	return a.Value
}

func (w *world) define(new string, host, client bool) (registry.PluginID, registry.PackageID) {
	w.t.Helper()
	d := registry.Definition{Session: me, New: true, Prefix: new, Name: "Name", Purpose: "p", Code: code(host, client)}
	out, err := w.r.Define(d, fine)
	if err != nil {
		w.t.Fatal(err)
	}
	return out.PluginID, out.PackageID
}

func (w *world) another(plugin registry.PluginID, host, client bool) registry.PackageID {
	w.t.Helper()
	d := registry.Definition{Session: me, PluginID: plugin, Name: "Name", Purpose: "p", Code: code(host, client)}
	out, err := w.r.Define(d, fine)
	if err != nil {
		w.t.Fatal(err)
	}
	return out.PackageID
}

func code(host, client bool) (c registry.Code) {
	if host {
		c.Host = ptr(registry.Source("host source"))
	}
	if client {
		c.Client = ptr(registry.Source("client source"))
	}
	return c
}

func ptr[T any](v T) *T { return &v }

func fine(registry.Side, string) error { return nil }

func (w *world) run(plugin registry.PluginID, pkg registry.PackageID, m registry.Mode) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.Run(t, registry.RunCommand{Session: me, PluginID: plugin, PackageID: pkg, Mode: m})
	})
}

// page is RunHostHalf for a request, or by hand with an empty one.
func (w *world) page(plugin registry.PluginID, pkg registry.PackageID, m registry.Mode, q registry.RequestID) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.RunHostHalf(t, registry.HostHalfCommand{
			Session: me, PluginID: plugin, PackageID: pkg, Mode: m, RequestID: q, Now: w.now,
		})
	})
}

func (w *world) resolve(q registry.RequestID, res registry.Resolution) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.ResolveRequest(t, registry.ResolveCommand{RequestID: q, Resolution: res, Now: w.now})
	})
}

func (w *world) settle(plugin registry.PluginID, res registry.Resolution) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision { return w.r.SettleUserRun(t, me, plugin, res) })
}

func (w *world) stop(plugin registry.PluginID, panel bool) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.Stop(t, registry.StopCommand{Session: me, PluginID: plugin, Panel: panel})
	})
}

func (w *world) undefine(plugin registry.PluginID, panel bool) registry.Ticket {
	w.t.Helper()
	return w.ask(func(t registry.Ticket) registry.Decision {
		return w.r.Undefine(t, registry.StopCommand{Session: me, PluginID: plugin, Panel: panel})
	})
}

func ok(run registry.RunID, waitingFor ...string) registry.Resolution {
	return registry.Resolution{OK: true, PluginRunID: run, WaitingFor: waitingFor}
}

func broken(run registry.RunID, message string) registry.Resolution {
	return registry.Resolution{Reason: registry.ClientHalfFailed, PluginRunID: run, Message: message, Stack: "at page"}
}

func declined() registry.Resolution { return registry.Resolution{Reason: registry.WasRejected} }

// told takes the events and gives them short.
func (w *world) told() []string {
	out := []string{}
	for _, e := range w.events {
		switch p := e.Payload.(type) {
		case registry.RequestRun:
			out = append(out, fmt.Sprintf("request %s %s/%s %s asks=%t", p.RequestID, p.PluginID, p.PackageID, p.Mode, p.RequiresApproval))
		case registry.RequestRunResolved:
			out = append(out, fmt.Sprintf("resolved %s %s", p.RequestID, p.Outcome))
		case registry.DynamicPackage:
			out = append(out, fmt.Sprintf("package %s/%s %s", p.PluginID, p.PackageID, p.PluginRunID))
		case registry.DynamicRetract:
			out = append(out, fmt.Sprintf("retract %s/%s %s", p.PluginID, p.PackageID, p.PluginRunID))
		case registry.DynamicStatus:
			out = append(out, fmt.Sprintf("status %s %s", p.PluginRunID, p.Status))
		}
	}
	w.events = nil
	return out
}

// topics takes the notices and gives their topics.
func (w *world) topics() []registry.Topic {
	out := []registry.Topic{}
	for _, n := range w.notices {
		out = append(out, n.Topic)
	}
	w.notices = nil
	return out
}

func (w *world) row(plugin registry.PluginID) registry.Row {
	w.t.Helper()
	row, found := w.r.Plugin(plugin)
	if !found {
		w.t.Fatalf("no plugin %s", plugin)
	}
	return row
}

func (w *world) latest(plugin registry.PluginID) registry.Attempt {
	w.t.Helper()
	return *w.row(plugin).LatestRun
}

func (w *world) state(plugin registry.PluginID) registry.State {
	w.t.Helper()
	self, err := w.r.SelfPlugin(me, plugin)
	if err != nil {
		w.t.Fatal(err)
	}
	return self.State
}

// rule is the rule of a refusal, or what there is instead.
func rule(answer any) any {
	var r *registry.Refusal
	if err, isErr := answer.(error); isErr && errors.As(err, &r) {
		return r.Rule
	}
	return answer
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func encode(t interface {
	Helper()
	Fatal(...any)
}, v any,
) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
