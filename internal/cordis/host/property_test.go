package host_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/host"
	"github.com/dshkit/dshkit/internal/cordis/registry"
	"github.com/dshkit/dshkit/internal/cordis/wire"
)

// crowd is scripts that provide, use, fail, take their time and die.
func crowd() map[string]*script {
	provide := func(name string) *script {
		return &script{name: name, apply: func(ctx context.Context, f *fake) error {
			withdraw, err := f.provide(ctx, name, f.method("m", func(context.Context, []any) (any, error) { return name, nil }))
			if err == nil && f.id()%3 == 0 {
				return withdraw(ctx)
			}
			return err
		}, handlers: map[string]func(context.Context, any) (any, error){
			"m": func(context.Context, any) (any, error) { return nil, &wire.Thrown{Message: "threw"} },
		}}
	}
	use := func(names ...string) *script {
		return &script{inject: names, apply: func(ctx context.Context, f *fake) error {
			if err := f.on(ctx, "tools/change", func(context.Context, []any, half.Next) (any, error) { return nil, nil }); err != nil {
				return err
			}
			if _, err := f.callService(ctx, names[0]); err != nil {
				return err
			}
			return f.tool(ctx, "use-"+f.source.PluginID, func(ctx context.Context, _ any) (any, error) { return f.callService(ctx, names[0]) })
		}}
	}
	slow := func(ctx context.Context, f *fake) error {
		select {
		case <-time.After(time.Duration(f.id()) * time.Millisecond):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	die := func(_ context.Context, f *fake) error {
		go f.die(errors.New("died"))
		return nil
	}
	return map[string]*script{
		"a": provide("a"), "b": provide("b"), "use a": use("a"), "use both": use("a", "b"),
		"slow body": {eval: slow}, "slow apply": {apply: slow}, "dies": {apply: die},
		"bad":    {apply: func(context.Context, *fake) error { return &wire.Thrown{Message: "bad"} }},
		"panics": {eval: func(_ context.Context, f *fake) error { _ = f.Close(); panic("a starter's own mistake") }},
	}
}

// step is one command of somebody.
type step struct {
	do, plugin, code int
	mode             string
}

var (
	codes = []string{"a", "b", "use a", "use both", "slow body", "slow apply", "dies", "bad", "panics"}
	steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
		return step{
			rapid.IntRange(0, 11).Draw(t, "do"), rapid.IntRange(1, 6).Draw(t, "plugin"), rapid.IntRange(0, len(codes)-1).Draw(t, "code"),
			rapid.SampledFrom([]string{"run", "run", "update"}).Draw(t, "mode"),
		}
	}), 1, 25)
)

// play does what one of several callers does at the same time. What is refused is
// refused.
func play(ctx context.Context, h *host.Host, list []step) {
	s := h.Session(owner)
	page := h.AddPage(host.PageOptions{Events: func(host.Event) {}, Carry: func(host.Request) {}})
	defer page.Close()
	bridge := h.AddBridge(host.BridgeOptions{Name: "bridge"})
	for _, st := range list {
		row := find(h, st.plugin)
		pkg := host.PackageID("pkg-0")
		if n := len(row.Packages); n > 0 {
			pkg = row.Packages[st.code%n].PackageID
		}
		code, client := codes[st.code], clientCode
		switch st.do {
		case 0:
			_, _ = s.Define(ctx, host.DefineOptions{Prefix: "dyn", Name: "n", Purpose: "p", Host: &code})
		case 1:
			_, _ = s.Define(ctx, host.DefineOptions{Plugin: row.PluginID, Prefix: "dyn", Name: "n", Purpose: "p", Host: &code, Client: &client})
		case 2, 3:
			short, cancel := context.WithTimeout(ctx, time.Duration(st.code+1)*5*time.Millisecond)
			_, _ = s.Run(short, host.RunOptions{Plugin: row.PluginID, Package: pkg, Mode: st.mode})
			cancel()
		case 4:
			_ = s.Stop(ctx, row.PluginID)
		case 5:
			_, _ = s.Undefine(ctx, row.PluginID)
		case 6:
			for _, q := range h.Approvals() {
				a := page.RunHostHalf(ctx, host.HostHalfOptions{Agent: owner, Plugin: q.PluginID, Package: q.PackageID, Mode: q.Mode, Request: q.RequestID, ApproveFuture: st.code%2 == 0})
				page.ResolveRequest(ctx, q.RequestID, host.Resolution{OK: st.code%3 > 0, PluginRunID: a.PluginRunID, Reason: registry.ClientHalfFailed})
			}
		case 7:
			_, _ = h.PanelRun(ctx, host.RunOptions{Plugin: row.PluginID, Package: pkg, Mode: st.mode})
		case 8:
			h.Invoke(ctx, row.PluginID, "", "m", nil)
			_, _ = s.InspectSelf(row.PluginID, pkg)
		case 9:
			for _, t := range s.Tools() {
				_, _ = s.CallTool(ctx, t.Name, nil)
			}
		case 10:
			_ = bridge.Provide(ctx, codes[st.code%2], 1.0)
			_ = bridge.Emit(ctx, "tools/change", nil)
		case 11:
			_ = bridge.Close(ctx)
			bridge = h.AddBridge(host.BridgeOptions{Name: "bridge"})
		}
	}
}

func find(h *host.Host, n int) host.Row {
	for _, v := range h.Rows() {
		if v.PluginID == host.PluginID(fmt.Sprintf("dyn-%d", n)) {
			return v
		}
	}
	return host.Row{}
}

// CR-R26: whatever was asked at the same time, nothing is left when a host has
// closed.
func TestNothingIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := runtime.NumGoroutine()
		st := &starter{scripts: crowd()}
		lists := [][]step{steps.Draw(t, "first"), steps.Draw(t, "second"), steps.Draw(t, "third")}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h, err := host.New(host.Config{
			Starter: st, Now: time.Now, Check: check(st), Limits: host.Limits{Start: patience, Stop: patience},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 { // what the callers meet
			_, _ = h.Session(owner).Define(ctx, host.DefineOptions{Prefix: "dyn", Name: "n", Purpose: "p", Host: &codes[lists[i%3][0].code]})
		}
		var all sync.WaitGroup
		for _, list := range lists {
			all.Go(func() { play(ctx, h, list) })
		}
		all.Wait()
		if err := h.Close(ctx); err != nil {
			t.Fatalf("close: %v", err)
		}
		for _, row := range h.Rows() {
			t.Errorf("a plugin is left: %+v", row)
		}
		if tools := h.Session(owner).Tools(); len(tools) > 0 {
			t.Errorf("tools are left: %v", tools)
		}
		if _, alive := st.count(""); alive > 0 {
			t.Errorf("%d halves are left", alive)
		}
		for end := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				stacks := make([]byte, 1<<20)
				t.Fatalf("goroutines are left:\n%s", stacks[:runtime.Stack(stacks, true)])
			}
		}
		if _, err := h.Session(owner).Define(ctx, host.DefineOptions{}); err == nil {
			t.Error("a host that is closed took a definition")
		}
	})
}
