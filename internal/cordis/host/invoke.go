package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dshkit/dshkit/internal/cordis/half"
	"github.com/dshkit/dshkit/internal/cordis/registry"
)

// InvokeAnswer is what a handler came to (spec/cordis.md 11.1).
type InvokeAnswer struct {
	OK      bool   `json:"ok"`
	Value   any    `json:"value,omitempty"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

// The codes of an InvokeAnswer.
const (
	invokeNotRunning = "plugin-not-running"
	invokeStale      = "stale-run"
	invokeNoMethod   = "method-not-found"
	invokeFailed     = "handler-error"
)

// Invoke calls a handler of the Host half. A page that is bound to Sessions
// reaches the plugins of those alone.
func (p *Page) Invoke(ctx context.Context, plugin PluginID, run RunID, method string, args any) InvokeAnswer {
	if !p.serves(p.host.owner(plugin)) {
		return notInvoked(&registry.Refusal{Reason: registry.NotRunning, Rule: registry.RuleNotRunning, PluginID: plugin})
	}
	return p.host.Invoke(ctx, plugin, run, method, args)
}

// Invoke is Page.Invoke for a shell. An empty run stands for the active one.
func (h *Host) Invoke(ctx context.Context, plugin PluginID, run RunID, method string, args any) InvokeAnswer {
	a, release, err := h.invocable(plugin, run)
	if err != nil {
		return notInvoked(err)
	}
	defer release()
	missing := InvokeAnswer{Code: invokeNoMethod, Message: fmt.Sprintf("%s registered no Host method %q", plugin, method)}
	if a.half == nil || !slices.Contains(a.half.Handlers(), method) {
		missing.Message += h.parked(plugin)
		return missing
	}
	value, err := a.half.Invoke(ctx, method, args)
	switch {
	case errors.Is(err, half.ErrNoMethod):
		return missing
	case err == nil:
		return InvokeAnswer{OK: true, Value: value}
	case ctx.Err() != nil:
		return InvokeAnswer{Code: invokeFailed, Message: err.Error()} // whoever gave up is not the plugin's fault
	}
	f := failureOf(err)
	if !errors.Is(err, half.ErrGone) { // else the run itself has failed, and that is told
		h.decide(func(r *registry.Registry) registry.Decision { return r.HandlerFailed(a.id, method, f) })
	}
	return InvokeAnswer{Code: invokeFailed, Message: f.Message, Stack: f.Stack}
}

// parked says what a plugin waits for that may yet declare handlers in its apply.
func (h *Host) parked(plugin PluginID) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	row, ok := h.registry.Plugin(plugin)
	if !ok || row.LatestRun == nil || len(row.LatestRun.Host.WaitingFor) == 0 {
		return ""
	}
	return " yet: it waits for " + strings.Join(row.LatestRun.Host.WaitingFor, ", ")
}

// invocable finds the activation that a handler is called of. One without a Host
// half has none, and no methods.
func (h *Host) invocable(plugin PluginID, run RunID) (*activation, func(), error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if row, ok := h.registry.Plugin(plugin); ok && run == "" && row.ActiveRun != nil {
		run = row.ActiveRun.PluginRunID
	}
	if err := h.registry.Invocable(plugin, run); err != nil {
		return nil, nil, err
	}
	if a := h.runs[run]; a != nil {
		return a, a.use(), nil
	}
	return &activation{id: run}, func() {}, nil
}

func notInvoked(err error) InvokeAnswer {
	reason, message, _ := refused(err)
	if reason == string(registry.StaleRun) {
		return InvokeAnswer{Code: invokeStale, Message: message}
	}
	return InvokeAnswer{Code: invokeNotRunning, Message: message}
}
