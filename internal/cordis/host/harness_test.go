package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/pkg/jsonvalue"
)

// patience is for what is sure to come.
const patience = 30 * time.Second

// bench is a host under test, with one Session of its own.
type bench struct {
	*testing.T
	host    *host.Host
	s       *host.Session
	ctx     context.Context
	starter *starter // nil with real halves

	mu  sync.Mutex
	seq uint64 // of the events that were read
}

const owner = host.SessionID("S-a")

// newBench starts a host with fake halves of these scripts.
func newBench(t *testing.T, scripts map[string]*script, limits ...host.Limits) *bench {
	t.Helper()
	st := &starter{scripts: scripts}
	b := benchWith(t, st, nil, limits...)
	b.starter = st
	return b
}

func benchWith(t *testing.T, st half.Starter, circle *half.Circle, limits ...host.Limits) *bench {
	t.Helper()
	var l host.Limits
	if len(limits) > 0 {
		l = limits[0]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*patience)
	t.Cleanup(cancel)
	h, err := host.New(host.Config{Workspace: t.TempDir(), Starter: st, Circle: circle, Now: time.Now, Language: "en", Limits: l, Check: check(st)})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, host: h, s: h.Session(owner), ctx: ctx}
	t.Cleanup(func() {
		closing, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Close(closing); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// define makes a plugin of a Host half, a Client half, or both; "" is none.
func (b *bench) define(hostCode, clientCode string) host.Defined {
	b.Helper()
	return b.defineOf("", hostCode, clientCode)
}

func (b *bench) defineOf(plugin host.PluginID, hostCode, clientCode string) host.Defined {
	b.Helper()
	o := host.DefineOptions{Prefix: "dyn", Plugin: plugin, Name: "name", Purpose: "do a thing"}
	if hostCode != "" {
		o.Host = &hostCode
	}
	if clientCode != "" {
		o.Client = &clientCode
	}
	d, err := b.s.Define(b.ctx, o)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

func (b *bench) run(d host.Defined, mode ...string) (host.RunAnswer, error) {
	m := "run"
	if len(mode) > 0 {
		m = mode[0]
	}
	return b.s.Run(b.ctx, host.RunOptions{Plugin: d.PluginID, Package: d.PackageID, Mode: m})
}

func (b *bench) mustRun(d host.Defined, mode ...string) host.RunAnswer {
	b.Helper()
	a, err := b.run(d, mode...)
	if err != nil {
		b.Fatalf("run %s/%s: %v", d.PluginID, d.PackageID, err)
	}
	return a
}

// up defines and runs a Host half.
func (b *bench) up(code string) (host.Defined, host.RunAnswer) {
	b.Helper()
	d := b.define(code, "")
	return d, b.mustRun(d)
}

func (b *bench) mustStop(p host.PluginID) {
	b.Helper()
	if err := b.s.Stop(b.ctx, p); err != nil {
		b.Fatalf("stop %s: %v", p, err)
	}
}

// row is a plugin of the inventory.
func (b *bench) row(p host.PluginID) registry.Row {
	b.Helper()
	for _, v := range b.host.Inventory() {
		var row registry.Row
		if err := json.Unmarshal([]byte(jsonvalue.Format(v)), &row); err != nil {
			b.Fatal(err)
		}
		if row.PluginID == p {
			return row
		}
	}
	return registry.Row{}
}

func (b *bench) status(p host.PluginID) string {
	b.Helper()
	if a := b.row(p).LatestRun; a != nil {
		return string(a.Status)
	}
	return ""
}

// tools are the names that can be called.
func (b *bench) tools() []string {
	names := []string{}
	for _, t := range b.s.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// told are the topics of the feedback since the last time.
func (b *bench) told() []string {
	b.Helper()
	messages, err := b.s.Feedback(b.ctx, host.FeedbackOptions{})
	if err != nil {
		b.Fatal(err)
	}
	topics := []string{}
	for _, m := range messages {
		topics = append(topics, string(m.Topic))
	}
	return topics
}

// heard are the events since the last time, by their short names.
func (b *bench) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	events, _ := b.host.Events(b.seq)
	names := []string{}
	for _, e := range events {
		b.seq = e.Seq
		name := strings.TrimPrefix(e.Name, "cordis/")
		if outcome, ok := e.Payload.Text("outcome"); ok {
			name += " " + outcome
		}
		names = append(names, name)
	}
	return names
}

// lines are what a plugin wrote.
func (b *bench) lines(p host.PluginID) []string {
	list, _ := b.host.Logs(0)
	out := []string{}
	for _, l := range list {
		if l.Plugin == string(p) {
			out = append(out, l.Text)
		}
	}
	return out
}

// wait waits for a condition.
func (b *bench) wait(what string, ready func() bool) {
	b.Helper()
	for end := time.Now().Add(patience); !ready(); {
		if time.Now().After(end) {
			b.Fatalf("waited too long for %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *bench) want(what string, got, want []string) {
	b.Helper()
	if !slices.Equal(got, want) {
		b.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// sample reads a half of a sample.
func sample(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "cordis-samples", path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// page connects one that takes whatever it is handed.
func (b *bench) page(sessions ...host.SessionID) (*host.Page, chan host.Request) {
	carried := make(chan host.Request, 64)
	p := b.host.AddPage(host.PageOptions{Name: "page", Sessions: sessions, Events: func(host.Event) {}, Carry: func(r host.Request) { carried <- r }})
	b.Cleanup(p.Close)
	return p, carried
}

// check lets the names of scripts pass, which are no JavaScript.
func check(st half.Starter) registry.Check {
	if _, fake := st.(*starter); fake {
		return func(registry.Side, string) error { return nil }
	}
	return nil
}
